"""Many trees as arrays: what passes between encoding, evaluation and writers where speed counts.

The fields of :class:`~permutree.trees.tree.Tree`, one sentence after the other: sentence s has the words
``word_offsets[s]:word_offsets[s + 1]`` and the constituents ``node_offsets[s]:node_offsets[s + 1]``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from permutree.trees.lines import lines_of
from permutree.trees.numbered import numbered
from permutree.trees.tree import Tree

__all__ = ["TreeBatch"]

Ints = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class TreeBatch:
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
    #: whether children are known to stand in the order of their leftmost words, as in a Tree
    is_canonical: bool = False

    def __len__(self) -> int:
        """The number of trees."""
        return len(self.word_offsets) - 1

    @classmethod
    def from_trees(cls, trees: Iterable[Tree]) -> TreeBatch:
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
            is_canonical=True,
        )

    @classmethod
    def from_parents(
        cls,
        words: Sequence[Sequence[str]],
        tags: Sequence[Sequence[str]],
        word_offsets: Ints,
        node_offsets: Ints,
        labels: Ints,
        vocabulary: Sequence[str],
        *,
        parents: Ints,
        word_parents: Ints,
    ) -> TreeBatch:
        """The batch of trees in which the parent of every constituent and word is known, as :meth:`parents` gives them.

        Parents stand before their children; this, and that each constituent has words, is for the caller to check.
        """
        lengths, nodes = np.diff(word_offsets), np.diff(node_offsets)
        size, count = len(word_parents), len(parents)
        above = np.where(parents < 0, -1, parents + np.repeat(node_offsets[:-1], nodes))
        word_above = np.where(word_parents < 0, -1, word_parents + np.repeat(node_offsets[:-1], lengths))
        levels = _levels(above)
        sizes, least = np.bincount(word_above[word_above >= 0], minlength=count), np.full(count, size)
        np.minimum.at(least, word_above[word_above >= 0], np.flatnonzero(word_above >= 0))
        for inner in reversed(levels[1:]):
            np.add.at(sizes, above[inner], sizes[inner])
            np.minimum.at(least, above[inner], least[inner])
        leftmost, child_sizes = np.concatenate([least, np.arange(size)]), np.concatenate([sizes, np.ones(size, int)])
        into = _into(np.concatenate([above, word_above]), leftmost, child_sizes)
        bases = np.repeat(word_offsets[:-1], nodes)
        places = bases.astype(np.int64)
        for inner in levels[1:]:
            places[inner] = places[above[inner]] + into[inner]
        at = np.where(word_above < 0, np.arange(size), into[count:])
        at[word_above >= 0] += places[word_above[word_above >= 0]]
        order: Ints = np.empty(size, np.int32)
        order[at] = np.arange(size) - np.repeat(word_offsets[:-1], lengths)
        preorder = np.lexsort((np.arange(count), -sizes, places))
        starts = (places - bases).astype(np.int32)[preorder]
        ends = starts + sizes.astype(np.int32)[preorder]
        labels = labels.astype(np.int32)[preorder]
        return cls(words, tags, word_offsets, order, node_offsets, labels, starts, ends, vocabulary, is_canonical=True)

    @classmethod
    def join(cls, parts: Sequence[TreeBatch]) -> TreeBatch:
        """Batches in canonical form as one; labels are numbered alike in all, and the last part knows all of them."""
        return cls(
            [*chain.from_iterable(part.words for part in parts)],
            [*chain.from_iterable(part.tags for part in parts)],
            _offsets(chain.from_iterable(np.diff(part.word_offsets).tolist() for part in parts)),
            np.concatenate([part.order for part in parts]),
            _offsets(chain.from_iterable(np.diff(part.node_offsets).tolist() for part in parts)),
            np.concatenate([part.labels for part in parts]),
            np.concatenate([part.starts for part in parts]),
            np.concatenate([part.ends for part in parts]),
            parts[-1].vocabulary,
            is_canonical=True,
        )

    def trees(self) -> Iterator[Tree]:
        """The trees, in canonical form; checked, unless the arrays are known to be canonical."""
        order, labels = self.order.tolist(), [self.vocabulary[label] for label in self.labels.tolist()]
        starts, ends = self.starts.tolist(), self.ends.tolist()
        word_offsets, node_offsets = self.word_offsets.tolist(), self.node_offsets.tolist()
        moved = self.moved.tolist()
        for sentence, (words, tags) in enumerate(zip(self.words, self.tags, strict=True)):
            first, last = node_offsets[sentence], node_offsets[sentence + 1]
            arrangement = order[word_offsets[sentence] : word_offsets[sentence + 1]]
            spans = (tuple(labels[first:last]), tuple(starts[first:last]), tuple(ends[first:last]))
            if self.is_canonical:
                known = tuple(arrangement) if moved[sentence] else range(len(arrangement))
                yield Tree._new(tuple(words), tuple(tags), known, *spans)
            else:
                yield Tree.from_spans(words, tags, arrangement, *spans)

    def discbracket(self) -> Iterator[str]:
        """The trees in discbracket, one line each without its end, straight from the arrays."""
        yield from self.text().split("\n")[: len(self)]

    def text(self) -> str:
        """The trees in discbracket, one line each."""
        if not self.is_canonical:
            return self.canonicalise().text()
        text = lines_of(
            numbered(self.words),
            numbered(self.tags),
            (self.vocabulary, self.labels),
            self.order,
            self._global(self.starts),
            self._global(self.ends),
            self.word_offsets[1:] - 1,
        )
        # One by one, they say what is wrong, or escape it.
        return "".join(f"{tree.discbracket()}\n" for tree in self.trees()) if text is None else text

    def _global(self, positions: Ints) -> Ints:
        """Positions that come one for each constituent, counted over all sentences."""
        return positions + np.repeat(self.word_offsets[:-1], np.diff(self.node_offsets))

    @property
    def moved(self) -> Bools:
        """Whether the arrangement of each sentence differs from its order: all others are continuous."""
        if not len(self):
            return np.zeros(0, bool)
        lengths = np.diff(self.word_offsets)
        differs = self.order != np.arange(len(self.order), dtype=np.int32) - np.repeat(self.word_offsets[:-1], lengths)
        return np.logical_or.reduceat(differs, self.word_offsets[:-1])

    def parents(self) -> tuple[Ints, Ints]:
        """The parent of each constituent, and the constituent over each word in sentence order; -1 where there is none.

        Constituents count within their sentence.
        """
        size, count = len(self.order), len(self.labels)
        if not count:
            return np.zeros(0, np.int32), np.full(size, -1, np.int32)
        parents, _ = _parents(self._global(self.starts), self._global(self.ends), size)
        nodes, words = np.diff(self.node_offsets), np.diff(self.word_offsets)
        bases = np.concatenate([np.repeat(self.node_offsets[:-1], nodes), np.repeat(self.node_offsets[:-1], words)])
        parents = np.where(parents < 0, np.int32(-1), parents - bases).astype(np.int32)
        word_parents: Ints = np.empty(size, np.int32)
        word_parents[np.repeat(self.word_offsets[:-1], words) + self.order] = parents[count:]
        return parents[:count], word_parents

    def canonicalise(self, sentences: Ints | None = None) -> TreeBatch:
        """Put children in the order of their leftmost words.

        If it is known which sentences may be out of order, naming them saves time.
        """
        if self.is_canonical:
            return self
        if sentences is None:
            sentences = np.flatnonzero(self.moved).astype(np.int32)
        if not len(sentences):
            return replace(self, is_canonical=True)
        word_at = _ranges(self.word_offsets[sentences], self.word_offsets[sentences + 1])
        node_at = _ranges(self.node_offsets[sentences], self.node_offsets[sentences + 1])
        word_bases = _bases(self.word_offsets, sentences)
        words_each = np.diff(self.word_offsets)[sentences]
        nodes_each = np.diff(self.node_offsets)[sentences]
        word_base = np.repeat(word_bases, words_each)
        node_base = np.repeat(word_bases, nodes_each)
        places, positions, preorder = _rearrange(
            self.order[word_at] + word_base,
            self.starts[node_at] + node_base,
            self.ends[node_at] + node_base,
        )
        order, labels, starts, ends = (array.copy() for array in (self.order, self.labels, self.starts, self.ends))
        order[word_at[positions]] = self.order[word_at]
        lengths = self.ends[node_at] - self.starts[node_at]
        labels[node_at] = self.labels[node_at][preorder]
        starts[node_at] = (places - node_base)[preorder]
        ends[node_at] = (places - node_base + lengths)[preorder]
        return replace(self, order=order, labels=labels, starts=starts, ends=ends, is_canonical=True)


def _rearrange(order: Ints, starts: Ints, ends: Ints) -> tuple[Ints, Ints, npt.NDArray[np.intp]]:
    """Sort the children of all constituents by their leftmost words.

    Words and positions count over the whole batch. Gives the new start of each constituent, the new position of the
    word that was at each position, and the new preorder. All children of all parents are sorted at once; a running
    sum of their sizes says how far into the parent each begins, and adding this up from the roots down gives places.
    """
    size, count = len(order), len(starts)
    sizes = ends - starts
    numbers = np.arange(count, dtype=np.int32)
    # leftmost words; reduceat wants an element behind the last span
    interleaved = np.stack([starts, ends], axis=1).ravel()
    least = np.minimum.reduceat(np.append(order, np.int32(size)), interleaved)[::2]
    parents, levels = _parents(starts, ends, size)
    leftmost, child_sizes = np.concatenate([least, order]), np.concatenate([sizes, np.ones(size, np.int32)])
    into = _into(parents, leftmost, child_sizes)
    places: Ints = np.empty(count, np.int32)
    places[levels[0]] = starts[levels[0]]
    for nodes in levels[1:]:
        places[nodes] = places[parents[nodes]] + into[nodes]
    moved: Ints = (places[parents[count:]] + into[count:]).astype(np.int32)
    return places, moved, np.lexsort((numbers, -sizes, places))


def _into(parents: npt.NDArray[Any], least: npt.NDArray[Any], sizes: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """How far into its parent each constituent or word begins, if children stand in the order of leftmost words."""
    children = np.argsort((parents.astype(np.int64) + 1) * (len(parents) + 1) + least, kind="stable")
    child_sizes = sizes[children]
    before = np.cumsum(child_sizes) - child_sizes
    child_parents = parents[children]
    is_first = np.append(True, child_parents[1:] != child_parents[:-1])[: len(children)]
    into: npt.NDArray[np.int64] = np.empty(len(parents), np.int64)
    into[children] = before - before[np.maximum.accumulate(np.where(is_first, np.arange(len(children)), 0))]
    return into


def _levels(parents: npt.NDArray[Any]) -> list[npt.NDArray[np.intp]]:
    """Constituents by depth, given the parent of each or -1: first the roots."""
    depths = np.zeros(len(parents), np.int64)
    active = np.flatnonzero(parents >= 0)
    above = parents[active]
    while len(active):
        depths[active] += 1
        above = parents[above]
        active, above = active[above >= 0], above[above >= 0]
    return np.split(np.argsort(depths, kind="stable"), np.cumsum(np.bincount(depths, minlength=1))[:-1])


def _parents(starts: Ints, ends: Ints, size: int) -> tuple[Ints, list[npt.NDArray[np.intp]]]:
    """The parents of all constituents, then of the words at all positions; -1 for none. And constituents by depth.

    Positions count over the whole batch. Among constituents of one depth, the parent is the last that begins before.
    """
    count = len(starts)
    opened = np.cumsum(np.bincount(starts, minlength=size + 1))
    closed = np.cumsum(np.bincount(ends, minlength=size + 1))
    depths = np.arange(1, count + 1, dtype=np.int32) - closed[starts]  # of constituents: 1 for a root
    word_depths = (opened - closed)[:size]  # of words: how many constituents are above
    parents = np.full(count + size, -1, np.int32)
    by_depth = np.argsort(depths, kind="stable")
    levels = np.split(by_depth, np.cumsum(np.bincount(depths, minlength=1)[1:])[:-1])
    words_by_depth = np.argsort(word_depths, kind="stable")
    word_levels = np.split(words_by_depth, np.cumsum(np.bincount(word_depths, minlength=len(levels) + 1))[:-1])
    above = levels[0]
    for depth, nodes in enumerate(levels, 1):
        if depth > 1:
            parents[nodes] = above[np.searchsorted(above, nodes) - 1]
        positions = word_levels[depth]
        parents[count + positions] = nodes[np.searchsorted(starts[nodes], positions, side="right") - 1]
        above = nodes
    return parents, levels


def _bases(offsets: Ints, sentences: Ints) -> Ints:
    """Where each of some sentences starts if they stand one after the other."""
    lengths = (offsets[1:] - offsets[:-1])[sentences]
    bases: Ints = np.cumsum(lengths, dtype=np.int32) - lengths
    return bases


def _ranges(starts: Ints, ends: Ints) -> Ints:
    """All numbers of some ranges, one range after the other."""
    lengths = ends - starts
    skipped = np.repeat(starts - (np.cumsum(lengths, dtype=np.int32) - lengths), lengths)
    return np.arange(len(skipped), dtype=np.int32) + skipped


def _offsets(lengths: Iterable[int]) -> Ints:
    return np.cumsum([0, *lengths], dtype=np.int32)


def _concatenate(parts: Iterable[Iterable[int]]) -> Ints:
    return np.fromiter(chain.from_iterable(parts), dtype=np.int32)
