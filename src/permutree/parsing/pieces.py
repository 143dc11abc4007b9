"""The lines of raw text, whatever the charset and the ends of lines; those that are no text leave a gap."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from permutree.errors import OnError
from permutree.formats.lines import decode_marked, has_plain_ends, has_returns
from permutree.formats.sources import Source

__all__ = ["Piece", "begin"]

#: bytes of a line that are read at once
_PIECE = 1 << 20


class Piece(NamedTuple):
    """A line with its end, or a part of a long one, and whether it could not be decoded."""

    number: int
    text: str
    is_bad: bool = False


def begin(source: Source, on_error: OnError) -> tuple[str, Iterator[Piece]]:
    """The first text of a source, whatever can be read of it, empty if there is none; and all its lines."""
    start = source.head().decode(source.charset, "ignore")
    pieces = _pieces(source, on_error)
    if start.strip():
        return start, pieces
    # Text may come after much white space, or is still to be typed.
    blank: list[Piece] = []
    for piece in pieces:
        blank.append(piece)
        if piece.text.strip():
            return piece.text, chain(blank, pieces)
    return "", iter(blank)


def _pieces(source: Source, on_error: OnError) -> Iterator[Piece]:
    """The lines of a source.

    For a line that cannot be decoded there is as much white space that separates paragraphs, so that places in the text
    stay what they are in one in which a single character stands for each bad byte.
    """
    is_wide = not has_plain_ends(source.charset)
    if is_wide or has_returns(source.head()):
        yield from _decoded_pieces(source, on_error)
        return
    decoder = codecs.getincrementaldecoder(source.charset)()
    number, is_start, is_bad = 1, True, False
    while raw := source.stream.readline(_PIECE):
        is_end = raw.endswith(b"\n")
        text = ""
        if not is_bad:
            try:
                text = decoder.decode(raw, is_end or len(raw) < _PIECE)
            except UnicodeError as error:
                on_error(source.charset_error(error, number))
                decoder.reset()
                is_bad = True
        if is_bad:
            text = "\u2029" * len(decode_marked(raw, source.charset))
        yield Piece(number, text.removeprefix("\ufeff") if is_start else text, is_bad)
        is_start = False
        if is_end:
            number, is_bad = number + 1, False


def _decoded_pieces(source: Source, on_error: OnError) -> Iterator[Piece]:
    """Lines of charsets in which a line feed is more than one byte, and such as end in carriage returns."""
    for number, line in source.lines(with_ends=True):
        fault = source.fault(number)
        if fault is not None:
            on_error(fault)
        # Carriage returns alone are no ends of lines to those who read the text.
        line = line[:-1] + "\n" if line.endswith("\r") else line
        yield Piece(number, "\u2029" * len(line) if fault else line, fault is not None)
