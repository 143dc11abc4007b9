"""How many values the components of the labels have in a treebank, and how many in its test set are new.

These are the paper's two tables: the number of values, training and development sets together, and the values of the
test set that occur in neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np

from permutree.encoding.codec import BATCH, Codec
from permutree.encoding.labels import COMPONENTS
from permutree.encoding.permutations import PAPER_ENCODINGS
from permutree.encoding.tagsets import Tagset
from permutree.encoding.vocabulary import Vocabulary
from permutree.trees.batch import Ints, TreeBatch
from permutree.trees.tree import Tree

__all__ = ["ROWS", "LabelStatistics", "Unseen", "count_labels"]

#: the components, the permutation once for each encoding
ROWS = (*COMPONENTS[:3], *PAPER_ENCODINGS)


@dataclass(slots=True)
class Unseen:
    """Values in the test set that are new: how many there are, how often they occur, and how many words there are."""

    unique: int = 0
    total: int = 0
    words: int = 0

    @property
    def percent(self) -> float:
        """The share of the labels in the test set that have a new value."""
        return 100 * self.total / self.words if self.words else 0.0


@dataclass(slots=True)
class LabelStatistics:
    """The figures of one treebank."""

    sentences: int = 0
    words: int = 0
    test_sentences: int = 0
    #: the tagset of pointer-simplified
    tagset: str = ""
    values: dict[str, int] = field(default_factory=dict)
    unseen: dict[str, Unseen] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {
            "sentences": self.sentences,
            "words": self.words,
            "test sentences": self.test_sentences,
            "tagset": self.tagset,
            "values": dict(self.values),
            "unseen": {
                row: {"unique": unseen.unique, "total": unseen.total, "percent": round(unseen.percent, 6)}
                for row, unseen in self.unseen.items()
            },
        }


def count_labels(train: Iterable[Tree], test: Iterable[Tree] = (), tagset: Tagset | None = None) -> LabelStatistics:
    """Count the values of all encodings in some trees, and the new ones in others.

    >>> train = [Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")]
    >>> counts = count_labels(train, [Tree.parse("(S (VBZ 0=Works) (ADVP (RB 1=well)))")])
    >>> counts.values["pointer"], counts.unseen["unary"], counts.unseen["unary"].percent
    (2, Unseen(unique=1, total=1, words=2), 50.0)
    """
    codecs = {encoding: Codec(encoding, tagset=tagset) for encoding in PAPER_ENCODINGS}
    result = LabelStatistics()
    for forest in _forests(train):
        result.sentences += len(forest)
        result.words += len(forest.order)
        for _ in _encode(codecs, forest):
            pass
    vocabularies = _vocabularies(codecs)
    result.values = {row: len(vocabulary) for row, vocabulary in vocabularies.items()}
    counts = {row: np.zeros(0, np.int64) for row in ROWS}
    words = 0
    for forest in _forests(test):
        result.test_sentences += len(forest)
        words += len(forest.order)
        for row, numbers in _encode(codecs, forest):
            found = np.bincount(numbers, minlength=len(counts[row]))
            found[: len(counts[row])] += counts[row]
            counts[row] = found
    if result.test_sentences:
        for row in ROWS:
            new = counts[row][result.values[row] :]
            result.unseen[row] = Unseen(len(new), int(new.sum()), words)
    guessed = codecs["pointer-simplified"].tagset
    result.tagset = guessed.name if guessed else ""
    return result


def _forests(trees: Iterable[Tree]) -> Iterator[TreeBatch]:
    trees = iter(trees)
    while batch := list(islice(trees, BATCH)):
        yield TreeBatch.from_trees(batch)


def _encode(codecs: dict[str, Codec], forest: TreeBatch) -> Iterator[tuple[str, Ints]]:
    found = codecs["pointer"].encode_constituents(forest)
    yield from ((component, getattr(found, component)) for component in COMPONENTS[:3])
    for encoding, codec in codecs.items():
        yield encoding, codec.encode_permutation(forest)


def _vocabularies(codecs: dict[str, Codec]) -> dict[str, Vocabulary]:
    constituents = {component: getattr(codecs["pointer"], component) for component in COMPONENTS[:3]}
    return constituents | {encoding: codec.permutation for encoding, codec in codecs.items()}
