"""The best tree by the scores of spans, and how probable each span is, for a batch at once, without PyTorch.

It is the chart of :mod:`permutree.networks.chart`, which says how it works: a span that is no constituent has a score
of 0, and there is a loop over lengths of spans alone.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from permutree.trees.batch import Bools, Ints

__all__ = ["best_tree", "smallest_spans", "span_probabilities"]

Floats = npt.NDArray[np.float32]


def best_tree(scores: Floats, lengths: npt.NDArray[np.integer]) -> Bools:
    """The spans of the best tree [B, T, T], true or false, by the scores of spans, first and last position."""
    begins, rests = _fill(scores)
    batch, size, _ = scores.shape
    found: Bools = np.zeros(scores.shape, bool)
    # What is looked for, by first position and length: constituents, and other sequences of them.
    is_begin, is_rest = (np.zeros((batch, size, size + 1), bool) for _ in range(2))
    is_begin[np.arange(batch), 0, lengths] = True
    for length in range(size, 1, -1):
        rows, firsts = np.nonzero(is_begin[:, :, length] | is_rest[:, :, length])
        if not len(rows):
            continue
        lasts = firsts + length - 1
        found[rows, firsts, lasts] = is_begin[rows, firsts, length] | (scores[rows, firsts, lasts] > 0)
        both = begins[rows, firsts, : length - 1] + rests[rows, lasts, size - length + 1 :]
        shares = both.argmax(1) + 1
        is_begin[rows, firsts, shares] = True
        is_rest[rows, firsts + shares, length - shares] = True
    return found


def _fill(scores: Floats) -> tuple[Floats, Floats]:
    """The best constituents by first position and length, and the best sequences by last position and length.

    The lengths of the latter count backwards: so what is added for a span stands in two slices, side by side.
    """
    size = scores.shape[1]
    begins: Floats = np.zeros_like(scores)
    rests: Floats = np.zeros_like(scores)
    for length in range(2, size + 1):
        count = size - length + 1
        inside = (begins[:, :count, : length - 1] + rests[:, length - 1 :, count:]).max(2)
        score = scores.diagonal(length - 1, 1, 2)
        begins[:, :count, length - 1] = inside + score
        rests[:, length - 1 :, count - 1] = inside + np.maximum(score, 0)
    return begins, rests


def span_probabilities(scores: Floats, lengths: npt.NDArray[np.integer]) -> Floats:
    """How probable it is that each span is part of the tree [B, T, T]."""
    batch, size, _ = scores.shape
    # What is inside a span, and what all around it adds up to, in the same order as in tables of the best.
    begins, rests, of_begins, of_rests, found = (np.zeros_like(scores) for _ in range(5))
    positive = np.logaddexp(scores, np.float32(0))
    shares: list[Floats] = []
    for length in range(2, size + 1):
        count = size - length + 1
        both = begins[:, :count, : length - 1] + rests[:, length - 1 :, count:]
        most = both.max(2, keepdims=True)
        both = np.exp(both - most)
        total = both.sum(2, keepdims=True)
        both /= total
        shares.append(both)
        inside = (most + np.log(total))[:, :, 0]
        begins[:, :count, length - 1] = inside + scores.diagonal(length - 1, 1, 2)
        rests[:, length - 1 :, count - 1] = inside + positive.diagonal(length - 1, 1, 2)
    is_constituent = np.exp(scores - positive)
    of_begins[np.arange(batch), 0, lengths - 1] = 1
    for length in range(size, 1, -1):
        count = size - length + 1
        begin, rest = of_begins[:, :count, length - 1], of_rests[:, length - 1 :, count - 1]
        firsts = np.arange(count)
        found[:, firsts, firsts + length - 1] = begin + rest * is_constituent.diagonal(length - 1, 1, 2)
        given = shares.pop() * (begin + rest)[:, :, None]
        of_begins[:, :count, : length - 1] += given
        of_rests[:, length - 1 :, count:] += given
    return found


def smallest_spans(is_span: Bools) -> Ints:
    """First and last position [B, T, 2] of the smallest span over the boundary behind each position."""
    size = is_span.shape[1]
    places = np.arange(size, dtype=np.int32)
    keys = np.where(is_span, (places - places[:, None]) * size + places[:, None], size * size)
    # The shortest span that begins here or before, and ends there or behind.
    keys = np.minimum.accumulate(keys, axis=1)
    keys = np.minimum.accumulate(keys[:, :, ::-1], axis=2)[:, :, ::-1]
    smallest: Ints = np.zeros((len(keys), size), np.int32)
    smallest[:, :-1] = keys.diagonal(1, 1, 2) % (size * size)
    firsts = smallest % size
    return np.stack([firsts, firsts + smallest // size], 2)
