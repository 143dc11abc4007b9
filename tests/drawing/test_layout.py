"""Places of nodes: nothing stands on anything else."""

from itertools import combinations
from math import floor

from hypothesis import given
from hypothesis import strategies as st

from permutree.drawing.layout import Layout, lay_out
from permutree.trees.tree import Tree
from strategies import trees

GERMAN = (
    "(ROOT (S (VP (AVP (ADV 0=Noch) (ADV 1=nie)) (NP (ADV 4=so) (PIAT 5=viel)) (VVPP 6=gewählt)) "
    "(VAFIN 2=habe) (PPER 3=ich)) ($. 7=.))"
)


def placed(text: str, width: float = 2) -> Layout:
    tree = Tree.parse(text)
    return lay_out(tree, [(width, width)] * (len(tree) + len(tree.labels)), 1)


def test_places_of_the_german_tree() -> None:
    layout = placed(GERMAN)
    # Words stand in columns of 4 with a gap of 1: ROOT S VP AVP NP follow.
    assert layout.x[:8] == [2, 7, 12, 17, 22, 27, 32, 37]
    root, s, vp, avp, np = layout.x[8:]
    assert (avp, np) == (4.5, 24.5)
    assert vp == (np + 32) / 2, "between the children of its larger block"
    assert s == (12 + vp) / 2
    assert root == (s + 37) / 2
    assert layout.level[8:] == [4, 3, 2, 1, 1]
    assert layout.discontinuous == {10: 0}
    assert layout.width == 39


def test_a_gap_is_filled_from_below() -> None:
    """The constituent inside the gap is deeper than the one around it, which still goes above."""
    layout = placed("(S (A (X 0=a) (X 4=e)) (B (C (D (X 1=b) (X 2=c)) (X 3=d))))")
    labels = dict(zip("SABCD", layout.level[5:], strict=True))
    assert labels == {"S": 5, "A": 4, "B": 3, "C": 2, "D": 1}


def test_interleaved_constituents_have_levels_of_their_own() -> None:
    layout = placed("(S (A (X 0=a) (X 2=c)) (B (X 1=b) (X 3=d)))")
    assert sorted(layout.level[4:]) == [1, 2, 3]


def test_a_unary_chain_is_straight() -> None:
    layout = placed("(A (B (C (X 0=a) (X 1=b))))")
    assert len(set(layout.x[2:])) == 1


def test_a_lone_word() -> None:
    tree = Tree.parse("(NN 0=ja)")
    layout = lay_out(tree, [(3, 4)], 1)
    assert (layout.x, layout.level, layout.width, layout.height) == ([3], [0], 7, 0)
    assert list(layout.sweep()) == []


def test_passing_branches() -> None:
    layout = placed("(S (A (X 0=a) (X 2=c)) (X 1=b))")
    levels = [(list(constituents), [child for _, child in passing]) for constituents, passing in layout.sweep()]
    assert levels == [([4], [1]), ([3], [])]


@given(trees(), st.data(), st.booleans())
def test_nothing_overlaps(tree: Tree, data: st.DataObject, whole: bool) -> None:
    count = len(tree) + len(tree.labels)
    size = st.integers(0, 12) if whole else st.floats(0, 12)
    sizes = data.draw(st.lists(st.tuples(size, size), min_size=count, max_size=count))
    gap = 2
    layout = lay_out(tree, sizes, gap, floor if whole else float)
    boxes = [(layout.x[node] - sizes[node][0], layout.x[node] + sizes[node][1]) for node in range(count)]
    tolerance = 1e-6
    if whole:
        assert all(place == int(place) for place in layout.x)
    for left, right in boxes:
        assert left >= -tolerance
        assert right <= layout.width + tolerance
    for one, other in combinations(range(count), 2):
        if layout.level[one] == layout.level[other]:
            first, second = sorted((boxes[one], boxes[other]))
            assert second[0] - first[1] >= gap - tolerance, "labels on one level stand apart"
            if one >= len(tree):
                first, second = sorted((layout.extent(one), layout.extent(other)))
                assert second[0] - first[1] >= gap - tolerance, "lines on one level stand apart"
    for child, parent in enumerate(layout.parents):
        if parent < 0:
            continue
        assert layout.level[child] < layout.level[parent]
        if len(layout.children[parent]) == 1:
            assert layout.x[child] == layout.x[parent], "unary chains are straight"
        for node in range(count):
            if layout.level[child] < layout.level[node] < layout.level[parent]:
                left, right = boxes[node]
                assert not left - gap + tolerance < layout.x[child] < right + gap - tolerance, (
                    "no branch runs over a label"
                )
            other = layout.parents[node]
            if other >= 0 and node != child and abs(layout.x[node] - layout.x[child]) < gap - tolerance:
                apart = layout.level[other] <= layout.level[child] or layout.level[parent] <= layout.level[node]
                assert apart, "no two branches run along each other"
