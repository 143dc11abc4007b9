"""Trace resolution, with trees worked out by hand, and the way back."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permutree.errors import TreeError
from permutree.formats import ptb
from permutree.formats.sources import Source
from permutree.formats.traces import KINDS, Empty, displace, resolve, split_label
from permutree.trees.builder import Leaf, Node, TreeBuilder
from permutree.trees.tree import Tree
from strategies import trees


def resolved(text: str, traces: tuple[str, ...] = KINDS) -> Tree:
    source = Source("test", io.BufferedReader(io.BytesIO(text.encode())))
    (tree,) = ptb.read_traces(source, traces=traces)
    return tree


WH_QUESTION = (
    """( (SBARQ (WHNP-1 (WP Who)) (SQ (VBD did) (NP-SBJ (PRP you)) (VP (VB see) (NP (-NONE- *T*-1)))) (. ?)))"""
)
EXTRAPOSED = """( (S (NP-SBJ (NP (DT A) (NN man)) (SBAR (-NONE- *ICH*-1)))
    (VP (VBD came) (SBAR-1 (WHNP-2 (WP who)) (S (NP-SBJ (-NONE- *T*-2)) (VP (VBD sang)))))))"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            WH_QUESTION,
            "(SBARQ (SQ (VP (WHNP (WP 0=Who)) (VB 3=see)) (VBD 1=did) (NP (PRP 2=you))) (. 4=?))",
            id="wh-movement",
        ),
        pytest.param(
            """( (S (PP-LOC-TPC-1 (IN In) (NP (NN class))) (, ,) (NP-SBJ (PRP he))
                (VP (VBZ sleeps) (PP-LOC (-NONE- *T*-1)))))""",
            "(S (VP (PP (IN 0=In) (NP (NN 1=class))) (VBZ 4=sleeps)) (, 2=,) (NP (PRP 3=he)))",
            id="topicalisation",
        ),
        pytest.param(
            EXTRAPOSED,
            "(S (NP (NP (DT 0=A) (NN 1=man)) (SBAR (S (WHNP (WP 3=who)) (VP (VBD 4=sang))))) (VP (VBD 2=came)))",
            id="extraposition, with a trace inside what is extraposed",
        ),
        pytest.param(
            """( (S (NP-SBJ (NP (PRP It)) (S (-NONE- *EXP*-1)))
                (VP (VBZ is) (ADJP-PRD (JJ fun)) (S-1 (NP-SBJ (-NONE- *PRO*)) (VP (TO to) (VP (VB sing)))))))""",
            "(S (NP (NP (PRP 0=It)) (S (VP (TO 3=to) (VP (VB 4=sing))))) (VP (VBZ 1=is) (ADJP (JJ 2=fun))))",
            id="extraposition with it",
        ),
        pytest.param(
            """( (S (NP-SBJ (PRP We)) (VP (VP (VBP buy) (NP (-NONE- *RNR*-1))) (CC and)
                (VP (VBP sell) (NP (-NONE- *RNR*-1))) (NP-1 (NNS books)))))""",
            "(S (NP (PRP 0=We)) (VP (VP (VBP 1=buy)) (CC 2=and) (VP (VBP 3=sell) (NP (NNS 4=books)))))",
            id="right node raising goes to the last of its traces, the nearest",
        ),
        pytest.param(
            """( (SBARQ (WHNP-1 (WP What)) (SQ (SQ (VBD did) (NP-SBJ (PRP he)) (VP (VB buy) (NP (-NONE- *T*-1))))
                (CC and) (SQ (VBD did) (NP-SBJ (PRP she)) (VP (VB sell) (NP (-NONE- *T*-1)))))))""",
            "(SBARQ (SQ (SQ (VP (WHNP (WP 0=What)) (VB 3=buy)) (VBD 1=did) (NP (PRP 2=he))) (CC 4=and) "
            "(SQ (VBD 5=did) (NP (PRP 6=she)) (VP (VB 7=sell)))))",
            id="extraction from both conjuncts goes to the first trace, the nearest",
        ),
        pytest.param(
            """( (S-1 (NP-SBJ (NNS Sales)) (PRN (, ,) (S (NP-SBJ (PRP he))
                (VP (VBD said) (SBAR (-NONE- 0) (S (-NONE- *T*-1))))) (, ,)) (VP (VBP fall)) (. .)))""",
            "(PRN (S (VP (SBAR (S (NP (NNS 0=Sales)) (VP (VBP 5=fall)) (. 6=.))) (VBD 3=said)) (NP (PRP 2=he))) "
            "(, 1=,) (, 4=,))",
            id="a parenthetical inside its own antecedent",
        ),
        pytest.param(
            """( (NP (NP (NNS books)) (SBAR (WHNP-1 (-NONE- 0))
                (S (NP-SBJ (PRP you)) (VP (VBP like) (NP (-NONE- *T*-1)))))))""",
            "(NP (NP (NNS 0=books)) (SBAR (S (NP (PRP 1=you)) (VP (VBP 2=like)))))",
            id="a null operator has nothing to move",
        ),
        pytest.param(
            """( (SBARQ (WHNP-1 (WP Who)) (SQ (NP-SBJ-2 (-NONE- *T*-1))
                (VP (VBD was) (VP (VBN seen) (NP (-NONE- *-2)))))))""",
            "(SBARQ (SQ (WHNP (WP 0=Who)) (VP (VBD 1=was) (VP (VBN 2=seen)))))",
            id="a passive trace is deleted",
        ),
        pytest.param(
            "( (S (X-1 (A a)) (Y (B b) (Z-2 (-NONE- *T*-1))) (W (C c) (Z (-NONE- *ICH*-2)))))",
            "(S (W (X (A 0=a)) (C 2=c)) (Y (B 1=b)))",
            id="a chain of traces goes to its end",
        ),
        pytest.param(
            """( (S (WHNP-5 (WHNP (-NONE- 0)) (SBAR (-NONE- *ICH*-4))) (S (NP-SBJ (PRP we))
                (VP (VBP have) (NP (-NONE- *T*-5)) (SBAR-4 (IN so) (S (VB go)))))))""",
            "(S (S (NP (PRP 0=we)) (VP (VBP 1=have) (WHNP (SBAR (IN 2=so) (S (VB 3=go)))))))",
            id="an antecedent that gets its words from a trace inside it",
        ),
        pytest.param(
            "( (NP (NP (DT a) (NNS (-NONE- *RNR*-4))) (CC or) (NP (DT b) (NNS (-NONE- *RNR*-4))) (NNS-4 c)))",
            "(NP (NP (DT 0=a)) (CC 1=or) (NP (DT 2=b) (NNS 3=c)))",
            id="a word with an index",
        ),
        pytest.param(
            "( (S (NP-1 (A a)) (VP (B b) (-NONE- *T*-1) (C c))))",
            "(S (VP (NP (A 0=a)) (B 1=b) (C 2=c)))",
            id="a trace that shares its node",
        ),
        pytest.param(
            "( (S (A-1 (X x) (B (-NONE- *T*-2))) (B-2 (Y y) (A (-NONE- *T*-1)))))",
            "(S (A (X 0=x) (B (Y 1=y))))",
            id="two parts that hold each other's traces: the second stays",
        ),
        pytest.param(
            "( (S (NP-1 (A a) (-NONE- *T*-1)) (B b)))",
            "(S (NP (A 0=a)) (B 1=b))",
            id="a trace right under its antecedent",
        ),
        pytest.param(
            "( (S (NP-1 (A a) (NP (-NONE- *T*-1))) (B b)))",
            "(S (NP (A 0=a)) (B 1=b))",
            id="a trace alone in a child of its antecedent",
        ),
        pytest.param(
            "( (S (NP (A a)) (VP (B b) (NP (-NONE- *T*-7)))))",
            "(S (NP (A 0=a)) (VP (B 1=b)))",
            id="a trace without antecedent is deleted",
        ),
        pytest.param(
            """( (NP (SBAR (WHNP-1 (WP what)) (S (VP (TO to) (VB do) (NP (-NONE- *T*-1))))) (CC and)
                (SBAR (WHNP-1 (WP who)) (S (NP-SBJ (-NONE- *T*-1)) (VP (VBZ sings))))))""",
            "(NP (SBAR (S (VP (WHNP (WP 0=what)) (TO 1=to) (VB 2=do)))) (CC 3=and) "
            "(SBAR (S (WHNP (WP 4=who)) (VP (VBZ 5=sings)))))",
            id="an index given twice: a trace takes the node closest in the tree",
        ),
        pytest.param(
            """( (S (NP-SBJ (NP (PRP It)) (S (-NONE- *EXP*-1))) (VP (VBZ helps)
                (S-1 (VP (TO to) (VP (VB know) (SBAR-1 (IN that) (S (PRP it) (VBZ rains)))))))))""",
            "(S (NP (NP (PRP 0=It)) (S (VP (TO 2=to) (VP (VB 3=know) (SBAR (IN 4=that) "
            "(S (PRP 5=it) (VBZ 6=rains))))))) (VP (VBZ 1=helps)))",
            id="an index given twice, equally close in the tree: the nearest in words",
        ),
    ],
)
def test_resolved_by_hand(text: str, expected: str) -> None:
    assert resolved(text).discbracket() == expected


def test_only_the_kinds_asked_for() -> None:
    assert resolved(EXTRAPOSED, traces=("T",)).discbracket() == (
        "(S (NP (NP (DT 0=A) (NN 1=man))) (VP (VBD 2=came) (SBAR (S (WHNP (WP 3=who)) (VP (VBD 4=sang))))))"
    )
    assert not resolved(WH_QUESTION, traces=()).is_discontinuous


def test_functions_come_together_at_the_trace() -> None:
    tree = resolved(EXTRAPOSED)
    assert tree.annotations.functions is not None
    functions = dict(zip(tree.labels, tree.annotations.functions[len(tree) :], strict=True))
    assert functions["WHNP"] == "SBJ"
    tree = resolved("( (S (PP-LOC-TPC-1 (IN there)) (VP (VB be) (PP-LOC-PRD (-NONE- *T*-1)))))")
    assert tree.labels == ("S", "VP", "PP")
    assert tree.annotations.functions == (None, None, None, None, "LOC-TPC-PRD")


def test_nothing_but_empty_elements() -> None:
    root = Node("S", [Node("NP", [Empty("*PRO*", "-NONE-", kind="PRO")])])
    with pytest.raises(TreeError, match="no words"):
        resolve(root, {})


@pytest.mark.parametrize(
    ("label", "parts"),
    [
        ("NP-SBJ-1=2", ("NP", "SBJ", "1")),
        ("NP=2", ("NP", None, None)),
        ("NP-SBJ=2-3", ("NP", "SBJ", "3")),
        ("S-TTL-2-FRM", ("S", "TTL-FRM", "2")),
        ("PRP$", ("PRP$", None, None)),
        ("-NONE-", ("-NONE-", None, None)),
        ("-LRB--3", ("-LRB-", None, "3")),
        ("X-", ("X-", None, None)),
        ("", ("", None, None)),
    ],
)
def test_labels_are_split(label: str, parts: tuple[str, str | None, str | None]) -> None:
    found = split_label(label)
    assert (found.category, found.function, found.index) == parts


def surface(root: Node | Leaf) -> list[str]:
    leaves = root.leaves() if isinstance(root, Node) else [root]
    return [leaf.word for leaf in leaves if not isinstance(leaf, Empty)]


@given(trees())
def test_displaced_trees_read_in_sentence_order_and_resolve_to_themselves(tree: Tree) -> None:
    root, indexes = displace(TreeBuilder.from_tree(tree))
    assert surface(root) == list(tree.words)
    assert Tree.of(resolve(root, indexes)) == tree


@given(trees(continuous=True))
def test_continuous_trees_need_no_traces(tree: Tree) -> None:
    _, indexes = displace(TreeBuilder.from_tree(tree))
    assert indexes == {}


@given(st.permutations(range(9)))
def test_crossing_gaps_of_any_degree(order: list[int]) -> None:
    words = [str(index) for index in range(9)]
    constituents = [("S", range(9)), ("A", order[:5]), ("B", order[:3]), ("C", order[5:]), ("D", order[7:])]
    tree = Tree.from_constituents(words, "X" * 9, constituents)
    root, indexes = displace(TreeBuilder.from_tree(tree))
    assert surface(root) == words
    assert Tree.of(resolve(root, indexes)) == tree


def test_long_and_deep() -> None:
    size = 10_000
    halves = [("S", range(size)), ("EVEN", range(0, size, 2)), ("ODD", range(1, size, 2))]
    long = Tree.from_constituents(["w"] * size, ["X"] * size, halves)
    root, indexes = displace(TreeBuilder.from_tree(long))
    assert Tree.of(resolve(root, indexes)) == long

    node = Node("S", [Leaf("a", "X"), Leaf("c", "X")])
    for _ in range(5_000):
        node = Node("S", [node])
    first, last = node.leaves()
    middle = Leaf("b", "X")
    deep = Tree.of(TreeBuilder(Node("TOP", [node, middle]), [first, middle, last]))
    root, indexes = displace(TreeBuilder.from_tree(deep))
    assert Tree.of(resolve(root, indexes)) == deep


@st.composite
def tangles(draw: st.DrawFn) -> tuple[Node, dict[Node | Leaf, str]]:
    """A tree with words, empty elements and indexes anywhere."""
    indexes: dict[Node | Leaf, str] = {}
    items: list[Node | Leaf] = [Leaf("word", "X")]
    for _ in range(draw(st.integers(1, 12))):
        kind = draw(st.sampled_from(["word", "T", "ICH", "0"]))
        index = draw(st.sampled_from([None, "1", "2", "3"]))
        items.append(Leaf(kind, "X") if kind == "word" else Empty(kind, "-NONE-", kind=kind, index=index))
    label = st.sampled_from(["NP", "WHNP", "S"])
    items = [Node(draw(label), [item]) if draw(st.booleans()) else item for item in items]
    while len(items) > 1 or isinstance(items[0], Leaf):
        start = draw(st.integers(0, max(len(items) - 2, 0)))
        end = start + draw(st.integers(2, 4))
        items[start:end] = [Node(draw(label), items[start:end])]
    root = items[0]
    assert isinstance(root, Node)
    nodes: list[Node | Leaf] = [*root.subtrees(), *root.leaves()]
    for node in nodes:
        if not isinstance(node, Empty) and (index := draw(st.sampled_from([None, None, "1", "2", "3"]))):
            indexes[node] = index
    return root, indexes


@given(tangles())
def test_any_tangle_of_indexes_gives_a_tree_over_the_same_words(tangle: tuple[Node, dict[Node | Leaf, str]]) -> None:
    root, indexes = tangle
    words = [leaf for leaf in root.leaves() if not isinstance(leaf, Empty)]
    draft = resolve(root, indexes)
    assert draft.leaves == words
    assert len(Tree.of(draft)) == len(words)
