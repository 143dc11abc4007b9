"""The losses that labellers are trained with."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import torch
import torch.nn.functional as F  # noqa: N812 - as everybody calls it
from torch import Tensor

from permutree.networks.chart import best_score, total_score
from permutree.networks.tensors import Constituents

__all__ = ["constituent_loss", "end_loss", "labelling_loss", "span_loss"]


def labelling_loss(
    scores: Mapping[str, Tensor], gold: Mapping[str, Tensor], weights: Mapping[str, float] = MappingProxyType({})
) -> Tensor:
    """The categorical cross-entropies of all heads, summed over heads and words; each has a weight of 1 or that given.

    Gold values [B, T] that are negative do not count: padding, and values that the vocabulary does not have.
    """
    losses = [
        weights.get(name, 1.0)
        * F.cross_entropy(scores[name].flatten(0, 1).float(), gold[name].flatten(), ignore_index=-1, reduction="sum")
        for name in gold
    ]
    return torch.stack(losses).sum()


def constituent_loss(scores: Mapping[str, Tensor], gold: Constituents) -> Tensor:
    """The cross-entropy of the labels that words give to constituents together, summed over constituents.

    The words at the boundaries that a constituent owns have one vote each, and so have its first and its last word.
    """
    shared, first, last = (scores[name].flatten(0, 1).float() for name in ("shared", "first", "last"))
    votes = first[gold.firsts] + last[gold.lasts]
    votes = votes.index_add(0, gold.owners, shared[gold.boundaries])
    return F.cross_entropy(votes, gold.values, ignore_index=-1, reduction="sum")


def end_loss(scores: Tensor, gold: Constituents) -> Tensor:
    """The cross-entropies of both ends of the constituents at all boundaries, summed; scores are [B, 2, T, T]."""
    ends = scores.transpose(1, 2).flatten(0, 1)[gold.boundaries].float()
    return F.cross_entropy(ends.flatten(0, 1), gold.ends.flatten(), reduction="sum")


def span_loss(scores: Tensor, gold: Constituents, lengths: Tensor, kind: str) -> Tensor:
    """The loss of the scores of spans [B, T, T, labels], summed over sentences.

    ``local``: the cross-entropy of every span by itself, among its labels and none. ``crf``: how improbable the gold
    tree is among all trees of the arrangement. ``margin``: how much better the best other tree is, where each wrong and
    each missing constituent counts 1 in its favour.
    """
    scores = scores.float()
    width, size = scores.shape[1], scores.shape[3]
    places = gold.firsts * width + gold.lasts % width
    true = scores.flatten(0, 2)[places]
    labels = gold.values.clamp(min=0)[:, None]
    # A label that the vocabulary does not have is as good as any.
    own = torch.where(gold.values < 0, true.logsumexp(1), true.gather(1, labels)[:, 0])
    if kind == "margin":
        costs = torch.ones_like(scores).flatten()
        costs[places * size + labels[:, 0]] = -1
        augmented = (scores + costs.view_as(scores)).amax(3)
        # What is not found has not been counted as missing yet.
        own = torch.zeros_like(scores[:, 0, 0, 0]).index_add(0, gold.firsts // width, own - 1)
        return (best_score(augmented, lengths) - own).relu().sum()
    spans = scores.logsumexp(3)
    if kind == "crf":
        return total_score(spans, lengths).sum() - own.sum()
    is_inside = torch.arange(width, device=scores.device) < lengths[:, None, None]
    return (F.softplus(spans).triu(1) * is_inside).sum() - own.sum()
