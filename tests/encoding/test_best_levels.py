"""The best levels by two kinds of scores, against all there are."""

from itertools import product

import numpy as np
import pytest

from permutree.encoding import Codec
from permutree.encoding.best_levels import TRUST, best_levels, step_columns
from permutree.encoding.levels import LevelKind, LevelScale
from permutree.trees.tree import Tree

SYMBOLS = ["-2", "-1", "0", "1", "2", "_", "1ROOT", "2ROOT"]


def score(levels: tuple[int, ...], symbols: np.ndarray, depths: np.ndarray, scale: LevelScale) -> float:
    """What levels cost, by the definition."""
    before, total = 0, 0.0
    for place, level in enumerate(levels):
        step = level - before
        is_near = scale == "mixed" and level <= 3 and step <= -2
        text = f"{level}ROOT" if is_near else str(level if scale == "absolute" else step)
        total += symbols[place, SYMBOLS.index(text)] if text in SYMBOLS else -20
        total += TRUST * depths[place, level]
        before = level
    return total


@pytest.mark.parametrize("scale", ["relative", "mixed", "absolute"])
def test_no_other_levels_are_better(scale: LevelScale) -> None:
    random = np.random.default_rng(1)
    codec = Codec(level_scale=scale, vocabularies={"levels": SYMBOLS})
    kinds, numbers = codec.level_table()
    columns = step_columns(kinds[:-1], numbers[:-1], 4, scale)
    lengths = [1, 2, 5, 4, 1, 6]
    offsets = np.cumsum([0, *lengths]).astype(np.int32)
    symbols = np.log(random.dirichlet(np.ones(len(SYMBOLS)), offsets[-1]))
    depths = np.log(random.dirichlet(np.ones(5), offsets[-1]))
    found = best_levels(np.zeros(len(symbols), np.int32), symbols, depths, columns, offsets)
    for first, length in zip(offsets.tolist(), lengths, strict=False):
        rows = slice(first, first + length)
        choices = product(range(1, 5), repeat=length - 1)
        best = max(choices, key=lambda levels: score(levels, symbols[rows], depths[rows], scale))
        assert found[rows].tolist() == [*best, 0]


def test_columns_of_the_mixed_scale() -> None:
    kinds = np.array([LevelKind.RELATIVE, LevelKind.RELATIVE, LevelKind.ABSOLUTE, LevelKind.LAST], np.int8)
    columns = step_columns(kinds, np.array([-2, 1, 1, 0], np.int32), 4, "mixed")
    assert columns.tolist() == [
        [-1, 1, -1, -1, -1],
        [-1, -1, 1, -1, -1],
        [-1, -1, -1, 1, -1],
        [-1, 2, -1, -1, 1],
        [-1, 2, -1, -1, -1],
    ]


def test_impossible_scores_still_give_levels() -> None:
    offsets = np.array([0, 3], np.int32)
    symbols = np.full((3, 2), -np.inf)
    nothing = np.full((3, 4), -np.inf)
    levels = best_levels(np.array([2, 2, 0]), symbols, nothing, np.full((4, 4), -1, np.int32), offsets)
    assert levels[-1] == 0
    assert (levels[:2] >= 1).all()


def test_gold_scores_give_the_gold_tree() -> None:
    tree = Tree.parse("(S (NP (NP (D 0=the) (N 1=man)) (PP (P 2=at) (NP (D 3=the) (N 4=bar)))) (V 5=left) (. 6=.))")
    codec = Codec.fit([tree], level_scale="mixed")
    labels = codec.encode([tree])
    kinds, numbers = codec.level_table()
    symbols = np.where(np.eye(len(codec.levels))[labels.levels] > 0, 0.0, -9.0)
    columns = step_columns(kinds[:-1], numbers[:-1], 6, "mixed")
    wrong = np.array([1, 1, 1, 1, 1, 1, 0], np.int32)
    found = best_levels(wrong, symbols, np.zeros((7, 7)), columns, labels.word_offsets)
    assert found.tolist() == [3, 2, 3, 4, 1, 1, 0]


def test_what_both_say_stays() -> None:
    offsets = np.array([0, 2, 4], np.int32)
    depths = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0], [1, 0, 0]], float)
    columns = np.array([[-1, 0, 1], [-1, -1, 0], [-1, -1, -1]], np.int32)
    symbols = np.array([[0, 9], [0, 0], [0, 9], [0, 0]], float)
    # The first two agree that it is 2; in the second sentence, one says 2 and the other 1.
    assert best_levels(np.array([2, 0, 2, 0]), symbols, depths, columns, offsets).tolist() == [2, 0, 2, 0]
    assert best_levels(np.array([2, 0, 2, 0]), symbols, 60 * depths, columns, offsets).tolist() == [2, 0, 1, 0]
