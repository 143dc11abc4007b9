"""Spans scored as spans: every pair of a first and a last position in the arrangement, with every label."""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812 - as everybody calls it
from torch import Tensor, nn

from permutree.networks.bilstm import SharedDropout
from permutree.networks.chart import best_tree

__all__ = ["SpanHead", "best_spans", "span_confidence"]

#: the score that all spans start with, as few are constituents
_RARE = -3.0


class SpanHead(nn.Module):
    """One hidden layer over the words at both ends of a span, inside and outside, then a layer for labels.

    A score says how much likelier the label is than no constituent, whose score is 0. The hidden layer is the sum of
    what each end contributes, or their product, which is biaffine attention of low rank.
    """

    def __init__(self, inputs: int, labels: int, *, units: int, dropout: float, kind: str = "sum") -> None:
        super().__init__()
        #: first words, words before them, last words, words behind them
        self.project = nn.Linear(inputs, 4 * units)
        self.label = nn.Linear(units, labels)
        nn.init.constant_(self.label.bias, _RARE)
        self.dropout = SharedDropout(dropout)
        self.is_product = kind == "product"

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """States [B, T, inputs] in the order of the arrangement to scores of spans, first and last, [B, T, T, labels].

        What stands where the last position is not behind the first means nothing.
        """
        both = self.put_together(self.project(states), mask)
        # Scores are summed over trees: too many for half precision.
        with torch.autocast(states.device.type, enabled=False):
            scores: Tensor = self.label(both.float())
        return scores

    def put_together(self, projected: Tensor, mask: Tensor) -> Tensor:
        """The hidden layer [B, T, T, units], by what all words may contribute [B, T, 4 · units]."""
        first, before, last, behind = (projected * mask[:, :, None]).chunk(4, 2)
        first = first + F.pad(before, (0, 0, 1, 0))[:, :-1]
        last = last + F.pad(behind, (0, 0, 0, 1))[:, 1:]
        if self.is_product:
            return self.dropout(F.gelu(first))[:, :, None] * self.dropout(F.gelu(last))[:, None]
        both = (first[:, :, None] + last[:, None]).relu()
        dropped: Tensor = self.dropout(both.flatten(1, 2))
        return dropped.view_as(both)


def best_spans(scores: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """The best trees by the scores of spans [B, T, T, labels], as the smallest constituents over all boundaries.

    For the boundary behind each position: first and last position [B, T, 2], and label [B, T].
    """
    best, labels = scores.float().max(3)
    size = scores.shape[1]
    places = torch.arange(size, device=scores.device)
    keys = (places - places[:, None]) * size + places[:, None]
    keys = torch.where(best_tree(best, lengths), keys, size * size)
    # The shortest span that begins here or before, and ends there or behind.
    smallest = keys.cummin(1).values.flip(2).cummin(2).values.flip(2).diagonal(1, 1, 2)
    smallest = F.pad(smallest.remainder(size * size), (0, 1))
    first = smallest % size
    last = first + smallest // size
    return torch.stack([first, last], 2).int(), labels.flatten(1).gather(1, first * size + last).int()


def span_confidence(scores: Tensor, lengths: Tensor, ends: Tensor) -> Tensor:
    """The logarithm of the probability of the best label of each span among some [B, T, 2], by scores of all spans.

    It is among all labels and none; of a whole sentence, which is a constituent anyway, among all labels.
    """
    first, last = ends.long().unbind(2)
    at = (first * scores.shape[1] + last)[:, :, None].expand(-1, -1, scores.shape[3])
    chosen = scores.float().flatten(1, 2).gather(1, at)
    total = chosen.logsumexp(2)
    is_whole = last - first == lengths[:, None] - 1
    return chosen.amax(2) - torch.where(is_whole, total, F.softplus(total))
