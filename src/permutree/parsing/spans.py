"""Constituents by their ends: which of those that a labeller claims go together.

Between two neighbours in an arrangement, the smallest constituent that holds both begins and ends somewhere. A labeller
that says where, for every boundary, says all constituents, but some may not go together: they cross, or one is smaller
and over the boundary of the other, which then is not the smallest there. So they are taken one by one, the most
probable first, and what does not go with those that were taken is left. Where all claims of a sentence go together,
which is seen at once, they are its constituents.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from permutree.encoding.labels import Floats
from permutree.model.batching import batches_by_size
from permutree.trees.batch import Bools, Ints

__all__ = ["choose_spans"]

#: places of a table that is worked on at once, padding included
_ROOM = 1 << 13

#: positions in a sentence, in as few bytes as will do
Small = npt.NDArray[np.integer]


def choose_spans(ends: Ints, scores: Floats, offsets: Ints) -> tuple[Ints, Ints]:
    """The smallest constituent over the boundary behind each position: its first position, and the one behind its last.

    ``ends`` are the claims [positions, 2], first and last position counted in the sentence, ``scores`` how probable
    each is. Results count over the whole batch, and mean nothing at the last position of a sentence.
    """
    lengths = np.diff(offsets).astype(np.int64)
    positions = np.arange(len(ends), dtype=np.int32)
    bases, finals = np.repeat(offsets[:-1], lengths), np.repeat(offsets[1:] - 1, lengths)
    # At the last position there is no boundary, and so nothing that could cross it.
    firsts: Ints = np.clip(bases + ends[:, 0], bases, positions)
    lasts: Ints = np.clip(bases + ends[:, 1], np.minimum(positions + 1, finals), finals)
    stops: Ints = lasts + np.int32(1)
    chosen = np.flatnonzero(_sentences(_is_odd(firsts, lasts, bases, finals), offsets))
    for group in batches_by_size(lengths[chosen], np.argsort(lengths[chosen], kind="stable"), _ROOM):
        sentences = chosen[group]
        firsts_at = offsets[sentences].astype(np.int64)
        counts = lengths[sentences] - 1
        places = firsts_at[:, None] + np.arange(int(counts.max(initial=0)))
        inside = places < (firsts_at + counts)[:, None]
        places[~inside] = 0
        sure = np.where(inside, scores[places], -np.inf)
        begins, ends_at = _take(ends[places, 0], ends[places, 1], sure, counts)
        firsts[places[inside]] = (begins + firsts_at[:, None])[inside]
        stops[places[inside]] = (ends_at + firsts_at[:, None])[inside] + 1
    return firsts, stops


def _sentences(is_odd: Bools, offsets: Ints) -> Bools:
    """Which sentences have a position of these."""
    return np.logical_or.reduceat(is_odd, offsets[:-1]) if len(is_odd) else np.zeros(0, bool)


def _is_odd(firsts: Ints, lasts: Ints, bases: Ints, finals: Ints) -> Bools:
    """Which claims do not go with another one; where a sentence has none, all are the smallest constituents.

    Then what is claimed over every boundary inside a constituent lies inside it, and what is over the boundary before
    it ends no sooner. Positions count over the whole batch.
    """
    sizes = lasts - firsts
    steps = np.frexp(np.maximum(sizes, 1))[1] - 1
    # Least starts and greatest ends of as many boundaries as each power of two, from each on.
    least, greatest = [firsts], [lasts]
    for step in range(int(steps.max(initial=0))):
        width = 1 << step
        least.append(np.minimum(least[-1], _ahead(least[-1], width)))
        greatest.append(np.maximum(greatest[-1], _ahead(greatest[-1], width)))
    count = len(firsts)
    left = steps * count + firsts
    right = steps * count + lasts - (1 << steps)
    starts, ends = np.concatenate(least), np.concatenate(greatest)
    is_odd: Bools = np.minimum(starts[left], starts[right]) < firsts
    is_odd |= np.maximum(ends[left], ends[right]) > lasts
    is_odd |= (firsts > bases) & (lasts[firsts - 1] < lasts)
    is_odd[finals] = False
    return is_odd


def _ahead(values: Ints, width: int) -> Ints:
    """What stands so many places further on; at the end, the last value."""
    return np.concatenate([values[width:], np.repeat(values[-1:], min(width, len(values)))])


def _take(firsts: Ints, lasts: Ints, scores: Floats, counts: npt.NDArray[np.int64]) -> tuple[Ints, Ints]:
    """Where the smallest constituents over the boundaries of a table of arrangements begin and end.

    Claims that go with all others are taken at once, the rest one by one.
    """
    width = firsts.shape[1]
    numbers: Small = np.arange(width).astype(np.int16 if width < 1 << 15 else np.int32)
    sizes = counts.astype(numbers.dtype)[:, None]
    is_boundary = numbers < sizes
    starts: Small = np.where(is_boundary, np.clip(firsts, 0, numbers), -1).astype(numbers.dtype)
    lasts = np.clip(lasts, numbers + 1, np.maximum(sizes, numbers + 1))
    stops: Small = np.where(is_boundary, lasts, -1).astype(numbers.dtype)
    # Of each claim (second dimension), the boundaries that it is over.
    is_over = (starts[:, :, None] <= numbers) & (numbers < stops[:, :, None])
    is_against = _conflicts(starts, stops, is_over)
    # The smallest constituent over each boundary so far, by extent and start; at first, the whole sentence.
    size: Any = np.uint16 if width < 255 else np.int32 if width < 1 << 15 else np.int64
    keys: Small = (stops - starts).astype(size) * size(width + 1) + starts.astype(size)
    keys[is_against | ~is_boundary] = np.iinfo(keys.dtype).max
    whole = (counts * (width + 1)).astype(keys.dtype)[:, None]
    least = np.minimum(np.where(is_over, keys[:, :, None], whole[:, :, None]).min(1), whole)
    extents, begins = (part.astype(numbers.dtype) for part in np.divmod(least, width + 1))
    # Those with many such claims first, so that the ones that have a second, a third and so on come before the others.
    left = np.count_nonzero(is_against, axis=1)
    rows = np.argsort(-left, kind="stable")
    by_score = np.argsort(np.where(is_against, -scores, np.inf), axis=1, kind="stable")[rows]
    is_settled = is_boundary & ~is_against
    state = _State(begins[rows], (begins + extents)[rows], is_settled[rows], counts[rows], numbers)
    left = left[rows]
    for nth in range(int(left.max(initial=0))):
        count = np.count_nonzero(left > nth)
        boundary, here = by_score[:count, nth], rows[:count]
        state.take(boundary, starts[here, boundary], stops[here, boundary])
    found = np.empty((2, *begins.shape), np.int32)
    found[:, rows] = state.begins, state.ends
    return found[0], found[1]


def _conflicts(firsts: Small, lasts: Small, is_over: Bools) -> Bools:
    """Which claims do not go with some other: they cross, or one is smaller and over the boundary of the other."""
    others_first, others_last = firsts[:, None, :], lasts[:, None, :]
    first, last = firsts[:, :, None], lasts[:, :, None]
    is_against = (others_first < first) | (others_last > last)
    is_against &= is_over
    is_against |= (first < others_first) & (others_first <= last) & (last < others_last)
    found: Bools = np.logical_or(is_against.any(1), is_against.any(2))
    return found


class _State:
    """The smallest constituents over boundaries so far, and at which of these what is claimed there was taken."""

    def __init__(
        self, begins: Small, ends: Small, is_settled: Bools, counts: npt.NDArray[np.int64], numbers: Small
    ) -> None:
        self.begins, self.ends, self.is_settled, self.counts, self.numbers = begins, ends, is_settled, counts, numbers
        self.extents = ends - begins

    def take(self, boundary: npt.NDArray[np.intp], first: Small, last: Small) -> None:
        """Take the claim of a boundary of each of the first rows, if it goes with what was taken there."""
        count = len(boundary)
        rows, extent = np.arange(count), last - first
        begins, ends, extents = self.begins[:count], self.ends[:count], self.extents[:count]
        # What is over the boundary before the first word must not end within, nor what is over that behind the last
        # begin there; if the smallest does not, none does.
        is_taken: Bools = np.asarray(ends[rows, first - 1] >= last)
        is_taken[first == 0] = True
        behind = np.minimum(last, len(self.numbers) - 1)
        is_taken &= (last >= self.counts[:count]) | (begins[rows, behind] <= first)
        is_smallest = (self.numbers >= first[:, None]) & (self.numbers < last[:, None])
        is_smallest &= extents > extent[:, None]
        is_taken &= ~(is_smallest & self.is_settled[:count]).any(1)
        self.is_settled[rows, boundary] |= is_taken
        is_smallest &= is_taken[:, None]
        np.copyto(begins, first[:, None], where=is_smallest)
        np.copyto(ends, last[:, None], where=is_smallest)
        np.copyto(extents, extent[:, None], where=is_smallest)
