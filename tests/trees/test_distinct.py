"""Texts that are the same are found in arrays as a dictionary finds them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from permutree.trees import distinct as module
from permutree.trees.distinct import ROOM, distinct

#: few different signs, so that many texts are alike, or differ in one place only
TEXTS = st.lists(
    st.one_of(
        st.text("ab", min_size=1, max_size=3),
        st.text("aé\0", min_size=1, max_size=20),
        st.integers(1, 40).map(lambda size: "a" * size),
        st.tuples(st.integers(0, 20), st.integers(0, 20)).map(lambda sizes: "a" * sizes[0] + "b" + "a" * sizes[1]),
    ),
    max_size=60,
)


def both_ways(texts: list[str]) -> tuple[list[list[int]], list[list[int]]]:
    """First texts and numbers, by arrays and by a dictionary."""
    parts = [text.encode() for text in texts]
    ends = np.cumsum([len(part) for part in parts], dtype=np.intp)
    starts = ends - np.array([len(part) for part in parts], np.intp)
    found = distinct(b"".join(parts) + b"b" * ROOM, starts, ends)
    number = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    return [one.tolist() for one in found], [[*map(texts.index, number)], [number[text] for text in texts]]


@given(TEXTS)
def test_the_same_texts_as_in_a_dictionary(texts: list[str]) -> None:
    found, expected = both_ways(texts)
    assert found == expected


def test_many_texts() -> None:
    random = np.random.default_rng(0)
    found, expected = both_ways([f"{number:x}" for number in (random.integers(0, 1 << 40, 6000) >> 28).tolist()])
    assert found == expected


def test_texts_with_the_same_hash_have_another_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    # With factors of nothing, all texts meet in one place in every round.
    monkeypatch.setattr(module, "_FACTORS", 2 * ((np.uint64(0), np.uint64(0)),))
    found, expected = both_ways(["a", "b", "a", "c", "d", "c", "b", "e", "e"])
    assert found == expected
