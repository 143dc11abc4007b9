import pickle
from collections import Counter

import pytest
from hypothesis import given

from permutree.errors import TreeError
from permutree.trees.builder import TreeBuilder
from permutree.trees.fields import is_canonical
from permutree.trees.tree import Constituent, Tree
from strategies import trees

#: the running example of the paper
NOCH_NIE = (
    "(ROOT (S (VP (AVP (ADV 0=Noch) (ADV 1=nie)) (NP (ADV 4=so) (PIAT 5=viel)) (VVPP 6=gewählt)) "
    "(VAFIN 2=habe) (PPER 3=ich)) ($. 7=.))"
)


def test_paper_example() -> None:
    tree = Tree.parse(NOCH_NIE)
    assert tree.tau == (0, 1, 5, 6, 2, 3, 4, 7)
    assert tree.order == (0, 1, 4, 5, 6, 2, 3, 7)
    assert tree.is_discontinuous
    assert (tree.gap_degree, tree.fan_out, tree.depth) == (1, 2, 4)
    vp = tree.constituent(2)
    assert vp == Constituent("VP", (0, 1, 4, 5, 6))
    assert vp.blocks == ((0, 2), (4, 7))
    assert (vp.gap_degree, vp.fan_out, vp.is_discontinuous) == (1, 2, True)
    assert tree.parents == (-1, 0, 1, 2, 2)
    assert tree.word_parents == (3, 3, 1, 1, 4, 4, 2, 0)
    assert tree.child_numbers(1) == (10, 2, 3)
    assert tree.child_numbers(0) == (9, 7)
    assert tree.root_label == "ROOT"
    assert len(tree) == 8
    assert tree.discbracket() == NOCH_NIE


def test_continuous_tree_is_its_own_arrangement() -> None:
    tree = Tree.parse("(S (NP (D 0=the) (N 1=cat)) (VP (V 2=sleeps)))")
    assert tree.tau == (0, 1, 2)
    assert not tree.is_discontinuous
    assert tree.gap_degree == 0
    assert tree.fan_out == 1


def test_children_are_put_in_order_of_their_leftmost_word() -> None:
    shuffled = Tree.parse("(S (C 1=b) (VP (B 2=c) (A 0=a)))")
    assert shuffled == Tree.parse("(S (VP (A 0=a) (B 2=c)) (C 1=b))")
    assert hash(shuffled) == hash(Tree.parse("(S (VP (A 0=a) (B 2=c)) (C 1=b))"))


def test_gaps_in_several_places() -> None:
    tree = Tree.parse("(S (X (A 0=a) (A 2=c) (A 4=e) (A 6=g)) (Y (A 1=b) (A 5=f)) (A 3=d))")
    assert tree.gap_degree == 3
    assert [constituent.gap_degree for constituent in tree] == [0, 3, 1]


def test_lone_word() -> None:
    tree = Tree.parse("(NN 0=dog)")
    assert (tree.labels, tree.word_parents, tree.depth, tree.root_label) == ((), (-1,), 0, "NN")
    assert tree.discbracket() == "(NN 0=dog)"


def test_every_tree_has_a_repr() -> None:
    tree = Tree.from_constituents(["New York", ""], ["N P", "X"], [("S", [0, 1])])
    assert repr(tree) == "Tree.from_constituents(('New York', ''), ('N P', 'X'), [('S', (0, 1))])"
    assert eval(repr(tree), {"Tree": Tree}) == tree


def test_trees_are_immutable() -> None:
    tree = Tree.parse("(S (A 0=a))")
    with pytest.raises(AttributeError, match="immutable"):
        tree.words = ()
    with pytest.raises(AttributeError, match="immutable"):
        del tree.words


def test_trees_differ_in_words_tags_labels_and_structure() -> None:
    tree = Tree.parse("(S (A 0=a) (B 1=b))")
    others = ["(S (A 0=x) (B 1=b))", "(S (X 0=a) (B 1=b))", "(X (A 0=a) (B 1=b))", "(S (S (A 0=a)) (B 1=b))"]
    for other in others:
        assert tree != Tree.parse(other)
    assert tree != "tree"


def test_annotations_are_not_compared_but_kept() -> None:
    tree = Tree.parse("(S (A 0=a))")
    named = tree.annotated(id="s1", lemmas=("a",))
    assert named == tree
    assert named.id == "s1"
    assert tree.id is None


@given(trees())
def test_pickle(tree: Tree) -> None:
    tree = tree.annotated(id="x", info=(("origin", "1"),))
    copy = pickle.loads(pickle.dumps(tree))
    assert copy == tree
    assert copy.annotations == tree.annotations


@given(trees())
def test_tau_and_order_are_inverse_and_spans_are_yields(tree: Tree) -> None:
    assert [tree.tau[word] for word in tree.order] == list(range(len(tree)))
    assert tree.is_discontinuous == any(constituent.is_discontinuous for constituent in tree)
    assert tree.gap_degree == max(constituent.gap_degree for constituent in tree)
    for number, constituent in enumerate(tree):
        assert set(constituent.words) == set(tree.order[tree.starts[number] : tree.ends[number]])
        assert sum(end - start for start, end in constituent.blocks) == len(constituent.words)
        assert len(constituent.blocks) == constituent.fan_out


@given(trees())
def test_children_and_parents_agree(tree: Tree) -> None:
    size = len(tree)
    for number in range(len(tree.labels)):
        for child in tree.child_numbers(number):
            assert (tree.word_parents[child] if child < size else tree.parents[child - size]) == number
    assert sum(len(tree.child_numbers(number)) for number in range(len(tree.labels))) == size + len(tree.labels) - 1


@given(trees())
def test_rebuilt_from_constituents(tree: Tree) -> None:
    assert Tree.from_constituents(tree.words, tree.tags, tree) == tree


@given(trees())
def test_rebuilt_from_spans_in_any_child_order(tree: Tree) -> None:
    builder = TreeBuilder.from_tree(tree)
    for node in builder.nodes():
        node.children.reverse()
    assert Tree.of(builder) == tree
    fields = (tree.words, tree.tags, tree.order, tree.labels, tree.starts, tree.ends)
    assert Tree.from_spans(*fields) == tree
    assert is_canonical(tree.order, tree.starts, tree.ends)


def test_spans_that_are_not_canonical_are_made_so() -> None:
    assert not is_canonical((2, 0, 1), (0, 1), (3, 3))
    tree = Tree.from_spans("abc", "XYZ", (2, 0, 1), ("S", "V"), (0, 1), (3, 3))
    assert tree.discbracket() == "(S (V (X 0=a) (Y 1=b)) (Z 2=c))"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((), (), (), (), (), ()), "at least one word"),
        (("ab", "X", (0, 1), ("S",), (0,), (2,)), "2 words but 1 tags"),
        (("ab", "XY", (0, 0), ("S",), (0,), (2,)), "not a permutation"),
        (("ab", "XY", (0, 1), (), (), ()), "no constituent"),
        (("ab", "XY", (0, 1), ("S",), (0,), (1,)), "does not span all words"),
        (("ab", "XY", (0, 1), ("S", "A"), (0, 1), (2, 1)), "empty or impossible span"),
        (("abc", "XYZ", (0, 1, 2), ("S", "A", "B"), (0, 0, 1), (3, 2, 3)), "not inside its parent"),
        (("abc", "XYZ", (0, 1, 2), ("S", "A"), (0, 0), (3,)), "differ in length"),
    ],
)
def test_bad_spans(arguments: tuple[list[str], ...], message: str) -> None:
    with pytest.raises(TreeError, match=message):
        Tree.from_spans(*arguments)  # type: ignore[arg-type]


def test_bad_constituents() -> None:
    with pytest.raises(TreeError, match="overlaps"):
        Tree.from_constituents("abc", "XYZ", [("S", [0, 1, 2]), ("A", [0, 1]), ("B", [1, 2])])
    with pytest.raises(TreeError, match="no constituent spans all"):
        Tree.from_constituents("abc", "XYZ", [("A", [0, 1])])
    with pytest.raises(TreeError, match="does not exist"):
        Tree.from_constituents("abc", "XYZ", [("S", [0, 1, 2]), ("A", [3])])
    with pytest.raises(TreeError, match="is empty"):
        Tree.from_constituents("abc", "XYZ", [("S", [0, 1, 2]), ("A", [])])


def test_deep_and_long_trees() -> None:
    words = [str(number) for number in range(10_000)]
    constituents = [(f"L{depth}", range(depth, 1_500)) for depth in range(1_200)]
    tree = Tree.from_constituents(words[:1_500], ["X"] * 1_500, constituents)
    assert tree.depth == 1_200
    assert len(tree.labels) == 1_200
    assert Tree.parse(tree.discbracket()) == tree
    odd_and_even = [("S", range(10_000)), ("A", range(0, 10_000, 2)), ("B", range(1, 10_000, 2))]
    tree = Tree.from_constituents(words, ["X"] * 10_000, odd_and_even)
    assert tree.gap_degree == 4_999
    assert Tree.parse(tree.discbracket()) == tree


def test_other_tags() -> None:
    tree = Tree.parse(NOCH_NIE).annotated(id="s1")
    other = tree.with_tags("ABCDEFGH")
    assert other.tags == tuple("ABCDEFGH")
    assert (other.id, other.words, other.order, other.labels) == ("s1", tree.words, tree.order, tree.labels)
    assert other.with_tags(tree.tags) == tree
    with pytest.raises(TreeError, match="8 words but 2 tags"):
        tree.with_tags(["A", "B"])


def test_blocks() -> None:
    assert Constituent("X", (1, 2, 5)).blocks == ((1, 3), (5, 6))


@given(trees())
def test_depth_is_the_longest_chain_of_parents(tree: Tree) -> None:
    def depth(node: int) -> int:
        return 0 if node < 0 else 1 + depth(tree.parents[node])

    assert tree.depth == max(depth(parent) for parent in tree.word_parents)
    assert Counter(tree.parents)[-1] == 1
