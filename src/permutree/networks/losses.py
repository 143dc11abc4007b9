"""The losses that labellers are trained with.

All of them can ask for agreement (Wu et al. 2021, "R-Drop"). Then a batch has every sentence twice, all sentences one
after the other and then once more in the same order. Dropout differs, and so do predictions: the first half is to agree
with the second, and the other way round. ``agreement`` is how much that counts beside true values. It is the
cross-entropy with what the other half predicts, which counts as known.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import torch
import torch.nn.functional as F  # noqa: N812 - as everybody calls it
from torch import Tensor

from permutree.networks.chart import best_score, total_score
from permutree.networks.tensors import Constituents

__all__ = ["constituent_loss", "end_loss", "labelling_loss", "span_loss"]

#: the least logarithm of a probability that is learnt from
_LEAST = -1e4


def labelling_loss(
    scores: Mapping[str, Tensor],
    gold: Mapping[str, Tensor],
    weights: Mapping[str, float] = MappingProxyType({}),
    *,
    agreement: float = 0.0,
) -> Tensor:
    """The categorical cross-entropies of all heads, summed over heads and words; each has a weight of 1 or that given.

    Gold values [B, T] that are negative do not count: padding, and values that the vocabulary does not have.
    """
    losses = [
        weights.get(name, 1.0) * _cross_entropy(scores[name].flatten(0, 1), gold[name].flatten(), agreement)
        for name in gold
    ]
    return torch.stack(losses).sum()


def constituent_loss(scores: Mapping[str, Tensor], gold: Constituents, *, agreement: float = 0.0) -> Tensor:
    """The cross-entropy of the labels that words give to constituents together, summed over constituents.

    The words at the boundaries that a constituent owns have one vote each, and so have its first and its last word.
    """
    shared, first, last = (scores[name].flatten(0, 1).float() for name in ("shared", "first", "last"))
    votes = first[gold.firsts] + last[gold.lasts]
    votes = votes.index_add(0, gold.owners, shared[gold.boundaries])
    return _cross_entropy(votes, gold.values, agreement)


def end_loss(scores: Tensor, gold: Constituents, *, agreement: float = 0.0) -> Tensor:
    """The cross-entropies of both ends of the constituents at all boundaries, summed; scores are [B, 2, T, T]."""
    ends = scores.transpose(1, 2).flatten(0, 1)[gold.boundaries]
    return _cross_entropy(ends.flatten(0, 1), gold.ends.flatten(), agreement)


def span_loss(scores: Tensor, gold: Constituents, lengths: Tensor, kind: str, *, agreement: float = 0.0) -> Tensor:
    """The loss of the scores of spans [B, T, T, labels], summed over sentences.

    ``local``: the cross-entropy of every span by itself, among its labels and none. ``crf``: how improbable the gold
    tree is among all trees of the arrangement. ``margin``: how much better the best other tree is, where each wrong and
    each missing constituent counts 1 in its favour; there are no probabilities to agree on.

    The score of a tree is the sum of those of its spans. So how improbable the trees of the other half are depends on
    the probabilities of their spans alone.
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
        totals, sure = total_score(spans, lengths)
    else:
        is_span = (torch.arange(width, device=scores.device) < lengths[:, None, None]).expand_as(spans).triu(1)
        totals, sure = F.softplus(spans) * is_span, spans.sigmoid() * is_span
    loss = totals.sum() - own.sum()
    if agreement:
        known = _swapped(sure[..., None] * (scores - spans[..., None]).exp())
        loss = loss + agreement * (totals.sum() - (known * scores).sum())
    return loss


def _cross_entropy(scores: Tensor, gold: Tensor, agreement: float) -> Tensor:
    """The cross-entropy of predictions [N, values] with gold values [N] that are not negative, and with each other."""
    logs = scores.float().log_softmax(1)
    loss = F.nll_loss(logs, gold, ignore_index=-1, reduction="sum")
    if agreement:
        # What is impossible has a logarithm of minus infinity.
        known = _swapped(logs.exp()) * (gold >= 0)[:, None]
        loss = loss - agreement * (known * logs.clamp(min=_LEAST)).sum()
    return loss


def _swapped(probabilities: Tensor) -> Tensor:
    """What the other half of a batch predicts, at the same places."""
    first, second = probabilities.detach().chunk(2)
    return torch.cat([second, first])
