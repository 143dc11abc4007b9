"""What is in a treebank: words, labels and tags, lengths, depths, unary chains, and how discontinuous it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from permutree.trees.tree import Tree

__all__ = ["Statistics", "count"]


@dataclass(slots=True)
class Statistics:
    """Counters over the trees of a treebank; two of them can be added."""

    sentences: int = 0
    words: int = 0
    constituents: int = 0
    discontinuous_sentences: int = 0
    discontinuous_constituents: int = 0
    #: sentence length, depth and gap degree → number of sentences
    lengths: Counter[int] = field(default_factory=Counter)
    depths: Counter[int] = field(default_factory=Counter)
    sentence_gaps: Counter[int] = field(default_factory=Counter)
    #: gap degree → number of constituents
    constituent_gaps: Counter[int] = field(default_factory=Counter)
    #: number of constituents over the same words → how many such chains: over several words, if more than one, …
    unary_chains: Counter[int] = field(default_factory=Counter)
    #: … and over a single word
    leaf_chains: Counter[int] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    discontinuous_labels: Counter[str] = field(default_factory=Counter)
    tags: Counter[str] = field(default_factory=Counter)
    vocabulary: Counter[str] = field(default_factory=Counter)
    roots: Counter[str] = field(default_factory=Counter)

    def add(self, tree: Tree) -> None:
        """Count one more tree."""
        self.sentences += 1
        self.words += len(tree)
        self.constituents += len(tree.labels)
        self.lengths[len(tree)] += 1
        self.depths[tree.depth] += 1
        self.labels.update(tree.labels)
        self.tags.update(tree.tags)
        self.vocabulary.update(tree.words)
        self.roots[tree.root_label] += 1
        for (start, end), length in Counter(zip(tree.starts, tree.ends, strict=True)).items():
            if end - start == 1:
                self.leaf_chains[length] += 1
            elif length > 1:
                self.unary_chains[length] += 1
        gap_degree = 0
        if tree.is_discontinuous:
            self.discontinuous_sentences += 1
            for constituent in tree:
                gaps = constituent.gap_degree
                self.constituent_gaps[gaps] += 1
                if gaps:
                    self.discontinuous_constituents += 1
                    self.discontinuous_labels[constituent.label] += 1
                    gap_degree = max(gap_degree, gaps)
        else:
            self.constituent_gaps[0] += len(tree.labels)
        self.sentence_gaps[gap_degree] += 1

    def __add__(self, other: Statistics) -> Statistics:
        values = {name: getattr(self, name) + getattr(other, name) for name in self.__slots__}
        return Statistics(**values)

    def as_dict(self) -> dict[str, Any]:
        """The counts and the figures derived from them, ready for JSON."""
        return {
            "sentences": self.sentences,
            "words": self.words,
            "constituents": self.constituents,
            "discontinuous sentences": self.discontinuous_sentences,
            "discontinuous sentences share": _share(self.discontinuous_sentences, self.sentences),
            "discontinuous constituents": self.discontinuous_constituents,
            "discontinuous constituents share": _share(self.discontinuous_constituents, self.constituents),
            "length": _summary(self.lengths),
            "depth": _summary(self.depths),
            "gap degree of sentences": _histogram(self.sentence_gaps),
            "gap degree of constituents": _histogram(self.constituent_gaps),
            "unary chains": sum(self.unary_chains.values()),
            "unary chains by length": _histogram(self.unary_chains),
            "unary chains over a word": sum(self.leaf_chains.values()),
            "unary chains over a word by length": _histogram(self.leaf_chains),
            "distinct words": len(self.vocabulary),
            "roots": dict(self.roots.most_common()),
            "labels": dict(self.labels.most_common()),
            "discontinuous labels": dict(self.discontinuous_labels.most_common()),
            "tags": dict(self.tags.most_common()),
        }


def count(trees: Iterable[Tree]) -> Statistics:
    """The statistics of some trees."""
    statistics = Statistics()
    for tree in trees:
        statistics.add(tree)
    return statistics


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _histogram(counter: Counter[int]) -> dict[str, int]:
    return {str(value): counter[value] for value in sorted(counter)}


def _summary(counter: Counter[int]) -> dict[str, float]:
    """Least, mean, median and greatest of the values."""
    total = sum(counter.values())
    if not total:
        return {"min": 0, "mean": 0.0, "median": 0, "max": 0}
    mean = sum(value * times for value, times in counter.items()) / total
    median, so_far = 0, 0
    for value in sorted(counter):
        so_far += counter[value]
        if 2 * so_far >= total:
            median = value
            break
    return {"min": min(counter), "mean": mean, "median": median, "max": max(counter)}
