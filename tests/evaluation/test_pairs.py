from collections.abc import Sequence

import pytest

from permutree import Tree, evaluate
from permutree.errors import DataError
from permutree.evaluation.pairs import Missing, Side, pair
from permutree.evaluation.parameters import Parameters
from permutree.trees.batch import TreeBatch

PROPER = Parameters.load("proper")


def side(name: str, *sentences: str, ids: Sequence[str | None] | None = None) -> Side:
    trees = []
    for sentence in sentences:
        words = sentence.split()
        trees.append(Tree.from_constituents(words, ["X"] * len(words), [("S", range(len(words)))]))
    return Side(TreeBatch.from_trees(trees), ids or [None] * len(trees), name)


def pairs_of(gold: Side, predicted: Side, missing: Missing = "error", parameters: Parameters = PROPER) -> list[int]:
    return list(pair(gold, predicted, parameters, missing))


def message(gold: Side, predicted: Side, missing: Missing = "error", parameters: Parameters = PROPER) -> str:
    with pytest.raises(DataError) as caught:
        pair(gold, predicted, parameters, missing)
    return str(caught.value)


def test_trees_pair_up_by_place() -> None:
    assert pairs_of(side("gold", "a b", "c", "a b"), side("pred", "a b", "c", "a b")) == [0, 1, 2]


def test_other_words_are_an_error_that_names_the_sentence() -> None:
    said = message(side("gold", "a b", "c d"), side("pred", "a b", "c e"))
    assert said.startswith("pred (sentence 2): word 2 is 'e', not 'd' as in gold")
    assert "3 words, not 2" in message(side("gold", "a b"), side("pred", "a b c"))
    assert "(sentence s7)" in message(side("gold", "a", ids=["s7"]), side("pred", "b"))


def test_an_error_lists_as_many_sentences_as_the_parameters_say() -> None:
    gold, predicted = side("gold", *"abcdef"), side("pred", *"axyzuv")
    assert message(gold, predicted).endswith("; so too sentence 3, 4, 5, 6")
    few = Parameters(max_error=3)
    assert message(gold, predicted, parameters=few).endswith("; so too sentence 3, 4 and 2 more")
    assert message(gold, predicted, parameters=Parameters(max_error=1)).endswith("; so too 4 more sentences")


def test_missing_predictions_are_an_error_or_counted() -> None:
    gold, predicted = side("gold", "a", "b", "c", "b"), side("pred", "a", "b")
    said = message(gold, predicted)
    assert said.startswith("pred (sentence 3): no prediction for this gold sentence (4 gold trees, 2 predictions)")
    assert "--missing count" in said
    assert said.endswith("so too sentence 4")
    assert pairs_of(gold, predicted, "count") == [0, 1, -1, -1]
    assert pairs_of(gold, side("pred", "c", "b"), "count") == [-1, -1, 0, 1]
    assert pairs_of(gold, side("pred"), "count") == [-1] * 4


def test_missing_predictions_are_found_by_id() -> None:
    gold = side("gold", "a", "a", "a", ids=["x", "y", "z"])
    assert pairs_of(gold, side("pred", "a", "a", ids=["x", "z"]), "count") == [0, -1, 1]
    assert "(sentence y): no prediction" in message(gold, side("pred", "a", "a", ids=["x", "z"]))
    # An id is no excuse for other words.
    assert "word 1 is 'b'" in message(gold, side("pred", "a", "b", ids=["x", "z"]), "count")
    # Ids that are unknown or not unique are not used.
    assert pairs_of(gold, side("pred", "a", "a", ids=["1", "2"]), "count") == [0, 1, -1]
    assert pairs_of(gold, side("pred", "a", "a", ids=["z", "z"]), "count") == [0, 1, -1]


def test_extra_predictions_are_an_error_in_any_case() -> None:
    gold = side("gold", "a", "b")
    for missing in ("error", "count"):
        said = message(gold, side("pred", "a", "b", "c d", "e"), missing)
        assert said.startswith("pred (sentence 3): no gold sentence for the prediction “c d …”")
        assert said.endswith("so too sentence 4")
    assert "no gold sentence for the prediction “x …”" in message(gold, side("pred", "x"), "count")


def test_words_that_count_as_the_same() -> None:
    parameters = Parameters.parse("EQ_WORD colour color")
    assert pairs_of(side("gold", "a colour"), side("pred", "a color"), parameters=parameters) == [0]
    assert pairs_of(side("gold", "( a )"), side("pred", "-LRB- a -RRB-")) == [0]


def test_evaluate_names_sides_that_have_no_file() -> None:
    gold, predicted = Tree.parse("(S (X 0=a))"), Tree.parse("(S (X 0=b))")
    with pytest.raises(DataError, match=r"the predicted trees \(sentence 1\): word 1 is 'b', not 'a' as in the gold"):
        evaluate([gold], [predicted])
