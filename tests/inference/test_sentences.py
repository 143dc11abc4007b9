import gzip
import io
from pathlib import Path

import pytest

from permutree import Tree
from permutree.inference.sentences import Sentence, read_sentences, write_tagged
from permutree.treebanks.errors import TreebankError

TREE = "(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))"


def words_of(text: str, format_name: str, tmp_path: Path) -> list[list[str]]:
    file = tmp_path / "text"
    file.write_bytes(text.encode())
    return [list(sentence.words) for sentence in read_sentences(file, format_name)]


def test_tokens(tmp_path: Path) -> None:
    assert words_of("How does it work ?\n one  two\tthree \r\nlast", "tokens", tmp_path) == [
        ["How", "does", "it", "work", "?"],
        ["one", "two", "three"],
        ["last"],
    ]


def test_other_blanks_are_part_of_words(tmp_path: Path) -> None:
    assert words_of("10\u00a0000 Euro\u3000zwei\n", "tokens", tmp_path) == [["10\u00a0000", "Euro\u3000zwei"]]


def test_empty_lines_of_tokens_are_left_out_and_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert words_of("one\n\n \t\ntwo\n", "tokens", tmp_path) == [["one"], ["two"]]
    assert "2 empty lines left out, the first is line 2" in caplog.text


def test_tagged(tmp_path: Path) -> None:
    file = tmp_path / "text.tagged"
    file.write_text("How\tWRB\ndoes_it\tV_Z\n\n\n?\t$.", "utf-8")
    assert list(read_sentences(file)) == [Sentence(["How", "does_it"], ["WRB", "V_Z"]), Sentence(["?"], ["$."])]


@pytest.mark.parametrize("line", ["How WRB", "How\tWRB\tx", "\tWRB", "How\t", "New York\tNNP"])
def test_tagged_lines_that_are_not(line: str, tmp_path: Path) -> None:
    file = tmp_path / "text.tagged"
    file.write_text(f"a\tA\n\nb\tB\n{line}\nc\tC\n\nd\tD\n", "utf-8")
    with pytest.raises(TreebankError, match=r"text\.tagged:4: expected a word, a tab and its tag"):
        list(read_sentences(file))
    errors: list[TreebankError] = []
    rest = read_sentences(file, on_error=errors.append)
    assert [sentence.words for sentence in rest] == [["a"], ["d"]]
    assert len(errors) == 1


def test_formats_are_guessed_and_may_be_mixed(tmp_path: Path) -> None:
    tokens, trees = tmp_path / "a.tokens.gz", tmp_path / "b"
    tokens.write_bytes(gzip.compress(b"one two\n"))
    trees.write_text(TREE + "\n", "utf-8")
    assert list(read_sentences([tokens, trees])) == [Sentence(["one", "two"]), Tree.parse(TREE)]


def test_text_is_not_guessed(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text("How does it work ?\n", "utf-8")
    with pytest.raises(TreebankError, match="--from tokens"):
        list(read_sentences(file))


def test_nothing_to_read(tmp_path: Path) -> None:
    empty, folder = tmp_path / "empty", tmp_path / "folder"
    empty.touch()
    folder.mkdir()
    assert list(read_sentences(empty, "tokens")) == []
    with pytest.raises(TreebankError, match="empty: is empty"):
        list(read_sentences(empty))
    with pytest.raises(TreebankError, match="folder: holds no treebank or tokenised text"):
        list(read_sentences(folder))
    with pytest.raises(TreebankError, match="cannot be read: No such file"):
        list(read_sentences(tmp_path / "nothing", "tokens"))


def test_stray_files_of_a_folder_are_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "a.dbr").write_text(TREE, "utf-8")
    (tmp_path / "README").write_text("about", "utf-8")
    (tmp_path / "b.tagged").write_text("a\tA", "utf-8")
    assert list(read_sentences(tmp_path)) == [Tree.parse(TREE), Sentence(["a"], ["A"])]
    assert "README: left out" in caplog.text


def test_the_encoding_is_told(tmp_path: Path) -> None:
    file = tmp_path / "text.tokens"
    file.write_bytes("gewählt\n".encode("latin-1"))
    with pytest.raises(TreebankError, match=r"text\.tokens:1: not utf-8 text"):
        list(read_sentences(file))
    assert [one.words for one in read_sentences(file, encoding="latin-1")] == [["gewählt"]]


def test_what_is_written_is_read(tmp_path: Path) -> None:
    stream = io.StringIO()
    write_tagged([(["a_b", "("], ["N", "$["]), (["c"], ["_"])], stream)
    assert stream.getvalue() == "a_b\tN\n(\t$[\n\nc\t_\n\n"
    file = tmp_path / "text.tagged"
    file.write_text(stream.getvalue(), "utf-8")
    assert list(read_sentences(file)) == [Sentence(["a_b", "("], ["N", "$["]), Sentence(["c"], ["_"])]


def test_words_with_blanks_cannot_be_written_as_tagged() -> None:
    with pytest.raises(TreebankError, match="sentence 2: a word or tag with a blank"):
        write_tagged([(["a"], ["N"]), (["New York"], ["N"])], io.StringIO())
