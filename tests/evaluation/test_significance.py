from itertools import product
from typing import cast

import pytest

from permutree import Tree, evaluate
from permutree.errors import TreeError
from permutree.evaluation import Evaluation
from permutree.evaluation.significance import METHODS, Method, compare

RIGHT = Tree.parse("(ROOT (NP (X 0=a)))")
WRONG = Tree.parse("(ROOT (VP (Y 0=a)))")


def scored(pattern: str) -> Evaluation:
    """One sentence for each sign: right (+) or wrong (-)."""
    return evaluate([RIGHT] * len(pattern), [RIGHT if sign == "+" else WRONG for sign in pattern])


@pytest.mark.parametrize("method", METHODS)
def test_the_same_prediction_does_not_differ(method: str) -> None:
    for found in compare(scored("+-+-"), scored("+-+-"), method=cast("Method", method), samples=100):
        assert (found.difference, found.p) == (0, 1)


def test_randomisation_comes_near_the_exact_p_value() -> None:
    # The second prediction is better in five sentences and worse in one; all exchanges of the six are equally likely.
    # The differences of F1 are then (signs summed) / 8; at least 4 / 8 in absolute value for 14 of 64.
    first, second = "-----+++", "+++++-++"
    sums = [sum(signs) for signs in product((1, -1), repeat=6)]
    exact = sum(abs(total) >= 4 for total in sums) / len(sums)
    assert exact == 14 / 64
    (f1, *_) = compare(scored(first), scored(second), samples=20_000)
    assert f1.measure == "F1"
    assert f1.difference == 50
    assert f1.p == pytest.approx(exact, abs=0.01)
    assert f1.interval is None


def test_bootstrap_intervals_hold_the_difference() -> None:
    first, second = "-+" * 100, "++-+" * 50
    found = {result.measure: result for result in compare(scored(first), scored(second), method="bootstrap")}
    assert found["F1"].interval is not None
    low, high = found["F1"].interval
    assert low < found["F1"].difference == 25 < high
    # 50 of 200 sentences got better: the standard error of their share is √(0.25 · 0.75 / 200), about 3.1.
    assert high - low == pytest.approx(2 * 1.96 * 3.06, abs=0.6)
    assert found["F1"].p < 0.001


@pytest.mark.parametrize("method", METHODS)
def test_the_seed_decides(method: str) -> None:
    def results(seed: int) -> list[float]:
        name = cast("Method", method)
        tested = compare(scored("-----+++"), scored("+++++-++"), method=name, samples=200, seed=seed)
        return [result.p for result in tested]

    assert results(3) == results(3)
    assert any(results(3) != results(seed) for seed in range(4, 9))


def test_what_is_not_there_is_not_tested() -> None:
    measures = [result.measure for result in compare(scored("+-"), scored("++"), samples=10)]
    assert measures == ["F1", "exact match", "POS accuracy"]


def test_only_predictions_for_the_same_gold_trees_are_compared() -> None:
    with pytest.raises(TreeError, match="same gold trees"):
        compare(scored("++"), scored("+++"))


def test_samples_without_anything_to_measure_are_left_out() -> None:
    gap = Tree.parse("(ROOT (NP (X 0=a) (X 2=c)) (X 1=b))")
    gold = [RIGHT] * 200 + [gap]
    same = evaluate(gold, gold)
    measures = [found.measure for found in compare(same, same, method="bootstrap", samples=1, seed=4)]
    assert "F1" in measures
    found = {result.measure: result for result in compare(same, same, method="bootstrap", samples=50)}
    assert found["disc. F1"].p == 1


def test_several_seeds_are_exchanged_together() -> None:
    # One sentence each way would be, with three seeds, three each way, were they taken for different sentences.
    first, second = "-----+++", "+++++-++"
    (once, *_) = compare(scored(first), scored(second), samples=2000)
    (thrice, *_) = compare([scored(first)] * 3, [scored(second)] * 3, samples=2000)
    assert thrice == once


def test_seeds_add_up() -> None:
    # 2 of 4 and 3 of 4 sentences are right in the first, 4 and 3 in the second.
    (f1, *_) = compare([scored("++--"), scored("+++-")], [scored("++++"), scored("+++-")], samples=100)
    assert (f1.first, f1.second) == (62.5, 87.5)


def test_as_many_seeds_on_both_sides() -> None:
    with pytest.raises(TreeError, match="2 predictions cannot be compared with 1"):
        compare([scored("+"), scored("+")], [scored("-")])
