from itertools import pairwise

import pytest

from permutree.languages import all_languages, split
from permutree.languages.lists import items


def lines(text: str) -> list[str]:
    """The paragraph cut before each item, without white space around the parts."""
    places = [0, *items(text, 0, len(text)), len(text)]
    return [" ".join(text[left:right].split()) for left, right in pairwise(places)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- one\n- two\n  goes on\n- three", ["- one", "- two goes on", "- three"]),
        ("To buy\n* milk\r\n* eggs", ["To buy", "* milk", "* eggs"]),
        ("1. one\n2. two\n3. three", ["1. one", "2. two", "3. three"]),
        ("1) one\n1) two", ["1) one", "1) two"]),
        ("1. one\n   - a\n   + b\n2. two", ["1. one", "- a", "+ b", "2. two"]),
        ("To buy:\n• milk", ["To buy:", "• milk"]),
        ("One.\n- Two", ["One.", "- Two"]),
    ],
)
def test_items(text: str, expected: list[str]) -> None:
    assert lines(text) == expected
    assert lines("\n" + text)[-len(expected) :] == expected


@pytest.mark.parametrize(
    "text",
    [
        "It was late\n- very late - then.",
        "Das war am\n3. Oktober oder am\n9. November",
        "-5 degrees\n-6 degrees",
        "no items\n*at* all\n1.5 times\n2.5 times",
        "-\n-\n- ",
    ],
)
def test_broken_lines_are_no_items(text: str) -> None:
    assert items(text, 0, len(text)) == []


@pytest.mark.parametrize("language", all_languages())
def test_items_begin_sentences(language: str) -> None:
    text = "A a:\n\n- Bb cc\n- Dd ee\n\n1. Ff gg\n2. Hh ii\n\nA b\nc"
    found = [" ".join(sentence.words) for sentence in split(text, language)]
    assert found == ["A a :", "- Bb cc", "- Dd ee", "1. Ff gg", "2. Hh ii", "A b c"]


@pytest.mark.parametrize("line", ["- ", "-  a\n", "1. a\n", "\n", "a\n ", "-\n1.\t"])
def test_time_is_linear(line: str) -> None:
    # Anything worse would not end before the test suite is given up.
    text = line * (200_000 // len(line))
    assert len(items(text, 0, len(text))) <= text.count("\n")
