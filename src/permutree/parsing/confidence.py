"""The confidence of a parser in constituents.

It is the probability of the least probable of the labels that make a constituent: the levels before its first word and
at its last, which say that it begins and ends there, and levels and shared label behind its first child, which say that
it is one and what it is called; over a single word, the unary chain. Where the ends of constituents are looked for,
these count instead of levels: the most probable boundary with these ends, or, if none has them, how improbable what the
boundary behind the first child claims is; a whole sentence has no other ends. Where spans are scored with labels, it is
the probability of this label there. The arrangement does not count.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from permutree.parsing.engines import CLAIMS, ENDS, ENDS_SCORES, LABELS, ORDER, SURE, Values
from permutree.trees.batch import Ints, TreeBatch

__all__ = ["SCORED", "constituent_confidence"]

Floats = npt.NDArray[np.floating]

#: the heads whose scores count, as far as there are such
SCORED = ("levels", "shared", "unary")


def constituent_confidence(forest: TreeBatch, scores: Values) -> npt.NDArray[np.float32]:
    """The confidence in each constituent, from the scores of all labels, or from what an engine says of its choices."""
    # Labels that spans were scored with have their own probability.
    are_spans = LABELS in scores and CLAIMS not in scores
    bases = np.repeat(forest.word_offsets[:-1], np.diff(forest.word_offsets))
    rows = bases + forest.order
    if ORDER in scores:
        # Scores stand in the order of the predicted arrangement, which a tree may have other children first in.
        positions = np.empty(len(rows), np.int64)
        positions[bases + scores[ORDER]] = np.arange(len(rows))
        rows = positions[rows]
    unary = _best(scores, "unary")[rows]
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
    if ENDS in scores:
        claims = scores[CLAIMS if CLAIMS in scores else ENDS][rows]
        found = _by_ends(claims, scores[ENDS_SCORES][rows], bases, starts, ends, behind)
        if not are_spans:
            found[(starts == firsts) & (ends - 1 == lasts)] = 0
    else:
        levels = _best(scores, "levels")[rows]
        found = np.minimum(levels[behind], np.where(starts > firsts, levels[np.maximum(starts - 1, 0)], 0))
        found = np.minimum(found, np.where(ends - 1 < lasts, levels[ends - 1], 0))
    if not are_spans:
        found = np.minimum(found, _best(scores, "shared")[rows][behind])
    found = np.where(ends - starts == 1, unary[starts], found)
    sure: npt.NDArray[np.float32] = np.exp(found, dtype=np.float32)
    return np.minimum(sure, 1)


def _best(scores: Values, head: str) -> Floats:
    """The log-probability of the best value of a head in each row."""
    if head + SURE in scores:
        known: Floats = scores[head + SURE]
        return known
    table: Floats = scores[head]
    best: Floats = table.max(1)
    total: Floats = np.exp(table - best[:, None]).sum(1)
    return -np.log(total)


def _by_ends(claims: Ints, sure: Floats, bases: Ints, starts: Ints, ends: Ints, behind: Ints) -> Floats:
    """Log-probabilities of constituents by what boundaries claim: where theirs begins and ends."""
    size = len(claims) + 1
    places = starts.astype(np.int64) * size + ends
    claimed = (bases + claims[:, 0]).astype(np.int64) * size + (bases + claims[:, 1] + 1).astype(np.int64)
    order = np.argsort(places, kind="stable")
    found = np.full(len(places), -np.inf, np.float64)
    # Constituents over the same words stand side by side, the first of them for all.
    first = np.searchsorted(places[order], claimed)
    is_one = first < len(places)
    is_one[is_one] = places[order][first[is_one]] == claimed[is_one]
    np.maximum.at(found, first[is_one], sure[is_one])
    found = found[np.searchsorted(places[order], places)]
    others = np.log1p(-np.minimum(np.exp(sure), 1 - 1e-6))
    return np.where(np.isneginf(found), others[behind], found)
