"""German: rewritings of squoia_de and a grammar in its scheme."""

from permutree_lab.teaching.german.grammar import GRAMMAR, SHARES
from permutree_lab.teaching.german.rewriting import REWRITINGS
from permutree_lab.teaching.lessons import Language

__all__ = ["LANGUAGE"]

LANGUAGE = Language("de", REWRITINGS, GRAMMAR, SHARES)
