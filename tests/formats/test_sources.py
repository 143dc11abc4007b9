import bz2
import gzip
import io
import lzma
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from permutree.errors import ConfigError, DataError
from permutree.formats import lines, read
from permutree.formats.natural import natural_key
from permutree.formats.sources import check_charset, open_sources
from permutree.parsing.inputs import read_sentences

TEXT = b"(S (A 0=a))\n(S (B 0=b))\n"


def zipped(data: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("inner.discbracket", data)
    return stream.getvalue()


@pytest.mark.parametrize("compress", [bytes, gzip.compress, lzma.compress, bz2.compress, zipped])
def test_compression_is_known_by_content(
    compress: type[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "trees"
    path.write_bytes(compress(TEXT))
    assert [tree.words for tree in read(path)] == [("a",), ("b",)]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(compress(TEXT))))
    assert [tree.words for tree in read("-")] == [("a",), ("b",)]


def test_a_compressed_file_inside_an_archive(tmp_path: Path) -> None:
    path = tmp_path / "trees.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("b/10.discbracket.gz", gzip.compress(b"(S (A 0=last))\n"))
        archive.writestr("b/9.discbracket", "(S (A 0=middle))\n")
        archive.writestr("a/10.discbracket", "(S (A 0=first))\n")
        archive.writestr("__MACOSX/junk", "junk")
        archive.writestr(".hidden", "junk")
    assert [tree.words[0] for tree in read(path)] == ["first", "middle", "last"]


def test_directories_in_natural_order(tmp_path: Path) -> None:
    for name in ("10", "9", "sub/1"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.discbracket").write_text(f"(S (A 0={name}))\n")
    assert [tree.words[0] for tree in read(tmp_path)] == ["9", "10", "sub/1"]


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress, bz2.compress, zipped])
def test_cut_off_data_is_an_error_that_names_the_file(compress: type[bytes], tmp_path: Path) -> None:
    data = compress(TEXT * 10_000)
    path = tmp_path / "cut.discbracket"
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(DataError, match=r"cut\.discbracket.*(damaged or cut-off|unbalanced|ends too soon)"):
        list(read(path))


def test_missing_empty_and_unknown_files(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.export: cannot be read: No such file"):
        list(read(tmp_path / "none.export"))
    (tmp_path / "empty").write_text("")
    with pytest.raises(DataError, match="empty: is empty"):
        list(read(tmp_path / "empty"))
    (tmp_path / "prose.txt").write_text("Once upon a time")
    with pytest.raises(DataError, match=r"prose\.txt: format not recognised; if it is one of discbracket"):
        list(read(tmp_path / "prose.txt"))
    (tmp_path / "folder").mkdir()
    with pytest.raises(DataError, match="folder: holds no treebank file"):
        list(read(tmp_path / "folder"))


@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-16-le", "utf-32"])
def test_charsets_line_ends_and_byte_order_marks(charset: str, tmp_path: Path) -> None:
    path = tmp_path / "trees.discbracket"
    path.write_bytes("(S (A 0=ä))\r\n(S (B 0=ö))\r\n".encode(charset))
    assert [tree.words for tree in read(path, charset=charset)] == [("ä",), ("ö",)]


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "trees.discbracket"
    path.write_bytes("\ufeff(S (A 0=ä))\n".encode())
    assert [tree.words for tree in read(path)] == [("ä",)]


def test_a_byte_that_is_no_text_costs_its_line(tmp_path: Path) -> None:
    (tmp_path / "1.discbracket").write_bytes(b"(S (A 0=a))\n(S (A 0=\xe4))\n(S (A 0=kept))\n")
    (tmp_path / "2.discbracket").write_bytes(b"(S (A 0=b))\n")
    errors: list[DataError] = []
    assert [tree.words for tree in read(tmp_path, on_error=errors.append)] == [("a",), ("kept",), ("b",)]
    assert len(errors) == 1
    assert errors[0].line == 2


@pytest.mark.parametrize("charset", ["utf-8", "latin-1", "utf-16", "iso2022_jp"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_of_any_length_are_whole(charset: str, end: str, tmp_path: Path) -> None:
    expected = [f"{number} " * (number * 37 % 9000) for number in range(100)]
    path = tmp_path / "x"
    path.write_bytes(end.join(expected).encode(charset))
    found = [line for source in open_sources(path, charset) for line in source.lines()]
    assert found == list(enumerate(expected, 1))


def test_each_line_that_is_no_text_is_told_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "x.discbracket"
    good = b"(S (A 0=a))\n"
    path.write_bytes(good * 9000 + b"(S (A 0=\xc3\n" + good + b"\xff\n" + good * 9000)
    errors: list[DataError] = []
    assert len(list(read(path, on_error=errors.append))) == 18001
    assert [error.line for error in errors] == [9001, 9003]
    assert "position 8: invalid continuation byte" in str(errors[0])
    assert "position 0: invalid start byte" in str(errors[1])


def test_only_line_feeds_end_lines(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes("a\u2028b\x0bc\x85d\ne".encode())
    lines = [line for source in open_sources(path) for line in source.lines()]
    assert lines == [(1, "a\u2028b\x0bc\x85d"), (2, "e")]


def test_natural_key() -> None:
    names = ["x10", "x9", "x", "10", "9", "x9a"]
    assert sorted(names, key=natural_key) == ["9", "10", "x", "x9", "x9a", "x10"]


def test_carriage_returns_alone_end_lines_where_there_is_no_line_feed(tmp_path: Path) -> None:
    path = tmp_path / "x.discbracket"
    for charset in ("utf-8", "utf-16", "latin-1"):
        path.write_bytes("(S (A 0=a))\r(S (B 0=b))\r(S (C 0=c))\r".encode(charset))
        assert [tree.words for tree in read(path, charset=charset)] == [("a",), ("b",), ("c",)]


@pytest.mark.parametrize("charset", ["utf-8", "utf-16"])
def test_lines_that_are_too_long_are_passed_over(charset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST", 1000)
    path = tmp_path / "x.discbracket"
    # So long that it would take an hour if the time grew with the square of the length.
    path.write_bytes(f"(S (A 0=a))\n{'(' * 5_000_000}\n(S (A 0=b))\n".encode(charset))
    errors: list[DataError] = []
    assert [tree.words for tree in read(path, charset=charset, on_error=errors.append)] == [("a",), ("b",)]
    assert [(error.line, error.skipped) for error in errors] == [(2, None)]
    assert "a line of 5,000,00" in str(errors[0])


@pytest.mark.parametrize("name", ["rot13", "hex", "undefined", "no\0", "zlib"])
def test_what_is_no_charset_of_text(name: str) -> None:
    with pytest.raises(ConfigError, match="no charset"):
        check_charset(name)


def test_files_without_trees_are_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "x.export").write_bytes(b"")
    assert list(read(tmp_path / "x.export")) == []
    assert "x.export: holds no trees" in caplog.text


def test_a_closed_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(DataError, match="standard input: is closed"):
        list(read("-"))


@pytest.mark.parametrize("reader", [read, read_sentences])
def test_files_are_closed_while_an_error_is_looked_at(
    reader: Callable[[Path], Iterator[object]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "trees.discbracket"
    path.write_bytes(TEXT + b"(S (A 0=a)\n" + TEXT)
    opened: list[IO[Any]] = []

    def open_noted(path: Path, *arguments: Any, **options: Any) -> IO[Any]:
        opened.append(plain(path, *arguments, **options))
        return opened[-1]

    plain = Path.open
    monkeypatch.setattr(Path, "open", open_noted)
    with pytest.raises(DataError, match="not closed") as error:
        list(reader(path))
    # The error remembers where it was raised, and so all that was at work there.
    assert error.tb is not None
    assert opened
    assert all(stream.closed for stream in opened)
