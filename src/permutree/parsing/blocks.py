"""Many sentences at once, as lines of words: words are split and numbered for all lines together.

No sentence is made that nobody asks for. Lines of trees whose words alone are wanted become such blocks, too: their
brackets are checked in arrays, and a block in which anything is unusual is left to the reader of trees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from permutree.trees.distinct import ROOM, distinct
from permutree.trees.numbered import Numbered

__all__ = ["Block", "words_in_trees"]

_ENCODING = ("utf-8", "surrogatepass")
# Beside the space, and one after the other. Blanks of other scripts and typography may stand within a word, such as the
# one in 10 000.
_BLANKS = b"\t\n\v\f\r"

Bytes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.intp]


class Block:
    """Lines of words with blanks between them, as bytes; each line has a word, and only the last one has no end."""

    __slots__ = ("count", "raw", "size")

    def __init__(self, text: str | bytes) -> None:
        self.raw = text.encode(*_ENCODING) if isinstance(text, str) else text
        # Where there are so many, arrays count them several times as fast as bytes do.
        signs: Bytes = np.frombuffer(self.raw, np.uint8)
        #: how many sentences there are, and about how many words
        self.count = int(np.count_nonzero(signs == ord("\n"))) + 1
        self.size = int(np.count_nonzero(signs == ord(" "))) + self.count

    def rows(self) -> Iterator[list[str]]:
        """The words of each sentence."""
        for line in self.raw.split(b"\n"):
            yield [str(word, *_ENCODING) for word in line.split()]

    @staticmethod
    def words(blocks: Sequence[Block]) -> Numbered:
        """The words of all sentences of blocks."""
        raw = b"\n".join((b"", *(block.raw for block in blocks), b" " * ROOM))
        signs: Bytes = np.frombuffer(raw, np.uint8)
        is_blank = signs - np.uint8(_BLANKS[0]) < len(_BLANKS)
        is_blank |= signs == ord(" ")
        # There are blanks before the first word and behind the last, so that these are where each begins and ends.
        edges = np.flatnonzero(is_blank[1:] != is_blank[:-1]) + 1
        starts, ends = edges[::2].copy(), edges[1::2].copy()
        firsts, numbers = distinct(raw, starts, ends)
        lines = sum(block.count for block in blocks)
        # No word has a blank in it.
        values = str(_joined(signs, starts[firsts], ends[firsts], np.zeros(0, np.intp)), *_ENCODING).split(" ")
        return Numbered(values, numbers, _offsets(signs, starts, ends, lines))


def _offsets(signs: Bytes, starts: Places, ends: Places, lines: int) -> Places:
    """Where the words of so many lines begin among all words, and their number."""
    lasts = np.flatnonzero(signs[ends] == ord("\n"))
    if len(lasts) == lines:
        return np.append(0, lasts + 1)
    # Somewhere, there are blanks between the last word of a line and its end.
    line_ends = np.flatnonzero(signs == ord("\n"))[1:]
    return np.append(0, np.searchsorted(starts, line_ends))


#: signs that give a line of trees its shape, and such as the reader of trees must see to
_OPEN, _CLOSE, _SPACE, _END, _ODD = range(1, 6)
_BY_SIGN = {"(": _OPEN, ")": _CLOSE, " ": _SPACE, "\n": _END} | dict.fromkeys("\t\r\f\v", _ODD)
_KINDS = bytes(_BY_SIGN.get(chr(sign), 0) for sign in range(256))
#: which sign may follow which: next to it, or with a text between
_NEXT = np.zeros((2, 6, 6), bool)
_PAIRS = 36
_NEXT[0, _CLOSE, [_CLOSE, _SPACE, _END]] = True
_NEXT[0, [_SPACE, _END], _OPEN] = True
_NEXT[1, _OPEN, _SPACE] = True
_NEXT[1, _SPACE, _CLOSE] = True
#: digits of the index of a word
_DIGITS = 3


def words_in_trees(text: str) -> Block | None:
    """The words of lines of discbracket; None if a line is no tree, or not written in the usual way."""
    raw = text.encode(*_ENCODING) + b"\n"
    signs: Bytes = np.frombuffer(raw, np.uint8)
    kinds: Bytes = np.frombuffer(raw.translate(_KINDS), np.uint8)
    places = np.flatnonzero(kinds != 0)
    kinds = kinds[places]
    pairs = (np.diff(places) > 1) * np.uint8(_PAIRS) + kinds[:-1] * np.uint8(6) + kinds[1:]
    if places[0] != 0 or kinds[0] != _OPEN or not _NEXT.ravel()[pairs].all():
        return None
    depths = np.cumsum((kinds == _OPEN).astype(np.int32) - (kinds == _CLOSE))
    at_ends = np.flatnonzero(kinds == _END)
    # Brackets are all closed where a line ends, and nowhere else: at the last of them, and at its end.
    if np.count_nonzero(depths <= 0) != 2 * len(at_ends) or depths[at_ends].any():
        return None
    at_words = np.flatnonzero((kinds[:-1] == _SPACE) & (kinds[1:] == _CLOSE))
    if not (kinds[at_words - 1] == _OPEN).all():
        return None
    starts, ends = places[at_words] + 1, places[at_words + 1]
    found = _indexes(signs, starts, ends)
    if found is None:
        return None
    indexes, starts = found
    counts = np.diff(np.searchsorted(at_words, at_ends), prepend=0)
    if not counts.all():
        return None
    order = _order(indexes, counts)
    if order is None:
        return None
    words = _joined(signs, starts[order], ends[order], np.cumsum(counts) - 1)
    return Block(words.replace(b"-LRB-", b"(").replace(b"-RRB-", b")") if b"RB-" in words else words)


def _indexes(signs: Bytes, starts: Places, ends: Places) -> tuple[Places, Places] | None:
    """The indexes of words, and where the words themselves begin; None if some are not so written."""
    indexes: Places = np.zeros(len(starts), np.intp)
    begins: Places = np.zeros(len(starts), np.intp)
    # Words that have had nothing but digits so far.
    left = np.arange(len(starts))
    for place in range(_DIGITS + 1):
        sign = signs[starts[left] + place]
        is_equals = sign == ord("=")
        begins[left[is_equals]] = starts[left[is_equals]] + place + 1
        left, sign = left[~is_equals], sign[~is_equals]
        if not ((sign >= ord("0")) & (sign <= ord("9"))).all():
            return None
        indexes[left] = 10 * indexes[left] + (sign - ord("0"))
        if not len(left):
            break
    # There is an index, and a word.
    is_sound = not len(left) and (begins > starts + 1).all() and (ends > begins).all()
    return (indexes, begins) if is_sound else None


def _order(indexes: Places, counts: Places) -> Places | None:
    """The words of lines in the order of their indexes; None if these are not those of all words of a line."""
    places = np.arange(len(indexes))
    bases = np.repeat(np.cumsum(counts) - counts, counts)
    at: Places = bases + indexes
    if (at == places).all():
        return places
    if (indexes >= np.repeat(counts, counts)).any():
        return None
    order = np.full(len(places), -1)
    order[at] = places
    return order if (order >= 0).all() else None


def _joined(signs: Bytes, starts: Places, ends: Places, lasts: Places) -> bytes:
    """Parts of a text one after the other, with blanks between them; those at ``lasts`` end a line."""
    sizes = ends - starts + 1
    begins = np.cumsum(sizes) - sizes
    places = np.repeat(starts - begins, sizes)
    places += np.arange(len(places))
    found = signs[places]
    found[begins + sizes - 1] = ord(" ")
    found[begins[lasts] + sizes[lasts] - 1] = ord("\n")
    return bytes(found[:-1])
