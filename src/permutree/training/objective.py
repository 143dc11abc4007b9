"""The objective of training: the losses of all heads, and of the constituents that they describe together."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor

from permutree.model.batching import Ints
from permutree.model.folder import SPANS
from permutree.networks.losses import constituent_loss, end_loss, labelling_loss, span_loss
from permutree.networks.reread import ENDS
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
        self.agreement = config.training.agreement
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
        losses = [labelling_loss(scores, known, self.weights, agreement=self.agreement)]
        if self.model.finds_constituents or self.model.has("edges"):
            constituents = self.data.constituents(sentences).to(device)
            if self.model.finds_ends:
                losses.append(end_loss(scores[ENDS], constituents, agreement=self.agreement))
            if self.model.scores_spans:
                lengths = torch.from_numpy(self.data.tree_words(sentences)).to(device, non_blocking=True)
                kind = self.model.reread.span_loss
                losses.append(span_loss(scores[SPANS], constituents, lengths, kind, agreement=self.agreement))
            if self.model.has("edges"):
                losses.append(AUXILIARY * constituent_loss(scores, constituents, agreement=self.agreement))
        total = torch.stack(losses).sum()
        return total / 2 if self.agreement else total
