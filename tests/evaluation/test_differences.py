from dataclasses import replace

from hypothesis import given

from permutree import Tree, evaluate
from permutree.evaluation import Evaluation, Parameters
from permutree.evaluation.differences import find_differences
from strategies import trees

RIGHT = "(ROOT (S (VP (X 0=a) (V 2=c)) (N 1=b)))"
#: one constituent missing and one wrong; F1 50
MOVED = "(ROOT (S (VP (X 0=a) (N 1=b)) (V 2=c)))"
#: one constituent missing and three wrong, and a wrong tag; F1 33
WORSE = "(ROOT (S (VP (X 0=a) (N 1=b)) (NP (NP (W 2=c)))))"
#: only a tag is wrong
TAGGED = "(ROOT (S (VP (X 0=a) (W 2=c)) (N 1=b)))"


def scored(disc_only: bool = False) -> Evaluation:
    parameters = replace(Parameters.load("proper"), disc_only=disc_only)
    predicted = [MOVED, RIGHT, WORSE, TAGGED]
    return evaluate([Tree.parse(RIGHT)] * 4, [Tree.parse(text) for text in predicted], parameters)


def test_missing_and_wrong_constituents() -> None:
    worse, moved = find_differences(scored())
    assert (worse.sentence, worse.missing, worse.wrong, worse.wrong_tags) == (2, (2,), (2, 3, 4), (2,))
    assert (moved.sentence, moved.missing, moved.wrong, moved.wrong_tags) == (0, (2,), (2,), ())
    assert (worse.errors, moved.errors) == (4, 2)
    assert moved.score.f1 == 50


def test_orders() -> None:
    evaluation = scored()
    assert [found.sentence for found in find_differences(evaluation, "f1")] == [2, 0]
    assert [found.sentence for found in find_differences(evaluation, "place")] == [0, 2]
    assert [found.sentence for found in find_differences(evaluation, tags=True)] == [2, 0, 3]


def test_discontinuous_constituents_only() -> None:
    worse, moved = find_differences(scored(disc_only=True))
    assert (worse.missing, worse.wrong) == (moved.missing, moved.wrong) == ((2,), ())


def test_a_missing_prediction_has_all_constituents_missing() -> None:
    evaluation = evaluate([Tree.parse(RIGHT)], [], missing="count")
    (found,) = find_differences(evaluation)
    assert (found.prediction, found.missing, found.wrong, found.wrong_tags) == (-1, (1, 2), (), ())


def test_of_repeated_constituents_the_lower_ones_are_left_over() -> None:
    twice, once = Tree.parse("(S (NP (NP (X 0=a))) (X 1=b))"), Tree.parse("(S (NP (X 0=a)) (X 1=b))")
    (found,) = find_differences(evaluate([twice], [once]))
    assert (found.missing, found.wrong) == ((2,), ())


@given(trees(), trees())
def test_what_is_not_left_over_is_shared(gold: Tree, predicted: Tree) -> None:
    predicted = Tree.from_spans(
        ["a"] * len(predicted), predicted.tags, predicted.order, predicted.labels, predicted.starts, predicted.ends
    )
    gold = Tree.from_spans(["a"] * len(gold), gold.tags, gold.order, gold.labels, gold.starts, gold.ends)
    if len(gold) != len(predicted):
        return
    found = find_differences(evaluate([gold], [predicted], Parameters(keep_functions=True)))
    missing, wrong = (found[0].missing, found[0].wrong) if found else ((), ())
    left = sorted(gold.constituent(node) for node in range(len(gold.labels)) if node not in missing)
    right = sorted(predicted.constituent(node) for node in range(len(predicted.labels)) if node not in wrong)
    assert left == right
