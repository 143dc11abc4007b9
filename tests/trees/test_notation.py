import pytest
from hypothesis import given
from hypothesis import strategies as st

from permutree.errors import TreeError
from permutree.trees.notation import format_line, parse_line
from permutree.trees.tree import Tree
from strategies import WORD_ALPHABET, trees

words_with_parentheses = st.text(WORD_ALPHABET + "()", min_size=1, max_size=5)


@given(trees(words=words_with_parentheses))
def test_identity(tree: Tree) -> None:
    assert Tree.parse(tree.discbracket()) == tree


@given(trees())
def test_any_spacing_and_child_order(tree: Tree) -> None:
    line = tree.discbracket().replace("(", " ( ").replace(")", " )  ")
    assert Tree.parse(line) == tree


def test_words_may_hold_equals_signs_and_parentheses() -> None:
    tree = Tree.parse("(S (X 0=a=b) (Y 1==) (Z 2=-LRB-c-RRB-))")
    assert tree.words == ("a=b", "=", "(c)")
    assert tree.discbracket() == "(S (X 0=a=b) (Y 1==) (Z 2=-LRB-c-RRB-))"


def test_parentheses_in_tags_become_square_brackets() -> None:
    tree = Tree.from_constituents(["("], ["$("], [("S", [0])])
    assert tree.discbracket() == "(S ($[ 0=-LRB-))"
    assert Tree.parse("(S ($( 0=-LRB-))").tags == ("$[",)


def test_other_spaces_are_part_of_words() -> None:
    tree = Tree.parse("(S (X 0=a\u00a0b) (Y 1=\u2028))")
    assert tree.words == ("a\u00a0b", "\u2028")
    assert Tree.parse(tree.discbracket()) == tree


def test_old_variant_with_the_sentence_after_a_tab() -> None:
    expected = Tree.parse("(S (VP (A 0=a) (B 2=c)) (C 1=b))")
    assert Tree.parse("(S (VP (A 0) (B 2)) (C 1))\ta b c") == expected
    assert Tree.parse("(S (VP (A 1) (B 3)) (C 2))\ta b c") == expected
    with pytest.raises(TreeError, match="beyond the 2 words"):
        Tree.parse("(S (VP (A 0) (B 2)) (C 1))\ta b")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("(S (A 0=a) (B 0=b))", "leaf index 0 stands twice"),
        ("(S (A 0=a) (B 2=b))", "leaf index 1 is missing among 2 words"),
        ("(S (A 0=a)", "1 not closed"),
        ("(S (A 0=a)))", "closes nothing"),
        ("(S (A a))", r"must be \(TAG index=word\), not \(A a\)"),
        ("(S (A 0=))", "must be"),
        ("(S (A -1=x))", "must be"),
        ("(S (A ١=x))", "must be"),
        ("(S (A 0=a) x)", "must be"),
        ("(S (A 0=a b))", "must be"),
        ("(S)", r"empty bracket \(S\)"),
        ("(S (A 0=a) ())", "without a label"),
        ("((A 0=a))", "without a label"),
        ("word", "expected one tree"),
        ("(S (A 0=a)) (S (A 1=a))", "expected one tree"),
    ],
)
def test_bad_lines(line: str, message: str) -> None:
    with pytest.raises(TreeError, match=message):
        Tree.parse(line)


@pytest.mark.parametrize("text", ["a b", "", "a\tb", "a\nb"])
def test_texts_that_it_cannot_hold(text: str) -> None:
    for what, (word, tag, label) in zip(
        ("word", "tag", "label"), ((text, "X", "S"), ("a", text, "S"), ("a", "X", text)), strict=True
    ):
        with pytest.raises(TreeError, match=f"discbracket cannot hold the {what}"):
            format_line((word,), (tag,), range(1), (label,), (0,), (1,))


def test_fields_are_in_sentence_order_and_canonical() -> None:
    words, tags, order, labels, starts, ends, _ = parse_line("(S (C 1=b) (VP (B 2=c) (A 0=a)))")
    assert (words, tags, order) == (("a", "b", "c"), ("A", "C", "B"), (0, 2, 1))
    assert (labels, starts, ends) == (("S", "VP"), (0, 0), (3, 2))
    assert parse_line("(S (A 0=a) (B 1=b))")[2] == range(2)
