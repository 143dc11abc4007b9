"""The English grammar: a production for each kind of sentence, with a gap or looking as if it had one."""

from __future__ import annotations

# Each module registers its productions.
from permutree_lab.teaching.english.grammar import comparison, extraposition, forms, questions, relatives, speech
from permutree_lab.teaching.english.grammar.productions import GRAMMAR, SHARES

__all__ = ["GRAMMAR", "SHARES", "comparison", "extraposition", "forms", "questions", "relatives", "speech"]
