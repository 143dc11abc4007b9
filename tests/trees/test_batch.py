from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from permutree.errors import TreeError
from permutree.trees.batch import TreeBatch
from permutree.trees.tree import Tree
from strategies import trees


@given(st.lists(trees(), max_size=5))
def test_arrays_and_back(some: list[Tree]) -> None:
    forest = TreeBatch.from_trees(some)
    assert len(forest) == len(some)
    assert list(forest.trees()) == some


@given(st.lists(trees(), max_size=5))
def test_text_straight_from_the_arrays(some: list[Tree]) -> None:
    assert list(TreeBatch.from_trees(some).discbracket()) == [tree.discbracket() for tree in some]


def test_text_with_parentheses() -> None:
    some = [Tree.parse("(S ($( 0=-LRB-) (NP (NN 1=a-RRB-)))"), Tree.parse("(S (A (N 0=a) (N 2=-LRB-)) (N 1=b))")]
    assert list(TreeBatch.from_trees(some).discbracket()) == [tree.discbracket() for tree in some]
    tree = Tree.from_constituents(["a b"], ["N"], [])
    with pytest.raises(TreeError, match="white space"):
        list(TreeBatch.from_trees([tree]).discbracket())


@given(st.lists(trees(max_words=15), max_size=5), st.integers(0, 2**32))
def test_children_in_any_order_are_sorted(some: list[Tree], seed: int) -> None:
    random = Random(seed)
    shuffled = [shuffle(tree, random) for tree in some]
    forest = TreeBatch.from_trees(some)
    order, labels, starts, ends = (
        np.array([number for fields in shuffled for number in fields[column]], np.int32) for column in range(4)
    )
    names = [forest.vocabulary.index(label) for tree in some for label in tree.labels]
    assert forest.labels.tolist() == names
    labels = forest.labels[labels + np.repeat(forest.node_offsets[:-1], np.diff(forest.node_offsets))]
    out_of_order = replace(forest, order=order, labels=labels, starts=starts, ends=ends, is_canonical=False)
    assert list(out_of_order.canonicalise().trees()) == some
    assert list(out_of_order.trees()) == some
    assert list(out_of_order.discbracket()) == [tree.discbracket() for tree in some]


def shuffle(tree: Tree, random: Random) -> tuple[list[int], list[int], list[int], list[int]]:
    """The same tree with children in random order: arrangement, old number of each constituent, starts, ends."""
    order: list[int] = []
    numbers: list[int] = []
    starts: list[int] = []
    ends: dict[int, int] = {}
    stack = [len(tree)] if tree.labels else [0]
    while stack:
        node = stack.pop()
        if node < 0:
            ends[~node] = len(order)
        elif node < len(tree):
            order.append(node)
        else:
            numbers.append(node - len(tree))
            starts.append(len(order))
            stack.append(~numbers[-1])
            stack += random.sample(tree.child_numbers(numbers[-1]), len(tree.child_numbers(numbers[-1])))
    return order, numbers, starts, [ends[number] for number in numbers]
