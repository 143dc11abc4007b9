import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from permutree import Tree, evaluate
from permutree.evaluation import Evaluation, Evaluator, Parameters
from permutree.evaluation.parameters import strip_function
from permutree.trees.batch import TreeBatch
from permutree.trees.builder import TreeBuilder
from slow_evaluation import figures
from strategies import trees


def score(gold: str, predicted: str, param: str | Parameters = "proper", keep_functions: bool = False) -> Evaluation:
    return evaluate([Tree.parse(gold)], [Tree.parse(predicted)], param, keep_functions=keep_functions)


def printed(evaluation: Evaluation, discontinuous: bool = False) -> dict[str, str]:
    found = evaluation.scores(discontinuous=discontinuous).figures()
    return {
        name: f"{value:.2f}" if isinstance(value, float) else "–" if value is None else str(value)
        for name, value in found.items()
    }


@pytest.mark.parametrize("treebank", ["alpino", "masc", "squoia_de"])
def test_golden_scores(shared: Path, treebank: str) -> None:
    folder = shared / "golden" / "eval"
    expected = json.loads((folder / "scores.json").read_text())[treebank]
    found = evaluate(folder / f"{treebank}.gold.discbracket.xz", folder / f"{treebank}.pred.discbracket.xz")
    assert printed(found) == expected["all"]
    assert printed(found, discontinuous=True) == expected["disconly"]


# Worked out by hand. ROOT and the full stop are left out. Of the gold brackets S, VP (0, 1, 4), NP (2, 3) and NP (2)
# the prediction has S, VP and one NP over 3 in place of the other two; one tag of five is wrong.
GOLD = "(ROOT (S (VP (X 0=what) (V 1=did) (V 4=see)) (NP (NP (D 2=the)) (N 3=cat))) (. 5=?))"
PREDICTED = "(ROOT (S (VP (X 0=what) (V 1=did) (N 4=see)) (D 2=the) (NP (N 3=cat)) (. 5=?)))"


def test_scores_worked_out_by_hand() -> None:
    found = score(GOLD, PREDICTED)
    assert printed(found) == {
        "number of sentences": "1",
        "longest sentence": "6",
        "gold brackets": "4",
        "cand. brackets": "3",
        "disc. gold brackets": "1",
        "disc. cand. brackets": "1",
        "labeled recall": "50.00",
        "labeled precision": "66.67",
        "labeled f-measure": "57.14",
        "exact match": "0.00",
        "pos accuracy": "80.00",
    }
    assert printed(found, discontinuous=True) == {
        "number of sentences": "1",
        "longest sentence": "6",
        "gold brackets": "1",
        "cand. brackets": "1",
        "disc. gold brackets": "1",
        "disc. cand. brackets": "1",
        "labeled recall": "100.00",
        "labeled precision": "100.00",
        "labeled f-measure": "100.00",
        "exact match": "100.00",
        "pos accuracy": "80.00",
    }


def test_without_deletion_roots_and_punctuation_count() -> None:
    # ROOT is right, S is not: it has the question mark.
    found = score(GOLD, PREDICTED, "none").overall
    assert (found.brackets.gold, found.brackets.predicted, found.brackets.matched) == (5, 4, 2)
    assert (found.words, found.tags_right) == (6, 5)


def test_sentences_of_punctuation_only_have_no_brackets_and_are_exact() -> None:
    found = score("(ROOT (NP ($. 0=.) ($. 1=!)))", "(ROOT (NP ($. 0=.)) (VP ($. 1=!)))")
    assert (found.overall.sentences, found.overall.brackets.gold, found.overall.words) == (1, 0, 0)
    assert found.exact_match == 100
    assert found.precision is found.recall is found.f1 is found.pos_accuracy is None
    assert found.discontinuous.sentences == 0
    assert found.discontinuous.exact_match is None


def test_constituents_without_words_after_deletion_are_gone() -> None:
    found = score("(S (NP ($, 0=,)) (X 1=a) (X 2=b))", "(S (X 1=a) (NP (X 2=b) ($, 0=,)))").overall
    assert (found.brackets.gold, found.brackets.predicted, found.brackets.matched) == (1, 2, 1)


def test_the_gold_side_decides_what_is_deleted() -> None:
    # The predicted comma is none, and a word with a predicted comma's tag stays: NP is over both.
    found = score("(S (NP ($, 0=a) (X 1=b)) (X 2=c))", "(S (NP (X 0=a) ($, 1=b)) (X 2=c))").overall
    assert (found.brackets.gold, found.brackets.predicted, found.brackets.matched) == (2, 2, 2)
    assert (found.words, found.tags_right) == (2, 1)


def test_repeated_labels_of_unary_chains_count_as_often_as_they_occur() -> None:
    found = score("(ROOT (NP (NP (X 0=a) (X 1=b))))", "(ROOT (NP (X 0=a) (X 1=b)))").overall
    assert (found.brackets.gold, found.brackets.predicted, found.brackets.matched) == (2, 1, 1)
    assert (found.distinct.gold, found.distinct.predicted) == (1, 1)
    assert found.exact_match == 0
    thrice = "(NP (NP (NP (X 0=a) (X 1=b))))"
    found = score(thrice, f"(NP (VP {thrice.replace('(NP (NP (NP', '(NP (NP')[:-1]}))").overall
    assert (found.brackets.gold, found.brackets.predicted, found.brackets.matched) == (3, 4, 3)


def test_the_order_of_a_unary_chain_does_not_matter() -> None:
    assert score("(A (B (X 0=a) (X 1=b)))", "(B (A (X 0=a) (X 1=b)))").exact_match == 100


def test_one_word() -> None:
    found = score("(ROOT (NP (X 0=a)))", "(ROOT (X 0=a))").overall
    assert (found.brackets.gold, found.brackets.predicted, found.brackets.matched) == (1, 0, 0)
    assert (found.recall, found.precision, found.f1) == (0, None, 0)
    assert score("(X 0=a)", "(X 0=a)").exact_match == 100
    assert score("(NP (X 0=a))", "(X 0=a)").overall.brackets.gold == 1


def test_a_gap_that_holds_only_punctuation_is_none() -> None:
    tree = "(ROOT (S (NP (X 0=a) (X 2=b)) ($, 1=,) (X 3=c)))"
    found = score(tree, tree)
    assert found.overall.discontinuous.gold == found.discontinuous.sentences == 0
    assert score(tree, tree, "none").discontinuous.brackets.gold == 1
    # Without the comma NP is over a and b on both sides.
    assert score(tree, "(ROOT (S (NP (X 0=a) ($, 1=,) (X 2=b)) (X 3=c)))").exact_match == 100


def test_deletion_can_leave_the_outer_part_of_a_gap() -> None:
    # VP is over a, c and d; the comma at its right edge goes, the gap at b stays.
    tree = "(ROOT (S (VP (X 0=a) (X 2=c) ($, 4=,) (X 3=d)) (X 1=b)))"
    assert score(tree, tree).discontinuous.brackets.gold == 1


def test_functions_are_not_compared_unless_kept() -> None:
    gold, predicted = "(S (NP-SBJ (N-N 0=a) (X 1=b)))", "(S (NP-OB1 (N-A 0=a) (X 1=b)))"
    found = score(gold, predicted)
    assert (found.f1, found.pos_accuracy) == (100, 100)
    found = score(gold, predicted, keep_functions=True)
    assert (found.f1, found.pos_accuracy) == (50, 50)
    assert score("(S (ROOT-X (X 0=a) (X 1=b)))", "(S (X 0=a) (X 1=b))").exact_match == 100
    assert score("(S (-X (X 0=a) (X 1=b)))", "(S (-Y (X 0=a) (X 1=b)))").f1 == 50


def test_labels_that_are_prefixes_of_others_are_other_labels() -> None:
    found = score("(S (SBAR (X 0=a) (X 1=b)) (NP (X 2=c)))", "(S (S (X 0=a) (X 1=b)) (N (X 2=c)))").overall
    assert (found.brackets.gold, found.brackets.predicted, found.brackets.matched) == (3, 3, 1)
    found = score("(S (ROOTS (X 0=a) (X 1=b)))", "(S (X 0=a) (X 1=b))").overall
    assert found.brackets.gold == 2


def test_same_labels_are_the_same_for_brackets_but_not_for_tags() -> None:
    found = score("(S (ADVP (PRT 0=a) (X 1=b)))", "(S (PRT (ADVP 0=a) (X 1=b)))")
    assert (found.f1, found.pos_accuracy) == (100, 50)


def test_unlabelled_brackets_are_counted_as_often_as_they_occur() -> None:
    found = score("(S (NP (X 0=a) (X 1=b)))", "(A (X 0=a) (X 1=b))", Parameters.parse("LABELED 0")).overall
    assert (found.brackets.gold, found.brackets.predicted, found.brackets.matched) == (2, 1, 1)


def test_words_below_the_root_can_be_deleted() -> None:
    parameters = Parameters.parse("DELETE_ROOT_PRETERMS 1")
    found = score("(S (X 0=a) (NP (X 1=b) (Y 2=c)))", "(S (X 1=b) (NP (X 0=a) (Y 2=c)))", parameters).overall
    # Left are b and c: S is right, NP is over both on the gold side, over c on the other.
    assert (found.words, found.brackets.gold, found.brackets.predicted, found.brackets.matched) == (2, 2, 2, 1)


def test_parentheses_go_by_their_tags() -> None:
    tree = "(S (NP (-LRB- 0=-LRB-) (X 1=a)) (X 2=b))"
    assert score(tree, tree).overall.words == 3
    assert score(tree, tree, Parameters.parse("DELETE_WORD -LRB-")).overall.words == 2


def test_length_and_cutoff() -> None:
    long, short = "(S (X 0=a) (X 1=b) (Y 2=c))", "(S (X 0=a) (Y 1=b))"
    parameters = Parameters.parse("DELETE_LABEL_FOR_LENGTH Y\nCUTOFF_LEN 1")
    pair = [Tree.parse(long), Tree.parse(short)]
    found = evaluate(pair, pair, parameters)
    assert found.lengths.tolist() == [2, 1]
    assert found.overall.longest == 2
    assert found.scores(found.lengths <= parameters.cutoff).sentences == 1


def test_disc_only_is_what_is_scored_then() -> None:
    found = score(GOLD, PREDICTED, Parameters.parse("DELETE_LABEL ROOT\nDELETE_WORD ?\nDISC_ONLY 1"))
    assert found.overall == found.discontinuous
    assert found.f1 == 100


def test_percentages_are_the_nearest_to_the_exact_ones() -> None:
    # 7 / 4000 is 0.175 per cent: the nearest float is a little less.
    right, wrong = Tree.parse("(ROOT (NP (X 0=a)))"), Tree.parse("(ROOT (VP (X 0=a)))")
    found = evaluate([right] * 4000, [right] * 7 + [wrong] * 3993)
    assert printed(found)["labeled recall"] == printed(found)["labeled f-measure"] == "0.17"


def test_missing_predictions_count_as_empty_on_request() -> None:
    gold = [Tree.parse(text) for text in (GOLD, "(S (X 0=a) (X 1=b))", "(ROOT (. 0=!))")]
    found = evaluate(gold, gold[:1], missing="count").overall
    assert (found.sentences, found.exact) == (3, 1)
    assert (found.brackets.gold, found.brackets.predicted, found.brackets.matched) == (5, 4, 4)
    assert (found.words, found.tags_right) == (7, 5)
    found = evaluate(gold, gold[1:2], missing="count").overall
    assert (found.brackets.predicted, found.brackets.matched, found.tags_right) == (1, 1, 2)
    assert evaluate(gold, [], missing="count").f1 == 0


def test_nothing_to_evaluate() -> None:
    found = evaluate([], [])
    assert found.overall.sentences == 0
    assert found.f1 is None
    assert "number of sentences" in str(found)


def test_trees_forests_and_files_score_the_same(tmp_path: Path) -> None:
    gold, predicted = [Tree.parse(GOLD)], [Tree.parse(PREDICTED)]
    for name, text in (("gold", GOLD), ("predicted", PREDICTED)):
        (tmp_path / f"{name}.discbracket").write_text(text + "\n")
    expected = evaluate(gold, predicted).overall
    assert evaluate(TreeBatch.from_trees(gold), TreeBatch.from_trees(predicted)).overall == expected
    assert evaluate(tmp_path / "gold.discbracket", str(tmp_path / "predicted.discbracket")).overall == expected
    assert evaluate(iter(gold), iter(predicted)).overall == expected


def test_batches_add_up() -> None:
    texts = [(GOLD, PREDICTED), (PREDICTED, GOLD), (GOLD, GOLD), ("(A (B (X 0=a)))", "(C (X 0=a))")]
    gold = [Tree.parse(text) for text, _ in texts]
    predicted = [Tree.parse(text) for _, text in texts]
    whole = evaluate(gold, predicted)
    evaluator = Evaluator(Parameters.load("proper"))
    for first in (0, 1, 3):
        last = {0: 1, 1: 3, 3: 4}[first]
        evaluator.add(gold[first:last], TreeBatch.from_trees(predicted[first:last]))
    parts = evaluator.result()
    assert parts.overall == whole.overall
    assert parts.discontinuous == whole.discontinuous
    assert parts.sentence_names == whole.sentence_names
    assert np.array_equal(parts.gold.partner, whole.gold.partner)
    assert np.array_equal(parts.predicted.partner, whole.predicted.partner)
    assert np.array_equal(parts.words.offsets, whole.words.offsets)


def test_deep_and_long_trees() -> None:
    deep = Tree.from_constituents(list("ab"), ["X", "Y"], [(f"N{depth}", [0, 1]) for depth in range(1000)])
    size = 2_500
    chain = [("V", [0, *range(first, size)]) for first in range(2, size, 2)]
    long = Tree.from_constituents(["a"] * size, ["X"] * size, [("S", range(size)), *chain])
    found = evaluate([deep, long], [deep, long], "none")
    assert found.f1 == 100
    assert found.discontinuous.brackets.gold == len(chain)
    assert found.gold.blocks.max() == 2


SETTINGS = [
    Parameters.load("proper"),
    Parameters.load("none"),
    Parameters.parse("LABELED 0\nDELETE_LABEL ROOT\nDELETE_LABEL NN"),
    Parameters.parse("DELETE_ROOT_PRETERMS 1\nEQ_LABEL S VP\nEQ_LABEL VP NP\nDELETE_LABEL_FOR_LENGTH NN"),
    Parameters(delete_labels=frozenset({"VB", "$,", "NP"}), keep_functions=True),
]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Tree, Tree]:
    """Two random trees over the same words."""
    gold = draw(trees())
    other = draw(trees(max_words=len(gold)).filter(lambda tree: len(tree) == len(gold)))
    changed = TreeBuilder.from_tree(other)
    for leaf, word in zip(changed.leaves, gold.words, strict=True):
        leaf.word = word
    return gold, Tree.of(changed)


@st.composite
def near_pairs(draw: st.DrawFn) -> tuple[Tree, Tree]:
    """A random tree, and the same tree with some labels and tags changed and some constituents taken away."""
    gold = draw(trees())
    draft = TreeBuilder.from_tree(gold)
    for leaf in draft.leaves:
        leaf.tag = draw(st.sampled_from([leaf.tag, leaf.tag, strip_function(leaf.tag), "NN"]))
    for node in list(draft.nodes()):
        node.label = draw(st.sampled_from([node.label, node.label, node.label, "NP", "S"]))
        parent = draft.parents().get(node)
        if parent is not None and draw(st.integers(0, 4)) == 0:
            parent.children.remove(node)
            parent.children += node.children
            node.children = []
    return gold, Tree.of(draft)


@given(st.lists(st.one_of(pairs(), near_pairs()), max_size=4), st.sampled_from(SETTINGS))
def test_arrays_score_as_sets_do(found: list[tuple[Tree, Tree]], parameters: Parameters) -> None:
    evaluation = evaluate([gold for gold, _ in found], [predicted for _, predicted in found], parameters)
    for disc_only in (False, True):
        assert evaluation.scores(discontinuous=disc_only).figures() == figures(found, parameters, disc_only=disc_only)


@given(trees())
def test_a_tree_is_all_right(tree: Tree) -> None:
    found = evaluate([tree], [tree], "none")
    assert (found.f1, found.exact_match, found.pos_accuracy) == (100, 100, 100)
    assert found.overall.discontinuous.gold == sum(constituent.is_discontinuous for constituent in tree)
    assert found.gold.blocks.tolist() == [constituent.fan_out for constituent in tree]
    labels = [*found.label_names, None]
    expected = [strip_function(tree.labels[parent]) if parent >= 0 else None for parent in tree.parents]
    assert [labels[parent] for parent in found.gold.parent] == expected
