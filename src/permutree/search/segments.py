"""Segments of a corpus, as the engine sees them: columns in memory or in a mapped file, and questions to them.

Node numbers count within the segment. What is asked for some nodes comes back as int64, one value for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from permutree.search.columns import Arrays, Located, Tables, arrays_of
from permutree.search.tables import NO_VALUE, StringTable
from permutree.trees.annotations import Annotations, SecondaryEdge
from permutree.trees.tree import Tree

__all__ = ["Bools", "Ids", "Segment", "TableSet", "ranges"]

Ids = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

#: columns that hold facts about words: asked for by the node of the word
_OF_WORDS = {"word": "form", "lemma": "lemma", "morph": "morph"}


class TableSet:
    """The tables of a corpus: of features (cat, pos, word, lemma, morph, function, edge) and of sentences."""

    def __init__(self, features: Mapping[str, StringTable], metadata: Mapping[str, StringTable]) -> None:
        self.features = dict(features)
        self.metadata = dict(metadata)

    @classmethod
    def of(cls, tables: Tables) -> TableSet:
        """The tables of a corpus that was built in memory."""
        return cls(
            {name: builder.table() for name, builder in tables.features.items()},
            {name: builder.table() for name, builder in tables.metadata.items()},
        )

    def named(self, feature: str) -> StringTable | None:
        """The table that the values of a feature of nodes, or of sentences, are in."""
        return self.features.get(feature) or self.metadata.get(feature)


class Segment:
    """Some thousand sentences."""

    def __init__(self, arrays: Arrays, tables: TableSet) -> None:
        self.arrays = arrays
        self.tables = tables
        self.node_offsets = arrays["node_offsets"].astype(np.int64)
        self.word_offsets = arrays["word_offsets"].astype(np.int64)
        self.nodes = int(self.node_offsets[-1])
        self.sentences = len(self.node_offsets) - 1

    @classmethod
    def of(cls, sentences: Iterable[Located]) -> Segment:
        """A segment in memory, with tables of its own."""
        tables = Tables()
        arrays = arrays_of(list(sentences), tables)
        return cls(arrays, TableSet.of(tables))

    def get(self, column: str, nodes: Ids) -> Ids:
        """The values of a column of nodes."""
        return self.arrays[column][nodes].astype(np.int64)

    def is_word(self, nodes: Ids) -> Bools:
        """Whether nodes are words."""
        found: Bools = (self.arrays["label"][nodes] & 1).astype(bool)
        return found

    def parents(self, nodes: Ids) -> Ids:
        """The parents; roots are their own."""
        return nodes - self.get("up", nodes)

    def first_words(self, nodes: Ids) -> Ids:
        """The first word of each node, counted over the segment."""
        return self.word_offsets[self.get("sentence", nodes)] + self.get("left", nodes)

    def words_at(self, sentences: Ids, words: Ids) -> Ids:
        """The nodes of words, given by sentence and place."""
        answer: Ids = self.node_offsets[sentences] + self.arrays["node"][self.word_offsets[sentences] + words]
        return answer

    def feature(self, name: str, nodes: Ids) -> Ids:
        """The numbers that a feature has in its table; 0 where a node has no such feature."""
        if name in ("cat", "pos"):
            label = self.get("label", nodes)
            return np.where(label & 1 == (name == "pos"), label >> 1, NO_VALUE)
        if name in _OF_WORDS:
            found = np.zeros(len(nodes), np.int64)
            words = np.flatnonzero(self.is_word(nodes))
            found[words] = self.arrays[_OF_WORDS[name]][self.first_words(nodes[words])]
            return found
        if name == "function":
            return self.get("function", nodes)
        column = self.arrays.get(f"meta:{name}")
        if column is None:
            return np.zeros(len(nodes), np.int64)
        return column[self.get("sentence", nodes)].astype(np.int64)

    def posting(self, column: str, value: int) -> npt.NDArray[np.integer]:
        """The nodes with a label, or the words (counted over the segment) with a form, in ascending order."""
        first, last = self._posting_range(column, value)
        return self.arrays[f"{column}_order"][first:last]

    def posting_size(self, column: str, value: int) -> int:
        """How many there are."""
        first, last = self._posting_range(column, value)
        return last - first

    def _posting_range(self, column: str, value: int) -> tuple[int, int]:
        values, starts = self.arrays[f"{column}_values"], self.arrays[f"{column}_starts"]
        place = int(np.searchsorted(values, value))
        if place == len(values) or int(values[place]) != value:
            return 0, 0
        return int(starts[place]), int(starts[place + 1])

    def nodes_of_words(self, words: Ids) -> Ids:
        """The nodes of words that are counted over the segment."""
        sentences = np.searchsorted(self.word_offsets, words, side="right") - 1
        return self.node_offsets[sentences] + self.arrays["node"][words]

    def gap_rows(self, nodes: Ids) -> tuple[Ids, Ids]:
        """For discontinuous constituents, where their blocks begin and end in the list of blocks."""
        row = np.searchsorted(self.arrays["gapped"], nodes)
        offsets = self.arrays["block_offsets"]
        return offsets[row].astype(np.int64), offsets[row + 1].astype(np.int64)

    def block(self, nodes: Ids, number: int) -> tuple[Ids, Ids, Bools]:
        """First and last word of a block, counted from 1, or from the end with -1; and whether there is such a one."""
        blocks = self.get("blocks", nodes)
        index = np.full(len(nodes), number - 1) if number > 0 else blocks + number
        is_there = (index >= 0) & (index < blocks)
        first, last = self.get("left", nodes), self.get("right", nodes)
        broken = np.flatnonzero((blocks > 1) & is_there)
        begin, _ = self.gap_rows(nodes[broken])
        first[broken] = self.arrays["block_starts"][begin + index[broken]]
        last[broken] = self.arrays["block_ends"][begin + index[broken]]
        return first, last, is_there

    def has_word_between(self, nodes: Ids, first: Ids, last: Ids) -> Bools:
        """Whether nodes have a word among first … last."""
        found = np.zeros(len(nodes), bool)
        blocks = self.get("blocks", nodes)
        for number in range(1, int(blocks.max(initial=0)) + 1):
            start, end, is_there = self.block(nodes, number)
            found |= is_there & (start <= last) & (end >= first)
        return found

    def tree(self, sentence: int) -> Tree:
        """The tree of a sentence, with its annotations."""
        first, last = int(self.node_offsets[sentence]), int(self.node_offsets[sentence + 1])
        begin, end = int(self.word_offsets[sentence]), int(self.word_offsets[sentence + 1])
        label = self.arrays["label"][first:last].astype(np.int64)
        is_word = (label & 1).astype(bool)
        order = self.arrays["left"][first:last][is_word].tolist()
        starts = np.cumsum(is_word)[~is_word]
        ends = starts + self.arrays["words"][first:last][~is_word]
        tables = self.tables.features
        in_order = np.empty(end - begin, np.int64)
        in_order[order] = label[is_word] >> 1
        words = [tables["word"].text(number) for number in self.arrays["form"][begin:end].tolist()]
        return Tree._new(
            tuple(words),
            tuple(map(tables["pos"].text, in_order.tolist())),
            range(len(order)) if order == list(range(len(order))) else tuple(order),
            tuple(map(tables["cat"].text, (label[~is_word] >> 1).tolist())),
            tuple(starts.tolist()),
            tuple(ends.tolist()),
            self._annotations(sentence),
        )

    def tree_numbers(self, sentence: int) -> Ids:
        """For each node of a sentence its number in the tree: words from 0, then constituents in preorder."""
        first, last = int(self.node_offsets[sentence]), int(self.node_offsets[sentence + 1])
        is_word = (self.arrays["label"][first:last] & 1).astype(bool)
        numbers = np.cumsum(~is_word) - 1 + int(is_word.sum())
        return np.where(is_word, self.arrays["left"][first:last], numbers)

    def _annotations(self, sentence: int) -> Annotations:
        first, last = int(self.node_offsets[sentence]), int(self.node_offsets[sentence + 1])
        begin, end = int(self.word_offsets[sentence]), int(self.word_offsets[sentence + 1])
        tables = self.tables.features

        def of_words(name: str) -> tuple[str | None, ...] | None:
            numbers = self.arrays[name][begin:end].tolist()
            return tuple(tables[name].texts_of(numbers)) if any(numbers) else None

        numbers = self.tree_numbers(sentence)
        functions: list[str | None] | None = None
        found = self.arrays["function"][first:last]
        if found.any():
            functions = [None] * (last - first)
            for number, text in zip(numbers.tolist(), tables["function"].texts_of(found.tolist()), strict=True):
                functions[number] = text
        low, high = np.searchsorted(self.arrays["secondary_child"], [first, last])
        secondary = tuple(
            SecondaryEdge(
                int(numbers[int(self.arrays["secondary_child"][row]) - first]),
                int(numbers[int(self.arrays["secondary_parent"][row]) - first]),
                tables["edge"].text(int(self.arrays["secondary_label"][row])),
            )
            for row in range(int(low), int(high))
        )
        facts = self.metadata(sentence)
        info = tuple((name, value) for name, value in facts.items() if name not in ("file", "id", "comment"))
        return Annotations(
            id=facts.get("id"),
            lemmas=of_words("lemma"),
            morphology=of_words("morph"),
            functions=None if functions is None else tuple(functions),
            secondary=secondary,
            comment=facts.get("comment"),
            info=info,
        )

    def metadata(self, sentence: int) -> dict[str, str]:
        """What is known of a sentence as a whole: its file, its id, and more."""
        facts = {}
        for name, table in self.tables.metadata.items():
            column = self.arrays.get(f"meta:{name}")
            if column is not None and int(column[sentence]):
                facts[name] = table.text(int(column[sentence]))
        return facts


def ranges(starts: Ids, ends: Ids) -> tuple[Ids, Ids]:
    """All numbers of some ranges, one after the other, and for each which range it is of."""
    lengths = np.maximum(ends - starts, 0)
    owner = np.repeat(np.arange(len(starts)), lengths)
    begin = np.cumsum(lengths) - lengths
    return np.arange(len(owner)) - np.repeat(begin - starts, lengths), owner
