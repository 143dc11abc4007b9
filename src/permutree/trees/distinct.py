"""Which of many texts are the same, found out for all of them at once from their bytes.

A dictionary would be asked by Python for each text. Here arrays do it: a text of up to sixteen bytes is two whole
numbers. A table with a place for each hash of these says which text came there first, and the few texts that meet
another one there have their turn in the next round.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["ROOM", "distinct"]

#: bytes of a number, and so many must stand behind the last text
ROOM = 8

#: numbers to make hashes with, of each round; after the last one, a dictionary is asked
_FACTORS = (
    (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)),
    (np.uint64(0xD6E8FEB86659FD93), np.uint64(0xFF51AFD7ED558CCD)),
    (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)),
)
#: the first so many bytes of a number
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(ROOM + 1)], np.uint64)
#: no byte of UTF-8, so that no text ends like this
_NO_TEXT = np.uint64(0xFF << 8 * (ROOM - 1))

Places = npt.NDArray[np.intp]
Keys = npt.NDArray[np.uint64]


def distinct(raw: bytes, starts: Places, ends: Places) -> tuple[Places, Places]:
    """The texts that are not the same as one before, in order, and for each text which of these it is.

    Texts stand in the UTF-8 ``raw`` from ``starts`` to ``ends``, none is empty, and there is room behind the last.

    >>> raw = b"to be or not to be" + bytes(ROOM)
    >>> [found.tolist() for found in distinct(raw, np.array([0, 3, 6, 9, 13, 16]), np.array([2, 5, 8, 12, 15, 18]))]
    [[0, 1, 2, 3], [0, 1, 2, 3, 0, 1]]
    """
    same = _earliest(*_keys(raw, starts, ends), _FACTORS)
    is_first = same == np.arange(len(same))
    numbers = np.cumsum(is_first)
    numbers -= 1
    return np.flatnonzero(is_first), numbers[same]


def _keys(raw: bytes, starts: Places, ends: Places) -> tuple[Keys, Keys]:
    """Two numbers for each text: the same for texts that are the same, and for no others."""
    sizes = ends - starts
    if raw.find(0, 0, int(ends.max(initial=0))) >= 0:
        # Zeros are to say that there is nothing more.
        return np.zeros(len(starts), np.uint64), _numbers(_texts(raw, starts, ends))
    windows: Keys = np.ndarray((len(raw) - ROOM + 1,), "<u8", raw, 0, (1,))
    heads = windows[starts]
    heads &= _MASKS[np.minimum(sizes, ROOM)]
    rests = np.zeros(len(starts), np.uint64)
    longer = np.flatnonzero(sizes > ROOM)
    rests[longer] = windows[starts[longer] + ROOM] & _MASKS[np.minimum(sizes[longer] - ROOM, ROOM)]
    longest = longer[sizes[longer] > 2 * ROOM]
    if len(longest):
        rests[longest] = _numbers(_texts(raw, starts[longest], ends[longest])) | _NO_TEXT
    return heads, rests


def _texts(raw: bytes, starts: Places, ends: Places) -> list[bytes]:
    return [raw[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def _numbers(values: Sequence[object]) -> Keys:
    """A number for each value, the same for the same values."""
    number: defaultdict[object, int] = defaultdict()
    number.default_factory = number.__len__
    return np.fromiter(map(number.__getitem__, values), np.uint64, len(values))


def _earliest(heads: Keys, rests: Keys, rounds: Sequence[tuple[np.uint64, np.uint64]]) -> Places:
    """For each pair of numbers, the place of the first that is the same."""
    bits = max(1, len(heads).bit_length())
    if rounds:
        (of_heads, of_rests), *rounds = rounds
        hashes = ((heads * of_heads + rests * of_rests) >> np.uint64(64 - bits)).astype(np.intp)
    else:
        hashes = _numbers([*zip(heads.tolist(), rests.tolist(), strict=True)]).astype(np.intp)
    table = np.empty(1 << bits, np.intp)
    # Of several that come to one place, what comes last stays there.
    table[hashes[::-1].copy()] = np.arange(len(hashes))[::-1].copy()
    same = table[hashes]
    wrong = np.flatnonzero((heads[same] != heads) | (rests[same] != rests))
    if len(wrong):
        # None of those that are the same as one of these is elsewhere.
        same[wrong] = wrong[_earliest(heads[wrong], rests[wrong], rounds)]
    return same
