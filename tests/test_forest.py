from hypothesis import given
from hypothesis import strategies as st

from permutree.forest import Forest
from permutree.tree import Tree
from strategies import trees


@given(st.lists(trees(), max_size=5))
def test_arrays_and_back(some: list[Tree]) -> None:
    forest = Forest.from_trees(some)
    assert len(forest) == len(some)
    assert list(forest.trees()) == some
