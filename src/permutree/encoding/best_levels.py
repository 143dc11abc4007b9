"""The best levels of whole arrangements, where a labeller says both how levels change and how high they are.

Relative levels are easy to predict but add up: after one mistake, all that follows is too high or too low. Levels as
they are do not add up but are harder to tell. The best sequence by both is found step by step (Viterbi): the state is
the level, and each word scores its own level and, above all, the step from the level before.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from permutree.encoding.levels import LevelKind, LevelScale, is_written_absolutely
from permutree.trees.batch import Ints

__all__ = ["TRUST", "best_levels", "step_columns"]

Floats = npt.NDArray[np.floating]

#: the score of a step that the vocabulary has no symbol for: bad, but no worse than that, as there must be some way
_UNHEARD_OF = -20.0
#: how much a level as it is counts beside a step: labellers are less often right about it than they think
TRUST = 0.25
#: numbers that are worked on at once
_ROOM = 1 << 18


def step_columns(kinds: npt.NDArray[np.int8], numbers: Ints, depth: int, scale: LevelScale) -> Ints:
    """Which symbol says each step, from a level (row) to a level (column) of at most ``depth``; -1 where none does."""
    before, after = np.indices((depth + 1, depth + 1), np.int32)
    steps = after - before
    is_absolute = np.full(steps.shape, scale == "absolute")
    if scale == "mixed":
        is_absolute = is_written_absolutely(after, steps)
    columns = np.full(steps.shape, -1, np.int32)
    # Of symbols that say the same, the first counts.
    for column in reversed(range(len(kinds))):
        if kinds[column] == LevelKind.RELATIVE:
            columns[~is_absolute & (steps == numbers[column])] = column
        elif kinds[column] == LevelKind.ABSOLUTE:
            columns[is_absolute & (after == numbers[column])] = column
    return columns


def best_levels(levels: Ints, symbols: Floats, depths: Floats, columns: Ints, offsets: Ints) -> Ints:
    """The best levels of all positions: at least one, and none at the last position of each arrangement.

    ``levels`` are those that the best symbols say; where these are also the best as they are, nothing is better.
    ``symbols`` are the scores of the symbols for levels, ``depths`` those of levels as they are, from 0 on, both by
    position, sentences one after the other.
    """
    highest = min(len(columns), depths.shape[1]) - 1
    columns = np.ascontiguousarray(columns[: highest + 1, : highest + 1])
    is_agreed = levels == depths.argmax(1)
    is_agreed[offsets[1:] - 1] = True
    lengths = np.diff(offsets) - 1
    doubtful = np.flatnonzero(~np.logical_and.reduceat(is_agreed, offsets[:-1]) & (lengths > 0))
    doubtful = doubtful[np.argsort(lengths[doubtful], kind="stable")]
    # One column more for what no symbol says.
    known = np.full((len(symbols), symbols.shape[1] + 1), _UNHEARD_OF, np.float32)
    np.maximum(symbols, _UNHEARD_OF, out=known[:, :-1])
    own = np.maximum(TRUST * depths[:, : highest + 1], _UNHEARD_OF).astype(np.float32)
    # No level below one.
    own[:, 0] = -np.inf
    best = levels.copy()
    size = max(1, _ROOM // columns.size)
    for first in range(0, len(doubtful), size):
        batch = doubtful[first : first + size]
        _decode(known, own, columns, offsets[batch], lengths[batch], best)
    return best


def _decode(known: Floats, own: Floats, columns: Ints, starts: Ints, lengths: Ints, levels: Ints) -> None:
    """Find the levels of some arrangements, which come from short to long, in step."""
    places = starts.astype(np.int64)
    # From all levels before to each level, as the last of a row is found fastest.
    steps = columns.T.ravel()
    total = known[places][:, columns[0]] + own[places]
    longest = int(lengths[-1])
    back = np.zeros((longest, *total.shape), np.int32)
    for step in range(1, longest):
        going = int(np.searchsorted(lengths, step, side="right"))
        here = places[going:] + step
        ways = known[here].take(steps, 1).reshape(len(here), *columns.shape)
        ways += total[going:, None, :]
        back[step, going:] = ways.argmax(2)
        total[going:] = ways.max(2) + own[here]
    state = total.argmax(1)
    rows = np.arange(len(lengths))
    for step in range(longest - 1, -1, -1):
        going = int(np.searchsorted(lengths, step, side="right"))
        levels[places[going:] + step] = state[going:]
        state[going:] = back[step, rows[going:], state[going:]]
