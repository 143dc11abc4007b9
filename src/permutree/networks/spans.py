"""Spans scored as spans: every pair of a first and a last position in the arrangement, with every label."""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812 - as everybody calls it
from torch import Tensor, nn

from permutree.model.config import RereadConfig
from permutree.networks.bilstm import SharedDropout
from permutree.networks.chart import best_tree, span_probabilities

__all__ = ["SpanHead"]

#: the score that all spans start with, as few are constituents
_RARE = -3.0


class SpanHead(nn.Module):
    """One hidden layer over the words at both ends of a span, inside and outside, then a layer for labels.

    A score says how much likelier the label is than no constituent, whose score is 0. The hidden layer is the sum of
    what each end contributes, or their product, which is biaffine attention of low rank.

    The best tree is the one whose constituents have the highest sum of probabilities, each less a threshold: so it has
    the most constituents that are right, as far as that is known, not the highest probability as a whole.
    """

    def __init__(self, inputs: int, labels: int, config: RereadConfig, *, dropout: float) -> None:
        super().__init__()
        #: first words, words before them, last words, words behind them
        self.project = nn.Linear(inputs, 4 * config.spans)
        self.label = nn.Linear(config.spans, labels)
        nn.init.constant_(self.label.bias, _RARE)
        self.dropout = SharedDropout(dropout)
        self.is_product = config.span_kind == "product"
        self.loss, self.threshold = config.span_loss, config.threshold

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
            product: Tensor = self.dropout(F.gelu(first))[:, :, None] * self.dropout(F.gelu(last))[:, None]
            return product
        both = (first[:, :, None] + last[:, None]).relu()
        dropped: Tensor = self.dropout(both.flatten(1, 2))
        return dropped.view_as(both)

    def probabilities(self, scores: Tensor, lengths: Tensor) -> Tensor:
        """How probable constituents with the best label are [B, T, T], by the scores of spans [B, T, T, labels]."""
        best, total = scores.amax(3), scores.logsumexp(3)
        if self.loss == "crf":
            return span_probabilities(total, lengths) * (best - total).exp()
        return (best - F.softplus(total)).exp()

    def choose(self, scores: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The best trees by the scores of spans [B, T, T, labels], as the smallest constituents over all boundaries.

        For the boundary behind each position: first and last position [B, T, 2], label [B, T], and the logarithm of the
        probability of such a constituent [B, T].
        """
        scores = scores.float()
        best, labels = scores.max(3)
        sure = self.probabilities(scores, lengths)
        is_span = best_tree(best if self.loss == "margin" else sure - self.threshold, lengths)
        ends = _smallest(is_span)
        at = ends[:, :, 0] * scores.shape[1] + ends[:, :, 1]
        chosen = sure.flatten(1).gather(1, at)
        return ends.int(), labels.flatten(1).gather(1, at).int(), chosen.clamp(min=1e-30).log()


def _smallest(is_span: Tensor) -> Tensor:
    """First and last position [B, T, 2] of the smallest span over the boundary behind each position."""
    size = is_span.shape[1]
    places = torch.arange(size, device=is_span.device)
    keys = (places - places[:, None]) * size + places[:, None]
    keys = torch.where(is_span, keys, size * size)
    # The shortest span that begins here or before, and ends there or behind.
    smallest = keys.cummin(1).values.flip(2).cummin(2).values.flip(2).diagonal(1, 1, 2)
    smallest = F.pad(smallest.remainder(size * size), (0, 1))
    first = smallest % size
    return torch.stack([first, first + smallest // size], 2)
