"""Widths of text on a terminal and in print."""

import pytest

from permutree.drawing.measures import columns, ems, is_right_to_left
from permutree.sanitising import visible


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("", 0),
        ("Baum", 4),
        ("gewählt", 7),
        ("gewa\u0308hlt", 7),
        ("漢字かな", 8),
        ("ｆｕｌｌ", 8),
        ("한국어", 6),
        ("\u1112\u1161\u11ab", 2),
        ("हिन्दी", 5),
        ("ไทย", 3),
        ("ที่", 1),
        ("שָׁלוֹם", 4),
        ("سلام", 4),
        ("😀", 2),
        ("👍🏽", 2),
        ("❤", 1),
        ("❤\ufe0f", 2),
        ("👩\u200d👩\u200d👧", 2),
        ("🇩🇪", 2),
        ("a\u200bb", 2),
        ("soft\xadhyphen", 11),
    ],
)
def test_columns(text: str, width: int) -> None:
    assert columns(text) == width


def test_ems_grow_with_the_text() -> None:
    assert ems("") == 0
    assert ems("ill") < ems("ann") < ems("www")
    assert ems("é") == ems("e") == ems("e\u0301")
    assert ems("漢字") > ems("ab")


def test_visible() -> None:
    assert visible("Straße 漢 😀") == "Straße 漢 😀"
    assert visible("a\x00b\x7f\x85") == "a␀b␡\ufffd"
    assert visible("\ud800") == "\ufffd"
    assert visible("two\nlines") == "two␊lines"
    assert visible("") == "␀"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("שלום", True), ("(שלום", True), ("مرحبا", True), ("abc", False), ("a ש", False), ("12", False)],
)
def test_direction(text: str, expected: bool) -> None:
    assert is_right_to_left(text) == expected
