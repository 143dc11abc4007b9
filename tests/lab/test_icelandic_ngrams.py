"""Vectors of words by what stands beside them: the file of counts, contexts and mutual information."""

import gzip
import importlib
import struct
from collections.abc import Sequence
from types import ModuleType

import numpy as np
import pytest

from permutree_lab.folders import LAB


@pytest.fixture
def ngrams(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    monkeypatch.syspath_prepend(str(LAB / "models"))
    return importlib.import_module("icelandic_ngrams")


def growing(numbers: Sequence[int], low: int = 2, high: int = 8) -> bytes:
    """A list as Elias and Fano write it, with a place that is not read for every 128th number."""
    lows = sum((number % (1 << low)) << (low * place) for place, number in enumerate(numbers))
    highs = sum(1 << ((number >> low) + place) for place, number in enumerate(numbers)) if high else 0
    skipped = bytes(4 * ((len(numbers) - 1) // 128)) if high else b""
    size = (low * len(numbers) + 7) // 8
    written = lows.to_bytes(size, "little") + highs.to_bytes((highs.bit_length() + 7) // 8, "little")
    return struct.pack("<IHH", len(numbers), low, high) + skipped + written


def growing_in_parts(*parts: Sequence[int]) -> bytes:
    """Lists one behind the other."""
    starts = growing([part[0] for part in parts[1:]])
    places, written = [], b""
    for part in parts:
        places.append(4 + 4 * len(parts) + len(starts) + len(written))
        written += growing([number - (part[0] if written else 0) for number in part])
    return struct.pack(f"<{1 + len(parts)}I", len(parts), *places) + starts + written


@pytest.mark.parametrize("numbers", [[0], [0, 3, 3, 9, 20], [7, 7, 100], [*range(0, 450, 3)]])
def test_lists_that_grow_are_read(ngrams: ModuleType, numbers: list[int]) -> None:
    assert ngrams.growing(memoryview(growing(numbers) + b"\xff\xff")).tolist() == numbers
    assert ngrams.growing(memoryview(growing([1, 2, 3], high=0))).tolist() == [1, 2, 3]
    parts = growing_in_parts(numbers, [500, 501], [501, 777])
    assert ngrams.growing_in_parts(memoryview(parts)).tolist() == [*numbers, 500, 501, 501, 777]


def trigram_file() -> bytes:
    """A file of "a b c" five times, "a b d" nine times and "b d" before the end of a sentence five times."""
    vocabulary = struct.pack("<II", 1, 0) + gzip.compress(b"\0\1\0\2\0\3\0\4\0")
    # The children of a: b. Those of b: c and d. That of d: none; before it, those lists ended with 2 and 2 + 4.
    seconds = growing_in_parts([2], [2 + 3, 2 + 4, 6 + 0])
    # Behind a b: the children 0 and 1 of b. Behind b d: child 0 of d, from 1.
    thirds = growing_in_parts([0, 1], [1])
    levels = b"".join(struct.pack(f"<{1 + len(level)}I", len(level), *level) for level in ([19], [0, 1], [0], [5, 9]))
    # Code 0 stands for 5, which is level 0, code 1 for 9.
    counts = struct.pack("<HHHII", 2, 0, 1, 0, 1) + bytes([0b010, 0b1111])
    sections = [b"", levels, growing([0, 0, 1, 3, 3, 4]), seconds, growing([0, 2, 2, 3, 3]), thirds, b"", b"", counts]
    places, written = [], b""
    for section in (*sections, vocabulary):
        places.append(56 + len(written))
        written += section
    return b"Reynir 001.00.00" + struct.pack("<10I", *places) + written


def test_trigrams_are_read(ngrams: ModuleType) -> None:
    found = ngrams.read_trigrams(trigram_file(), "abcd")
    read = [tuple(found.words[number] for number in three) for three in zip(*found.numbers, strict=True)]
    counts = dict(zip(read, found.counts.tolist(), strict=True))
    assert counts == {("a", "b", "c"): 5, ("a", "b", "d"): 9, ("b", "d", ""): 5}
    with pytest.raises(ValueError, match="Icegrams"):
        ngrams.read_trigrams(b"Reynir 002.00.00" + bytes(40), "abcd")


def test_words_at_the_start_of_sentences_are_those_elsewhere(ngrams: ModuleType) -> None:
    words = ["", "The", "the", "Rose", "rose"]
    assert ngrams.usual_case(words, np.array([0, 5, 9, 7, 2])).tolist() == [0, 2, 2, 3, 4]


def test_contexts_are_counted_by_place(ngrams: ModuleType) -> None:
    found = ngrams.read_trigrams(trigram_file(), "abcd")
    rows, columns, counts, shape = ngrams.context_counts(found, np.array([0, 2, 4]), 5)
    assert shape == (3, 4 * 6)
    order = np.argsort(-ngrams.frequencies(found), kind="stable").tolist()
    of_d = {
        (column // 6, found.words[order[column % 6]] if column % 6 < 5 and order[column % 6] else ""): count
        for row, column, count in zip(rows.tolist(), columns.tolist(), counts.tolist(), strict=True)
        if row == 2
    }
    # b before d is there once as the end of "a b d" and once as the start of "b d".
    assert of_d == {(0, "a"): 9, (1, "b"): 14, (2, ""): 5}
    # What is before and behind sentences is no word.
    assert 0 not in rows


def test_mutual_information_is_that_above_chance(ngrams: ModuleType) -> None:
    rows, columns = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    found = ngrams.positive_pmi(rows, columns, np.array([8, 2, 2, 8], np.float32), (2, 2)).to_dense().numpy()
    assert np.allclose(found, [[np.log(1.6), 0], [0, np.log(1.6)]])
    # Of a rare context less is made than there is: 2 of 3, where 2 of 14 are expected.
    found = ngrams.positive_pmi(rows, columns, np.array([10, 1, 1, 2], np.float32), (2, 2)).to_dense().numpy()
    smoothed = 3**0.75 / (3**0.75 + 11**0.75)
    assert found[1, 1] == pytest.approx(np.log(2 / 3 / smoothed))


def test_words_beside_the_same_words_are_alike(ngrams: ModuleType) -> None:
    words = ["", "the", "a", "cat", "dog", "sees", "hears", "[NUMBER]"]
    threes = [(a, b, c) for a in (1, 2) for b in (3, 4, 7) for c in (5, 6)]
    found = ngrams.Trigrams(words, tuple(np.array(threes).T), np.full(len(threes), 5))
    cat, dog, sees, number, capital, unknown = ngrams.ngram_vectors(["cat", "dog", "sees", "12", "Dog", "x"], found)
    assert cat @ dog > 0.99 > 0.5 > cat @ sees
    assert np.allclose(dog, capital)
    assert np.allclose(number, dog, atol=1e-3)
    assert np.linalg.norm(unknown) < 0.99
