"""Comparison of an exported model with its original in PyTorch: equal trees, and the scores of both."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from permutree.evaluation import evaluate
from permutree.networks.model import Model
from permutree.parsing.parser import Parser
from permutree.parsing.torch_engine import TorchEngine
from permutree.trees.tree import Tree

__all__ = ["compare"]


def compare(model: Model, folder: str | Path, trees: Sequence[Tree]) -> dict[str, Any]:
    """Equal trees, or tags, of a model and of the graphs in a folder, and the scores of both."""
    parsers = {"PyTorch": Parser(model.outline, TorchEngine(model.labeller)), "ONNX": Parser.load(folder, "cpu")}
    found: dict[str, Any] = {"sentences": len(trees)}
    if model.codec is None:
        tags = [
            [tag for tags in parser.tag([tree.words for tree in trees]) for tag in tags] for parser in parsers.values()
        ]
        found["same tags %"] = 100 * sum(map(str.__eq__, *tags)) / len(tags[0])
        return found
    predicted = {name: [*parser.pipe(trees)] for name, parser in parsers.items()}
    found["same trees %"] = 100 * sum(map(Tree.__eq__, *predicted.values())) / len(trees)
    for name, others in predicted.items():
        scores = evaluate(trees, others)
        found |= {f"F1, {name}": scores.f1, f"discontinuous F1, {name}": scores.discontinuous.f1}
    return found
