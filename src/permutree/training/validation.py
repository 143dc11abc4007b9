"""Scoring a labeller on the dev set while it is trained."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from permutree.evaluation import evaluate
from permutree.model.batching import Arrays
from permutree.networks.labeller import Labeller
from permutree.networks.model import Model
from permutree.parsing.parser import Parser
from permutree.parsing.torch_engine import TorchEngine
from permutree.training.data import tag_numbers
from permutree.trees.batch import TreeBatch
from permutree.trees.tree import Tree

__all__ = ["Row", "Validator"]

#: what was measured, by name
Row = dict[str, Any]


@dataclass(slots=True, eq=False)
class Validator:
    """Scores a labeller on the dev set."""

    model: Model
    given: TreeBatch
    gold: TreeBatch
    arrays: Arrays

    @classmethod
    def of(cls, trees: Sequence[Tree], gold: Sequence[Tree], model: Model) -> Validator:
        """A validator for trees, which may have other tags than the gold ones."""
        given = TreeBatch.from_trees(trees)
        same = given if trees is gold else TreeBatch.from_trees(gold)
        return cls(model, given, same, model.features.arrays(given.words, given.tags))

    def score(self, labeller: Labeller, device: torch.device) -> Row:
        """Dev scores: F1 of all and of discontinuous constituents, tags, repairs, sentences a second."""
        labeller.eval()
        start = time.perf_counter()
        words = self.given.words
        parser = Parser(self.model.outline, TorchEngine(labeller, device, precise=True))
        found = parser.engine.predict(self.arrays, parser.scored, parser.closed_sentences(words))
        row: Row = {}
        if parser.predicts_tags:
            row["tag accuracy"] = 100 * float((found["tags"] == tag_numbers(self.gold.tags, self.model.tags)).mean())
        if self.model.codec is None:
            row |= {"score": row["tag accuracy"], "sentences/s": len(words) / (time.perf_counter() - start)}
            return row
        decoded = parser.decode(found, words, self.given.tags)
        seconds = time.perf_counter() - start
        scores = evaluate(self.gold, decoded.forest)
        return row | {
            "score": scores.f1 or 0.0,
            "f1": scores.f1,
            "discontinuous f1": scores.discontinuous.f1,
            "exact match": scores.exact_match,
            "repairs/sentence": len(decoded.repairs) / len(words),
            "sentences/s": len(words) / seconds,
        }
