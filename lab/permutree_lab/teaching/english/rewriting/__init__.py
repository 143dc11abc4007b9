"""English rewritings: gold trees of plain statements become rare constructions, or sentences that look like them."""

from __future__ import annotations

# Each module registers its rewritings.
from permutree_lab.teaching.english.rewriting import extraposition, forms, questions, speech
from permutree_lab.teaching.english.rewriting.rewritings import REWRITINGS

__all__ = ["REWRITINGS", "extraposition", "forms", "questions", "speech"]
