"""The objective of training: the losses of all heads, and of the constituents that they describe together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

import numpy as np
import torch
from torch import Tensor

from permutree.model.batching import Ints
from permutree.networks.losses import Taught, constituent_loss, end_loss, labelling_loss, span_loss
from permutree.training.config import Config
from permutree.training.data import Dataset

__all__ = ["Objective"]

#: how much auxiliary tasks count beside labels and tags, and as much the votes on the labels of constituents
AUXILIARY = 0.5
#: how much levels count where constituents are known by their ends: levels are learnt from, but not read
LEVELS = 0.3


class Objective:
    """The loss of a labeller on some sentences of a data set.

    If predictions are to agree, these are all there twice: see :meth:`sentences`.
    """

    def __init__(self, config: Config, data: Dataset) -> None:
        self.model, self.data = config.model, data
        self.agreement, self.distillation = config.training.agreement, config.training.distillation
        self.weights = dict.fromkeys(data.auxiliary, AUXILIARY) | {
            "tags": config.training.tag_weight,
            "permutation": config.training.arrangement_weight,
        }
        if self.model.finds_constituents:
            self.weights["levels"] = LEVELS
        if self.model.scores_spans:
            self.weights["shared"] = AUXILIARY

    def sentences(self, batch: Ints) -> Ints:
        """The sentences that a labeller reads for a batch."""
        return np.concatenate([batch, batch]) if self.agreement else batch

    def loss(self, scores: Mapping[str, Tensor], gold: Mapping[str, Tensor], sentences: Ints) -> Tensor:
        """The loss, summed over words and constituents."""
        device = next(iter(scores.values())).device
        known = {name: values.to(device, non_blocking=True) for name, values in gold.items()}
        how: _Wanted = {"agreement": self.agreement, "taught": self._taught(sentences, device)}
        losses = [labelling_loss(scores, known, self.weights, **how)]
        if self.model.finds_constituents or self.model.has("edges"):
            constituents = self.data.constituents(sentences).to(device)
            if self.model.finds_ends:
                losses.append(end_loss(scores, constituents, **how))
            if self.model.scores_spans:
                lengths = torch.from_numpy(self.data.tree_words(sentences)).to(device, non_blocking=True)
                kind = self.model.reread.span_loss
                losses.append(span_loss(scores, constituents, lengths, kind, **how))
            if self.model.has("edges"):
                losses.append(AUXILIARY * constituent_loss(scores, constituents, **how))
        total = torch.stack(losses).sum()
        total = total / 2 if self.agreement else total
        return total / (1 + self.distillation) if self.data.teachers else total

    def _taught(self, sentences: Ints, device: torch.device) -> Taught:
        """What teachers say of sentences; of those that are there twice, the same both times."""
        if not self.data.teachers:
            return Taught()
        once = sentences[: len(sentences) // 2] if self.agreement else sentences
        order = self.data.order(once).to(device, non_blocking=True) if self.model.rereads else None
        told = [teacher.predict(once, order, device) for teacher in self.data.teachers]
        if self.agreement:
            told = [{name: torch.cat([one, one]) for name, one in scores.items()} for scores in told]
        return Taught(told, self.distillation)


class _Wanted(TypedDict):
    """What predictions are to be like beside true values."""

    agreement: float
    taught: Taught
