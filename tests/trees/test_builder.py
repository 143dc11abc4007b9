import pytest
from hypothesis import given

from permutree.errors import TreeError
from permutree.trees.annotations import SecondaryEdge
from permutree.trees.builder import Leaf, Node, TreeBuilder
from permutree.trees.tree import Tree
from strategies import trees


@given(trees())
def test_a_tree_comes_back_with_its_annotations(tree: Tree) -> None:
    edge = SecondaryEdge(0, len(tree), "SB")
    annotated = tree.annotated(id="s1", lemmas=("x",) * len(tree), secondary=(edge,), info=(("origin", "1"),))
    same = Tree.of(TreeBuilder.from_tree(annotated))
    assert same == tree
    assert same.annotations == annotated.annotations


def test_an_edge_to_a_node_that_is_gone_goes_too() -> None:
    tree = Tree.parse("(S (NP (N 0=a)) (V 1=b))").annotated(secondary=(SecondaryEdge(1, 3, "SB"),))
    builder = TreeBuilder.from_tree(tree)
    assert isinstance(builder.root, Node)
    builder.root.children = list(builder.leaves)
    assert Tree.of(builder).annotations.secondary == ()


def test_builders_that_hold_no_tree() -> None:
    leaf, other = Leaf("a", "X"), Leaf("b", "Y")
    with pytest.raises(TreeError, match="no words"):
        Tree.of(TreeBuilder(Node("S"), []))
    with pytest.raises(TreeError, match="has no children"):
        Tree.of(TreeBuilder(Node("S", [leaf, Node("X")]), [leaf]))
    with pytest.raises(TreeError, match=r"word 1 \('b'\) is not in the tree"):
        Tree.of(TreeBuilder(Node("S", [leaf]), [leaf, other]))
    with pytest.raises(TreeError, match="not in the sentence"):
        Tree.of(TreeBuilder(Node("S", [leaf, other]), [leaf]))
    with pytest.raises(TreeError, match="two parents"):
        Tree.of(TreeBuilder(Node("S", [leaf, Node("X", [leaf])]), [leaf]))
    cycle = Node("S", [leaf])
    cycle.children.append(cycle)
    with pytest.raises(TreeError, match="own ancestor"):
        Tree.of(TreeBuilder(cycle, [leaf]))
