import copy
import pickle
from collections.abc import Iterator

import pytest
from hypothesis import given

from permutree.trees.nodes import Node, Word, blocks_of
from permutree.trees.tree import Tree
from strategies import trees

NOCH_NIE = Tree.parse(
    "(ROOT (S (VP (AVP (ADV 0=Noch) (ADV 1=nie)) (NP (ADV 4=so) (PIAT 5=viel)) (VVPP 6=gewählt)) "
    "(VAFIN 2=habe) (PPER 3=ich)) ($. 7=.))"
)


def walk(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from walk(child)


def test_paper_example() -> None:
    root = NOCH_NIE.root
    assert (root.label, root.parent, root.is_word) == ("ROOT", None, False)
    sentence, stop = root.children
    assert [child.label for child in sentence.children] == ["VP", "VAFIN", "PPER"]
    vp = sentence.children[0]
    assert vp.parent is sentence
    assert vp.words == ("Noch", "nie", "so", "viel", "gewählt")
    assert vp.indices == (0, 1, 4, 5, 6)
    assert vp.span_text == "Noch nie … so viel gewählt"
    assert vp.blocks == ((0, 2), (4, 7))
    assert vp.is_discontinuous
    assert not sentence.is_discontinuous
    assert isinstance(stop, Word)
    assert (stop.text, stop.label, stop.index, stop.is_word, stop.children) == (".", "$.", 7, True, ())
    assert (stop.words, stop.indices, stop.span_text, stop.blocks) == ((".",), (7,), ".", ((7, 8),))
    assert not stop.is_discontinuous
    assert (repr(vp), repr(stop)) == ("Node('VP', 'Noch nie … so viel gewählt')", "Word('$.', '.')")


def test_find_takes_constituents_by_their_label() -> None:
    assert [node.indices for node in NOCH_NIE.find(label="NP")] == [(4, 5)]
    assert NOCH_NIE.find("ADV") == []


def test_the_root_of_a_lone_word_is_the_word() -> None:
    tree = Tree.parse("(NN 0=dog)")
    assert (tree.root.label, tree.root.words, tree.root.children, tree.constituents) == ("NN", ("dog",), (), ())
    assert tree.root.is_word


@given(trees())
def test_walking_meets_the_constituents_of_the_arrays(tree: Tree) -> None:
    nodes = [node for node in walk(tree.root) if not node.is_word]
    assert [(node.label, node.indices) for node in nodes] == list(tree)
    assert tuple(nodes) == tree.constituents
    words = [node for node in walk(tree.root) if isinstance(node, Word)]
    assert [word.index for word in words] == list(tree.order)
    assert sorted((word.index, word.text, word.label) for word in words) == [
        (index, *both) for index, both in enumerate(zip(tree.words, tree.tags, strict=True))
    ]


@given(trees())
def test_parents_and_children_agree(tree: Tree) -> None:
    for node in walk(tree.root):
        assert all(child.parent is node for child in node.children)
        assert node.tree is tree
        if not node.is_word:
            assert tuple(sorted(index for child in node.children for index in child.indices)) == node.indices


def test_nodes_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        NOCH_NIE.root.label = "S"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        NOCH_NIE.root.children = ()  # type: ignore[misc]


def test_nodes_are_equal_at_the_same_place_and_can_be_pickled() -> None:
    again = Tree.parse(NOCH_NIE.discbracket())
    assert NOCH_NIE.root == again.root
    assert hash(NOCH_NIE.root) == hash(again.root)
    assert NOCH_NIE.root != NOCH_NIE.root.children[0]
    assert NOCH_NIE.root != "ROOT"
    deep = Tree.from_constituents(["a"], ["X"], [("L", [0])] * 2_000)
    bottom = deep.constituents[-1]
    for other in (pickle.loads(pickle.dumps(bottom)), copy.deepcopy(bottom)):
        assert other == bottom
        assert other.parent == bottom.parent


def test_blocks() -> None:
    assert blocks_of([3]) == ((3, 4),)
