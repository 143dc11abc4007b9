import numpy as np
from hypothesis import given

from permutree.search.columns import Located
from permutree.search.segments import Segment
from permutree.trees.annotations import SecondaryEdge
from permutree.trees.nodes import nodes_of
from permutree.trees.tree import Tree
from strategies import trees


@given(trees())
def test_columns_say_what_the_tree_says(tree: Tree) -> None:
    segment = Segment.of([Located(tree, "f", 1), Located(tree, "f", 2)])
    nodes = nodes_of(tree)
    for sentence in (0, 1):
        first = int(segment.node_offsets[sentence])
        place = {number: first + row for row, number in enumerate(segment.tree_numbers(sentence).tolist())}
        assert segment.tree(sentence) == tree
        for number, node in enumerate(nodes):
            row = np.asarray([place[number]])

            def of(column: str, row: np.ndarray = row) -> int:
                return int(segment.get(column, row)[0])

            parent = number if node.parent is None else nodes.index(node.parent)
            assert int(segment.parents(row)[0]) == place[parent]
            assert (of("left"), of("right"), of("words")) == (node.indices[0], node.indices[-1], len(node.indices))
            assert (of("blocks"), of("arity")) == (len(node.blocks), len(node.children))
            assert [place[nodes.index(child)] for child in node.children] == [
                child for child in range(place[number] + 1, place[number] + of("size"))
                if int(segment.parents(np.asarray([child]))[0]) == place[number]
            ]  # fmt: skip
            for index, (start, end) in enumerate(node.blocks, 1):
                for counted in (index, index - len(node.blocks) - 1):
                    found = segment.block(row, counted)
                    assert (int(found[0][0]), int(found[1][0]) + 1, bool(found[2][0])) == (start, end, True)
            assert not segment.block(row, len(node.blocks) + 1)[2][0]


def test_annotations_come_back() -> None:
    tree = Tree.parse("(S (VP (A 0=a) (B 2=c)) (C 1=b))").annotated(
        id="s1",
        lemmas=("x", None, "y"),
        morphology=(None, "m", None),
        functions=("HD", None, "OA", None, "OC"),
        secondary=(SecondaryEdge(1, 4, "SB"),),
        comment="hm",
        info=(("editor", "x"),),
    )
    segment = Segment.of([Located(Tree.parse("(S (A 0=a) (B 1=b))"), "f", 1), Located(tree, "f", 2)])
    assert segment.tree(1).annotations == tree.annotations
    assert segment.tree(0).annotations == Tree.parse("(A 0=a)").annotations
    assert segment.metadata(1) == {"file": "f", "id": "s1", "comment": "hm", "editor": "x"}


def test_a_lone_word_is_a_tree() -> None:
    tree = Tree.parse("(A 0=a)")
    segment = Segment.of([Located(tree, "", 1), Located(Tree.parse("(S (A 0=a))"), "", 2), Located(tree, "", 3)])
    assert [segment.tree(sentence) for sentence in (0, 2)] == [tree, tree]
