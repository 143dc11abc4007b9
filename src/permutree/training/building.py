"""What training starts with: a model, sentences to train it on, and sentences to score it on."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from permutree.errors import ConfigError
from permutree.model.config import EmbeddingConfig
from permutree.model.features import WordFeatures
from permutree.model.subwords import PieceFeatures
from permutree.networks.embeddings import read_vectors
from permutree.networks.labeller import WordEncoder
from permutree.networks.model import Model, without_pretrained_path
from permutree.networks.pretrained import PretrainedEncoder, load_pretrained
from permutree.training.auxiliary import fit_auxiliary
from permutree.training.config import Config
from permutree.training.data import Dataset, fit_codec, read_tagged, read_trees, tag_values
from permutree.training.starting import both, continued_codec, continued_features, copy_weights, known_words, load_start
from permutree.training.teachers import load_teachers
from permutree.training.validation import Validator
from permutree.trees.batch import TreeBatch
from permutree.trees.tree import Tree

__all__ = ["build_model", "prepare"]

_log = logging.getLogger("permutree")

Words = Sequence[Sequence[str]]


def prepare(config: Config) -> tuple[Model, Dataset, Validator]:
    """A fresh model, sentences to train it on, and sentences to score it on. Trees become arrays here, once."""
    data = config.data
    trees = read_trees(data.train, data.train_tags, data.max_length)
    dev = read_trees(data.dev, data.dev_tags)
    forest = TreeBatch.from_trees(trees)
    tagged = read_tagged(data.tagged, tag_values(forest), data.max_length) if data.tagged else []
    model = build_model(config, forest, [tree.words for tree in dev], tagged)
    if model.codec is not None and config.model.finds_constituents and config.model.has("levels"):
        model.labeller.add_auxiliary("levels", len(model.codec.levels))
    if model.codec is not None and config.model.scores_spans and config.model.has("edges"):
        for name in ("shared", "first", "last"):
            model.labeller.add_auxiliary(name, len(model.codec.shared))
    auxiliary = fit_auxiliary(trees, config.training.auxiliary)
    for task, values in auxiliary.items():
        model.labeller.add_auxiliary(task, len(values))
    gold = read_trees(data.dev) if data.dev_tags else dev
    if tagged:
        trees += tagged
        forest = TreeBatch.from_trees(trees)
    teachers = load_teachers(config.training.teachers, model, forest)
    found = Dataset.of(forest, model, trees, auxiliary, tagged=len(tagged), teachers=teachers)
    return model, found, Validator.of(dev, gold, model)


def build_model(config: Config, forest: TreeBatch, dev: Words, tagged: Sequence[Tree] = ()) -> Model:
    """A model with the vocabularies of the training trees, and the words of sentences that are only tagged."""
    settings, embeddings = config.model, config.model.embeddings
    start = load_start(config.training.start) if config.training.start is not None else None
    codec = fit_codec(forest, settings) if settings.task == "parse" else None
    tags = tag_values(forest) if settings.predicts_tags else []
    if start is not None:
        codec = continued_codec(start.codec, codec) if codec is not None and start.codec is not None else None
        tags = both(start.tags, tags)
    if settings.encoder.kind == "pretrained":
        if start is not None:
            again = PretrainedEncoder.from_config(start.outline.encoder or {})
            read = start.features
            if isinstance(read, PieceFeatures) and settings.encoder.case:
                read = read.with_case()
            model = Model.build(settings, read, codec, tags, again)
            copy_weights(start, model)
            return model
        pieces, encoder = load_pretrained(settings.encoder.pretrained or "", dropout=settings.encoder.dropout)
        if settings.encoder.case:
            pieces = pieces.with_case()
        return Model.build(without_pretrained_path(settings), pieces, codec, tags, encoder)
    words = [*forest.words, *(tree.words for tree in tagged)]
    tag_rows = [*forest.tags, *(tree.tags for tree in tagged)]
    vectors = _read_vectors(embeddings, chain(words, dev)) if embeddings.vectors is not None else {}
    more: dict[str, Iterable[str]] = {"fixed_words" if embeddings.fixed else "more_words": vectors}
    if start is not None and isinstance(start.features, WordFeatures):
        more = known_words(start.features)
    features = WordFeatures.fit(words, tag_rows, min_count=embeddings.min_count, **more)
    if start is not None and isinstance(start.features, WordFeatures):
        features = continued_features(start.features, features)
    model = Model.build(settings, features, codec, tags)
    if start is not None:
        copy_weights(start, model)
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
