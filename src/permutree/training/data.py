"""Treebanks made ready for training: read once, encoded once."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import Any

import numpy as np
import torch
from torch import Tensor

from permutree.encoding import Codec
from permutree.encoding.closing import closing_words
from permutree.encoding.codec import COMPONENTS, depths
from permutree.encoding.constituents import brackets_of
from permutree.encoding.vocabulary import Vocabulary
from permutree.errors import ConfigError, DataError
from permutree.formats import read
from permutree.model.batching import Arrays, Ints, padded
from permutree.model.config import ModelConfig
from permutree.networks.model import Model
from permutree.networks.tensors import Constituents, Inputs, as_tensors
from permutree.training.auxiliary import auxiliary_values
from permutree.trees.tree import Tree

__all__ = ["Dataset", "fit_codec", "read_trees", "tag_values"]

_log = logging.getLogger("permutree")


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """Sentences as features and gold values, one sentence after the other."""

    arrays: Arrays
    offsets: Ints
    #: gold values at every word, by head; -1 where the vocabulary has none
    gold: dict[str, Ints]
    #: arrangements, position to word
    orders: Ints
    #: levels as they are, at every word
    depths: Ints

    @classmethod
    def of(
        cls, trees: Sequence[Tree], model: Model, auxiliary: Mapping[str, Vocabulary] = MappingProxyType({})
    ) -> Dataset:
        """Trees as a model sees them, with the values of auxiliary tasks."""
        words, tags = [tree.words for tree in trees], [tree.tags for tree in trees]
        gold: dict[str, Ints] = {}
        levels = depths(trees).astype(np.int64)
        if model.codec is not None:
            labels = model.codec.encode(trees)
            gold = {component: getattr(labels, component).astype(np.int64) for component in COMPONENTS}
            if model.config.depth:
                gold["depth"] = np.minimum(levels, model.codec.deepest).astype(np.int64)
        offsets = np.cumsum([0, *map(len, words)], dtype=np.int64)
        if model.config.predicts_tags:
            numbers = {tag: number for number, tag in enumerate(model.tags)}
            flat = chain.from_iterable(tags)
            gold["tags"] = np.fromiter((numbers.get(tag, -1) for tag in flat), np.int64, int(offsets[-1]))
        gold |= {task: auxiliary_values(trees, task, vocabulary) for task, vocabulary in auxiliary.items()}
        orders = np.fromiter(chain.from_iterable(tree.order for tree in trees), np.int64, int(offsets[-1]))
        return cls(model.features.arrays(words, tags), offsets, gold, orders, levels)

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

    def constituents(self, sentences: Ints) -> Constituents:
        """Their constituents over several words."""
        lengths = self.words[sentences]
        firsts = np.repeat(np.cumsum(lengths) - lengths, lengths)
        rows = np.repeat(np.arange(len(sentences)) * int(lengths.max()), lengths)
        positions = np.arange(len(rows)) - firsts
        offsets = np.repeat(self.offsets[sentences], lengths)
        words = self.orders[offsets + positions]
        # the word at each position: where it is in the batch, and where it is in all sentences
        places, words = rows + words, offsets + words
        levels = self.depths[words]
        brackets = brackets_of(levels)
        boundaries = np.flatnonzero(levels)
        owners = brackets.owners[boundaries]
        values = np.full(len(brackets.starts), -1, np.int64)
        values[owners] = self.gold["shared"][words[boundaries]]
        edges = np.stack([brackets.starts, brackets.ends - 1], 1)
        found = (
            *places[edges].T,
            places[boundaries],
            owners,
            values,
            (rows + positions)[boundaries],
            positions[edges[owners]],
        )
        return Constituents(*(torch.from_numpy(np.ascontiguousarray(one, np.int64)) for one in found))


def read_trees(paths: Iterable[str], tagged: Iterable[str] = (), max_length: int | None = None) -> list[Tree]:
    """The trees of treebank files, with the tags of the same sentences in other files, if there are such."""
    trees = list(read(paths))
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


def _same_sentences(trees: Sequence[Tree], paths: Sequence[str]) -> list[Tree]:
    others = list(read(paths))
    if len(others) != len(trees):
        message = f"{len(others)} tagged sentences for {len(trees)} trees"
        raise DataError(message, source=", ".join(paths))
    for number, (tree, other) in enumerate(zip(trees, others, strict=True), 1):
        if tree.words != other.words:
            raise DataError("not the same words as in the trees", source=", ".join(paths), sentence=number)
    return others


def tag_values(trees: Iterable[Tree]) -> list[str]:
    """All tags, sorted."""
    return sorted(set(chain.from_iterable(tree.tags for tree in trees)))


def fit_codec(trees: Sequence[Tree], config: ModelConfig) -> Codec:
    """A codec with the values of the training trees."""
    options: dict[str, Any] = {"tagset": config.tagset} if config.tagset else {}
    if config.closing:
        options["closing"] = closing_words(trees)
    return Codec.fit(trees, config.encoding, level_scale=config.levels, **options)
