"""Lines of text out of bytes of any charset, one bad line at a time.

A line that is no text in its charset comes with :data:`MARK` in place of what cannot be decoded; the next line is read
as if nothing had happened. A line is never longer than :data:`LONGEST`: the rest of a longer one is passed over.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from functools import lru_cache

from permutree.formats.layers import BLOCK

__all__ = ["LONGEST", "MARK", "Lines", "decode_marked", "decoder_of", "has_plain_ends", "has_returns"]

#: stands for bytes that are no text; decoding makes no such character of anything else
MARK = "\udcff"
#: bytes, or characters, of the longest line that is read
LONGEST = 16 << 20

#: charsets in which what a byte means does not depend on the lines before
_STATELESS = frozenset({"ascii", "cp1252", "iso8859-1", "iso8859-15", "utf-8"})
_HANDLER = "permutree.mark"
_LINE_FEED = re.compile(r"[^\n]*\n")
_ANY_END = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)")


def _mark(error: UnicodeError) -> tuple[str, int]:
    if isinstance(error, UnicodeDecodeError):
        return MARK, max(error.end, error.start + 1)
    raise error


codecs.register_error(_HANDLER, _mark)


def decode_marked(raw: bytes, charset: str) -> str:
    """Text with marks in place of what is none."""
    try:
        return raw.decode(charset, _HANDLER)
    except (UnicodeError, IndexError):
        # Some charsets do not ask what to do.
        return MARK + raw.decode("latin-1")


def decoder_of(charset: str) -> codecs.IncrementalDecoder:
    """A decoder that marks what is no text."""
    return codecs.getincrementaldecoder(charset)(_HANDLER)


@lru_cache(maxsize=64)
def has_plain_ends(charset: str) -> bool:
    """Whether the byte of a line feed is one, and nothing else, wherever it stands."""
    name = codecs.lookup(charset).name
    try:
        return not name.startswith(("utf-16", "utf-32", "utf-7")) and b"(\r\n".decode(charset) == "(\r\n"
    except UnicodeError:
        return False


def has_returns(head: bytes) -> bool:
    """Whether lines end in carriage returns alone, by the first bytes of a file."""
    return b"\n" not in head and b"\r" in head[:-1]


class Lines:
    """The lines of a stream with their numbers from 1; ``fault`` says what is wrong with the last, if anything is."""

    def __init__(self, stream: io.BufferedReader, charset: str) -> None:
        self.stream = stream
        self.charset = _with_order(stream, charset)
        self.fault: UnicodeError | str | None = None

    def __iter__(self) -> Iterator[tuple[int, str]]:
        for number, lines in self.blocks():
            yield from enumerate(lines, number)

    def blocks(self) -> Iterator[tuple[int, list[str]]]:
        """The lines that are here at once, with the number of the first of them; one with a fault comes alone."""
        number = 1
        has_plain_lines = has_plain_ends(self.charset) and not has_returns(self.stream.peek(BLOCK))
        for lines in self._split_bytes() if has_plain_lines else self._split_text():
            if number == 1 and has_plain_lines:
                lines[0] = lines[0].removeprefix("\ufeff")
            yield number, lines
            number += len(lines)

    def _split_text(self) -> Iterator[list[str]]:
        return ([line.rstrip("\r\n")] for _, line in self.with_ends())

    def _split_bytes(self) -> Iterator[list[str]]:
        """Lines of charsets in which a line feed is one byte: those that are here at once, others one by one."""
        stream = self.stream
        is_stateless = codecs.lookup(self.charset).name in _STATELESS
        while ahead := stream.peek(BLOCK):
            size = ahead.rfind(b"\n") + 1 if is_stateless else 0
            if 0 < size < LONGEST:
                yield from self._decoded(stream.read(size))
            else:
                yield [self._next_line()]

    def _decoded(self, raw: bytes) -> Iterator[list[str]]:
        """Whole lines as text, without their ends; if some are none, each is decoded when its turn comes."""
        try:
            text = raw.decode(self.charset)
        except UnicodeError:
            for line in raw.split(b"\n")[:-1]:
                yield [self._decoded_line(line + b"\n")]
            return
        lines = text.split("\n")[:-1]
        yield [line.rstrip("\r") for line in lines] if "\r" in text else lines

    def _next_line(self) -> str:
        raw = self.stream.readline(LONGEST)
        if len(raw) == LONGEST and not raw.endswith(b"\n"):
            self._pass_over(len(raw))
            return MARK
        return self._decoded_line(raw)

    def _decoded_line(self, raw: bytes) -> str:
        try:
            line = raw.decode(self.charset)
        except UnicodeError as error:
            self.fault = error
            line = decode_marked(raw, self.charset)
        return line.rstrip("\r\n")

    def _pass_over(self, size: int) -> None:
        """Read to the end of a line that is too long."""
        while raw := self.stream.readline(LONGEST):
            size += len(raw)
            if raw.endswith(b"\n"):
                break
        self.fault = _too_long(size, "bytes")

    def with_ends(self) -> Iterator[tuple[int, str]]:
        """The lines with their ends, in any charset; those of carriage returns alone, too."""
        decoder = decoder_of(self.charset)
        head = _head_text(self.stream, self.charset)
        ends, pattern = ("\r\n", _ANY_END) if "\n" not in head and "\r" in head[:-1] else ("\n", _LINE_FEED)
        number, rest, passed = 0, "", 0
        while True:
            raw = self.stream.read1(BLOCK)
            try:
                text = rest + decoder.decode(raw, not raw)
            except (UnicodeError, IndexError) as error:
                self.fault = error if isinstance(error, UnicodeError) else UnicodeError(str(error))
                text = rest + MARK
                decoder.reset()
            # The two halves of one end of a line may come one by one.
            held = "\r" if raw and text.endswith("\r") else ""
            # Only as far as there are ends: the pattern would look for one from each character of a line without.
            last = 1 + max(text.rfind(end, 0, len(text) - len(held)) for end in ends)
            lines = pattern.findall(text, 0, last)
            rest = text[last:]
            if not raw and rest:
                lines.append(rest)
            for line in lines:
                number += 1
                if passed:
                    self.fault = _too_long(passed + len(line), "characters")
                    line, passed = MARK, 0
                elif MARK in line and self.fault is None:
                    self.fault = UnicodeError("bytes that stand for no character")
                yield number, line.removeprefix("\ufeff") if number == 1 else line
            if not raw:
                if passed and not rest:
                    self.fault = _too_long(passed, "characters")
                    yield number + 1, MARK
                return
            if passed or len(rest) > LONGEST:
                passed += len(rest)
                rest = ""


def _with_order(stream: io.BufferedReader, charset: str) -> str:
    """The charset, with an order of bytes if it has one that the file does not show."""
    name = codecs.lookup(charset).name
    marks = {
        "utf-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
        "utf-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),
    }
    return f"{name}-le" if name in marks and not stream.peek(4).startswith(marks[name]) else charset


def _head_text(stream: io.BufferedReader, charset: str) -> str:
    return codecs.getincrementaldecoder(charset)("replace").decode(stream.peek(BLOCK))


def _too_long(size: int, what: str) -> str:
    return (
        f"a line of {size:,} {what}, which is longer than any sentence (the most is {LONGEST:,}): not read; is it "
        "another format?"
    )
