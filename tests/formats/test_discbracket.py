import io
import lzma
from pathlib import Path

import pytest

from permutree.errors import DataError
from permutree.formats import read, write
from permutree.formats.discbracket import write as write_stream
from permutree.trees.tree import Tree


@pytest.mark.parametrize("word", ["a b", "", "a\tb", "a\nb"])
def test_words_that_it_cannot_hold(word: str) -> None:
    tree = Tree.from_constituents([word], ["X"], [("S", [0])])
    with pytest.raises(DataError, match="sentence 1: discbracket cannot hold the word"):
        write_stream([tree], io.StringIO())


@pytest.mark.parametrize(
    ("line", "comment"),
    [
        ("(S (A 0=a) ($( 1=-RRB-))\t12 (a comment) with\ttabs", "12 (a comment) with\ttabs"),
        ("(S (A 0=a) ($[ 1=-RRB-))\t", None),
        ("(S\t(A 0=a)\t($[ 1=-RRB-))", None),
        ("(S (A 0) ($[ 1))\ta )", None),
        ("(S (A 0) ($[ 1))\ta )\ta comment", "a comment"),
    ],
)
def test_a_comment_may_follow_the_tree(line: str, comment: str | None, tmp_path: Path) -> None:
    path = tmp_path / "x.discbracket"
    path.write_text(f"{line}\n", "utf-8")
    (tree,) = read(path)
    assert tree.discbracket() == "(S (A 0=a) ($[ 1=-RRB-))"
    assert tree.annotations.comment == comment


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
