"""Lines of discbracket straight from arrays: the bytes of all lines are put together at once, not text by text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["lines_of"]

#: as others are numbered
Numbers = npt.NDArray[np.integer]
#: bytes from each place on
Windows = npt.NDArray[np.void]

#: lines that are put together at once
_TOGETHER = 1024
#: bytes that are copied at once, and the longest text that is copied in such steps
_STEP = 16
_LONG = 64
_ENCODING = ("utf-8", "surrogatepass")
_IS_BLANK = np.zeros(256, bool)
_IS_BLANK[[*b" \t\r\f\v"]] = True


def lines_of(
    words: tuple[Sequence[str], Numbers],
    tags: tuple[Sequence[str], Numbers],
    labels: tuple[Sequence[str], Numbers],
    order: Numbers,
    starts: Numbers,
    ends: Numbers,
    lasts: Numbers,
) -> str | None:
    """The lines of trees, each with its end; None if there is a text that discbracket cannot hold as it is.

    Words and tags, in the order of the sentences, and labels are different texts and their numbers. ``order`` are the
    words at positions, counted in the sentence. ``starts`` and ``ends`` of constituents, and the position that is the
    last of each sentence, count over all of them.
    """
    size, count = len(order), len(starts)
    if not size:
        return ""
    # A mark behind each word could hide that one of them has it inside.
    if any("\n" in text for text in (*tags[0], *labels[0])):
        return None
    forms = "\n".join(words[0])
    if "(" in forms or ")" in forms:
        forms = forms.replace("(", "-LRB-").replace(")", "-RRB-")
    names = "\n".join((*tags[0], *labels[0]))
    if "(" in names or ")" in names:
        return None
    bases = np.repeat(np.append(0, lasts[:-1] + 1), np.diff(lasts, prepend=-1))
    at_words = bases + order
    terminals, terminal_at = _terminals(tags[0], tags[1].take(at_words), order)
    closed = np.bincount(ends - 1, minlength=size) + 1
    most = int(closed.max()) + 1
    closings = [")" * number for number in range(most)]
    openings = [f"({name} " for name in labels[0]]
    pieces = _Pieces([forms, *terminals, *openings, *(text + " " for text in closings), *closings])
    if pieces.count != len(words[0]) + len(terminals) + len(openings) + 2 * most:
        return None
    if pieces.has_blank(len(words[0]), names):
        return None
    terminal = len(words[0])
    label = terminal + len(terminals)
    closing = label + len(openings)
    # Before each word stand the constituents that begin with it.
    at = np.cumsum(np.bincount(starts, minlength=size)) + 3 * np.arange(size)
    chosen: Any = np.empty(count + 3 * size, np.int64)
    chosen[np.arange(count) + 3 * starts] = labels[1] + label
    chosen[at] = terminal_at + terminal
    chosen[at + 1] = words[1].take(at_words)
    closed[lasts] += most
    chosen[at + 2] = closed + closing
    return pieces.put_together(chosen, at[lasts] + 2)


def _terminals(tags: Sequence[str], numbers: Numbers, indexes: Numbers) -> tuple[list[str], Numbers]:
    """What stands before words, ``(TAG index=``, each different one once, and where each of them stands."""
    width = int(indexes.max()) + 1
    pairs = numbers.astype(np.intp) * width + indexes
    most = len(tags) * width
    if most > max(1 << 16, 4 * len(pairs)):
        # Too many are possible to have a place for each.
        used, found = np.unique(pairs, return_inverse=True)
    else:
        used = np.flatnonzero(np.bincount(pairs))
        places = np.empty(most, np.intp)
        places[used] = np.arange(len(used))
        found = places.take(pairs)
    chosen = zip(*(part.tolist() for part in np.divmod(used, width)), strict=True)
    return [f"({tags[tag]} {index}=" for tag, index in chosen], found


class _Pieces:
    """Texts as one array of bytes, to put together in any order."""

    def __init__(self, texts: list[str]) -> None:
        # Behind the last text there is room for a step that begins in it.
        raw = ("\n".join(texts) + "\n").encode(*_ENCODING) + bytes(_STEP)
        self.bytes = np.frombuffer(raw, np.uint8)
        ends = np.flatnonzero(self.bytes == ord("\n"))
        self.count = len(ends)
        self.starts = np.append(0, ends[:-1] + 1)
        self.sizes = ends - self.starts

    def has_blank(self, words: int, names: str) -> bool:
        """Whether one of the first so many texts, or one of the names, is empty or has white space in it."""
        last = int(self.starts[words - 1] + self.sizes[words - 1]) if words else 0
        is_blank = bool(_IS_BLANK[self.bytes[:last]].any()) or not self.sizes[:words].all()
        found = np.frombuffer(names.encode(*_ENCODING), np.uint8)
        return is_blank or bool(_IS_BLANK[found].any()) or "\n\n" in f"\n{names}\n"

    def put_together(self, chosen: npt.NDArray[np.int64], lasts: Numbers) -> str:
        """Some of the texts, none of them empty, one after the other; those at ``lasts`` end a line."""
        heads = _windows(self.bytes)[self.starts]
        parts: list[memoryview] = []
        # Some lines at a time, so that all stays in the cache.
        first = 0
        for at in range(0, len(lasts), _TOGETHER):
            at_ends = lasts[at : at + _TOGETHER] - first
            here = chosen[first : first + int(at_ends[-1]) + 1]
            parts.append(self._copied(here, at_ends, heads))
            first += len(here)
        return str(b"".join(parts), *_ENCODING)

    def _copied(self, chosen: npt.NDArray[np.int64], lasts: Numbers, heads: Windows) -> memoryview:
        """The bytes of some lines.

        Texts are copied in steps of the same size, which NumPy does several times as fast as byte by byte. A step goes
        on behind the end of its text, where the next texts are written over it: so the ends of longer ones come first.
        """
        sizes = self.sizes.take(chosen)
        # What ends a line is followed by the mark that stands behind every text.
        sizes[lasts] += 1
        ends = np.cumsum(sizes)
        begins = ends - sizes
        total = int(ends[-1])
        found = np.empty(total + _STEP, np.uint8)
        into, given = _windows(found), _windows(self.bytes)
        longest = int(sizes.max())
        for step in range(min(longest, _LONG) // _STEP * _STEP, 0, -_STEP):
            places = np.flatnonzero(sizes > step)
            into[begins[places] + step] = given[self.starts[chosen[places]] + step]
        into[begins] = heads[chosen]
        for place in np.flatnonzero(sizes > _LONG).tolist() if longest > _LONG else ():
            start, begin, end = int(self.starts[chosen[place]]), int(begins[place]), int(ends[place])
            found[begin:end] = self.bytes[start : start + end - begin]
        return found[:total].data


def _windows(array: npt.NDArray[np.uint8]) -> Windows:
    """As many bytes as are copied at once, from each byte on that has so many."""
    return np.ndarray((len(array) - _STEP + 1,), f"V{_STEP}", array, 0, (1,))
