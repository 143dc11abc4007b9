"""Calibration: after training, what does not come out of the losses is set to where the dev scores are best.

The attention that chooses predecessors learns along with all else how likely NEXT is, the word just before. But a word
moved in vain does not cost as much as one that should have been moved, and how much each costs differs from treebank to
treebank. So NEXT is made likelier or less likely by what gives the best trees.

Where spans are scored, the probability that a constituent is taken from is set in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from permutree.networks.attention import PredecessorHead
from permutree.networks.labeller import Labeller
from permutree.networks.spans import SpanHead
from permutree.training.validation import Row

__all__ = ["SHIFTS", "THRESHOLDS", "calibrate", "calibrate_spans"]

#: what the score of NEXT may be raised by
SHIFTS = (-0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5)
#: the probabilities that constituents may be taken from
THRESHOLDS = (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)


@torch.no_grad()
def calibrate(labeller: Labeller, score: Callable[[], Row]) -> tuple[float, Row]:
    """Shift the score of NEXT to where the mean of F1 and discontinuous F1 is best; by how much, and the scores there.

    ``score`` says how good the labeller is now. A dev set has few discontinuous constituents, so what counts is how
    good a shift is together with those next to it. If two are as good, the one that shifts less is taken.
    """
    head = labeller.heads["permutation"]
    assert isinstance(head, PredecessorHead)
    learnt = head.next.item()
    rows = {}
    for shift in SHIFTS:
        head.next.fill_(learnt + shift)
        rows[shift] = score()
    smooth = _smooth([_mean(rows[shift]) for shift in SHIFTS])
    best, _ = max(zip(SHIFTS, smooth, strict=True), key=lambda one: (round(one[1], 6), -abs(one[0])))
    head.next.fill_(learnt + best)
    return best, rows[best]


def calibrate_spans(head: SpanHead, score: Callable[[], Row]) -> tuple[float, Row]:
    """Set the threshold of spans to where F1 is best; what that is, and the scores there.

    If two are as good, the lower one is taken.
    """
    rows = {}
    for head.threshold in THRESHOLDS:
        rows[head.threshold] = score()
    smooth = _smooth([float(rows[threshold]["f1"] or 0.0) for threshold in THRESHOLDS])
    head.threshold, _ = max(zip(THRESHOLDS, smooth, strict=True), key=lambda one: (round(one[1], 6), -one[0]))
    return head.threshold, rows[head.threshold]


def _smooth(values: Sequence[float]) -> list[float]:
    """Each value with those next to it, which count half as much."""
    near = [values[0], *values, values[-1]]
    return [(2 * value + before + after) / 4 for before, value, after in zip(near, values, near[2:], strict=False)]


def _mean(row: Row) -> float:
    f1, discontinuous = row["f1"] or 0.0, row["discontinuous f1"]
    return float(f1 if discontinuous is None else (f1 + discontinuous) / 2)
