"""Treebanks made ready for training: read once, encoded once."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType
from typing import Any

import numpy as np
import torch
from torch import Tensor

from permutree.encoding import Codec
from permutree.encoding.codec import Constituents
from permutree.encoding.final_punctuation import closing_words
from permutree.encoding.labels import COMPONENTS
from permutree.encoding.vocabulary import Vocabulary
from permutree.errors import ConfigError, DataError
from permutree.formats import read
from permutree.model.batching import Arrays, Ints, padded
from permutree.model.config import ModelConfig
from permutree.networks.model import Model
from permutree.networks.tensors import Constituents as ConstituentTensors
from permutree.networks.tensors import Inputs, as_tensors
from permutree.parsing.inputs import read_sentences
from permutree.training.auxiliary import auxiliary_values
from permutree.training.teachers import Teacher
from permutree.trees.batch import TreeBatch
from permutree.trees.tree import Tree

__all__ = ["Dataset", "Spans", "fit_codec", "read_tagged", "read_trees", "tag_numbers", "tag_values"]

_log = logging.getLogger("permutree")


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """The constituents over several words of all sentences, one sentence after the other."""

    #: of sentences, in constituents
    offsets: Ints
    #: first and last position of each in the arrangement of its sentence, and the value of its shared label
    firsts: Ints
    lasts: Ints
    labels: Ints
    #: for each position the constituent that owns the boundary behind it, counted in the sentence; -1 for none
    owners: Ints

    @classmethod
    def of(cls, found: Constituents, offsets: Ints) -> Spans:
        """The spans among what a codec says of a batch."""
        sentences = np.searchsorted(offsets, found.starts, side="right") - 1
        counts = np.bincount(sentences, minlength=len(offsets) - 1)
        node_offsets = np.cumsum([0, *counts], dtype=np.int64)
        bases = offsets[sentences]
        owners = found.owners - np.repeat(node_offsets[:-1], np.diff(offsets))
        owners[offsets[1:] - 1] = -1
        fields = (found.starts - bases, found.ends - 1 - bases, found.labels, owners)
        return cls(node_offsets, *(values.astype(np.int64) for values in fields))

    def only_first(self, sentences: int, words: int) -> Spans:
        """The spans of the first sentences, which have so many words; the others have none."""
        nodes = self.offsets[sentences]
        owners = np.where(np.arange(len(self.owners)) < words, self.owners, -1)
        return Spans(
            np.minimum(self.offsets, nodes), self.firsts[:nodes], self.lasts[:nodes], self.labels[:nodes], owners
        )


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """Sentences as features and gold values, one sentence after the other."""

    arrays: Arrays
    offsets: Ints
    #: gold values, by head; -1 where the vocabulary has none. Those of a second reading come by position
    gold: dict[str, Ints]
    #: arrangements, position to word
    orders: Ints
    spans: Spans | None
    #: the heads among those that are trained, but not kept
    auxiliary: frozenset[str] = frozenset()
    #: trained models that read the same sentences
    teachers: tuple[Teacher, ...] = ()

    @classmethod
    def of(
        cls,
        forest: TreeBatch,
        model: Model,
        trees: Sequence[Tree] = (),
        auxiliary: Mapping[str, Vocabulary] = MappingProxyType({}),
        *,
        tagged: int = 0,
        teachers: tuple[Teacher, ...] = (),
    ) -> Dataset:
        """Trees as a model sees them; the values of auxiliary tasks are in the annotations of the trees themselves.

        Of the last ``tagged`` trees only the tags are true.
        """
        offsets, orders = forest.word_offsets.astype(np.int64), forest.order.astype(np.int64)
        gold: dict[str, Ints] = {}
        spans = None
        if model.codec is not None and model.config.rereads:
            found = model.codec.encode_constituents(forest)
            names = [name for name in ("levels", "shared", "unary") if name in model.labeller.heads]
            gold = {name: getattr(found, name).astype(np.int64) for name in names}
            gold["permutation"] = model.codec.encode_permutation(forest).astype(np.int64)
            spans = Spans.of(found, offsets)
        elif model.codec is not None:
            labels = model.codec.encode(forest)
            gold = {component: getattr(labels, component).astype(np.int64) for component in COMPONENTS}
        if model.config.predicts_tags:
            gold["tags"] = tag_numbers(forest.tags, model.tags)
        at_words = np.repeat(offsets[:-1], np.diff(offsets)) + orders
        for task, vocabulary in auxiliary.items():
            values = auxiliary_values(trees, task, vocabulary)
            gold[task] = values[at_words] if model.labeller.is_arranged(task) else values
        arrays = model.features.arrays(forest.words, forest.tags)
        data = cls(arrays, offsets, gold, orders, spans, frozenset(auxiliary), teachers)
        return data._without_trees(tagged) if tagged else data

    def _without_trees(self, count: int) -> Dataset:
        """These sentences, with nothing but tags known of the last ones."""
        trees = len(self) - count
        words = self.offsets[trees]
        gold = {
            name: values if name == "tags" else np.where(np.arange(len(values)) < words, values, -1)
            for name, values in self.gold.items()
        }
        return replace(self, gold=gold, spans=self.spans and self.spans.only_first(trees, words))

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.offsets) - 1

    @property
    def words(self) -> Ints:
        """The number of words of each sentence."""
        return np.diff(self.offsets)

    def batch(self, sentences: Ints) -> tuple[Inputs, dict[str, Tensor]]:
        """Some of the sentences as tensors, with their gold values [B, T]."""
        gold = {
            name: torch.from_numpy(padded(values, self.offsets, sentences, -1)) for name, values in self.gold.items()
        }
        return as_tensors(self.arrays.batch(sentences)), gold

    def order(self, sentences: Ints) -> Tensor:
        """Their arrangements [B, T], position to word; padding stays where it is."""
        order = padded(self.orders, self.offsets, sentences, -1)
        return torch.from_numpy(np.where(order < 0, np.arange(order.shape[1]), order))

    def tree_words(self, sentences: Ints) -> Ints:
        """The number of words of sentences, 1 where nothing is known of constituents."""
        spans = self.spans
        assert spans is not None
        return np.where(spans.offsets[sentences + 1] > spans.offsets[sentences], self.words[sentences], 1)

    def constituents(self, sentences: Ints) -> ConstituentTensors:
        """Their constituents over several words."""
        spans = self.spans
        assert spans is not None
        width = int(self.words[sentences].max())
        rows = np.arange(len(sentences))
        counts = spans.offsets[sentences + 1] - spans.offsets[sentences]
        # where the constituents of each sentence stand among all, and among those of the batch
        nodes = np.repeat(spans.offsets[sentences] - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
        bases = np.repeat(rows * width, counts)
        owners = padded(spans.owners, self.offsets, sentences, -1)
        boundaries = np.flatnonzero(owners.ravel() >= 0)
        owners = (owners + (np.cumsum(counts) - counts)[:, None]).ravel()[boundaries]
        edges = np.stack([spans.firsts[nodes], spans.lasts[nodes]], 1)
        found = (*(edges + bases[:, None]).T, boundaries, owners, spans.labels[nodes], edges[owners])
        return ConstituentTensors(*(torch.from_numpy(np.ascontiguousarray(one, np.int64)) for one in found))


def tag_numbers(tags: Sequence[Sequence[str]], known: Sequence[str]) -> Ints:
    """The number of each word's tag among those that are known; -1 for others."""
    numbers = {tag: number for number, tag in enumerate(known)}
    return np.array([numbers.get(tag, -1) for tag in chain.from_iterable(tags)], np.int64)


def read_trees(paths: Iterable[str], tagged: Iterable[str] = (), max_length: int | None = None) -> list[Tree]:
    """The trees of treebank files, with the tags of the same sentences in other files, if there are such."""
    # A file that is named several times is read once.
    files: dict[str, list[Tree]] = {}
    trees: list[Tree] = []
    for path in paths:
        if path not in files:
            files[path] = list(read(path))
        trees += files[path]
    tagged = list(tagged)
    if tagged:
        others = _same_sentences(trees, tagged)
        trees = [tree.with_tags(other.tags) for tree, other in zip(trees, others, strict=True)]
    if max_length is not None:
        kept = [tree for tree in trees if len(tree) <= max_length]
        if len(kept) < len(trees):
            _log.info("%d sentences of more than %d words are not trained on", len(trees) - len(kept), max_length)
        trees = kept
    if not trees:
        raise ConfigError("there are no trees to train on or to evaluate with; name files in data.train and data.dev")
    return trees


def read_tagged(paths: Iterable[str], known: Collection[str], max_length: int | None = None) -> list[Tree]:
    """Sentences with tags and without trees, as flat trees. Tags that the trees do not have are said."""
    trees = []
    for sentence in read_sentences(paths, "tagged"):
        if sentence.tags is not None and (max_length is None or len(sentence.words) <= max_length):
            size = len(sentence.words)
            trees.append(Tree.from_spans(sentence.words, sentence.tags, range(size), ["ROOT"], [0], [size]))
    unknown = Counter(tag for tree in trees for tag in tree.tags if tag not in known)
    if unknown:
        _log.warning(
            "data.tagged: the trees do not have the tags %s; %d words with them are not learnt from",
            ", ".join(sorted(unknown)),
            unknown.total(),
        )
    return trees


def _same_sentences(trees: Sequence[Tree], paths: Sequence[str]) -> list[Tree]:
    others = list(read(paths))
    if len(others) != len(trees):
        message = f"{len(others)} tagged sentences for {len(trees)} trees"
        raise DataError(message, source=", ".join(paths))
    for number, (tree, other) in enumerate(zip(trees, others, strict=True), 1):
        if tree.words != other.words:
            raise DataError("not the same words as in the trees", source=", ".join(paths), sentence=number)
    return others


def tag_values(forest: TreeBatch) -> list[str]:
    """All tags, sorted."""
    return sorted(set(chain.from_iterable(forest.tags)))


def fit_codec(forest: TreeBatch, config: ModelConfig) -> Codec:
    """A codec with the values of the training trees."""
    options: dict[str, Any] = {"tagset": config.tagset} if config.tagset else {}
    if config.has("final-punctuation"):
        options["closing"] = closing_words(forest)
    # Levels of a second reading are learnt from, or read with others around: the mixed scale suits both best.
    scale = "mixed" if config.rereads else "relative"
    return Codec.fit(forest, config.permutation.name, level_scale=scale, **options)
