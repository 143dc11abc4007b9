"""Search: an index of columns, three query languages, one engine for discontinuous trees.

>>> from permutree.search import Corpus
>>> from permutree.trees.tree import Tree
>>> corpus = Corpus.of([Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")])
>>> [match.nodes["m"].text for match in corpus.search("gap(#n) contains #m")]
['does', 'it']
"""

from __future__ import annotations

from permutree.search.corpus import Corpus
from permutree.search.engine import SearchStopped
from permutree.search.matches import FoundNode, Match
from permutree.search.messages import QueryError

__all__ = ["Corpus", "FoundNode", "Match", "QueryError", "SearchStopped"]
