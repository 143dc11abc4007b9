"""The levels of arrangements whose constituents are known by their ends.

Between two neighbours in an arrangement, the smallest constituent that holds both begins and ends somewhere. A labeller
that says where, for every boundary, says all constituents, but some may not go together: they cross, or one is smaller
and over the boundary of the other, which then is not the smallest there. So they are taken one by one, those that it
is most sure of first, and what does not go with those that were taken is left.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from permutree.model.batching import batches_by_size
from permutree.trees.batch import Ints

__all__ = ["levels_by_ends"]

#: places of a table that is worked on at once, padding included
_ROOM = 1 << 13


def levels_by_ends(firsts: Ints, lasts: Ints, sure: npt.NDArray[np.floating], offsets: Ints) -> Ints:
    """The levels of all positions: at least one, and none at the last position of each arrangement.

    ``firsts`` and ``lasts`` are, for the boundary behind each position, where its constituent begins and ends, counted
    in the sentence; ``sure`` is how sure that is.
    """
    levels: Ints = np.zeros(int(offsets[-1]), np.int32)
    lengths = np.diff(offsets).astype(np.int64)
    for sentences in batches_by_size(lengths, np.argsort(lengths, kind="stable"), _ROOM):
        starts = offsets[sentences].astype(np.int64)
        counts = offsets[sentences + 1] - starts - 1
        places = starts[:, None] + np.arange(int(counts.max(initial=0)))
        inside = places < (starts + counts)[:, None]
        places[~inside] = 0
        found = _take(firsts[places], lasts[places], np.where(inside, sure[places], -np.inf), counts)
        levels[places[inside]] = found[inside]
    return levels


def _take(firsts: Ints, lasts: Ints, sure: npt.NDArray[np.floating], counts: Ints) -> Ints:
    """The levels of a table of arrangements with so many boundaries each."""
    rows, boundaries = np.arange(len(counts)), np.arange(firsts.shape[1], dtype=np.int32)
    firsts = np.minimum(firsts, boundaries)
    lasts = np.clip(lasts, boundaries + 1, np.maximum(counts[:, None], boundaries + 1)).astype(np.int32)
    by_confidence = np.argsort(-sure, axis=1, kind="stable")
    # the smallest constituent over each boundary so far, which at first is the whole sentence
    begins = np.zeros(firsts.shape, np.int32)
    ends = np.broadcast_to(counts[:, None], firsts.shape).astype(np.int32)
    extents = ends.copy()
    # whose smallest constituent was taken
    is_settled = np.zeros(firsts.shape, bool)
    levels = np.ones(firsts.shape, np.int32)
    for boundary in by_confidence.T:
        first, last = firsts[rows, boundary], lasts[rows, boundary]
        extent = last - first
        # What is over the boundary before the first word must not end within, nor what is over that behind the last
        # begin there; if the smallest does not, none does.
        is_taken = boundary < counts
        is_taken &= (first == 0) | (ends[rows, first - 1] >= last)
        is_taken &= (last >= counts) | (begins[rows, np.minimum(last, len(boundaries) - 1)] <= first)
        is_over = (boundaries >= first[:, None]) & (boundaries < last[:, None])
        is_smallest = is_over & (extents > extent[:, None])
        is_taken &= ~(is_smallest & is_settled).any(1)
        is_settled[rows, boundary] |= is_taken
        is_smallest &= is_taken[:, None]
        # A constituent that was taken before is the smallest nowhere; any other is, between two of its children.
        levels += is_over & is_smallest.any(1)[:, None]
        np.copyto(begins, first[:, None], where=is_smallest)
        np.copyto(ends, last[:, None], where=is_smallest)
        np.copyto(extents, extent[:, None], where=is_smallest)
    return levels
