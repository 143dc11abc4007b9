"""Constituents by their ends: which of those that a labeller claims go together.

Between two neighbours in an arrangement, the smallest constituent that holds both begins and ends somewhere. A labeller
that says where, for every boundary, says all constituents, but some may not go together: they cross, or one is smaller
and over the boundary of the other, which then is not the smallest there. So they are taken one by one, the most
probable first, and what does not go with those that were taken is left.
"""

from __future__ import annotations

import numpy as np

from permutree.encoding.labels import Floats
from permutree.model.batching import batches_by_size
from permutree.trees.batch import Ints

__all__ = ["choose_spans"]

#: places of a table that is worked on at once, padding included
_ROOM = 1 << 13


def choose_spans(ends: Ints, scores: Floats, offsets: Ints) -> tuple[Ints, Ints]:
    """The smallest constituent over the boundary behind each position: its first position, and the one behind its last.

    ``ends`` are the claims [positions, 2], first and last position counted in the sentence, ``scores`` how probable
    each is. Results count over the whole batch, and mean nothing at the last position of a sentence.
    """
    starts: Ints = np.zeros(len(ends), np.int32)
    stops: Ints = np.zeros(len(ends), np.int32)
    lengths = np.diff(offsets).astype(np.int64)
    for sentences in batches_by_size(lengths, np.argsort(lengths, kind="stable"), _ROOM):
        bases = offsets[sentences].astype(np.int64)
        counts = offsets[sentences + 1] - bases - 1
        places = bases[:, None] + np.arange(int(counts.max(initial=0)))
        inside = places < (bases + counts)[:, None]
        places[~inside] = 0
        sure = np.where(inside, scores[places], -np.inf)
        begins, lasts = _take(ends[places, 0], ends[places, 1], sure, counts)
        starts[places[inside]] = (begins + bases[:, None])[inside]
        stops[places[inside]] = (lasts + bases[:, None])[inside] + 1
    return starts, stops


def _take(firsts: Ints, lasts: Ints, scores: Floats, counts: Ints) -> tuple[Ints, Ints]:
    """Where the smallest constituents over the boundaries of a table of arrangements begin and end."""
    rows, boundaries = np.arange(len(counts)), np.arange(firsts.shape[1], dtype=np.int32)
    firsts = np.clip(firsts, 0, boundaries)
    lasts = np.clip(lasts, boundaries + 1, np.maximum(counts[:, None], boundaries + 1)).astype(np.int32)
    by_score = np.argsort(-scores, axis=1, kind="stable")
    # the smallest constituent over each boundary so far, which at first is the whole sentence
    begins = np.zeros(firsts.shape, np.int32)
    ends = np.broadcast_to(counts[:, None], firsts.shape).astype(np.int32)
    extents = ends.copy()
    # whose smallest constituent was taken
    is_settled = np.zeros(firsts.shape, bool)
    for boundary in by_score.T:
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
        np.copyto(begins, first[:, None], where=is_smallest)
        np.copyto(ends, last[:, None], where=is_smallest)
        np.copyto(extents, extent[:, None], where=is_smallest)
    return begins, ends
