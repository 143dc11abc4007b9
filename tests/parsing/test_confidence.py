import numpy as np
import pytest

from permutree.parsing.confidence import constituent_confidence
from permutree.trees.batch import TreeBatch
from permutree.trees.tree import Tree


def scores(*probabilities: float) -> np.ndarray:
    """Log-probabilities of two values, the first of which is the best."""
    first = np.array(probabilities, np.float32)
    return np.log(np.stack([first, 1 - first + 1e-9], 1))


def test_a_constituent_is_as_sure_as_its_least_probable_label() -> None:
    tree = Tree.parse("(S (NP (DT 0=the) (NN 1=dog)) (VP (VBZ 2=barks)) (. 3=.))")
    found = constituent_confidence(
        TreeBatch.from_trees([tree]),
        {"levels": scores(0.9, 0.8, 0.7, 0.6), "shared": scores(0.95, 0.75, 0.85, 0.5), "unary": scores(1, 1, 0.65, 1)},
    )
    # S: levels and label behind the dog. NP: levels at its two words, label at the first. VP: its unary chain.
    assert found.tolist() == pytest.approx([0.75, 0.8, 0.65])


def test_gaps_and_chains() -> None:
    tree = Tree.parse("(S (X (VP (WRB 0=How) (VB 3=work))) (VBZ 1=does) (PRP 2=it))")
    levels, shared = scores(0.9, 0.8, 0.7, 0.6), scores(0.95, 0.75, 0.85, 0.55)
    found = constituent_confidence(
        TreeBatch.from_trees([tree]), {"levels": levels, "shared": shared, "unary": scores(1, 1, 1, 1)}
    )
    # In the arrangement, work stands behind How. S begins and ends where the sentence does.
    assert found.tolist() == pytest.approx([0.55, 0.6, 0.6])


def test_lone_words() -> None:
    trees = [Tree.parse("(NN 0=dog)"), Tree.parse("(NP (NN 0=dog))")]
    one = {name: scores(0.9, 0.5) for name in ("levels", "shared", "unary")}
    assert constituent_confidence(TreeBatch.from_trees(trees), one).tolist() == pytest.approx([0.5])
    none = {name: scores(0.9) for name in ("levels", "shared", "unary")}
    assert constituent_confidence(TreeBatch.from_trees(trees[:1]), none).tolist() == []


def test_ends_count_instead_of_levels() -> None:
    trees = [
        Tree.parse("(S (X (VP (WRB 0=How) (VB 3=work))) (VBZ 1=does) (PRP 2=it))"),
        Tree.parse("(S (NP (NP (DT 0=the) (NN 1=dog)) (NN 2=barks)) (. 3=.))"),
    ]
    # By position: where the constituent behind each begins and ends in the arrangement, and how likely that is.
    claims = [(0, 1, 0.9), (0, 3, 0.85), (0, 3, 0.8), (0, 0, 0.1)]
    claims += [(0, 1, 0.7), (1, 2, 0.6), (0, 3, 0.5), (0, 0, 0.1)]
    found = constituent_confidence(
        TreeBatch.from_trees(trees),
        {
            "order": np.array([0, 3, 1, 2, 0, 1, 2, 3], np.int32),
            "shared": scores(0.99, 0.96, 0.98, 0.97, 0.65, 0.95, 0.94, 0.93),
            "unary": scores(*[1] * 8),
            "ends": np.array([claim[:2] for claim in claims], np.int32),
            "ends.scores": np.log(np.array([claim[2] for claim in claims], np.float32)),
        },
    )
    # S: only its label counts. X and VP share their words. NP: the boundary behind its first child claims another.
    assert found.tolist() == pytest.approx([0.96, 0.9, 0.9, 0.94, 0.4, 0.65])


def test_scores_are_found_in_the_predicted_arrangement() -> None:
    """A tree may have other children first than the arrangement that it was decoded from."""
    tree = Tree.parse("(S (A 0=a) (VP (B 1=b) (C 2=c)) (D 3=d))")
    order = np.array([0, 2, 1, 3], np.int32)
    unary = scores(*[1] * 4)
    levels, shared = scores(0.9, 0.8, 0.7, 0.6), scores(0.95, 0.75, 0.85, 0.5)
    at_words = {"levels": levels[order], "shared": shared[order], "unary": unary}
    by_position = {"levels": levels, "shared": shared, "unary": unary, "order": order}
    forest = TreeBatch.from_trees([tree])
    assert constituent_confidence(forest, by_position).tolist() == constituent_confidence(forest, at_words).tolist()


def test_labelled_spans_count_by_themselves() -> None:
    tree = Tree.parse("(S (NP (DT 0=the) (NN 1=dog)) (VP (VBZ 2=barks)) (. 3=.))")
    found = constituent_confidence(
        TreeBatch.from_trees([tree]),
        {
            "order": np.arange(4, dtype=np.int32),
            "unary": scores(1, 1, 0.65, 1),
            "ends": np.array([(0, 1), (0, 3), (0, 3), (0, 0)], np.int32),
            "ends.scores": np.log(np.array([0.8, 0.7, 0.7, 0.1], np.float32)),
            "labels": np.zeros(4, np.int32),
        },
    )
    assert found.tolist() == pytest.approx([0.7, 0.8, 0.65])
