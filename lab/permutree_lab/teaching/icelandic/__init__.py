"""Icelandic: rewritings of IcePaHC trees and a small grammar in its scheme, in today's spelling."""

from permutree_lab.teaching.icelandic.grammar import GRAMMAR, SHARES
from permutree_lab.teaching.icelandic.rewriting import REWRITINGS
from permutree_lab.teaching.lessons import Language

__all__ = ["LANGUAGE"]

LANGUAGE = Language("is", REWRITINGS, GRAMMAR, SHARES)
