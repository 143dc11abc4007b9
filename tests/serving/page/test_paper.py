"""The arrangement and the labels: what is shown, and what becomes of edits."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from permutree import Tree, encode
from permutree.encoding import ENCODINGS

if TYPE_CHECKING:
    from playwright.sync_api import Page

TEXT = "Das Buch hat sie nie gelesen."
TREE = Tree.parse(
    "(VROOT (S (VP (NP (ART 0=Das) (NN 1=Buch)) (AVP (ADV 4=nie)) (VVPP 5=gelesen)) (VAFIN 2=hat) (NP (PPER 3=sie)))"
    " ($. 6=.))"
)


@pytest.fixture
def page(parsed: Callable[..., "Page"]) -> "Page":
    page = parsed(TEXT, "de")
    page.get_by_role("button", name="Arrangement and labels").click()
    page.wait_for_selector(".labels table")
    return page


def order(page: "Page") -> list[str]:
    """The words of the arrangement's drawing from left to right."""
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('.arrangement .word')]"
        ".sort((one, other) => one.getAttribute('x') - other.getAttribute('x')).map((word) => word.textContent)"
    )
    return found


def test_words_slide_into_the_arrangement(page: "Page") -> None:
    assert order(page) == [*TEXT.removesuffix(".").split(), "."]
    page.get_by_role("button", name="Slide into the arrangement").click()
    assert order(page) == [TREE.words[word] for word in TREE.order]
    assert page.locator(".order .object").inner_text() == "Das Buch nie gelesen hat sie ."
    page.get_by_role("button", name="Back to the sentence").click()
    assert order(page) == [*TEXT.removesuffix(".").split(), "."]


def test_the_slide_is_a_motion_where_motion_is_welcome(parsed: Callable[..., "Page"]) -> None:
    page = parsed(TEXT, "de", reduced_motion="no-preference")
    page.get_by_role("button", name="Arrangement and labels").click()
    page.evaluate(
        """() => {
          const word = document.querySelectorAll(".arrangement .word")[5];
          window.places = [Number(word.getAttribute("x"))];
          const note = () => window.places.push(Number(word.getAttribute("x")));
          new MutationObserver(note).observe(word, { attributes: true });
        }"""
    )
    page.get_by_role("button", name="Slide into the arrangement").click()
    page.wait_for_timeout(1600)
    places = page.evaluate("window.places")
    assert places == sorted(places, reverse=True)
    assert len(set(places)) > 3, "it was seen on its way"


def test_labels_are_those_of_the_encodings(page: "Page") -> None:
    rows = page.evaluate(
        "[...document.querySelectorAll('.labels tbody tr')]"
        ".map((row) => [...row.querySelectorAll('input')].map((input) => input.value))"
    )
    assert len(ENCODINGS) == 7
    wanted = [encode(TREE, name) for name in ENCODINGS]
    for word, row in enumerate(rows):
        assert row == [*wanted[0][word][:3], *(labels[word].permutation for labels in wanted)]


def test_an_edited_label_gives_another_tree(page: "Page") -> None:
    page.get_by_label("u of hat", exact=True).fill("VZ")
    page.wait_for_selector(".decoded svg.tree")
    assert page.locator(".decoded svg.tree .only .label").all_text_contents() == ["VZ"]
    assert "1 of its 7 constituents are new, 0 of the parser’s are gone" in page.locator(".decoded").inner_text()
    assert "Nothing was repaired" in page.locator(".decoded").inner_text()
    page.get_by_role("button", name="Reset").click()
    page.wait_for_selector(".decoded svg.tree", state="detached")
    assert page.get_by_label("u of hat", exact=True).input_value() == "_"


def test_what_was_repaired_is_said(page: "Page") -> None:
    page.get_by_label("p of sie, absolute").fill("99")
    page.wait_for_selector(".repairs >> text=was read as")
    assert page.get_by_label("Encoding").input_value() == "absolute", "the column that is edited is decoded"
    repair = page.locator(".repairs li").inner_text()
    assert repair == "p of sie: 99 was read as 5: outside the sentence, or more than is left."
    assert page.locator("input.repaired").count() == 1
    assert "The same tree" in page.locator(".decoded h4").inner_text()
    page.get_by_label("n of nie", exact=True).fill("rubbish")
    page.wait_for_selector(".repairs >> text=not a number")
    assert page.locator(".decoded svg.tree .word").all_text_contents() == list(TREE.words), "any labels give a tree"


def test_a_field_is_explained_and_arrows_go_to_other_words(page: "Page") -> None:
    page.get_by_label("x of Buch", exact=True).focus()
    assert "“Buch” and its neighbour “nie” share 3 levels" in page.locator(".reading").inner_text()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "x of hat"
    assert "It moves from place 2 to place 4." in page.locator(".reading").inner_text()


def test_absolute_levels(page: "Page") -> None:
    page.get_by_label("Levels").select_option("absolute")
    page.wait_for_selector(".labels tr:nth-child(2) input[value='3'][aria-label='n of Buch']")
    assert page.get_by_label("n of Das", exact=True).input_value() == "4"
