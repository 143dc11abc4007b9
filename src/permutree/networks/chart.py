"""Charts over spans: the sum over all trees of an arrangement, and the best of them, for a batch at once.

A tree is a set of spans of two positions or more that do not cross, the whole sentence among them; its score is the sum
of theirs. Constituents may have any number of children: a span that is none is a step on the way, with a score of 0.
Every tree is made in one way only, its children being taken from the left: ``begins`` are constituents (or words) by
their first position, ``rests`` are one or more of them side by side by their last position.

    inner[i, j]  = sum over k of begins[i, k] · rests[k + 1, j]         two children or more
    begins[i, j] = inner[i, j] · score[i, j]
    rests[i, j]  = inner[i, j] · (score[i, j] + 1)

There is a loop over lengths of spans, and none over sentences or positions. Scores are logarithms; with the maximum in
the place of the sum, the same gives the best tree.
"""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 - as everybody calls it
from torch import Tensor

__all__ = ["best_score", "best_tree", "span_probabilities", "total_score"]


def total_score(scores: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """The logarithm of the sum over all trees [B], by the scores of spans [B, T, T], first and last position.

    Also how probable it is that each span is part of the tree [B, T, T]: that is the gradient of the sum.
    """
    total, probabilities = _Chart.apply(scores.float(), lengths, False)  # type: ignore[no-untyped-call]
    return total, probabilities


def best_score(scores: Tensor, lengths: Tensor) -> Tensor:
    """The score of the best tree [B]. Its gradient is 1 for the spans of that tree, and 0 for all others."""
    best: Tensor = _Chart.apply(scores.float(), lengths, True)[0]  # type: ignore[no-untyped-call]
    return best


def best_tree(scores: Tensor, lengths: Tensor) -> Tensor:
    """The spans of the best tree [B, T, T], true or false."""
    scores = scores.float()
    return _trace(scores, lengths, *_fill(scores, is_best=True), is_best=True) > 0


def span_probabilities(scores: Tensor, lengths: Tensor) -> Tensor:
    """How probable it is that each span is part of the tree [B, T, T]."""
    scores = scores.float()
    return _trace(scores, lengths, *_fill(scores, is_best=False), is_best=False)


class _Chart(torch.autograd.Function):
    """A chart from the shortest spans to the longest, then for gradients from the longest to the shortest.

    A sentence's gradients are the same but for a factor, whatever its score is used for, so they are known at once.
    """

    @staticmethod
    def forward(context: Any, scores: Tensor, lengths: Tensor, is_best: bool) -> tuple[Tensor, Tensor]:
        begins, rests, inner = _fill(scores, is_best=is_best)
        gradients = _trace(scores, lengths, begins, rests, inner, is_best=is_best)
        context.save_for_backward(gradients)
        context.mark_non_differentiable(gradients)
        rows = torch.arange(len(lengths), device=scores.device)
        return begins[rows, 0, lengths - 1], gradients

    @staticmethod
    def backward(context: Any, given: Tensor, _: Tensor) -> tuple[Tensor, None, None]:
        (gradients,) = context.saved_tensors
        return given[:, None, None] * gradients, None, None


def _fill(scores: Tensor, *, is_best: bool) -> tuple[Tensor, Tensor, Tensor]:
    """The tables of a chart [B, T, T]: constituents, rests, and what is inside a span.

    They go by first position and length, which counts backwards and by last position for rests: so what is added for a
    span stands in two slices, side by side.
    """
    size = scores.shape[1]
    begins, rests, inner = (torch.zeros_like(scores) for _ in range(3))
    for length in range(2, size + 1):
        count = size - length + 1
        both = begins[:, :count, : length - 1] + rests[:, length - 1 :, count:]
        inside = both.amax(2) if is_best else both.logsumexp(2)
        score = scores.diagonal(length - 1, 1, 2)
        inner[:, :count, length - 1] = inside
        begins[:, :count, length - 1] = inside + score
        rests[:, length - 1 :, count - 1] = inside + (score.relu() if is_best else F.softplus(score))
    return begins, rests, inner


def _trace(scores: Tensor, lengths: Tensor, begins: Tensor, rests: Tensor, inner: Tensor, *, is_best: bool) -> Tensor:
    """The gradients of scores [B, T, T], for whole sentences."""
    size = scores.shape[1]
    of_scores, of_begins, of_rests = (torch.zeros_like(scores) for _ in range(3))
    of_begins[torch.arange(len(lengths), device=scores.device), 0, lengths - 1] = 1.0
    for length in range(size, 1, -1):
        count = size - length + 1
        begin, rest = of_begins[:, :count, length - 1], of_rests[:, length - 1 :, count - 1]
        score = scores.diagonal(length - 1, 1, 2)
        of_scores.diagonal(length - 1, 1, 2).copy_(begin + rest * ((score > 0) if is_best else score.sigmoid()))
        both = begins[:, :count, : length - 1] + rests[:, length - 1 :, count:]
        if is_best:
            shares = torch.zeros_like(both).scatter_(2, both.argmax(2, keepdim=True), 1.0)
        else:
            shares = (both - inner[:, :count, length - 1, None]).exp()
        shares = shares * (begin + rest)[:, :, None]
        of_begins[:, :count, : length - 1] += shares
        of_rests[:, length - 1 :, count:] += shares
    return of_scores
