import pytest
from hypothesis import given

from permutree.search.corpus import Corpus
from permutree.search.messages import QueryError
from permutree.trees.tree import Tree
from strategies import trees

CORPUS = Corpus.of([
    Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (NP (PRP 2=it)))"),
    Tree.parse("(S (NP (DT 0=the) (JJ 1=old) (NN 2=dog)) (VP (VBZ 3=sees) (NP (DT 4=a) (NN 5=cat))))"),
])  # fmt: skip


@pytest.mark.parametrize(
    ("fragment", "count"),
    [
        ("(NP (DT _) (NN _))", 1),
        ("(NP (DT _) ... (NN _))", 2),
        ("(NP (DT the) ... )", 1),
        ("(NP ... (NN _))", 2),
        ("(NP (DT the|a) _ ...)", 2),
        ("(NP)", 3),
        ("(NP ...)", 3),
        ("(_ (VBZ _) (NP ...))", 1),
        ("(S (NP ...) (VP _ (NP ... (/N.*/ _))))", 1),
        ("(VP (WRB 0=How) (VB 3=_))", 1),
        ("(VP (WRB 0=How) (VB 1=_))", 0),
        ("(S (VP (_ 0=_) (_ 3=_)) (VBZ 1=_) (NP (PRP 2=_)))", 1),
        ("(S (VP ...) ...)", 1),
        ("_", 17),
        ("(_ dog)", 1),
        ('("NP" ... (_ "dog"))', 1),
    ],
)
def test_fragments_find_so_many(fragment: str, count: int) -> None:
    assert CORPUS.count(fragment, syntax="example") == count


def test_nodes_can_have_names() -> None:
    match = next(CORPUS.search("(NP #d:(DT _) ... #n:(NN _))", syntax="example"))
    assert {name: node.text for name, node in match.nodes.items()} == {"root": "the old dog", "d": "the", "n": "dog"}


@given(trees(max_words=8))
def test_a_tree_finds_itself(tree: Tree) -> None:
    text = Tree.from_constituents(
        [f"w{index}" for index in range(len(tree))], ["T"] * len(tree), [(c.label, c.words) for c in tree]
    )
    found = list(Corpus.of([text]).search(text.discbracket(), syntax="example"))
    assert [match.nodes["n"].words for match in found] == [tuple(range(len(tree)))]


@pytest.mark.parametrize(
    ("fragment", "position", "words"),
    [
        ("(NP (DT", 7, "missing"),
        ("(NP) (VP)", 5, "one tree"),
        ("NP", 0, "(_ NP)"),
        ("()", 1, "label"),
        ("", 0, "a node is expected"),
        ("(S (A 0=a) (B 0=b))", 11, "twice"),
    ],
)
def test_errors_point_at_the_character(fragment: str, position: int, words: str) -> None:
    with pytest.raises(QueryError) as caught:
        CORPUS.count(fragment, syntax="example")
    assert caught.value.position == position
    assert words in str(caught.value)
