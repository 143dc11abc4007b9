"""Trees as columns: what is searched. A segment holds some thousand sentences, each column an array.

All nodes of a sentence, words among them, are numbered in preorder; the sentences of a segment follow one another. So
the nodes below node n are exactly ``n + 1 … n + size[n] - 1``, in a discontinuous tree as in any other: preorder is
that of the tree, not of the words. The columns of nodes are:

- ``label``: twice the number of the category of a constituent, or twice the number of the tag of a word, plus one;
- ``size``: the nodes of the subtree; 1 for words alone;
- ``up``: how far before the node its parent is; 0 for the root;
- ``left``, ``right``: first and last word; ``words``: how many words; ``blocks``: how many runs of neighbouring words;
- ``arity``: children; ``rank``: place among the siblings, from 0; ``depth``: 1 for the root;
- ``function``: the label of the edge to the parent; ``sentence``: the number of the sentence in the segment.

Words have columns of their own (``form``, ``lemma``, ``morph``, ``node``), and so have sentences. Discontinuous
constituents are few: their blocks stand in a list beside (``gapped``, ``block_offsets``, ``block_starts``,
``block_ends``). Each column has the smallest type that holds it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from permutree.search.tables import TableBuilder
from permutree.trees.batch import TreeBatch
from permutree.trees.tree import Tree

__all__ = ["FEATURE_TABLES", "Located", "Tables", "arrays_of"]

Array = npt.NDArray[np.integer]
Arrays = dict[str, Array]

#: the tables that every corpus has; those of sentences are added as they come
FEATURE_TABLES = ("cat", "pos", "word", "lemma", "morph", "function", "edge")


class Located(NamedTuple):
    """A tree, and where it comes from."""

    tree: Tree
    file: str
    #: the number of the sentence in the file, from 1
    number: int
    #: further facts of the sentence, by name
    metadata: tuple[tuple[str, str], ...] = ()


class Tables:
    """The tables of a corpus that is being built: of words and nodes, and one for each fact about sentences."""

    def __init__(self) -> None:
        self.features = {name: TableBuilder() for name in FEATURE_TABLES}
        self.metadata: dict[str, TableBuilder] = {"file": TableBuilder(), "id": TableBuilder()}

    def metadata_named(self, name: str) -> TableBuilder:
        """The table of a fact about sentences."""
        return self.metadata.setdefault(name, TableBuilder())


def arrays_of(sentences: Sequence[Located], tables: Tables) -> Arrays:
    """The columns of some sentences; their texts are put into the tables."""
    trees = [located.tree for located in sentences]
    batch = TreeBatch.from_trees(trees)
    columns = _Nodes(batch)
    arrays = columns.arrays()
    words = tables.features["word"]
    arrays["form"] = np.fromiter(map(words.__getitem__, chain.from_iterable(batch.words)), np.int64)
    arrays["label"] = _labels(batch, columns, tables)
    _annotate(arrays, trees, columns, tables)
    _add_metadata(arrays, sentences, tables)
    _add_postings(arrays)
    return {name: _narrow(array) for name, array in arrays.items()}


class _Nodes:
    """The columns that follow from the shapes of trees, all sentences at once."""

    def __init__(self, batch: TreeBatch) -> None:
        lengths, counts = np.diff(batch.word_offsets), np.diff(batch.node_offsets)
        word_offsets = batch.word_offsets.astype(np.int64)
        constituent_base = np.repeat(word_offsets[:-1], counts)
        #: spans of constituents, and the order of words, counted over all sentences
        self.starts, self.ends = batch.starts + constituent_base, batch.ends + constituent_base
        self.order: npt.NDArray[np.int64] = batch.order.astype(np.int64)
        self.word_offsets = word_offsets
        self.lengths, self.counts = lengths, counts
        self.base = np.repeat(word_offsets[:-1], lengths)
        size, number = len(self.order), np.arange(len(self.starts))
        opened = np.cumsum(np.bincount(self.starts, minlength=size + 1))[:size]
        closed = np.cumsum(np.bincount(self.ends, minlength=size + 1))[:size]
        #: the places of constituents and of the words of the arrangement in the preorder of all nodes
        self.constituents = number + self.starts
        self.leaves = np.arange(size) + opened
        self.total = size + len(number)
        self.sizes = np.ones(self.total, np.int64)
        self.depths = np.zeros(self.total, np.int64)
        if len(number):
            self.sizes[self.constituents] = self.ends - self.starts + opened[self.ends - 1] - number
            self.depths[self.constituents] = number + 1 - closed[self.starts]
        self.depths[self.leaves] = opened - closed + 1
        #: word of the sentence, counted over all → its node
        self.node_of_word = np.empty(size, np.int64)
        self.node_of_word[self.order + self.base] = self.leaves

    def arrays(self) -> Arrays:
        """All of these columns."""
        node_offsets = np.zeros(len(self.lengths) + 1, np.int64)
        np.cumsum(self.lengths + self.counts, out=node_offsets[1:])
        sentence = np.repeat(np.arange(len(self.lengths)), self.lengths + self.counts)
        parents = self._parents()
        is_root = parents < 0
        numbers = np.arange(self.total)
        by_parent = np.argsort(parents, kind="stable")
        sorted_parents = parents[by_parent]
        is_first = np.append(True, sorted_parents[1:] != sorted_parents[:-1]) if self.total else np.zeros(0, bool)
        rank = np.empty(self.total, np.int64)
        rank[by_parent] = numbers - np.maximum.accumulate(np.where(is_first, numbers, 0))
        rank[is_root] = 0
        arity = np.bincount(parents[~is_root], minlength=self.total)
        left, right = self._edges()
        words = np.ones(self.total, np.int64)
        words[self.constituents] = self.ends - self.starts
        blocks, gaps = self._blocks()
        return {
            "node_offsets": node_offsets,
            "word_offsets": self.word_offsets,
            "sentence": sentence,
            "size": self.sizes,
            "up": np.where(is_root, 0, numbers - parents),
            "left": left,
            "right": right,
            "words": words,
            "blocks": blocks,
            "arity": arity,
            "rank": rank,
            "depth": self.depths,
            "node": self.node_of_word - np.repeat(node_offsets[:-1], self.lengths),
            **gaps,
        }

    def _parents(self) -> npt.NDArray[np.int64]:
        """The parent of each node, -1 for roots: the last node before it that is one level higher."""
        parents = np.full(self.total, -1, np.int64)
        by_depth = np.argsort(self.depths, kind="stable")
        levels = np.split(by_depth, np.cumsum(np.bincount(self.depths, minlength=2)[1:])[:-1])
        for above, nodes in pairwise(levels):
            parents[nodes] = above[np.searchsorted(above, nodes) - 1]
        return parents

    def _edges(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """First and last word of each node."""
        left, right = np.empty(self.total, np.int64), np.empty(self.total, np.int64)
        left[self.leaves] = right[self.leaves] = self.order
        if len(self.starts):
            spans = np.stack([self.starts, self.ends], axis=1).ravel()
            # reduceat wants an element behind the last span
            order = np.append(self.order, 0)
            left[self.constituents] = np.minimum.reduceat(order, spans)[::2]
            right[self.constituents] = np.maximum.reduceat(order, spans)[::2]
        return left, right

    def _blocks(self) -> tuple[npt.NDArray[np.int64], Arrays]:
        """How many blocks each node has, and where the blocks of discontinuous constituents begin and end."""
        words = self.order + self.base
        position = np.empty(len(words), np.int64)
        position[words] = np.arange(len(words))
        # Where the neighbours of each word of the arrangement stand; those of other sentences stand nowhere.
        before = np.where(self.order > 0, position[words - 1], -1)
        is_last = self.order + 1 == np.repeat(self.lengths, self.lengths)
        after = np.where(is_last, -1, position[np.minimum(words + 1, len(words) - 1)]) if len(words) else before
        left, right = self._edges()
        span = right[self.constituents] - left[self.constituents] + 1
        gapped = np.flatnonzero(span != self.ends - self.starts)
        blocks = np.ones(self.total, np.int64)
        lengths = self.ends[gapped] - self.starts[gapped]
        owner = np.repeat(np.arange(len(gapped)), lengths)
        begin = np.cumsum(lengths) - lengths
        places = np.arange(len(owner)) - np.repeat(begin - self.starts[gapped], lengths)
        first, last = self.starts[gapped][owner], self.ends[gapped][owner]
        opens = (before[places] < first) | (before[places] >= last)
        closes = (after[places] < first) | (after[places] >= last)
        counts = np.bincount(owner[opens], minlength=len(gapped))
        blocks[self.constituents[gapped]] = counts
        offsets = np.zeros(len(gapped) + 1, np.int64)
        np.cumsum(counts, out=offsets[1:])
        return blocks, {
            "gapped": self.constituents[gapped],
            "block_offsets": offsets,
            "block_starts": _sorted_within(owner[opens], self.order[places[opens]]),
            "block_ends": _sorted_within(owner[closes], self.order[places[closes]]),
        }


def _sorted_within(owner: npt.NDArray[np.int64], values: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Values sorted among those of the same owner; owners come in order."""
    return values[np.lexsort((values, owner))]


def _labels(batch: TreeBatch, columns: _Nodes, tables: Tables) -> Array:
    label = np.empty(columns.total, np.int64)
    categories, tags = tables.features["cat"], tables.features["pos"]
    numbers = np.fromiter((categories[text] for text in batch.vocabulary), np.int64, len(batch.vocabulary))
    if len(batch.labels):
        label[columns.constituents] = 2 * numbers[batch.labels]
    in_order = np.fromiter(map(tags.__getitem__, chain.from_iterable(batch.tags)), np.int64)
    label[columns.node_of_word] = 2 * in_order + 1
    return label


def _annotate(arrays: Arrays, trees: Sequence[Tree], columns: _Nodes, tables: Tables) -> None:
    """Add lemmas, morphology, functions and secondary edges, as far as there are any."""
    size = len(columns.order)
    for name, field in (("lemma", "lemmas"), ("morph", "morphology")):
        values = [getattr(tree.annotations, field) or (None,) * len(tree) for tree in trees]
        table = tables.features[name]
        arrays[name] = np.fromiter(map(table.__getitem__, chain.from_iterable(values)), np.int64, size)
    function = np.zeros(columns.total, np.int64)
    table = tables.features["function"]
    children, parents, labels = [], [], []
    first_word = first_constituent = 0
    for tree in trees:
        words, constituents = len(tree), len(tree.labels)
        known = tree.annotations.functions
        if known is not None or tree.annotations.secondary:
            nodes = np.concatenate(
                [
                    columns.node_of_word[first_word : first_word + words],
                    columns.constituents[first_constituent : first_constituent + constituents],
                ]
            )
            if known is not None:
                function[nodes] = [table[text] for text in known]
            for edge in tree.annotations.secondary:
                children.append(nodes[edge.child])
                parents.append(nodes[edge.parent])
                labels.append(tables.features["edge"][edge.label])
        first_word += words
        first_constituent += constituents
    arrays["function"] = function
    by_child = np.argsort(np.asarray(children, np.int64), kind="stable")
    for name, found in (("secondary_child", children), ("secondary_parent", parents), ("secondary_label", labels)):
        arrays[name] = np.asarray(found, np.int64)[by_child]


def _add_metadata(arrays: Arrays, sentences: Sequence[Located], tables: Tables) -> None:
    """Add what is known of whole sentences: file, number, id, and whatever else there is."""
    arrays["number"] = np.fromiter((located.number for located in sentences), np.int64, len(sentences))
    files = tables.metadata["file"]
    facts: dict[str, dict[int, int]] = {}
    for sentence, located in enumerate(sentences):
        annotations = located.tree.annotations
        known: Iterable[tuple[str, str | None]] = (
            ("id", annotations.id),
            ("comment", annotations.comment),
            *annotations.info,
            *located.metadata,
        )
        for name, value in known:
            if value is not None:
                facts.setdefault(name, {})[sentence] = tables.metadata_named(name)[value]
    arrays["meta:file"] = np.fromiter((files[located.file] for located in sentences), np.int64, len(sentences))
    for name, values in facts.items():
        column = arrays[f"meta:{name}"] = np.zeros(len(sentences), np.int64)
        column[list(values)] = list(values.values())


def _add_postings(arrays: Arrays) -> None:
    """For labels and words: the nodes, or words, that have each, so that a rare one is found without a scan."""
    for name in ("label", "form"):
        column = arrays[name]
        order = np.argsort(column, kind="stable")
        values, starts = np.unique(column[order], return_index=True)
        arrays[f"{name}_order"] = order
        arrays[f"{name}_values"] = values
        arrays[f"{name}_starts"] = np.append(starts, len(order))


def _narrow(array: Array) -> Array:
    """Numbers in the smallest unsigned type that holds them."""
    most = int(array.max(initial=0))
    return np.ascontiguousarray(array, np.min_scalar_type(most))
