"""Two models, two sentences, a tree of one's own."""

from pathlib import Path
from typing import TYPE_CHECKING

from browsing import Site, expect
from permutree import Tree, evaluate
from permutree.formats import write
from permutree.parsing.parser import Parser

if TYPE_CHECKING:
    from playwright.sync_api import Page

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


def test_my_tree_and_the_parser_s(site: Site, tmp_path: Path) -> None:
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
        expect(page.locator(".score b")).to_have_text(f"{scores.f1:.2f}")
        for number, only in enumerate((left - right, right - left)):
            different = page.locator(".half").nth(number).locator("svg.tree .only, svg.tree .relabelled")
            assert only
            expect(different).to_have_count(len(only))


def test_two_sentences_and_two_models(site: Site) -> None:
    page = site.open("#tab=compare")
    page.get_by_role("button", name="Two sentences").click()
    page.wait_for_selector(".half svg.tree")
    expect(page.locator(".scores")).to_contain_text("there is no F1")
    # The same constituents, whatever the order.
    expect(page.locator(".half .only, .half .relabelled")).to_have_count(0)
    expect(page.locator(".half").nth(0).locator(".gapped")).to_have_count(1)
    page.get_by_label("Model").nth(1).select_option("en")
    page.locator(".side textarea").nth(1).fill("")
    page.wait_for_selector(".score")
    expect(page.locator(".half .only")).not_to_have_count(0)
    other = site.open(page.url.removeprefix(site.server))
    other.wait_for_selector(".half svg.tree")
    expect(other.locator(".side textarea").first).to_have_value("Ich habe den Mann gesehen, der dich sucht.")
    expect(other.get_by_label("Model").nth(1)).to_have_value("en")


def test_a_bad_tree_is_explained(site: Site) -> None:
    page = site.open("#tab=compare")
    compare(page, "(S (NP 0=a) (VP", "", own=True)
    page.wait_for_selector(".comparison .problem >> text=not closed")
