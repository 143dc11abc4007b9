"""English lessons, in the Penn scheme with resolved traces."""

from __future__ import annotations

from permutree_lab.teaching.english.grammar import GRAMMAR, SHARES
from permutree_lab.teaching.english.rewriting import REWRITINGS
from permutree_lab.teaching.lessons import Language

__all__ = ["LANGUAGE"]

LANGUAGE = Language("en", rewritings=REWRITINGS, grammar=GRAMMAR, shares=SHARES)
