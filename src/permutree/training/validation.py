"""Scoring a labeller on the dev set while it is trained."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import nn

from permutree.encoding import Labels
from permutree.encoding.codec import COMPONENTS, Scores
from permutree.evaluation import evaluate
from permutree.forest import Forest
from permutree.inference.torch_engine import predict
from permutree.labeling.batching import Ints
from permutree.labeling.model import Model
from permutree.training.data import Dataset
from permutree.tree import Tree

__all__ = ["Row", "Validator"]

#: what was measured, by name
Row = dict[str, Any]


@dataclass(slots=True, eq=False)
class Validator:
    """Scores a labeller on the dev set."""

    model: Model
    words: list[tuple[str, ...]]
    tags: list[tuple[str, ...]]
    dataset: Dataset
    gold: Forest
    offsets: Ints

    @classmethod
    def of(cls, trees: Sequence[Tree], gold: Sequence[Tree], model: Model) -> Validator:
        """A validator for trees, which may have other tags than the gold ones."""
        dataset = Dataset.of(trees, model)
        words, tags = [tree.words for tree in trees], [tree.tags for tree in trees]
        return cls(model, words, tags, dataset, Forest.from_trees(gold), dataset.offsets)

    def score(self, labeller: nn.Module, device: torch.device) -> Row:
        """Dev scores: F1 of all and of discontinuous constituents, tags, repairs, sentences a second."""
        labeller.eval()
        start = time.perf_counter()
        found = predict(labeller, self.dataset.arrays, device, self.model.config.scored)
        scores = Scores(**{name: given for name, given in found.items() if given.ndim == 2})
        values = found | scores.best()
        row: Row = {}
        if "tags" in values:
            known = self.dataset.gold["tags"]
            row["tag accuracy"] = 100 * float((values["tags"] == known).mean())
        if self.model.codec is None:
            row |= {"score": row["tag accuracy"], "sentences/s": len(self.words) / (time.perf_counter() - start)}
            return row
        tags: Sequence[Sequence[str]] = self.tags
        if "tags" in values:
            names = [self.model.tags[number] for number in values["tags"].tolist()]
            bounds = self.offsets.tolist()
            tags = [names[first:last] for first, last in pairwise(bounds)]
        labels = Labels(self.offsets.astype(np.int32), *(values[component] for component in COMPONENTS))
        decoded = self.model.codec.decode(labels, self.words, tags, scores if self.model.config.scored else None)
        seconds = time.perf_counter() - start
        result = evaluate(self.gold, decoded.forest)
        return row | {
            "score": result.f1 or 0.0,
            "f1": result.f1,
            "discontinuous f1": result.discontinuous.f1,
            "exact match": result.exact_match,
            "repairs/sentence": len(decoded.repairs) / len(self.words),
            "sentences/s": len(self.words) / seconds,
        }
