"""The arrangement and the labels: what is shown, and what becomes of edits."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from browsing import eventually, expect
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


#: the words of the arrangement's drawing from left to right
ORDER = (
    "[...document.querySelectorAll('.arrangement .word')]"
    ".sort((one, other) => one.getAttribute('x') - other.getAttribute('x')).map((word) => word.textContent)"
)


def test_words_slide_into_the_arrangement(page: "Page") -> None:
    eventually(page, ORDER, list(TREE.words))
    page.get_by_role("button", name="Slide into the arrangement").click()
    eventually(page, ORDER, [TREE.words[word] for word in TREE.order])
    expect(page.locator(".order .object")).to_have_text("Das Buch nie gelesen hat sie .")
    page.get_by_role("button", name="Back to the sentence").click()
    eventually(page, ORDER, list(TREE.words))


def test_the_slide_is_a_motion_where_motion_is_welcome(parsed: Callable[..., "Page"]) -> None:
    page = parsed(TEXT, "de", reduced_motion="no-preference")
    page.get_by_role("button", name="Arrangement and labels").click()
    page.wait_for_selector(".labels table")
    place = "Number(document.querySelectorAll('.arrangement .word')[5].getAttribute('x'))"
    places = [page.evaluate(place)]
    # From here on, time passes when the test says so.
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.get_by_role("button", name="Slide into the arrangement").click()
    for _ in range(5):
        page.clock.run_for(300)
        places.append(page.evaluate(place))
    assert places == sorted(places, reverse=True)
    assert len(set(places)) > 3, "it was seen on its way"
    eventually(page, ORDER, [TREE.words[word] for word in TREE.order])


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
    expect(page.locator(".decoded svg.tree .only .label")).to_have_text(["VZ"])
    expect(page.locator(".decoded")).to_contain_text("1 of its 7 constituents are new, 0 of the parser’s are gone")
    expect(page.locator(".decoded")).to_contain_text("Nothing was repaired")
    page.get_by_role("button", name="Reset").click()
    page.wait_for_selector(".decoded svg.tree", state="detached")
    expect(page.get_by_label("u of hat", exact=True)).to_have_value("_")


def test_what_was_repaired_is_said(page: "Page") -> None:
    page.get_by_label("p of sie, absolute").fill("99")
    page.wait_for_selector(".repairs >> text=was read as")
    # The column that is edited is decoded.
    expect(page.get_by_label("Encoding")).to_have_value("absolute")
    repair = "p of sie: 99 was read as 5: outside the sentence, or more than is left."
    expect(page.locator(".repairs li")).to_have_text(repair)
    expect(page.locator("input.repaired")).to_have_count(1)
    expect(page.locator(".decoded h4")).to_contain_text("The same tree")
    page.get_by_label("n of nie", exact=True).fill("rubbish")
    page.wait_for_selector(".repairs >> text=not a number")
    # Any labels give a tree.
    expect(page.locator(".decoded svg.tree .word")).to_have_text(list(TREE.words))


def test_a_field_is_explained_and_arrows_go_to_other_words(page: "Page") -> None:
    page.get_by_label("x of Buch", exact=True).focus()
    expect(page.locator(".reading")).to_contain_text("“Buch” and its neighbour “nie” share 3 levels")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_label("x of hat", exact=True)).to_be_focused()
    expect(page.locator(".reading")).to_contain_text("It moves from place 2 to place 4.")


def test_absolute_levels(page: "Page") -> None:
    page.get_by_label("Levels").select_option("absolute")
    page.wait_for_selector(".labels tr:nth-child(2) input[value='3'][aria-label='n of Buch']")
    expect(page.get_by_label("n of Das", exact=True)).to_have_value("4")
