"""Where files are cut, so that many workers share them: between lines, sentences or paragraphs, never within.

The places depend on the content and the size that is wanted, and on nothing else.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from typing import IO

__all__ = ["BOUNDARIES", "segments"]

#: bytes that are looked through for a paragraph or sentence that ends
WINDOW = 1 << 16
_READ = 1 << 20

#: (data, from where on) → where to cut, -1 if no place is in sight, and whether a better one may come within a window
Boundary = Callable[[bytes, int], int]

_BLANK_LINE = re.compile(rb"\n[ \t\r\f\v]*\n\s*")
_SENTENCE_LINE = re.compile(rb"[.?!][\"')\]]*[ \t\r]*\n\s*")
_BLANK_ROW = re.compile(rb"\n[ \t\r]*\n")


def _after_line(data: bytes, start: int) -> int:
    return data.find(b"\n", max(start - 1, 0)) + 1 or -1


def _after_block(data: bytes, start: int) -> int:
    found = _BLANK_ROW.search(data, max(start - 2, 0))
    return -1 if found is None else found.end()


def _after_paragraph(data: bytes, start: int) -> int:
    """Behind a blank line, else behind a line that ends a sentence, a line, or a word; -1 if the window is not full."""
    window = start + WINDOW
    if found := _BLANK_LINE.search(data, start, window):
        return found.end()
    if len(data) < window:
        return -1
    for found in (_SENTENCE_LINE.search(data, start, window), re.search(rb"\s", data[start:window])):
        if found is not None:
            return found.end() if found.re is _SENTENCE_LINE else start + _word_end(data, start, window)
    while data[window - 1] & 0xC0 == 0x80:
        window -= 1
    return window - 1


def _word_end(data: bytes, start: int, window: int) -> int:
    """The distance behind a line end, or else behind a blank."""
    line = data.find(b"\n", start, window)
    if line >= 0:
        return line + 1 - start
    found = re.search(rb"\s", data[start:window])
    assert found is not None
    return found.end()


#: format → where a segment may end
BOUNDARIES: dict[str, Boundary] = {
    "text": _after_paragraph,
    "lines": _after_line,
    "tokens": _after_line,
    "jsonl": _after_line,
    "conllu": _after_block,
}


def segments(stream: IO[bytes] | io.BufferedReader, size: int, boundary: Boundary) -> Iterator[bytes]:
    """A stream in segments of about so many bytes, a little more each."""
    data = b""
    while True:
        parts = [data]
        length = len(data)
        while length < size + 1 and (more := stream.read(min(_READ, size + 1 - length))):
            parts.append(more)
            length += len(more)
        data = b"".join(parts)
        if length <= size:
            break
        end = boundary(data, size)
        while end < 0 and (more := stream.read(WINDOW)):
            data += more
            end = boundary(data, size)
        if end < 0:
            break
        yield data[:end]
        data = data[end:]
    if data:
        yield data
