"""Vectors of words out of packages: pieces, and the directions in which words differ most."""

import importlib
from types import ModuleType

import numpy as np
import pytest

from permutree_lab.folders import LAB


@pytest.fixture
def vectors(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    pytest.importorskip("tokenizers")
    monkeypatch.syspath_prepend(str(LAB / "models"))
    return importlib.import_module("word_vectors")


@pytest.mark.parametrize(
    ("word", "expected"), [("▁unable", [1, 2]), ("▁a", [3, 4]), ("▁un!able", [1, 2]), ("!!", []), ("▁abl", [3, 4])]
)
def test_pieces_are_as_long_as_can_be(vectors: ModuleType, word: str, expected: list[int]) -> None:
    numbers = {"▁un": 1, "able": 2, "▁": 3, "a": 4}
    assert list(vectors.longest_pieces(word, numbers, 4)) == expected


def test_words_are_told_apart_by_few_numbers(vectors: ModuleType) -> None:
    random = np.random.default_rng(1)
    known = random.normal(size=(50, 3)).astype(np.float32)
    blocks = [known @ random.normal(size=(3, 20)).astype(np.float32), 100 * known + 7]
    found = vectors.rotated(blocks, 3, 64)
    assert found.shape == (50, 3)
    # Nothing is lost, as all that is known of a word are three numbers.
    again, *_ = np.linalg.lstsq(np.c_[found, np.ones(50)], known, rcond=None)
    assert np.allclose(np.c_[found, np.ones(50)] @ again, known, atol=0.1)
    assert np.array_equal(found * 64, np.round(found * 64))
