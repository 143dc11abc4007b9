"""The losses that labellers are trained with.

All of them can ask for agreement (Wu et al. 2021, "R-Drop"). Then a batch has every sentence twice, all sentences one
after the other and then once more in the same order. Dropout differs, and so do predictions: the first half is to agree
with the second, and the other way round. ``agreement`` is how much that counts beside true values. It is the
cross-entropy with what the other half predicts, which counts as known.

They can also learn from teachers (Hinton et al. 2015): the cross-entropy with the mean of what these predict for the
same sentences counts, too, for all heads that they have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import torch
import torch.nn.functional as F  # noqa: N812 - as everybody calls it
from torch import Tensor

from permutree.model.folder import SPANS
from permutree.networks.chart import best_score, total_score
from permutree.networks.reread import ENDS
from permutree.networks.tensors import Constituents

__all__ = ["Taught", "constituent_loss", "end_loss", "labelling_loss", "span_loss"]

#: the least logarithm of a probability that is learnt from
_LEAST = -1e4


@dataclass(frozen=True, slots=True)
class Taught:
    """The scores of teachers, by head, and how much it counts that the mean of their probabilities is predicted."""

    teachers: Sequence[Mapping[str, Tensor]] = ()
    weight: float = 0.0

    def having(self, *heads: str) -> Sequence[Mapping[str, Tensor]]:
        """The teachers that have one of these heads."""
        return [scores for scores in self.teachers if not scores.keys().isdisjoint(heads)]


_UNTAUGHT = Taught()


def labelling_loss(
    scores: Mapping[str, Tensor],
    gold: Mapping[str, Tensor],
    weights: Mapping[str, float] = MappingProxyType({}),
    *,
    agreement: float = 0.0,
    taught: Taught = _UNTAUGHT,
) -> Tensor:
    """The categorical cross-entropies of all heads, summed over heads and words; each has a weight of 1 or that given.

    Gold values [B, T] that are negative do not count: padding, and values that the vocabulary does not have.
    """
    losses = []
    for name, values in gold.items():
        loss = _cross_entropy(scores[name].flatten(0, 1), values.flatten(), agreement)
        told = [one[name].flatten(0, 1) for one in taught.having(name)]
        loss = loss + taught.weight * _distillation(scores[name].flatten(0, 1), told, values.flatten())
        losses.append(weights.get(name, 1.0) * loss)
    return torch.stack(losses).sum()


def constituent_loss(
    scores: Mapping[str, Tensor], gold: Constituents, *, agreement: float = 0.0, taught: Taught = _UNTAUGHT
) -> Tensor:
    """The cross-entropy of the labels that words give to constituents together, summed over constituents.

    The words at the boundaries that a constituent owns have one vote each, and so have its first and its last word.
    """
    votes = _votes(scores, gold)
    told = [_votes(one, gold) if "first" in one else _labels(one[SPANS], gold) for one in taught.having("first", SPANS)]
    loss = _cross_entropy(votes, gold.values, agreement)
    return loss + taught.weight * _distillation(votes, told, gold.values)


def _votes(scores: Mapping[str, Tensor], gold: Constituents) -> Tensor:
    shared, first, last = (scores[name].flatten(0, 1).float() for name in ("shared", "first", "last"))
    return (first[gold.firsts] + last[gold.lasts]).index_add(0, gold.owners, shared[gold.boundaries])


def _labels(scores: Tensor, gold: Constituents) -> Tensor:
    """What the scores of spans [B, T, T, labels] say of the labels of constituents [C, labels]."""
    width = scores.shape[1]
    return scores.flatten(0, 2)[gold.firsts * width + gold.lasts % width]


def end_loss(
    scores: Mapping[str, Tensor], gold: Constituents, *, agreement: float = 0.0, taught: Taught = _UNTAUGHT
) -> Tensor:
    """The cross-entropies of both ends of the constituents at all boundaries, summed; scores are [B, 2, T, T]."""
    ends, values = _at_boundaries(scores, gold), gold.ends.flatten()
    told = [_at_boundaries(one, gold) for one in taught.having(ENDS)]
    return _cross_entropy(ends, values, agreement) + taught.weight * _distillation(ends, told, values)


def _at_boundaries(scores: Mapping[str, Tensor], gold: Constituents) -> Tensor:
    return scores[ENDS].transpose(1, 2).flatten(0, 1)[gold.boundaries].flatten(0, 1)


def span_loss(
    scores: Mapping[str, Tensor],
    gold: Constituents,
    lengths: Tensor,
    kind: str,
    *,
    agreement: float = 0.0,
    taught: Taught = _UNTAUGHT,
) -> Tensor:
    """The loss of the scores of spans [B, T, T, labels], summed over sentences.

    ``local``: the cross-entropy of every span by itself, among its labels and none. ``crf``: how improbable the gold
    tree is among all trees of the arrangement. ``margin``: how much better the best other tree is, where each wrong and
    each missing constituent counts 1 in its favour; there are no probabilities to agree on.

    The score of a tree is the sum of those of its spans. So how improbable the trees of the other half are depends on
    the probabilities of their spans alone.
    """
    scored = scores[SPANS].float()
    width, size = scored.shape[1], scored.shape[3]
    true = _labels(scored, gold)
    labels = gold.values.clamp(min=0)[:, None]
    # A label that the vocabulary does not have is as good as any.
    own = torch.where(gold.values < 0, true.logsumexp(1), true.gather(1, labels)[:, 0])
    if kind == "margin":
        costs = torch.ones_like(scored).flatten()
        costs[(gold.firsts * width + gold.lasts % width) * size + labels[:, 0]] = -1
        augmented = (scored + costs.view_as(scored)).amax(3)
        # What is not found has not been counted as missing yet.
        own = torch.zeros_like(scored[:, 0, 0, 0]).index_add(0, gold.firsts // width, own - 1)
        return (best_score(augmented, lengths) - own).relu().sum()
    spans = scored.logsumexp(3)
    total, sure = _all_trees(spans, lengths, kind)
    loss = total - own.sum()
    if agreement:
        known = _swapped(sure[..., None] * (scored - spans[..., None]).exp())
        loss = loss + agreement * (total - (known * scored).sum())
    if told := taught.having(SPANS):
        with torch.no_grad():
            means = torch.stack([_probabilities(one[SPANS].float(), lengths, kind) for one in told]).mean(0)
        loss = loss + taught.weight * (total - (means * scored).sum())
    return loss


def _all_trees(spans: Tensor, lengths: Tensor, kind: str) -> tuple[Tensor, Tensor]:
    """How much all that is possible scores, a logarithm summed over sentences; how probable spans are [B, T, T]."""
    if kind == "crf":
        totals, sure = total_score(spans, lengths)
    else:
        is_span = torch.arange(spans.shape[1], device=spans.device) < lengths[:, None, None]
        is_span = is_span.expand_as(spans).triu(1)
        totals, sure = F.softplus(spans) * is_span, spans.sigmoid() * is_span
    return totals.sum(), sure


def _probabilities(scores: Tensor, lengths: Tensor, kind: str) -> Tensor:
    """How probable spans with their labels are, by their scores [B, T, T, labels]."""
    spans = scores.logsumexp(3)
    return _all_trees(spans, lengths, kind)[1][..., None] * (scores - spans[..., None]).exp()


def _cross_entropy(scores: Tensor, gold: Tensor, agreement: float) -> Tensor:
    """The cross-entropy of predictions [N, values] with gold values [N] that are not negative, and with each other."""
    logs = scores.float().log_softmax(1)
    loss = F.nll_loss(logs, gold, ignore_index=-1, reduction="sum")
    if agreement:
        # What is impossible has a logarithm of minus infinity.
        known = _swapped(logs.exp()) * (gold >= 0)[:, None]
        loss = loss - agreement * (known * logs.clamp(min=_LEAST)).sum()
    return loss


def _distillation(scores: Tensor, told: Sequence[Tensor], gold: Tensor) -> Tensor:
    """The cross-entropy of predictions [N, values] with the mean of what teachers predict, where something is known."""
    if not told:
        return torch.zeros((), device=scores.device)
    with torch.no_grad():
        means = torch.stack([one.float().softmax(1) for one in told]).mean(0) * (gold >= 0)[:, None]
    return -(means * scores.float().log_softmax(1).clamp(min=_LEAST)).sum()


def _swapped(probabilities: Tensor) -> Tensor:
    """What the other half of a batch predicts, at the same places."""
    first, second = probabilities.detach().chunk(2)
    return torch.cat([second, first])
