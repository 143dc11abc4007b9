"""Trees as one label per word, and back: the six encodings of the paper, and one more.

>>> from permutree.trees.tree import Tree
>>> tree = Tree.parse(
...     "(ROOT (S (VP (AVP (ADV 0=Noch) (ADV 1=nie)) (NP (ADV 4=so) (PIAT 5=viel)) (VVPP 6=gewählt)) "
...     "(VAFIN 2=habe) (PPER 3=ich)) ($. 7=.))"
... )
>>> tree.tau
(0, 1, 5, 6, 2, 3, 4, 7)
>>> for encoding in (*PAPER_ENCODINGS, "predecessor"):
...     print(f"{encoding:18}", *(label.permutation for label in encode(tree, encoding, tagset="stts")), sep="  ")
absolute            INV  INV  5  6  2  3  4  INV
relative            INV  INV  -3  -3  2  2  2  INV
lehmer              0  0  2  2  2  0  0  0
inverse-lehmer      0  0  3  3  0  0  0  0
pointer             NEXT  NEXT  NEXT  NEXT  -1 ADV  NEXT  NEXT  -1 PPER
pointer-simplified  NEXT  NEXT  NEXT  NEXT  -1 AD  NEXT  NEXT  -2 P
predecessor         NEXT  NEXT  NEXT  NEXT  -3  NEXT  NEXT  -4

The labels stand at their words. Read in the order of the arrangement, the levels are

>>> labels = encode(tree, level_scale="absolute")
>>> print(*(labels[word].levels for word in tree.order))
4 3 4 3 2 2 1 _
>>> print(*(labels[word].shared for word in tree.order))
AVP VP NP VP S S ROOT _

Decoding takes any labels, tells what it had to repair, and gives back the tree of its own encoding.

>>> decode(tree.words, tree.tags, encode(tree)) == (tree, [])
True
>>> labels = [label._replace(permutation="-9 ADV") for label in encode(tree)]
>>> decode(tree.words, tree.tags, labels).repairs[1]
Repair(kind=<Kind.PERMUTATION_POINTER: 'permutation-pointer'>, sentence=0, word=1, was='-9 ADV', became='-1 ADV')
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from permutree.encoding.codec import Codec
from permutree.encoding.labels import Decoded, Label, Labels, Scores
from permutree.encoding.permutations import ENCODINGS, PAPER_ENCODINGS
from permutree.encoding.repairs import Kind, Repair, Repairs
from permutree.encoding.tagsets import TAGSETS, Tagset, read_tagset
from permutree.encoding.vocabulary import Vocabulary
from permutree.trees.displays import plugged_in
from permutree.trees.tree import Tree

__all__ = [
    "ENCODINGS",
    "PAPER_ENCODINGS",
    "TAGSETS",
    "Codec",
    "Decoded",
    "DecodedTree",
    "Kind",
    "Label",
    "Labels",
    "Repair",
    "Repairs",
    "Scores",
    "Tagset",
    "Vocabulary",
    "decode",
    "encode",
    "read_tagset",
]


class DecodedTree(NamedTuple):
    """A tree and what had to be repaired to get it."""

    tree: Tree
    repairs: list[Repair]

    def _repr_html_(self) -> str:
        shown: str = plugged_in("html")(self)
        return shown


def encode(tree: Tree, encoding: str = "pointer", **options: Any) -> list[Label]:
    """The labels of one tree. Options are those of :class:`Codec`, such as ``tagset``; use a codec for many trees."""
    codec = Codec(encoding, **options)
    return next(codec.texts(codec.encode([tree])))


def decode(
    words: Sequence[str],
    tags: Sequence[str],
    labels: Sequence[Sequence[str]],
    encoding: str = "pointer",
    **options: Any,
) -> DecodedTree:
    """The tree of any labels whatever, one per word, and a list of repairs; gold labels need none."""
    codec = Codec(encoding, **options)
    forest, repairs = codec.decode(codec.numbers([labels]), [words], [tags])
    return DecodedTree(next(forest.trees()), list(repairs))
