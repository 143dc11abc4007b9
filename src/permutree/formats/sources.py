"""Where treebank text comes from: files, directories, archives and standard input, compressed or not.

A path opens as one or more sources. Compression and archives are recognised by content, not by name. Files of a
directory and members of a zip archive come in natural order (2 before 10); members of a tar archive in the order in
which they are stored, so that it can be streamed.
"""

from __future__ import annotations

import bz2
import codecs
import contextlib
import gzip
import io
import lzma
import re
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from permutree.errors import ConfigError, DataError

__all__ = ["Source", "check_charset", "guess_charset", "natural_key", "open_sources", "sources_in", "strip_compression"]

COMPRESSIONS = (".gz", ".xz", ".bz2", ".zip")
_HEAD = 1 << 16


@dataclass(slots=True)
class Source:
    """One stream of treebank text with a name for error messages."""

    name: str
    stream: io.BufferedReader
    charset: str = "utf-8"
    #: the name inside an archive or directory, which some treebanks make sentence ids from
    member: str | None = None

    @classmethod
    def of_text(cls, text: str, name: str = "text", member: str | None = None) -> Source:
        """A source of text that is already here."""
        return cls(name, _buffered(io.BytesIO(text.encode())), member=member)

    def head(self) -> bytes:
        """The first bytes, without consuming them."""
        with self.translate_errors():
            return self.stream.peek(_HEAD)

    def lines(self) -> Iterator[tuple[int, str]]:
        """The lines with their numbers from 1, without their ends; only a line feed ends a line."""
        with self.translate_errors():
            if self.charset.lower().replace("_", "-").startswith(("utf-16", "utf-32")):
                yield from self._wide_lines()
                return
            for number, raw in enumerate(self.stream, 1):
                try:
                    line = raw.decode(self.charset)
                except UnicodeDecodeError as error:
                    raise self.charset_error(error, number) from None
                if number == 1:
                    line = line.removeprefix("\ufeff")
                yield number, line.rstrip("\r\n")

    def _wide_lines(self) -> Iterator[tuple[int, str]]:
        """Lines of charsets in which a line feed is more than one byte."""
        number = 0
        text = io.TextIOWrapper(self.stream, self.charset, newline="\n")
        try:
            for line in text:
                number += 1
                yield number, line.removeprefix("\ufeff").rstrip("\r\n")
        except UnicodeError as error:
            raise self.charset_error(error, number + 1) from None
        finally:
            text.detach()

    def charset_error(self, error: UnicodeError, line: int | None = None) -> DataError:
        """The error for bytes that are not text in the charset of this source."""
        way_out = "latin-1" if self.charset.lower().startswith("utf") else "utf-8"
        say = f"if it is {way_out}, say so, as in `permutree convert --charset {way_out}`"
        message = f"not {self.charset} text ({error}); {say}"
        return DataError(message, source=self.name, line=line)

    @contextlib.contextmanager
    def translate_errors(self) -> Iterator[None]:
        """Turn the errors of decompressors into ours, with the name of the source."""
        try:
            yield
        except (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile, tarfile.TarError) as error:
            raise DataError(f"damaged or cut-off compressed data: {error}", source=self.name) from error


def natural_key(name: str) -> list[tuple[int, int, str]]:
    """A sort key that puts 2 before 10.

    >>> sorted(["cdb/10.xml", "cdb/2.xml", "b"], key=natural_key)
    ['b', 'cdb/2.xml', 'cdb/10.xml']
    """
    return [
        (0, int(part), "") if part.isdecimal() and part.isascii() else (1, 0, part)
        for part in re.split(r"([0-9]+)", name)
        if part
    ]


def strip_compression(name: str) -> str:
    """A file name without the suffixes of compression.

    >>> strip_compression("tiger.export.gz")
    'tiger.export'
    """
    while name.lower().endswith(COMPRESSIONS):
        name = name[: name.rindex(".")]
    return name


def open_sources(path: str | Path, charset: str = "utf-8") -> Iterator[Source]:
    """The sources behind a path (``-``, a file, a directory or an archive), each valid until the next is asked for."""
    if str(path) == "-":
        if sys.stdin is None:
            raise DataError("is closed; name a file, or give the input there", source="standard input")
        # Through the buffer of standard input, what somebody types would arrive only when that is full.
        stream = _buffered(getattr(sys.stdin.buffer, "raw", sys.stdin.buffer))
        yield from _unpack("standard input", stream, charset)
        stream.detach()
        return
    path = Path(path)
    if not path.is_dir():
        yield from _open_file(path, charset)
        return
    files = {str(file.relative_to(path)): file for file in path.rglob("*") if file.is_file()}
    for member in sorted(files, key=natural_key):
        if not _is_hidden(Path(member).parts):
            yield from _open_file(files[member], charset, member)


def sources_in(name: str, stream: Any, charset: str = "utf-8") -> Iterator[Source]:
    """The sources in a stream of bytes that is opened already, such as one from an object store."""
    yield from _unpack(name, _buffered(stream), charset)


def check_charset(name: str) -> str:
    """The name of a character encoding, if Python knows it; a ConfigError if not."""
    try:
        codecs.lookup(name)
    except LookupError:
        raise ConfigError(f"no charset {name!r}; usual ones are utf-8, latin-1, cp1252 and utf-16") from None
    return name


def guess_charset(path: str | Path) -> str | None:
    """UTF-8, if all of a file is, else Latin-1, the charset of older releases; None for XML, which says it itself."""
    for source in open_sources(path):
        if source.head().lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
            return None
        with source.translate_errors():
            for line in source.stream:
                try:
                    line.decode()
                except UnicodeDecodeError:
                    return "latin-1"
    return "utf-8"


def _open_file(path: Path, charset: str, member: str | None = None) -> Iterator[Source]:
    try:
        raw = path.open("rb", buffering=0)
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", source=str(path)) from error
    with _buffered(raw) as stream:
        yield from _unpack(str(path), stream, charset, member)


def _buffered(stream: Any) -> io.BufferedReader:
    """A stream that can be looked into; anything that reads bytes will do below it."""
    return io.BufferedReader(stream, _HEAD)


def _is_hidden(parts: tuple[str, ...]) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in parts)


def _unpack(name: str, stream: io.BufferedReader, charset: str, member: str | None = None) -> Iterator[Source]:
    """Peel compression and archives off a stream."""
    source = Source(name, stream, charset, member)
    magic = source.head()[:262]
    layer: Any
    if magic[:2] == b"\x1f\x8b":
        layer = gzip.GzipFile(fileobj=stream)
    elif magic[:6] == b"\xfd7zXZ\x00":
        layer = lzma.LZMAFile(stream)  # noqa: SIM115 - the stream below is closed by its owner
    elif magic[:3] == b"BZh":
        layer = bz2.BZ2File(stream)
    elif magic[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        with source.translate_errors():
            yield from _zip_members(name, stream, charset)
        return
    elif magic[257:262] == b"ustar":
        with source.translate_errors():
            yield from _tar_members(name, stream, charset)
        return
    else:
        yield source
        return
    with _buffered(layer) as inner:
        yield from _unpack(name, inner, charset, member)


def _zip_members(name: str, stream: io.BufferedReader, charset: str) -> Iterator[Source]:
    seekable: BinaryIO = stream if stream.seekable() else io.BytesIO(stream.read())
    with zipfile.ZipFile(seekable) as archive:
        members = [info.filename for info in archive.infolist() if not info.is_dir()]
        for member in sorted(members, key=natural_key):
            if not _is_hidden(tuple(member.split("/"))):
                with _buffered(archive.open(member)) as inner:
                    yield from _unpack(f"{name}/{member}", inner, charset, member)


def _tar_members(name: str, stream: io.BufferedReader, charset: str) -> Iterator[Source]:
    with tarfile.open(fileobj=stream, mode="r|") as archive:
        for info in archive:
            if info.isfile() and not _is_hidden(tuple(info.name.removeprefix("./").split("/"))):
                raw = archive.extractfile(info)
                assert raw is not None
                with _buffered(io.BytesIO(raw.read())) as inner:
                    yield from _unpack(f"{name}/{info.name}", inner, charset, info.name)
