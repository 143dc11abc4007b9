"""Where treebank text comes from: files, directories, archives and standard input, compressed or not.

A path opens as one or more sources. Compression and archives are recognised by content, not by name. Files of a
directory and members of a zip archive come in natural order (2 before 10); members of a tar archive in the order in
which they are stored, so that it can be streamed. What cannot be read is told when its source has been read as far as
that is possible.
"""

from __future__ import annotations

import codecs
import io
import sys
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from permutree.errors import ConfigError, DataError, OnError, raise_error
from permutree.formats.archives import ZIP_MAGIC, is_hidden, is_tar, tar_members, zip_members
from permutree.formats.layers import BLOCK, COMPRESSED, MOST_LAYERS, Decompressed, Ledger, RawFile, buffered
from permutree.formats.lines import MARK, Lines
from permutree.formats.natural import natural_key

__all__ = ["Source", "check_charset", "guess_charset", "open_bytes", "open_sources", "sources_in", "strip_compression"]

COMPRESSIONS = (".gz", ".xz", ".bz2", ".zip")


@dataclass(slots=True)
class Source:
    """One stream of treebank text with a name for error messages."""

    name: str
    stream: io.BufferedReader
    charset: str = "utf-8"
    #: the name inside an archive or directory, which some treebanks make sentence ids from
    member: str | None = None
    #: whether the bytes are those of a file as it is
    is_plain: bool = False
    #: whether it was text before it became UTF-8, so that no charset that it declares counts
    was_text: bool = False
    ledger: Ledger = field(default_factory=Ledger)
    #: lines that are no text, until a reader asks what is wrong with them
    _bad: dict[int, DataError] = field(default_factory=dict)

    @classmethod
    def of_text(cls, text: str, name: str = "text", member: str | None = None) -> Source:
        """A source of text that is already here."""
        return cls(name, buffered(io.BytesIO(text.encode())), member=member, was_text=True)

    def head(self) -> bytes:
        """The first bytes, without consuming them; an error if there are none for a fault."""
        head = self.stream.peek(BLOCK)
        if not head and self.ledger.faults:
            raise self.ledger.faults.pop(0)
        return head

    def lines(self, *, with_ends: bool = False) -> Iterator[tuple[int, str]]:
        """The lines with their numbers from 1, without their ends unless these are asked for.

        A line feed ends a line; where the file has none, a carriage return does. A line that is no text in the
        charset, or too long, comes with marks in place of what it is: the reader asks :meth:`fault` and leaves out the
        sentence that it belongs to.
        """
        if not with_ends:
            for number, some in self.blocks():
                yield from enumerate(some, number)
            return
        lines = Lines(self.stream, self.charset)
        for number, line in lines.with_ends():
            self._note(lines, number)
            yield number, line

    def blocks(self) -> Iterator[tuple[int, list[str]]]:
        """The lines as :meth:`lines` has them, many at once, with the number of the first; a bad one comes alone."""
        lines = Lines(self.stream, self.charset)
        for number, some in lines.blocks():
            self._note(lines, number)
            yield number, some

    def _note(self, lines: Lines, number: int) -> None:
        """Remember what is wrong with the line that has just been read."""
        if lines.fault is not None:
            self._bad[number] = self._line_error(lines.fault, number)
            lines.fault = None

    def fault(self, first: int, last: int | None = None) -> DataError | None:
        """What is wrong with these lines as text; the first fault, and all of them are then forgotten."""
        if not self._bad:
            return None
        numbers = [number for number in self._bad if first <= number <= (first if last is None else last)]
        faults = [self._bad.pop(number) for number in numbers]
        return faults[0] if faults else None

    def report(self, on_error: OnError) -> None:
        """Tell of faults that no sentence was left out for: between sentences, or where the file could not be read."""
        while self._bad:
            error = self._bad.pop(next(iter(self._bad)))
            error.skipped = error.skipped and 0
            on_error(error)
        while self.ledger.faults:
            on_error(self.ledger.faults.pop(0))

    def _line_error(self, fault: UnicodeError | str, line: int) -> DataError:
        if isinstance(fault, str):
            return DataError(fault, source=self.name, line=line, skipped=None)
        return self.charset_error(fault, line)

    def charset_error(self, error: UnicodeError, line: int | None = None) -> DataError:
        """The error for bytes that are not text in the charset of this source."""
        way_out = "latin-1" if self.charset.lower().startswith("utf") else "utf-8"
        say = f"if it is {way_out}, say so, as in `permutree convert --charset {way_out}`"
        message = f"not {self.charset} text ({error}); {say}"
        return DataError(message, source=self.name, line=line)


def strip_compression(name: str) -> str:
    """A file name without the suffixes of compression.

    >>> strip_compression("tiger.export.gz")
    'tiger.export'
    """
    while name.lower().endswith(COMPRESSIONS):
        name = name[: name.rindex(".")]
    return name


def open_sources(
    path: str | Path, charset: str = "utf-8", on_error: OnError = raise_error
) -> Generator[Source, None, None]:
    """The sources behind a path (``-``, a file, a directory or an archive), each valid until the next is asked for.

    What cannot be read is told to ``on_error``; if that returns, the rest is read. A file is closed when the next one
    is asked for, or by :func:`contextlib.closing` where an error may come between.
    """
    if str(path) == "-":
        if sys.stdin is None:
            on_error(
                DataError("is closed; name a file, or give the input there", source="standard input", skipped=None)
            )
            return
        # Through the buffer of standard input, what somebody types would arrive only when that is full.
        raw = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
        yield from _open_stream("standard input", raw, charset, on_error)
        return
    path = Path(path)
    if not path.is_dir():
        yield from _open_file(path, charset, on_error)
        return
    files = {str(file.relative_to(path)): file for file in path.rglob("*") if not file.is_dir()}
    for member in sorted(files, key=natural_key):
        if not is_hidden(member):
            yield from _open_file(files[member], charset, on_error, member)


def open_bytes(data: bytes, name: str, charset: str = "utf-8", on_error: OnError = raise_error) -> Iterator[Source]:
    """The sources behind bytes that are already here, as :func:`open_sources` finds them behind a path."""
    return sources_in(name, io.BytesIO(data), charset, on_error)


def sources_in(name: str, stream: Any, charset: str = "utf-8", on_error: OnError = raise_error) -> Iterator[Source]:
    """The sources in a stream of bytes that is opened already, such as one from an object store."""
    return _open_stream(name, stream, charset, on_error)


def check_charset(name: str) -> str:
    """The name of a character encoding of text, if Python knows it; a ConfigError if not."""
    try:
        # What decodes bytes to bytes, or text to text, is no charset.
        is_text = "\0" not in name and isinstance(b"a".decode(name), str)
    except UnicodeError:
        is_text = True
    except LookupError:
        is_text = False
    if not is_text or codecs.lookup(name).name in ("undefined", "idna", "punycode"):
        raise ConfigError(f"no charset {name!r}; usual ones are utf-8, latin-1, cp1252 and utf-16")
    return name


def guess_charset(path: str | Path) -> str | None:
    """UTF-8, if all of a file is, else Latin-1, the charset of older releases; None for XML, which says it itself."""
    # What cannot be read is told when the file is read in earnest.
    for source in open_sources(path, on_error=lambda error: None):
        if source.head().lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
            return None
        for _, line in source.lines():
            if MARK in line:
                return "latin-1"
        source.report(lambda error: None)
    return "utf-8"


def _open_file(path: Path, charset: str, on_error: OnError, member: str | None = None) -> Iterator[Source]:
    try:
        raw = path.open("rb", buffering=0)
    except OSError as error:
        message = f"cannot be read: {error.strerror}"
        if path.is_symlink():
            message = f"a link that cannot be followed: {error.strerror}"
        on_error(DataError(message, source=str(path), skipped=None))
        return
    except ValueError as error:
        on_error(DataError(f"no name of a file: {error}", source=repr(str(path)), skipped=None))
        return
    with raw:
        yield from _open_stream(str(path), raw, charset, on_error, member)


def _open_stream(name: str, raw: Any, charset: str, on_error: OnError, member: str | None = None) -> Iterator[Source]:
    ledger = Ledger()
    stream = buffered(RawFile(name, ledger, raw))
    yield from _unpack(Source(name, stream, charset, member, is_plain=True, ledger=ledger), on_error)


def _unpack(source: Source, on_error: OnError, depth: int = 0) -> Iterator[Source]:
    """Peel compression and archives off a source."""
    name, ledger = source.name, source.ledger
    head = source.stream.peek(BLOCK)
    magic = next((magic for magic in COMPRESSED if head.startswith(magic)), None)
    is_archive = head.startswith(ZIP_MAGIC) or is_tar(head)
    if (magic is not None or is_archive) and depth == MOST_LAYERS:
        message = f"more than {MOST_LAYERS} compressions and archives inside each other: not read; unpack it first"
        on_error(DataError(message, source=name, skipped=None))
        return
    below = partial(Source, charset=source.charset, ledger=ledger)
    if magic is not None:
        with buffered(Decompressed(name, ledger, source.stream, magic)) as inner:
            yield from _unpack(below(name, inner, member=source.member), on_error, depth + 1)
    elif is_archive:
        members = tar_members if is_tar(head) else zip_members
        for entry in members(name, source.stream, ledger, on_error):
            yield from _unpack(below(entry.name, entry.stream, member=entry.member), on_error, depth + 1)
        source.report(on_error)
    else:
        yield source
        source.report(on_error)
