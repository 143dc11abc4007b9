"""Dutch: rewritings of alpino and a grammar in its scheme."""

from permutree_lab.teaching.dutch.grammar import GRAMMAR, SHARES
from permutree_lab.teaching.dutch.rewriting import REWRITINGS
from permutree_lab.teaching.lessons import Language

__all__ = ["LANGUAGE"]

LANGUAGE = Language("nl", REWRITINGS, GRAMMAR, SHARES)
