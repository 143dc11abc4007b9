import pytest
from hypothesis import given

from permutree.trees.fields import arrange
from permutree.trees.tree import Tree
from strategies import trees


@given(trees())
def test_parents_say_how_a_tree_is_arranged(tree: Tree) -> None:
    if not tree.labels:
        return
    # Constituents may be numbered in any order.
    last = len(tree.labels) - 1
    turned = [last - parent if parent >= 0 else -1 for parent in reversed(tree.parents)]
    found = arrange([last - parent for parent in tree.word_parents], turned)
    assert found is not None
    assert (found.order, found.starts, found.ends) == (tree.order, tree.starts, tree.ends)
    assert type(found.order) is type(tree.order)
    assert found.constituents == [last - number for number in range(last + 1)]


@pytest.mark.parametrize(
    ("word_parents", "parents"),
    [
        ([0], [-1, -1]),
        ([0], [0]),
        ([0], [-1, 0]),
        ([0, -1], [-1]),
        ([0, 1], [-1, 2, 1]),
        ([1, 2], [-1, 2, 1]),
        ([-1], []),
    ],
)
def test_what_is_no_tree(word_parents: list[int], parents: list[int]) -> None:
    assert arrange(word_parents, parents) is None


@given(trees())
def test_children_of_all_constituents(tree: Tree) -> None:
    assert tree.all_child_numbers() == [list(tree.child_numbers(number)) for number in range(len(tree.labels))]
