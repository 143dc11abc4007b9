"""The symbols for levels, and how any sequence of them becomes levels that a tree can have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import Literal

import numpy as np
import numpy.typing as npt

from permutree.encoding.constituents import NOTHING
from permutree.encoding.permutations.base import parse_number
from permutree.trees.batch import Bools, Ints

__all__ = [
    "LevelKind",
    "LevelScale",
    "absolute_symbol",
    "is_written_absolutely",
    "parse_level",
    "resolve",
    "resolve_sentence",
]

#: How levels are written: relative to the position before; absolute; or mixed, which is relative but absolute where
#: levels fall steeply to near the root, as a labeller that sees the end of a clause knows where it is, but not how deep
#: it was.
LevelScale = Literal["relative", "absolute", "mixed"]
#: The highest level that is near the root, and the least fall that is steep.
NEAR_ROOT, STEEP = 3, 2
_ABSOLUTE = re.compile(r"([0-9]+)ROOT").fullmatch


class LevelKind(IntEnum):
    """What a symbol for levels says."""

    RELATIVE = 0
    ABSOLUTE = 1
    LAST = 2
    INVALID = 3


def is_written_absolutely(levels: Ints, steps: Ints) -> Bools:
    """Which levels the mixed scale writes as absolute levels."""
    return (levels <= NEAR_ROOT) & (steps <= -STEEP)


def absolute_symbol(level: int) -> str:
    """The symbol of an absolute level among relative ones."""
    return f"{level}ROOT"


def parse_level(text: str, *, absolute: bool) -> tuple[LevelKind, int]:
    """The meaning of a symbol. ``1ROOT`` is one level, whatever came before, even among relative ones.

    >>> parse_level("-2", absolute=False), parse_level("_", absolute=False), parse_level("1ROOT", absolute=False)
    ((<LevelKind.RELATIVE: 0>, -2), (<LevelKind.LAST: 2>, 0), (<LevelKind.ABSOLUTE: 1>, 1))
    """
    if text == NOTHING:
        return LevelKind.LAST, 0
    number = parse_number(text)
    if number is not None:
        return (LevelKind.ABSOLUTE if absolute else LevelKind.RELATIVE), number
    match = _ABSOLUTE(text)
    if match:
        return LevelKind.ABSOLUTE, parse_number(match[1]) or 0
    return LevelKind.INVALID, 0


def resolve(kinds: npt.NDArray[np.int8], numbers: Ints, offsets: Ints) -> tuple[Ints, Bools | None]:
    """The levels of all positions of the arrangements, and which of them had to be raised to one (None: none).

    Relative numbers add to the level before; an absolute one starts anew; a symbol that says nothing, or one that
    belongs at the last word, stands for one level. A level below one is one, and the next counts from there.
    """
    size = len(kinds)
    ends = offsets[1:] - 1
    numbers = numbers.astype(np.int64)
    is_anew = kinds != LevelKind.RELATIVE
    is_anew[ends] = False
    numbers[ends] = 0
    if is_anew.any():
        numbers[is_anew & (kinds != LevelKind.ABSOLUTE)] = 1
        is_anew[offsets[:-1]] = True
        firsts = np.maximum.accumulate(np.where(is_anew, np.arange(size), 0))
    else:
        firsts = np.repeat(offsets[:-1], np.diff(offsets))
    total = np.cumsum(numbers)
    levels = total - (total - numbers)[firsts]
    is_low = levels < 1
    is_low[ends] = False
    levels[ends] = 0
    if not is_low.any():
        return levels.astype(np.int32), None
    # Clipping step by step adds to each level the deepest fall below one so far, in the stretch since the last start.
    deficits = np.maximum(1 - levels, 0)
    deficits[ends] = 0
    step = int(deficits.max()) + 1
    stretch = np.cumsum(np.bincount(np.unique(firsts), minlength=size)) * step
    deepest = np.maximum.accumulate(deficits + stretch) - stretch
    raised = np.diff(deepest, prepend=0)
    raised[firsts == np.arange(size)] = deepest[firsts == np.arange(size)]
    levels += deepest
    levels[ends] = 0
    raised[ends] = 0
    return levels.astype(np.int32), raised > 0


def resolve_sentence(
    kinds: list[int], numbers: list[int], ranked: Callable[[int], Iterable[tuple[int, int]]]
) -> list[int]:
    """The levels of one arrangement, with the best symbol that is possible wherever one is not."""
    levels = []
    level = 0
    for position in range(len(kinds) - 1):
        choice = _possible(kinds[position], numbers[position], level)
        if choice is None:
            choices = (_possible(kind, number, level) for kind, number in ranked(position))
            choice = next((level for level in choices if level is not None), 1)
        level = choice
        levels.append(level)
    levels.append(0)
    return levels


def _possible(kind: int, number: int, level: int) -> int | None:
    if kind == LevelKind.RELATIVE:
        number += level
    elif kind != LevelKind.ABSOLUTE:
        return None
    return number if number >= 1 else None


def compress(levels: list[int]) -> list[int]:
    """Levels of these constituents without unused levels between them.

    >>> compress([900, 7, 900, 0])
    [2, 1, 2, 0]
    """
    ranks = {level: rank for rank, level in enumerate(sorted({0, *levels}))}
    return [ranks[level] for level in levels]
