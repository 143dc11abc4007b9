"""Two models, two sentences, a tree of one's own."""

from pathlib import Path
from typing import TYPE_CHECKING

from permutree import Tree, evaluate
from permutree.formats import write
from permutree.parsing.parser import Parser

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing import Site

OWN = Tree.parse(
    "(ROOT (SBARQ (SQ (VP (WHNP (WP 0=What)) (VB 3=want) (S (VP (TO 4=to) (VP (VB 5=eat))))) (VBP 1=do)"
    " (NP (PRP 2=you))) (. 6=?)))"
)


def compare(page: "Page", left: str, right: str, *, lang: str = "en", own: bool = False) -> None:
    sides = page.locator(".side")
    for number, text in enumerate((left, right)):
        side = sides.nth(number)
        side.get_by_label("Source").select_option("tree" if own and number == 0 else "text")
        side.get_by_label("Language").select_option(lang)
        side.locator("textarea").fill(text)


def test_my_tree_and_the_parser_s(site: "Site", tmp_path: Path) -> None:
    page = site.open("#tab=compare")
    tree = Parser.load("en").parse_tokens(OWN.words)
    scores = evaluate([OWN], [tree]).overall
    left = set(zip(OWN.labels, map(OWN.yield_of, range(len(OWN.labels))), strict=True))
    right = set(zip(tree.labels, map(tree.yield_of, range(len(tree.labels))), strict=True))
    for format_name in ("discbracket", "export", "tigerxml"):
        path = tmp_path / "own"
        write([OWN], path, format=format_name)
        page.locator(".comparison").evaluate("(element) => element.replaceChildren()")
        compare(page, path.read_text("utf-8"), "", own=True)
        page.wait_for_selector(".score")
        assert page.locator(".score b").inner_text() == f"{scores.f1:.2f}"
        halves = page.locator(".half")
        assert halves.nth(0).locator("svg.tree .only, svg.tree .relabelled").count() == len(left - right) > 0
        assert halves.nth(1).locator("svg.tree .only, svg.tree .relabelled").count() == len(right - left) > 0


def test_two_sentences_and_two_models(site: "Site") -> None:
    page = site.open("#tab=compare")
    page.get_by_role("button", name="Two sentences").click()
    page.wait_for_selector(".half svg.tree")
    assert "there is no F1" in page.locator(".scores").inner_text()
    assert page.locator(".half .only, .half .relabelled").count() == 0, "the same constituents, whatever the order"
    assert page.locator(".half").nth(0).locator(".gapped").count() == 1
    page.get_by_label("Model").nth(1).select_option("en")
    page.locator(".side textarea").nth(1).fill("")
    page.wait_for_selector(".score")
    assert page.locator(".half .only").count() > 0
    other = site.open(page.url.removeprefix(site.server))
    other.wait_for_selector(".half svg.tree")
    assert other.locator(".side textarea").first.input_value() == "Ich habe den Mann gesehen, der dich sucht."
    assert other.get_by_label("Model").nth(1).input_value() == "en"


def test_a_bad_tree_is_explained(site: "Site") -> None:
    page = site.open("#tab=compare")
    compare(page, "(S (NP 0=a) (VP", "", own=True)
    page.wait_for_selector(".comparison .problem >> text=not closed")
