"""What training starts with: a model, sentences to train it on, and sentences to score it on."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from permutree.encoding import Codec
from permutree.errors import ConfigError
from permutree.model.batching import Arrays, Ints
from permutree.model.config import EmbeddingConfig
from permutree.model.features import WordFeatures
from permutree.networks.embeddings import read_vectors
from permutree.networks.labeller import WordEncoder
from permutree.networks.model import Model, without_pretrained_path
from permutree.networks.pretrained import load_pretrained
from permutree.networks.tensors import Constituents, Inputs
from permutree.training.auxiliary import fit_auxiliary
from permutree.training.config import Config
from permutree.training.data import Dataset, fit_codec, read_trees, tag_values
from permutree.training.masking import MaskedText, MaskedValidator, read_words
from permutree.training.validation import Row, Validator
from permutree.trees.tree import Tree

__all__ = ["Scorer", "TrainingData", "build_model", "prepare"]

_log = logging.getLogger("permutree")

Words = Sequence[Sequence[str]]


class TrainingData(Protocol):
    """Sentences to train on."""

    @property
    def arrays(self) -> Arrays:
        """Their features."""

    @property
    def words(self) -> Ints:
        """The number of words of each."""

    def __len__(self) -> int:
        """How many there are."""

    def batch(self, sentences: Ints) -> tuple[Inputs, dict[str, Tensor]]:
        """Some of them as tensors, with their gold values."""

    def order(self, sentences: Ints) -> Tensor:
        """Their arrangements."""

    def constituents(self, sentences: Ints) -> Constituents:
        """Their constituents."""


class Scorer(Protocol):
    """Sentences to score on."""

    def score(self, labeller: nn.Module, device: torch.device) -> Row:
        """How good a labeller is; the figure that counts is called score."""


def prepare(config: Config) -> tuple[Model, TrainingData, Scorer]:
    """A fresh model and its data."""
    data = config.data
    if config.model.task == "mask":
        texts, dev_texts = read_words(data.train, data.max_length), read_words(data.dev)
        model = _build_from_words(config, texts, [], dev_texts, None, ())
        return model, MaskedText.of(texts, model), MaskedValidator(MaskedText.of(dev_texts, model))
    trees = read_trees(data.train, data.train_tags, data.max_length)
    dev = read_trees(data.dev, data.dev_tags)
    dev_gold = read_trees(data.dev) if data.dev_tags else dev
    model = build_model(config, trees, dev)
    auxiliary = fit_auxiliary(trees, config.training.auxiliary)
    for task, values in auxiliary.items():
        model.labeller.add_auxiliary(task, len(values))
    return model, Dataset.of(trees, model, auxiliary), Validator.of(dev, dev_gold, model)


def build_model(config: Config, trees: Sequence[Tree], dev: Sequence[Tree]) -> Model:
    """A model with the vocabularies of the training trees."""
    settings = config.model
    codec = fit_codec(trees, settings) if settings.task == "parse" else None
    tags = tag_values(trees) if settings.predicts_tags else []
    if settings.encoder.kind == "pretrained":
        pieces, encoder = load_pretrained(settings.encoder.pretrained or "", dropout=settings.encoder.dropout)
        return Model.build(without_pretrained_path(settings), pieces, codec, tags, encoder)
    words, tagged = [tree.words for tree in trees], [tree.tags for tree in trees]
    return _build_from_words(config, words, tagged, [tree.words for tree in dev], codec, tags)


def _build_from_words(
    config: Config, words: Words, tagged: Words, dev: Words, codec: Codec | None, tags: Sequence[str]
) -> Model:
    """A model with an encoder that is trained from scratch, or from where another stopped."""
    settings, embeddings = config.model, config.model.embeddings
    if config.training.start is not None:
        known, begun = _begun(config)
        model = Model.build(settings, known.with_tags(tagged), codec, tags)
        _copy_weights(begun, model.labeller.encoder)
        return model
    vectors = _read_vectors(embeddings, chain(words, dev)) if embeddings.vectors is not None else {}
    more = {"fixed_words" if embeddings.fixed else "more_words": vectors}
    features = WordFeatures.fit(words, tagged, min_count=embeddings.min_count, **more)
    model = Model.build(settings, features, codec, tags)
    if vectors:
        assert isinstance(model.labeller.encoder, WordEncoder)
        found = model.labeller.encoder.embedding.load_vectors(list(features.words), vectors)
        _log.info("word vectors for %d of %d words", found, len(features.words))
    return model


def _read_vectors(config: EmbeddingConfig, words: Iterable[Sequence[str]]) -> dict[str, npt.NDArray[np.float32]]:
    """The vectors of a file: all, if they are fixed, or those of the words of some sentences."""
    wanted = None
    if not config.fixed:
        wanted = {form for word in chain.from_iterable(words) for form in (word, word.lower())}
    vectors = read_vectors(config.vectors or "", wanted)
    if not vectors:
        raise ConfigError(f"{config.vectors} has no vector for any word of the treebank")
    size, name = len(next(iter(vectors.values()))), "fixed" if config.fixed else "word"
    if size != getattr(config, name):
        raise ConfigError(f"embeddings.{name} is {getattr(config, name)}, but the vectors have {size} numbers")
    return vectors


def _begun(config: Config) -> tuple[WordFeatures, nn.Module]:
    """The words and characters to start from, and the encoder."""
    begun = Model.load(config.training.start or "")
    ours, theirs = config.model, begun.config
    if not isinstance(begun.features, WordFeatures):
        raise ConfigError("training.start is for encoders trained from scratch; name others in encoder.pretrained")
    for what, one, other in (
        ("encoder", replace(ours.encoder, dropout=0.0), replace(theirs.encoder, dropout=0.0)),
        ("word", ours.embeddings.word, theirs.embeddings.word),
        ("characters", ours.embeddings.characters, theirs.embeddings.characters),
        ("character", ours.embeddings.character, theirs.embeddings.character),
        ("fixed", ours.embeddings.fixed, theirs.embeddings.fixed),
        ("character_embedding", ours.embeddings.character_embedding, theirs.embeddings.character_embedding),
    ):
        if one != other:
            raise ConfigError(f"{what} is {one}, but {other} in {config.training.start}, which training starts from")
    return begun.features, begun.labeller.encoder


@torch.no_grad()
def _copy_weights(source: nn.Module, target: nn.Module) -> None:
    """Start with the weights of another encoder; it may read no tags, which come last among what words are made of."""
    found = source.state_dict()
    for name, weight in target.state_dict().items():
        if name in found:
            known = found[name]
            weight[tuple(slice(size) for size in known.shape)] = known.to(weight)
