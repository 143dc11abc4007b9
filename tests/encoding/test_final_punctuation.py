import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from permutree import Tree
from permutree.encoding import Codec
from permutree.encoding.final_punctuation import TRIES, _cheapest, arranged, close, closing_words
from permutree.trees.batch import TreeBatch


def scored(draws: list[list[float]]) -> np.ndarray:
    """Log-probabilities [words, values] in which values that lead out of the sentence are impossible."""
    size = len(draws)
    scores = np.full((size, size), -np.inf)
    for word, row in enumerate(draws):
        possible = max(1, word)
        scores[word, :possible] = row[:possible]
    return scores


sentences = st.integers(2, 8).flatmap(
    lambda size: st.lists(
        st.lists(st.floats(-9, 0, allow_nan=False), min_size=size, max_size=size), min_size=size, max_size=size
    )
)


@given(sentences)
def test_one_change_makes_the_last_word_last(draws: list[list[float]]) -> None:
    scores = scored(draws)
    size = len(scores)
    values = scores.argmax(1).tolist()
    changed = close(values, scores)
    assert arranged(changed)[-1] == size - 1
    assert sum(old != new for old, new in zip(values, changed, strict=True)) <= 1
    if arranged(values)[-1] == size - 1 or changed == values:
        return
    # Nothing that costs less does it.
    words = np.arange(size)
    cost = (scores[words, values] - scores[words, changed]).sum()
    for word in range(1, size):
        for value in range(word):
            other = [*values[:word], value, *values[word + 1 :]]
            if scores[word, values[word]] - scores[word, value] < cost - 1e-9:
                assert arranged(other)[-1] != size - 1


def test_what_costs_much_is_done_all_the_same() -> None:
    # Word 1 would rather come last; many changes that do not help are cheaper than the one that does.
    size = 2 * TRIES
    scores = np.full((size, size), -np.inf)
    scores[:, 0] = 0.0
    for word in range(3, size - 1):
        scores[word, 1 : word - 1] = -0.1
    scores[2, :2] = [-50.0, 0.0]
    scores[size - 1, 1:] = -90.0
    values = scores.argmax(1).tolist()
    assert arranged(values)[-1] == 1
    changed = close(values, scores)
    assert arranged(changed)[-1] == size - 1


@given(sentences, st.floats(0.01, 9))
def test_what_costs_more_than_it_may_stays(draws: list[list[float]], most: float) -> None:
    scores = scored(draws)
    values = scores.argmax(1).tolist()
    changed, limited = close(values, scores), close(values, scores, most)
    words = np.arange(len(scores))
    cost = (scores[words, values] - scores[words, changed]).sum()
    assert limited == (changed if cost <= most else values)


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0, math.inf]), min_size=81, max_size=TRIES * 4), st.floats(0, 3))
def test_the_cheapest_are_tried_in_order(draws: list[float], most: float) -> None:
    losses = np.array(draws[: len(draws) // 9 * 9]).reshape(-1, 9)
    by_cost = np.argsort(losses, axis=None, kind="stable")[:TRIES].tolist()
    for limit in (most, math.inf):
        words, values = _cheapest(losses, limit)
        wanted = [place for place in by_cost if math.isfinite(losses.flat[place]) and losses.flat[place] <= limit]
        assert (9 * words + values).tolist() == wanted


def test_exceptions_are_counted() -> None:
    stop = Tree.parse("(S (A 0=a) (B 1=b) ($. 2=.))")
    # What is said has the full stop, and who said it comes behind it.
    said = Tree.parse("(PRN (VP (S (A 0=a) (B 3=b) ($. 4=.)) (V 2=says)) (N 1=he))")
    found = closing_words(TreeBatch.from_trees([stop] * 90 + [said] * 10))
    assert found == {".": pytest.approx(math.log(9))}
    assert closing_words(TreeBatch.from_trees([stop] * 999 + [said])) == {".": math.inf}
    # Beside much other text, many exceptions are still exceptions, and a model that finds one may be right.
    assert closing_words(TreeBatch.from_trees([stop] * 99_900 + [said] * 100)) == {".": 5.0}
    assert closing_words(TreeBatch.from_trees([stop] * 9_900 + [said] * 99)) == {".": pytest.approx(math.log(100))}
    assert closing_words(TreeBatch.from_trees([stop] * 70 + [said] * 30)) == {}
    codec = Codec("predecessor", closing=found)
    assert Codec.from_json(codec.to_json()).closing == found
    assert codec.to_json()["closing"] == []


def test_words_are_learnt() -> None:
    stop = Tree.parse("(S (A 0=a) (VP (B 1=b) (D 3=d)) (C 2=c) ($. 4=.))")
    inside = Tree.parse("(S (VP (A 0=a) ($. 2=!)) (B 1=b))")
    word = Tree.parse("(S (A 0=a) (B 1=b))")
    rare = Tree.parse("(S (A 0=a) ($. 1=?))")
    trees = [stop] * 9 + [inside] * 9 + [word] * 9 + [rare] * 4 + [Tree.parse("(S ($. 0=;))")] * 9
    forest = TreeBatch.from_trees(trees)
    assert closing_words(forest) == {".": math.inf}
    codec = Codec.fit(forest, "predecessor", closing=closing_words(forest))
    assert codec.closing == {".": math.inf}
    assert Codec.from_json(codec.to_json()).closing == {".": math.inf}
    # Those that older versions wrote have no exceptions, or no such words at all.
    data = codec.to_json()
    del data["often_closing"]
    assert Codec.from_json(data).closing == {".": math.inf}
    del data["closing"]
    assert Codec.from_json(data).closing == {}


@pytest.mark.parametrize(("values", "order"), [([0], [0]), ([0, 0, 5], [0, 2, 1])])
def test_values_that_lead_nowhere(values: list[int], order: list[int]) -> None:
    assert arranged(values) == order
