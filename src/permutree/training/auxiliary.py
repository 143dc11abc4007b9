"""Auxiliary tasks: functions and morphology of the treebank, predicted in training only.

They teach the encoder what the labels do not say. The trained model does not keep their heads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from permutree.encoding.constituents import NOTHING
from permutree.encoding.vocabulary import Vocabulary
from permutree.errors import ConfigError
from permutree.model.batching import Ints
from permutree.trees.tree import Tree

__all__ = ["TASKS", "auxiliary_values", "fit_auxiliary"]

Values = Sequence[str | None]


def _functions(tree: Tree) -> Values | None:
    """The edge label over each word, or else that of the lowest constituent with one over this word alone."""
    functions = tree.annotations.functions
    if functions is None:
        return None
    alone: dict[int, str] = {}
    # In preorder, lower constituents overwrite higher ones.
    for start, end, function in zip(tree.starts, tree.ends, functions[len(tree) :], strict=True):
        if function and end - start == 1:
            alone[tree.order[start]] = function
    return [function or alone.get(word, NOTHING) for word, function in enumerate(functions[: len(tree)])]


def _shared_functions(tree: Tree) -> Values | None:
    """The edge label of the lowest constituent that a word shares with the next one in the arrangement."""
    if tree.annotations.functions is None:
        return None
    functions = tree.annotations.functions[len(tree) :]
    values: list[str | None] = [None] * len(tree)
    # In preorder, lower constituents overwrite higher ones.
    for start, end, function in zip(tree.starts, tree.ends, functions, strict=True):
        for word in tree.order[start : end - 1]:
            values[word] = function or NOTHING
    return values


def _morphology(tree: Tree) -> Values | None:
    return tree.annotations.morphology


#: what can be predicted beside the labels
TASKS: dict[str, Callable[[Tree], Values | None]] = {
    "functions": _functions,
    "shared-functions": _shared_functions,
    "morphology": _morphology,
}


def fit_auxiliary(trees: Iterable[Tree], tasks: Sequence[str]) -> dict[str, Vocabulary]:
    """The values of each task in the training set."""
    found: dict[str, dict[str, None]] = {task: {} for task in tasks}
    for tree in trees:
        for task, values in found.items():
            values.update(dict.fromkeys(value for value in TASKS[task](tree) or () if value is not None))
    for task, values in found.items():
        if not values:
            raise ConfigError(
                f"the training trees have no {task}, which training.auxiliary asks for; train on files of a format "
                "that keeps them, such as jsonl, export or tigerxml"
            )
    return {task: Vocabulary(sorted(values), is_closed=True) for task, values in found.items()}


def auxiliary_values(trees: Sequence[Tree], task: str, vocabulary: Vocabulary) -> Ints:
    """The number of each word's value, one sentence after the other; -1 where a tree does not say."""
    numbers: list[int] = []
    for tree in trees:
        values = TASKS[task](tree) or [None] * len(tree)
        numbers += [-1 if value is None else vocabulary.number(value) for value in values]
    return np.array(numbers, np.int64)
