"""Scoring a labeller on the dev set while it is trained."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from permutree.evaluation import evaluate
from permutree.networks.model import Model
from permutree.parsing.parser import Parser
from permutree.parsing.torch_engine import TorchEngine
from permutree.training.data import Dataset
from permutree.trees.batch import TreeBatch
from permutree.trees.tree import Tree

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
    gold: TreeBatch

    @classmethod
    def of(cls, trees: Sequence[Tree], gold: Sequence[Tree], model: Model) -> Validator:
        """A validator for trees, which may have other tags than the gold ones."""
        dataset = Dataset.of(trees, model)
        words, tags = [tree.words for tree in trees], [tree.tags for tree in trees]
        return cls(model, words, tags, dataset, TreeBatch.from_trees(gold))

    def score(self, labeller: nn.Module, device: torch.device) -> Row:
        """Dev scores: F1 of all and of discontinuous constituents, tags, repairs, sentences a second."""
        labeller.eval()
        start = time.perf_counter()
        parser = Parser(self.model.outline, TorchEngine(labeller, device, precise=True))
        closed = parser.closed_sentences(self.words)
        found = parser.engine.predict(self.dataset.arrays, parser.scored, closed)
        row: Row = {}
        if parser.predicts_tags:
            row["tag accuracy"] = 100 * float((found["tags"] == self.dataset.gold["tags"]).mean())
        if self.model.codec is None:
            row |= {"score": row["tag accuracy"], "sentences/s": len(self.words) / (time.perf_counter() - start)}
            return row
        decoded = parser.decode(found, self.words, self.tags)
        seconds = time.perf_counter() - start
        scores = evaluate(self.gold, decoded.forest)
        return row | {
            "score": scores.f1 or 0.0,
            "f1": scores.f1,
            "discontinuous f1": scores.discontinuous.f1,
            "exact match": scores.exact_match,
            "repairs/sentence": len(decoded.repairs) / len(self.words),
            "sentences/s": len(self.words) / seconds,
        }
