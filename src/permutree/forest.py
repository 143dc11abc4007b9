"""Many trees as arrays: what passes between encoding, evaluation and writers where speed counts.

The fields of :class:`~permutree.tree.Tree`, one sentence after the other: sentence s has the words
``word_offsets[s]:word_offsets[s + 1]`` and the constituents ``node_offsets[s]:node_offsets[s + 1]``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from permutree.tree import Tree

__all__ = ["Forest"]

Ints = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """A batch of trees; ``labels`` are indexes into ``vocabulary``, positions count within each sentence."""

    words: Sequence[Sequence[str]]
    tags: Sequence[Sequence[str]]
    word_offsets: Ints
    #: position in the arrangement → word
    order: Ints
    node_offsets: Ints
    #: constituents in preorder, as spans of positions in the arrangement
    labels: Ints
    starts: Ints
    ends: Ints
    vocabulary: Sequence[str]

    def __len__(self) -> int:
        """The number of trees."""
        return len(self.word_offsets) - 1

    @classmethod
    def from_trees(cls, trees: Iterable[Tree]) -> Forest:
        """The arrays of some trees; the vocabulary is their labels, sorted."""
        trees = list(trees)
        vocabulary = sorted(set(chain.from_iterable(tree.labels for tree in trees)))
        number = {label: index for index, label in enumerate(vocabulary)}
        return cls(
            [tree.words for tree in trees],
            [tree.tags for tree in trees],
            _offsets(len(tree.words) for tree in trees),
            _concatenate(tree.order for tree in trees),
            _offsets(len(tree.labels) for tree in trees),
            _concatenate(map(number.__getitem__, tree.labels) for tree in trees),
            _concatenate(tree.starts for tree in trees),
            _concatenate(tree.ends for tree in trees),
            vocabulary,
        )

    def trees(self) -> Iterator[Tree]:
        """The trees, checked and canonicalised."""
        order, labels = self.order.tolist(), [self.vocabulary[label] for label in self.labels.tolist()]
        starts, ends = self.starts.tolist(), self.ends.tolist()
        word_offsets, node_offsets = self.word_offsets.tolist(), self.node_offsets.tolist()
        for sentence, (words, tags) in enumerate(zip(self.words, self.tags, strict=True)):
            first, last = node_offsets[sentence], node_offsets[sentence + 1]
            arrangement = order[word_offsets[sentence] : word_offsets[sentence + 1]]
            yield Tree.from_spans(words, tags, arrangement, labels[first:last], starts[first:last], ends[first:last])


def _offsets(lengths: Iterable[int]) -> Ints:
    return np.cumsum([0, *lengths], dtype=np.int32)


def _concatenate(parts: Iterable[Iterable[int]]) -> Ints:
    return np.fromiter(chain.from_iterable(parts), dtype=np.int32)
