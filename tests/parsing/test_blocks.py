"""Blocks of lines: the words of all lines at once are those of sentence after sentence."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permutree.errors import DataError, TreeError
from permutree.parsing.blocks import Block, words_in_trees
from permutree.parsing.chunks import sentences_in
from permutree.parsing.inputs import RawText, Sentence, blocks_of, read_parts, read_sentences
from permutree.trees.tree import Tree

#: what makes lines, or spoils them
SIGNS = st.text(" \t\r\f\v\n\u00a0\u2003\u2029\x1c\x85ab(=)é0\0\ufeff", max_size=40)
PIECES = st.lists(
    st.sampled_from(["(A ", "(B ", "0=a", "1=b", "2=ü", "=x", "0=", "12=c", "-LRB-", ")", ")) ", " ", "\t", "(", "\n"]),
    max_size=14,
).map("".join)


def words_of(sentences: object) -> list[list[str]]:
    """The words of each sentence, whatever it is."""
    assert isinstance(sentences, list)
    return [list(one.words if isinstance(one, (Sentence, Tree)) else one) for one in sentences]


def read_both(text: str, format_name: str) -> tuple[list[list[str]], list[list[str]], list[str], list[str]]:
    """Words and errors, sentence by sentence and in blocks."""
    errors: tuple[list[DataError], list[DataError]] = ([], [])
    one_by_one = list(read_sentences(RawText(text), format_name, on_error=errors[0].append))
    in_blocks = blocks_of(read_parts(RawText(text), format_name, on_error=errors[1].append), errors[1].append)
    found = [*sentences_in(in_blocks)]
    messages = [[str(error) for error in some] for some in errors]
    return words_of(one_by_one), words_of(found), messages[0], messages[1]


@given(SIGNS)
def test_lines_of_words(text: str) -> None:
    one_by_one, in_blocks, errors, again = read_both(text, "tokens")
    assert in_blocks == one_by_one
    assert errors == again


@given(PIECES)
def test_lines_that_are_trees_or_not(text: str) -> None:
    one_by_one, in_blocks, errors, again = read_both(text, "discbracket")
    assert in_blocks == one_by_one
    assert errors == again


@given(PIECES)
def test_words_of_trees_alone(line: str) -> None:
    block = words_in_trees(line.replace("\n", " "))
    if block is not None:
        assert [*block.rows()] == [list(Tree.parse(line.replace("\n", " ")).words)]


@pytest.mark.parametrize(
    "line",
    [
        "(S (VP (A 0=a) (B 2=c)) (C 1=b))",
        "(S (C 1=b) (VP (A 0=a) (B 2=c)))",
        "(A 0=-LRB-=)",
        "(A 00=x)",
        "(S (A 0=a=b) (B 1=-RRB-))",
    ],
)
def test_usual_trees(line: str) -> None:
    block = words_in_trees(line)
    assert block is not None
    assert [*block.rows()] == [list(Tree.parse(line).words)]


@pytest.mark.parametrize(
    "line",
    ["(S (A 0=a)", "(S (A 0=a)))", "(S 0=a 1=b)", "(S (A 0=a) (B 0=b))", "(S (A 1=a))", "(S (A 0=))", "(S (A =a))",
     "(S (A x=a))", "(S (A 0=a) 1=b)", "(A 0=a) (B 1=b)", "( 0=a)", "(S )", "()", "x", "(S (A 0))"],
)  # fmt: skip
def test_lines_that_are_no_trees(line: str) -> None:
    assert words_in_trees(line) is None
    with pytest.raises(TreeError):
        Tree.parse(line)


def test_many_indexes() -> None:
    size = 1200
    line = "(S " + " ".join(f"(A {size - 1 - index}=w{index})" for index in range(size)) + ")"
    # Indexes of four digits are left to the reader of trees.
    assert words_in_trees(line) is None
    small = "(S " + " ".join(f"(A {999 - index}=w{index})" for index in range(1000)) + ")"
    block = words_in_trees(f"{small}\n{small}")
    assert block is not None
    assert [*block.rows()] == [list(Tree.parse(small).words)] * 2


def test_words_of_blocks_are_numbered() -> None:
    found = Block.words([Block("the dog\n the  cat "), Block("dog\u00a0s the")])
    assert [*found] == [["the", "dog"], ["the", "cat"], ["dog\u00a0s", "the"]]
    assert [*found.values] == ["the", "dog", "cat", "dog\u00a0s"]


@given(st.lists(SIGNS, min_size=1, max_size=3))
def test_words_of_any_blocks_are_numbered(texts: list[str]) -> None:
    parts = [part for text in texts for part in blocks_of(read_parts(RawText(text), "tokens", on_error=lambda _: None))]
    blocks = [part for part in parts if isinstance(part, Block)]
    rows = [row for block in blocks for row in block.rows()]
    if rows:
        found = Block.words(blocks)
        assert [*found] == rows
        assert [*found.values] == [*dict.fromkeys(word for row in rows for word in row)]


def test_a_line_of_blanks_that_belong_to_words_is_a_sentence() -> None:
    assert words_of([*read_sentences(RawText("a b\n\u2003\n\t\nc"), "tokens")]) == [["a", "b"], ["\u2003"], ["c"]]


def test_lines_stay_together(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "text.tokens"
    file.write_text("\ufeffone\n" + "two words\r\n" * 299 + "\n \t\nlast", "utf-8")
    with caplog.at_level(logging.WARNING, "permutree"):
        blocks = [one for one in blocks_of(read_parts(file)) if isinstance(one, Block)]
    assert [block.count for block in blocks] == [128, 128, 44, 1]
    assert [*sentences_in(blocks)] == [["one"], *[["two", "words"]] * 299, ["last"]]
    assert "2 empty lines left out, the first is line 301" in caplog.text


def test_bad_lines_keep_their_numbers(tmp_path: Path) -> None:
    file = tmp_path / "trees.discbracket"
    lines = ["(S (A 0=a))"] * 200
    lines[150], lines[170] = "(S (A 0=a)", "  "
    file.write_bytes("\n".join(lines).encode() + b"\n(S (A 0=\xff))\n(S (A 0=b))\n")
    errors: list[DataError] = []
    found = [*sentences_in(blocks_of(read_parts(file, on_error=errors.append), errors.append))]
    assert len(found) == 199
    assert [error.line for error in errors] == [151, 201]
