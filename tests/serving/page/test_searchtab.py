"""Queries to the corpora of the server: what is found, what is wrong, what is offered."""

import csv
import io
import json
import re
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import permutree
from browsing import Site, eventually, expect
from permutree.formats import read
from permutree.search import Corpus
from permutree.search.languages import parse_query

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

QUERIES: list[dict[str, Any]] = json.loads(
    (Path(permutree.__file__).parent / "serving" / "page" / "queries.json").read_text("utf-8")
)
EXTRAPOSED = '#n:[cat="NP"] > #r:[cat="SBAR"] & extraposed(#r)'


def search(page: "Page", query: str) -> None:
    page.locator("#query").fill(query)
    page.locator("#query").press("Enter")


def download(page: "Page", name: str) -> str:
    page.locator(".search summary", has_text="Download").first.click()
    with page.expect_download() as found:
        page.locator(".search .menu[open]").get_by_role("button", name=name).click()
    return Path(found.value.path()).read_text("utf-8")


def test_matches_as_lines_trees_and_a_table(site: Site) -> None:
    page = site.open("#tab=search")
    search(page, EXTRAPOSED)
    expect(page.locator(".search .status")).to_contain_text("2 matches · ")
    first = page.locator(".kwic li").first
    row = ["[n", "A", "man]", "came", "[n", "[r", "who", "slept]]", "."]
    eventually(page, lambda: first.locator(".row").inner_text().split(), row)
    expect(first.locator(".hit.v1")).to_have_text(["who", "slept"])
    expect(first.locator(".in-gap")).to_have_text(["came"])
    page.get_by_role("button", name="Tree 1").click()
    expect(page.locator(".kwic svg.tree .found .label")).to_have_text(["NP", "SBAR"])
    expect(page.locator("svg.tree .found.v1")).to_have_attribute("aria-label", re.compile("found as r"))
    page.get_by_role("button", name="Trees", exact=True).click()
    page.wait_for_selector(".cards svg.tree >> nth=1")
    page.get_by_role("button", name="Table").click()
    second = page.locator(".found-table tbody tr").nth(1).locator("td")
    for column, text in enumerate(("NP", "Some books … that sold", "4", "1"), 2):
        expect(second.nth(column)).to_have_text(text)
    other = site.open(page.url.removeprefix(site.server))
    other.wait_for_selector(".found-table")
    expect(other.locator("#query")).to_have_value(EXTRAPOSED)
    rows = list(csv.DictReader(io.StringIO(download(page, "CSV"))))
    assert [row["r.words"] for row in rows] == ["3 4", "3 4"]
    assert json.loads(download(page, "JSON").splitlines()[1])["nodes"]["r"]["words"] == [3, 4]
    assert download(page, "Trees").startswith("(S (NP (NP (DT 0=A)")


def test_words_are_marked_in_trees(site: Site) -> None:
    page = site.open({"tab": "search", "corpus": "penn", "syntax": "tregex", "query": "VP < /^VB/=v", "view": "trees"})
    expect(page.locator("svg.tree").first.locator(".leaf.found .word")).to_have_text(["slept"])


def test_counts(site: Site) -> None:
    page = site.open("#tab=search")
    page.get_by_role("button", name="Which constituents have gaps").click()
    first = page.locator(".chart tbody tr").first
    eventually(page, lambda: first.inner_text().split()[:3], ["NP", "2", "66.7"])
    assert download(page, "CSV") == "#n.cat,count\nNP,2\nVP,1\n"
    page.get_by_label("Count by").fill("#n.gaps, #n.cat")
    page.get_by_label("Count by").press("Enter")
    page.wait_for_selector(".chart th >> text=1 · NP")
    eventually(page, lambda: "by=%23n.gaps%2C+%23n.cat" in page.url, True)
    page.get_by_label("Count by").fill("#x.cat")
    page.get_by_label("Count by").press("Enter")
    page.wait_for_selector(".fault >> text=no variable #x")
    expect(page.get_by_label("Count by")).to_have_attribute("aria-invalid", "true")
    search(page, "#y:[T]")
    page.wait_for_selector(".chart th >> text=VBD")
    expect(page.get_by_label("Count by")).to_have_value("#y.label")
    site.forgive("422")


def test_more_matches_than_are_shown(site: Site) -> None:
    page = site.open({"tab": "search", "corpus": "letters", "query": "#n:[NT] > #m:[T]"})
    expect(page.locator(".kwic li")).to_have_count(50)
    expect(page.locator(".search .status")).to_contain_text("280 matches · the first 50 are shown")
    page.get_by_role("button", name="Show more").click()
    expect(page.locator(".kwic li")).to_have_count(200)
    assert len(download(page, "CSV").splitlines()) == 281
    # No scheme has these labels.
    expect(page.locator(".examples .lang")).to_have_text("Examples")


def test_faults_and_hints(site: Site) -> None:
    page = site.open("#tab=search")
    search(page, '[word="𝒳"] > [cat="NP")')
    page.wait_for_selector(".fault mark >> text=)")
    expect(page.locator(".fault").first).to_contain_text("cannot understand ')'")
    page.get_by_role("button", name="Go to character 23").click()
    area = page.locator("#query")
    chosen = "(area) => area.value.slice(area.selectionStart, area.selectionEnd)"
    eventually(page, lambda: area.evaluate(chosen), ")")
    expect(area).to_have_attribute("aria-invalid", "true")
    search(page, '[cat="SBR"]')
    page.wait_for_selector(".search .status >> text=Nothing found")
    expect(page.locator(".fault")).to_contain_text("did you mean SBAR")
    site.forgive("422")


def test_labels_are_completed(site: Site) -> None:
    page = site.open("#tab=search")
    area = page.locator("#query")
    area.press_sequentially("#n:[ca")
    area.press("ArrowDown")
    area.press("Enter")
    area.press_sequentially('="wh')
    expect(page.locator(".suggestions li")).to_have_text(["WHADVP", "WHNP"])
    area.press("ArrowDown")
    area.press("ArrowDown")
    area.press("Tab")
    area.press_sequentially('"] & disc')
    area.press("ArrowUp")
    area.press("Enter")
    expect(area).to_have_value('#n:[cat="WHNP"] & discontinuous')
    page.get_by_label("Language").select_option("tregex")
    area.fill("")
    area.press_sequentially("NP < SB")
    page.locator(".suggestions li").first.click()
    expect(area).to_have_value("NP < SBAR")


def test_a_search_can_be_stopped_and_may_take_too_long(site: Site) -> None:
    page = site.open("#tab=search")
    page.route("**/v1/search", lambda route: None)
    search(page, "#n:[NT]")
    page.get_by_role("button", name="Stop").click()
    page.wait_for_selector(".search .status >> text=Stopped.")

    def late(route: "Route") -> None:
        route.fulfill(status=408, json={"error": "the search took longer than 10 s"})

    page.unroute("**/v1/search")
    page.route("**/v1/search", late)
    page.locator("#query").press("Enter")
    page.wait_for_selector(".search .status.bad >> text=longer than 10 s")
    site.forgive("408")


@pytest.mark.parametrize("scheme", QUERIES, ids=lambda one: one["scheme"] or "any")
def test_example_queries_find_something(shared: Path, scheme: dict[str, Any]) -> None:
    folder = {"Penn": "masc", "TIGER": "squoia_de", "Alpino": "alpino", "IcePaHC": "icepahc", "": "masc"}
    path = shared / "treebanks" / folder[scheme["scheme"]] / "dev.discbracket.xz"
    corpus = Corpus.of(islice(read(path), 600))
    labels = {label for tree in islice(read(path), 600) for label in tree.labels}
    assert 2 * len(labels & set(scheme["labels"])) >= len(scheme["labels"])
    for example in scheme["queries"]:
        parsed = parse_query(example["query"], example["syntax"])
        assert corpus.count(parsed) > 0, example["query"]
        if "by" in example:
            assert corpus.count_by(parsed, [example["by"]])
