"""Auxiliary tasks: what they predict, and that nothing of them is kept."""

from pathlib import Path

import pytest

from permutree.errors import ConfigError
from permutree.formats import write
from permutree.networks.model import Model
from permutree.parsing.parser import Parser
from permutree.training.auxiliary import TASKS, auxiliary_values, fit_auxiliary
from permutree.training.loop import train
from permutree.trees.tree import Tree
from tiny_models import tiny_config

# In the arrangement: How work does it; S over all, VP over the first two.
TREE = Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")
FUNCTIONS = ("MO", "HD", "SB", "HD", "--", "OC")


def annotated(tree: Tree) -> Tree:
    """The tree with functions that follow from its labels and tags, and the length of words as their morphology."""
    functions = (*(tag[:1] for tag in tree.tags), *(label.lower() for label in tree.labels))
    return tree.annotated(functions=functions, morphology=tuple(str(len(word)) for word in tree.words))


def test_what_tasks_predict() -> None:
    tree = TREE.annotated(functions=("MO", None, "SB", "HD", None, "OC"), morphology=("q", "3sg", None, "inf"))
    values = {task: list(find(tree) or ()) for task, find in TASKS.items()}
    assert values == {
        "functions": ["MO", "_", "SB", "HD"],
        # How shares the VP with work, work and does share the S with what follows, and it comes last.
        "shared-functions": ["OC", "_", None, "_"],
        "morphology": ["q", "3sg", None, "inf"],
    }


def test_a_word_has_the_function_of_a_constituent_over_it_alone() -> None:
    # As Penn treebanks have it: functions are those of constituents.
    tree = Tree.parse("(S (NP (NP (PRP 0=I))) (VP (VBP 1=eat) (NP (NNS 2=apples))))")
    tree = tree.annotated(functions=(None, None, "OB1", None, "SBJ", None, None, "OBJ"))
    assert TASKS["functions"](tree) == ["SBJ", "_", "OB1"]


def test_values_are_those_of_the_training_set() -> None:
    tree = TREE.annotated(functions=FUNCTIONS)
    values = fit_auxiliary([tree, TREE], ["functions"])["functions"]
    assert list(values) == ["HD", "MO", "SB"]
    assert auxiliary_values([TREE, tree], "functions", values).tolist() == [-1, -1, -1, -1, 1, 0, 2, 0]
    other = TREE.annotated(functions=("XX", *FUNCTIONS[1:]))
    assert auxiliary_values([other], "functions", values).tolist() == [-1, 0, 2, 0]


def test_a_treebank_without_them_is_refused() -> None:
    with pytest.raises(ConfigError, match="the training trees have no morphology"):
        fit_auxiliary([TREE.annotated(functions=FUNCTIONS)], ["functions", "morphology"])


def test_all_at_once_learn_by_heart_and_keep_nothing_more(tmp_path: Path, trees: list[Tree]) -> None:
    data = tmp_path / "trees.jsonl"
    write(map(annotated, trees), data)
    changes = {
        "model": {"labeller": "reread", "attention": 32, "reread": {"hidden": 32, "ends": 8}},
        "training": {"epochs": 60, "auxiliary": sorted(TASKS)},
        "optimiser": {"schedule": "linear"},
        "data": {"train": [str(data)]},
    }
    result = train(tiny_config(tmp_path / "model", **changes))
    assert result.best["f1"] == result.best["discontinuous f1"] == 100
    # Levels are learnt from, too, and not kept.
    heads = sorted(Model.load(result.folder).labeller.heads)
    assert heads == ["first", "last", "permutation", "shared", "tags", "unary"]
    parser = Parser.load(result.folder, "cpu")
    assert [tree.labels for tree in parser.pipe([tree.words for tree in trees])] == [tree.labels for tree in trees]
