"""Matches: the nodes that a query found in a sentence. A tree is built when somebody asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from permutree.errors import ConfigError
from permutree.search.predicates import FIGURES
from permutree.search.segments import Segment
from permutree.trees.nodes import blocks_of
from permutree.trees.tree import Tree

__all__ = ["LEAF", "NODE_FACTS", "FoundNode", "Match", "plain_name", "split_fact"]

#: what the name of a variable ends in that stands for a word itself, not for the tag over it, as in Tregex
LEAF = ".leaf"

#: what can be asked of a node that was found, beside figures and facts of its sentence
NODE_FACTS = ("label", "cat", "pos", "word", "lemma", "morph", "function", "text", "words")


class FoundNode:
    """A node that a variable stands for: a constituent or a word."""

    __slots__ = ("_id", "_is_leaf", "_segment", "_sentence")

    def __init__(self, segment: Segment, sentence: int, node: int, is_leaf: bool = False) -> None:
        self._segment = segment
        self._sentence = sentence
        self._id = node
        self._is_leaf = is_leaf

    @property
    def is_word(self) -> bool:
        """Whether it is a word."""
        return bool(self._segment.arrays["label"][self._id] & 1)

    @property
    def label(self) -> str:
        """The category of a constituent, the tag of a word; of a leaf in a query of Tregex the word itself."""
        if self._is_leaf:
            return self._feature("word") or ""
        return self._feature("pos" if self.is_word else "cat") or ""

    def _feature(self, name: str) -> str | None:
        table = self._segment.tables.named(name)
        number = int(self._segment.feature(name, np.asarray([self._id]))[0])
        return table.text(number) if table is not None and number else None

    @property
    def words(self) -> tuple[int, ...]:
        """The indexes of its words, in sentence order."""
        left, right = (int(self._segment.arrays[side][self._id]) for side in ("left", "right"))
        if int(self._segment.arrays["blocks"][self._id]) == 1:
            return tuple(range(left, right + 1))
        return tuple(index for start, end in self.blocks for index in range(start, end))

    @property
    def blocks(self) -> tuple[tuple[int, int], ...]:
        """The maximal runs of consecutive words, as half-open intervals."""
        node = np.asarray([self._id])
        count = int(self._segment.arrays["blocks"][self._id])
        found = (self._segment.block(node, number) for number in range(1, count + 1))
        return tuple((int(first[0]), int(last[0]) + 1) for first, last, _ in found)

    @property
    def text(self) -> str:
        """Its words with blanks between them, and … for each gap."""
        forms = self._segment.arrays["form"]
        begin = int(self._segment.word_offsets[self._sentence])
        table = self._segment.tables.features["word"]
        return " … ".join(
            " ".join(table.text(int(number)) for number in forms[begin + start : begin + end])
            for start, end in self.blocks
        )

    @property
    def number(self) -> int:
        """Its number in the tree: words from 0, then constituents in preorder."""
        first = int(self._segment.node_offsets[self._sentence])
        return int(self._segment.tree_numbers(self._sentence)[self._id - first])

    def fact(self, name: str) -> str | int | None:
        """A feature (cat, pos, word, lemma, morph, function), a figure (length, gaps, …), or a fact of its sentence."""
        if name in FIGURES:
            column, added = FIGURES[name]
            return int(self._segment.arrays[column][self._id]) + added
        match name:
            case "label":
                return self.label
            case "text":
                return self.text
            case "words":
                return " ".join(map(str, self.words))
        return self._feature({"edge": "function", "func": "function", "tag": "pos"}.get(name, name))

    def __repr__(self) -> str:
        return f"FoundNode({self.label!r}, {self.text!r})"


@dataclass(frozen=True)
class Match:
    """Nodes of one sentence that a query found, by the names of its variables."""

    segment: Segment
    sentence_row: int
    ids: Mapping[str, int]
    leaves: frozenset[str] = frozenset()

    @cached_property
    def nodes(self) -> dict[str, FoundNode]:
        """The nodes, by variable, in the order of the query."""
        return {
            name: FoundNode(self.segment, self.sentence_row, node, name in self.leaves)
            for name, node in self.ids.items()
        }

    @property
    def sentence(self) -> int:
        """The number of the sentence in its file, from 1."""
        return int(self.segment.arrays["number"][self.sentence_row])

    @cached_property
    def metadata(self) -> dict[str, str]:
        """What is known of the sentence: its file, its id, and whatever the treebank says."""
        return self.segment.metadata(self.sentence_row)

    @property
    def file(self) -> str:
        """The file that the sentence is in."""
        return self.metadata.get("file", "")

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the sentence."""
        begin, end = self.segment.word_offsets[self.sentence_row : self.sentence_row + 2].tolist()
        table = self.segment.tables.features["word"]
        return tuple(map(table.text, self.segment.arrays["form"][begin:end].tolist()))

    @cached_property
    def tree(self) -> Tree:
        """The tree of the sentence."""
        return self.segment.tree(self.sentence_row)

    def _repr_svg_(self) -> str:
        from permutree.drawing import draw_svg

        return draw_svg(self.tree, marks={node.number: "found" for node in self.nodes.values()})

    def as_dict(self) -> dict[str, object]:
        """The match as it is printed by ``permutree search --json``."""
        return {
            "file": self.file,
            "sentence": self.sentence,
            **({"id": self.metadata["id"]} if "id" in self.metadata else {}),
            "nodes": {name: {"label": node.label, "words": list(node.words)} for name, node in self.nodes.items()},
        }

    def fact(self, variable: str, name: str) -> str | int | None:
        """A fact of a node, or without a variable one of the sentence."""
        if not variable:
            return self.sentence if name == "sentence" else self.metadata.get(name)
        node = self.nodes.get(variable)
        if node is None:
            return None
        if name == "sentence":
            return self.sentence
        return node.fact(name)

    def coverage(self) -> Iterator[tuple[str, tuple[tuple[int, int], ...]]]:
        """The variables with the blocks of their nodes."""
        for name, node in self.nodes.items():
            yield name, blocks_of(node.words)


def split_fact(text: str, variables: Sequence[str], facts: Sequence[str]) -> tuple[str, str]:
    """The variable and the fact of ``#n.cat``; of ``file`` the fact alone. A ConfigError names what there is.

    >>> split_fact("#n.cat", ["n"], ["cat"])
    ('n', 'cat')
    """
    known = [*NODE_FACTS, *FIGURES, "edge", "func", "tag", *facts, "sentence"]
    variable, _, name = text.strip().removeprefix("#").rpartition(".") if "#" in text else ("", "", text.strip())
    if "#" in text and not variable:
        variable, name = name, "label"
    if variable and variable not in variables:
        raise ConfigError(f"{text!r}: the query has no variable #{variable}; it has {_listed(variables)}")
    allowed = known if variable else [*facts, "sentence"]
    if name not in allowed:
        raise ConfigError(f"{text!r}: no such fact; there are {', '.join(dict.fromkeys(allowed))}")
    return variable, name


def _listed(variables: Sequence[str]) -> str:
    return ", ".join(f"#{name}" for name in variables) or "none"


def plain_name(variable: str) -> str:
    """The name of a variable as it is shown.

    >>> plain_name("n.leaf")
    'n'
    """
    return variable.removesuffix(LEAF)
