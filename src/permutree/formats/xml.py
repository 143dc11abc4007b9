"""Elements of XML files, one after the other; after a mistake, reading goes on with the next element.

The charset is the one that the file declares, or another that was asked for. All that Python knows are read: what the
XML parser does not know is decoded first. Namespaces are not looked at.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import IO, cast
from xml.etree import ElementTree

from permutree.errors import ConfigError, DataError, OnError
from permutree.formats.layers import BLOCK
from permutree.formats.lines import decoder_of
from permutree.formats.sources import Source, check_charset

__all__ = ["iterate_xml"]

#: bytes of the largest element
LARGEST = 64 << 20
#: bytes of a line that are kept to find the place of a mistake in it
_KEPT = 1 << 20
_PIECE = 1 << 14
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
    b"<\0?\0": "utf-16-le",
    b"\0<\0?": "utf-16-be",
}
_DECLARED = re.compile(rb"""\s*<\?xml[^>]*?\bencoding\s*=\s*["']([^"'>]*)["']""").match
_NAMESPACE = re.compile(rb"""\bxmlns(?::[\w.-]+)?\s*=\s*(?:"[^"<]*"|'[^'<]*')""")
_DOCTYPE = re.compile(rb"<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>", re.DOTALL)


def iterate_xml(source: Source, wanted: str, on_error: OnError) -> Iterator[ElementTree.Element]:
    """The elements of that name, each forgotten when the next is asked for, so that memory stays flat.

    A mistake costs the element that it stands in.
    """
    return _Reader(source, wanted, on_error).read()


class _Reader:
    """Feeds a parser, and a new one after each mistake, which begins at the next element."""

    def __init__(self, source: Source, wanted: str, on_error: OnError) -> None:
        self.source = source
        self.wanted = wanted
        self.on_error = on_error
        self.tag = re.compile(rb"<(?:[\w.-]+:)?" + wanted.encode() + rb"(?=[\s/>])")
        self.end_tag = re.compile(rb"</(?:[\w.-]+:)?" + wanted.encode() + rb"\s*>")
        self.feed = _Feed(_utf8_pieces(source), source.name)
        self.path: list[ElementTree.Element] = []
        #: wanted elements that are open
        self.depth = 0
        self.is_recovered = False

    def read(self) -> Iterator[ElementTree.Element]:
        """The elements, through all mistakes."""
        while True:
            try:
                yield from self._parse()
            except ElementTree.ParseError as error:
                place = self.feed.place_of(*error.position)
                self._tell(str(error).partition(": line")[0], error.position[0], place)
            except DataError as error:
                self.on_error(error)
                place = 0
            else:
                return
            if not self.feed.resume(place, self.tag):
                return
            self.path, self.depth, self.is_recovered = [], 0, True

    def _parse(self) -> Iterator[ElementTree.Element]:
        parser = ElementTree.XMLParser(encoding="utf-8")
        path, feed = self.path, self.feed
        events = ElementTree.iterparse(cast("IO[bytes]", feed), ("start", "end"), parser)
        for event, element in events:
            tag = element.tag
            if event == "start":
                feed.progress = feed.given
                if tag[0] == "{":
                    tag = element.tag = tag.rpartition("}")[2]
                path.append(element)
                if tag == self.wanted:
                    self.depth += 1
                continue
            path.pop()
            if tag == self.wanted:
                self.depth -= 1
                yield element
            elif self.depth:
                continue
            element.clear()
            if path:
                path[-1].remove(element)

    def _tell(self, what: str, line: int, place: int) -> None:
        """Report a mistake, unless it is only that elements end whose beginnings were lost."""
        feed = self.feed
        is_end = place >= len(feed.last) and feed.is_over
        after = feed.last[place : place + 200]
        if self.is_recovered and not self.depth:
            if (is_end and not after.strip()) or what.startswith("no element found"):
                return
            if what.startswith(("mismatched tag", "unclosed token")) and not self.end_tag.match(_tag_at(feed, place)):
                return
        skipped: int | None = 1 if self.path else 0
        if is_end and not self.depth:
            skipped = None
            what += ", so the file is cut off"
        message = f"not well-formed XML: {what}"
        self.on_error(DataError(message, source=self.source.name, line=feed.line_of(line), skipped=skipped))


def _tag_at(feed: _Feed, place: int) -> bytes:
    """The tag in which a place is."""
    start = feed.last.rfind(b"<", 0, place + 1)
    return feed.last[max(start, 0) : max(start, 0) + 200]


class _Feed:
    """A file for the parser: hands out pieces, and knows where in them a mistake is."""

    def __init__(self, pieces: Iterator[bytes], name: str) -> None:
        self.pieces = pieces
        self.name = name
        #: what the parser got last, and the bytes of the line before it
        self.last = b""
        self.before = b""
        self.waiting = b""
        #: for a parser that begins in the middle: what it reads first
        self.prologue = b""
        self.opening: bytes | None = None
        #: line ends before the last piece, for this parser, and before what this parser got
        self.lines = 0
        self.lines_before = 0
        self.given = 0
        self.progress = 0
        self.is_over = False

    def read(self, size: int) -> bytes:
        """The next piece; an error if an element or a tag does not end."""
        if self.given - self.progress > LARGEST:
            self.progress = self.given
            message = f"an element or a tag of more than {LARGEST >> 20} MB: not read"
            raise DataError(message, source=self.name, line=self.line_of(self.lines + 1), skipped=None)
        self._pass_last()
        if self.prologue:
            self.last, self.prologue = self.prologue, b""
            return self.last
        self.last = self.waiting or next(self.pieces, b"")
        self.waiting = b""
        if self.opening is None:
            spaces = b"".join(dict.fromkeys(b" " + found for found in _NAMESPACE.findall(self.last)))
            doctype = _DOCTYPE.search(self.last)
            self.opening = (doctype[0] if doctype else b"") + b"<recovered" + spaces + b">"
        self.given += len(self.last)
        self.is_over = not self.last
        return self.last

    def _pass_last(self) -> None:
        ends = self.last.count(b"\n")
        self.lines += ends
        start = self.last.rfind(b"\n") + 1 if ends else 0
        self.before = ((b"" if ends else self.before) + self.last[start:])[-_KEPT:]

    def place_of(self, line: int, column: int) -> int:
        """Where in the last piece a place is that the parser names, or 0 if it is before that."""
        start = 0
        for _ in range(line - self.lines - 1):
            start = self.last.find(b"\n", start) + 1
        if line > self.lines + 1:
            return start + _width(self.last[start:], column)
        return max(0, _width(self.before + self.last, column) - len(self.before))

    def line_of(self, line: int) -> int:
        """The line of the file that this line of the parser is."""
        return self.lines_before + line

    def resume(self, place: int, tag: re.Pattern[bytes]) -> bool:
        """Go on with the next element of this name from there; False if there is none."""
        rest = self.last[place:]
        passed = self.lines + self.last[:place].count(b"\n")
        while True:
            found = tag.search(rest)
            if found is not None:
                break
            kept = rest[-256:]
            more = self.waiting or next(self.pieces, b"")
            self.waiting = b""
            self.given += len(more)
            if not more:
                return False
            passed += rest[: len(rest) - len(kept)].count(b"\n")
            rest = kept + more
        self.lines_before += passed + rest[: found.start()].count(b"\n")
        self.waiting = rest[found.start() :]
        self.prologue = self.opening or b"<recovered>"
        # Its own lines are none of the file.
        self.last, self.before, self.lines = b"", b"", 0
        self.lines_before -= self.prologue.count(b"\n")
        self.progress = self.given
        return True


def _width(line: bytes, column: int) -> int:
    """The bytes of so many characters of a line."""
    return len(line[: 4 * column + 4].decode("utf-8", "surrogateescape")[:column].encode("utf-8", "surrogateescape"))


def _utf8_pieces(source: Source) -> Iterator[bytes]:
    """The bytes of a source in UTF-8; those that are no text in its charset make no XML either."""
    charset = _charset(source)
    if charset in ("utf-8", "ascii"):
        head = source.stream.peek(3)
        if head.startswith(codecs.BOM_UTF8):
            source.stream.read(3)
        while piece := source.stream.read1(_PIECE):
            yield piece
        return
    decoder = decoder_of(charset)
    while raw := source.stream.read1(_PIECE):
        if piece := decoder.decode(raw).removeprefix("\ufeff").encode("utf-8", "surrogatepass"):
            yield piece
    if piece := decoder.decode(b"", True).encode("utf-8", "surrogatepass"):
        yield piece


def _charset(source: Source) -> str:
    """The charset that was asked for, or else the one that the file shows or declares."""
    name = source.charset
    if codecs.lookup(name).name != "utf-8":
        return name
    head = source.head()
    for mark, found in _BYTE_ORDER_MARKS.items():
        if head.startswith(mark):
            return found
    declared = _DECLARED(head[:BLOCK])
    if declared is None:
        return name
    name = declared[1].decode("ascii", "replace").strip() or name
    try:
        name = codecs.lookup(check_charset(name)).name
    except ConfigError:
        message = (
            f"it declares the charset {name[:40]!r}, which is not known; say which it is, as in --charset utf-8-sig"
        )
        raise DataError(message, source=source.name, line=1, skipped=None) from None
    # A file that can be read this far is in no charset of wide characters, whatever it declares.
    return "utf-8" if name.startswith(("utf-16", "utf-32")) else name
