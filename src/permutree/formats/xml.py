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

#: bytes of the largest element, and of the longest tag or text between tags
LARGEST = 64 << 20
LONGEST = 4 << 20
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
        #: elements that were open when the last wanted one ended, if something was lost before: these may end
        self.level = 0
        self.began = 0
        self.is_recovered = False

    def read(self) -> Iterator[ElementTree.Element]:
        """The elements, through all mistakes."""
        while True:
            try:
                yield from self._parse()
            except ElementTree.ParseError as error:
                place = self.feed.place_of(*error.position)
                what = str(error).partition(": line")[0]
                mistake = self._mistake(what, error.position[0], place)
                is_told = self._is_end_of_lost(what, place)
                # What does not end is not read a second time, but what it took in is read.
                place = self.feed.unclosed(place) + what.startswith("unclosed")
            except DataError as error:
                mistake, is_told, place = error, False, 0
            else:
                return
            is_resumed, ends = self.feed.resume(place, self.tag, self.end_tag)
            # Elements that end in what is passed over are lost.
            if mistake.skipped is not None:
                mistake.skipped = max(mistake.skipped, ends)
            if ends or not is_told:
                self.on_error(mistake)
            if not is_resumed:
                return
            self.path, self.depth, self.level, self.is_recovered = [], 0, 1, True

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
                    self.level = 0
                    self.began = feed.given
                elif self.depth and feed.given - self.began > LARGEST:
                    message = f"an element of more than {LARGEST >> 20} MB: not read"
                    raise DataError(message, source=self.source.name, line=feed.line_of(feed.lines + 1), skipped=None)
                continue
            path.pop()
            if tag == self.wanted:
                self.depth -= 1
                self.level = len(path) if self.depth or self.is_recovered else 0
                yield element
            elif self.depth:
                continue
            element.clear()
            if path:
                path[-1].remove(element)

    def _mistake(self, what: str, line: int, place: int) -> DataError:
        """The error for a mistake, with the elements that are lost as far as the parser read."""
        feed = self.feed
        # Elements that did not end are lost with the one that shows it, which may be none of them.
        skipped: int | None = max(1, self.depth + self._is_in_another(what, place)) if self.path else 0
        if self._is_end_of_lost(what, place):
            skipped = 0
        elif self._is_at_end(place) and not self.depth:
            skipped = None
            what += ", so the file is cut off"
        message = f"not well-formed XML: {what}"
        return DataError(message, source=self.source.name, line=feed.line_of(line), skipped=skipped)

    def _is_end_of_lost(self, what: str, place: int) -> bool:
        """Whether it is no mistake but that elements end whose beginnings were lost."""
        if not self.is_recovered or self.depth or len(self.path) > self.level:
            return False
        if what.startswith("mismatched tag"):
            return not self.end_tag.match(_tag_at(self.feed, place))
        return self._is_at_end(place) or what.startswith("no element found")

    def _is_in_another(self, what: str, place: int) -> bool:
        """Whether a mistake is in an element of which the parser found no beginning.

        Elements do not hold their like: one that does has not ended, and what comes then belongs to the next.
        """
        last = self.feed.last
        if self.tag.search(last, last.rfind(b">", 0, place) + 1, place):
            return True
        if not self.depth or not self.level:
            return False
        if len(self.path) > self.level:
            return True
        if what.startswith("mismatched tag"):
            return self.end_tag.match(_tag_at(self.feed, place)) is not None
        return not self._is_at_end(place) and not what.startswith("no element found")

    def _is_at_end(self, place: int) -> bool:
        return place >= len(self.feed.last) and self.feed.is_over


def _tag_at(feed: _Feed, place: int) -> bytes:
    """The tag in which a place is."""
    start = feed.last.rfind(b"<", 0, place + 1)
    return feed.last[max(start, 0) : max(start, 0) + 200]


_LINE_END = re.compile(rb"\r\n?|\n")


class _Feed:
    """A file for the parser: hands out pieces, and knows where in them a mistake is."""

    def __init__(self, pieces: Iterator[bytes], name: str) -> None:
        self.pieces = pieces
        self.name = name
        #: what the parser got since it last found a tag, and the bytes of the line before that
        self.held: list[bytes] = []
        self.before = b""
        self.waiting = b""
        #: what a parser reads first that begins in the middle
        self.prologue = b""
        self.opening: bytes | None = None
        #: line ends before what is held, for this parser, and before what this parser got
        self.lines = 0
        self.lines_before = 0
        #: bytes that were handed out, up to the last tag that was found, and up to where reading last went on
        self.given = 0
        self.progress = 0
        self.resumed = -1
        self.is_over = False

    @property
    def last(self) -> bytes:
        """What is held, as one."""
        if len(self.held) > 1:
            self.held = [b"".join(self.held)]
        return self.held[0] if self.held else b""

    def read(self, size: int) -> bytes:
        """The next piece; an error if a tag does not end."""
        if self.given - self.progress > LONGEST:
            message = f"a tag or text of more than {LONGEST >> 20} MB: not read"
            raise DataError(message, source=self.name, line=self.line_of(self.lines + 1), skipped=None)
        if self.progress == self.given and len(self.held) > 1:
            self._let_go()
        if self.prologue:
            piece, self.prologue = self.prologue, b""
            self.progress = self.given
            self.held.append(piece)
            return piece
        piece = self.waiting or next(self.pieces, b"")
        self.waiting = b""
        if self.opening is None:
            spaces = b"".join(dict.fromkeys(b" " + found for found in _NAMESPACE.findall(piece)))
            doctype = _DOCTYPE.search(piece)
            self.opening = (doctype[0] if doctype else b"") + b"<recovered" + spaces + b">"
        self.given += len(piece)
        self.is_over = not piece
        self.held.append(piece)
        return piece

    def _let_go(self) -> None:
        """Forget what was parsed, but for the last piece, at the end of which a tag may have begun."""
        last = b"".join(self.held[:-1])
        self.lines += len(_LINE_END.findall(last)) if b"\r" in last else last.count(b"\n")
        end = max(last.rfind(b"\n"), last.rfind(b"\r")) + 1
        self.before = (last[end:] if end else self.before + last)[-_KEPT:]
        self.held = self.held[-1:]

    def place_of(self, line: int, column: int) -> int:
        """Where in what is held a place is that the parser names, or 0 if it is before that."""
        last = self.last
        if line <= self.lines + 1:
            return max(0, _width(self.before + last, column) - len(self.before))
        ends = _LINE_END.finditer(last)
        start = 0
        for _ in range(line - self.lines - 1):
            start = next((match.end() for match in ends), len(last))
        return min(start + _width(last[start:], column), len(last))

    def unclosed(self, place: int) -> int:
        """Where a comment or the like begins that a place is in, or else the place itself."""
        last = self.last
        for start, end in ((b"<![CDATA[", b"]]>"), (b"<!--", b"-->"), (b"<?", b"?>")):
            begin = last.rfind(start, 0, place)
            if begin >= 0 and last.find(end, begin, place) < 0:
                return begin + len(start)
        return place

    def line_of(self, line: int) -> int:
        """The line of the file that this line of the parser is."""
        return self.lines_before + line

    def resume(self, place: int, tag: re.Pattern[bytes], end_tag: re.Pattern[bytes]) -> tuple[bool, int]:
        """Go on with the next element from there: whether there is one, and how many end before it."""
        last = self.last
        rest = last[place:]
        offset = self.given - len(rest)
        passed = self.lines + len(_LINE_END.findall(last[:place]))
        start = max(0, self.resumed + 1 - offset)
        ends = 0
        counted = offset
        while True:
            found = tag.search(rest, start)
            for end in end_tag.finditer(rest, max(0, counted - offset), found.start() if found else len(rest)):
                ends, counted = ends + 1, offset + end.end()
            if found is not None:
                break
            more = self.waiting or next(self.pieces, b"")
            self.waiting = b""
            if not more:
                return False, ends
            self.given += len(more)
            # A name may be cut in two.
            gone = max(0, len(rest) - 256)
            passed += len(_LINE_END.findall(rest[:gone]))
            rest, offset, start = rest[gone:] + more, offset + gone, max(0, start - gone)
        self.resumed = offset + found.start()
        self.lines_before += passed + len(_LINE_END.findall(rest[: found.start()]))
        self.waiting = rest[found.start() :]
        self.given -= len(self.waiting)
        self.prologue = self.opening or b"<recovered>"
        # Its own lines are none of the file.
        self.lines_before -= self.prologue.count(b"\n")
        self.held, self.before, self.lines = [], b"", 0
        self.progress = self.given
        return True, ends


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
    if source.was_text or codecs.lookup(name).name != "utf-8":
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
