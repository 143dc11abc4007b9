"""How sure a parser is of constituents.

A constituent is as sure as the least probable of the labels that make it: the levels before its first word and at its
last, which say that it begins and ends there, and levels and shared label behind its first child, which say that it is
one and what it is called; over a single word, the unary chain. Where the ends of constituents are looked for, these
count instead of levels: the surest boundary that has these ends, or, if none has, how unsure the boundary behind the
first child is of others; a whole sentence has no other ends. How sure the arrangement is does not count.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from permutree.parsing.engines import Values
from permutree.trees.batch import Ints, TreeBatch

__all__ = ["SCORED", "constituent_confidence"]

Floats = npt.NDArray[np.floating]

#: the heads whose log-probabilities count
SCORED = ("levels", "shared", "unary")


def constituent_confidence(forest: TreeBatch, scores: Values) -> npt.NDArray[np.float32]:
    """The confidence in each constituent, from the log-probabilities of all labels at all words."""
    bases = np.repeat(forest.word_offsets[:-1], np.diff(forest.word_offsets))
    at_words = bases + forest.order
    levels, shared, unary = (scores[name].max(1)[at_words] for name in SCORED)
    firsts = np.repeat(forest.word_offsets[:-1], np.diff(forest.node_offsets))
    lasts = np.repeat(forest.word_offsets[1:], np.diff(forest.node_offsets)) - 1
    starts, ends = forest.starts + firsts, forest.ends + firsts
    # Constituents over the same words are of one label, whose lowest knows the first child.
    numbers = np.arange(len(starts))
    is_upper = np.append((starts[1:] == starts[:-1]) & (ends[1:] == ends[:-1]), False)[: len(starts)]
    lowest = np.minimum.accumulate(np.where(is_upper, len(starts), numbers)[::-1])[::-1]
    below = np.minimum(lowest + 1, len(starts) - 1)
    has_child = (below > lowest) & (starts[below] == starts)
    behind = np.where(has_child, ends[below] - 1, starts)
    if "ends" in scores:
        found = _by_ends(scores["ends"][at_words], bases, starts, ends, behind)
        found[(starts == firsts) & (ends - 1 == lasts)] = 0
    else:
        found = np.minimum(levels[behind], np.where(starts > firsts, levels[np.maximum(starts - 1, 0)], 0))
        found = np.minimum(found, np.where(ends - 1 < lasts, levels[ends - 1], 0))
    found = np.minimum(found, shared[behind])
    found = np.where(ends - starts == 1, unary[starts], found)
    sure: npt.NDArray[np.float32] = np.exp(found, dtype=np.float32)
    return np.minimum(sure, 1)


def _by_ends(claims: Floats, bases: Ints, starts: Ints, ends: Ints, behind: Ints) -> Floats:
    """Log-probabilities of constituents by what boundaries claim: where theirs begins and ends, and how sure."""
    size = len(claims) + 1
    places = starts.astype(np.int64) * size + ends
    claimed = (bases + claims[:, 0]).astype(np.int64) * size + (bases + claims[:, 1] + 1).astype(np.int64)
    order = np.argsort(places, kind="stable")
    found = np.full(len(places), -np.inf, np.float64)
    # Constituents over the same words stand side by side, the first of them for all.
    first = np.searchsorted(places[order], claimed)
    is_one = first < len(places)
    is_one[is_one] = places[order][first[is_one]] == claimed[is_one]
    np.maximum.at(found, first[is_one], claims[is_one, 2])
    found = found[np.searchsorted(places[order], places)]
    others = np.log1p(-np.minimum(np.exp(claims[:, 2]), 1 - 1e-6))
    return np.where(np.isneginf(found), others[behind], found)
