"""Evaluation: how good predicted trees are, counted as the field counts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from permutree.evaluation.pairs import Missing, Side, Trees
from permutree.evaluation.parameters import BUNDLED, Parameters
from permutree.evaluation.scores import Evaluation, Evaluator, Score, Scores

__all__ = ["BUNDLED", "Evaluation", "Evaluator", "Parameters", "Score", "Scores", "evaluate"]


def evaluate(
    gold: Trees,
    predicted: Trees,
    param: str | Path | Parameters = "proper",
    *,
    missing: Missing = "error",
    keep_functions: bool | None = None,
) -> Evaluation:
    """Compare predicted trees with gold trees: paths of treebank files, trees, or forests of arrays.

    ``param`` is ``proper``, ``none``, the path of a parameter file, or parameters. Trees pair up by their place; one
    that is missing or has other words is an error, unless ``missing="count"`` scores missing ones as empty. Functions
    after ``-`` in labels and tags are not compared, unless ``keep_functions`` says so.

    >>> from permutree import Tree
    >>> gold = Tree.parse("(ROOT (S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it)) (. 4=?))")
    >>> predicted = Tree.parse("(ROOT (S (WRB 0=How) (VBZ 1=does) (PRP 2=it) (VB 3=work)) (. 4=?))")
    >>> evaluate([gold], [predicted])
    Evaluation(1 sentences, f1=66.67, discontinuous f1=0.00, exact match=0.00)
    """
    parameters = param if isinstance(param, Parameters) else Parameters.load(param)
    if keep_functions is not None:
        parameters = replace(parameters, keep_functions=keep_functions)
    evaluator = Evaluator(parameters, missing)
    evaluator.add(Side.load(gold, "the gold trees"), Side.load(predicted, "the predicted trees"))
    return evaluator.result()
