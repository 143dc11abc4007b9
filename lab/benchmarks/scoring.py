"""How good a parser is."""

from __future__ import annotations

from permutree import Parser, Tree, evaluate

__all__ = ["both_scores"]


def both_scores(parser: Parser, gold: list[Tree]) -> str:
    """F1 / discontinuous F1 from words without tags."""
    found = evaluate(gold, list(parser.pipe(tree.words for tree in gold)))
    return f"{found.f1:.1f} / {found.discontinuous.f1:.1f}"
