import io
import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permutree.errors import DataError, TreeError
from permutree.formats import read, write
from permutree.formats.discbracket import format_tree, parse_line
from permutree.formats.discbracket import write as write_stream
from permutree.trees.tree import Tree
from strategies import WORD_ALPHABET, trees

words_with_parentheses = st.text(WORD_ALPHABET + "()", min_size=1, max_size=5)


@given(trees(words=words_with_parentheses))
def test_identity(tree: Tree) -> None:
    assert parse_line(format_tree(tree)) == tree


@given(trees())
def test_any_spacing_and_child_order(tree: Tree) -> None:
    line = format_tree(tree).replace("(", " ( ").replace(")", " )  ")
    assert parse_line(line) == tree


def test_words_may_hold_equals_signs_and_parentheses() -> None:
    tree = parse_line("(S (X 0=a=b) (Y 1==) (Z 2=-LRB-c-RRB-))")
    assert tree.words == ("a=b", "=", "(c)")
    assert format_tree(tree) == "(S (X 0=a=b) (Y 1==) (Z 2=-LRB-c-RRB-))"


def test_parentheses_in_tags_become_square_brackets() -> None:
    tree = Tree.from_constituents(["("], ["$("], [("S", [0])])
    assert format_tree(tree) == "(S ($[ 0=-LRB-))"
    assert parse_line("(S ($( 0=-LRB-))").tags == ("$[",)


def test_other_spaces_are_part_of_words() -> None:
    tree = parse_line("(S (X 0=a\u00a0b) (Y 1=\u2028))")
    assert tree.words == ("a\u00a0b", "\u2028")
    assert parse_line(format_tree(tree)) == tree


def test_old_variant_with_the_sentence_after_a_tab() -> None:
    expected = parse_line("(S (VP (A 0=a) (B 2=c)) (C 1=b))")
    assert parse_line("(S (VP (A 0) (B 2)) (C 1))\ta b c") == expected
    assert parse_line("(S (VP (A 1) (B 3)) (C 2))\ta b c") == expected
    with pytest.raises(TreeError, match="beyond the 2 words"):
        parse_line("(S (VP (A 0) (B 2)) (C 1))\ta b")


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
        parse_line(line)


@pytest.mark.parametrize("word", ["a b", "", "a\tb", "a\nb"])
def test_words_that_it_cannot_hold(word: str) -> None:
    tree = Tree.from_constituents([word], ["X"], [("S", [0])])
    with pytest.raises(DataError, match="sentence 1: discbracket cannot hold the word"):
        write_stream([tree], io.StringIO())


def test_errors_name_file_and_line_and_reading_can_go_on(tmp_path: Path) -> None:
    path = tmp_path / "bad.discbracket"
    path.write_text("(S (A 0=a))\n\n(S (A 0=a)\n(S (A 0=c))\n", "utf-8")
    with pytest.raises(DataError, match=r"bad\.discbracket:3: unbalanced brackets"):
        list(read(path))
    errors: list[DataError] = []
    assert [tree.words for tree in read(path, on_error=errors.append)] == [("a",), ("c",)]
    assert [error.line for error in errors] == [3]


def test_shared_treebanks_come_back_as_they_were(shared: Path, tmp_path: Path) -> None:
    for name in ("alpino", "masc", "squoia_de"):
        source = shared / "treebanks" / name / "dev.discbracket.xz"
        write(read(source), tmp_path / "out.discbracket")
        assert (tmp_path / "out.discbracket").read_bytes() == lzma.decompress(source.read_bytes())
