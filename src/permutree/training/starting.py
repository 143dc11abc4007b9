"""Fine-tuning: training that starts from a trained model, such as a bundled one, instead of random weights.

The new model has the layers of the old one. It knows the words, characters, tags and labels of both, the old model and
the treebank: what the old one knew keeps its weights, a new word starts as an unknown one, and a new label at random.
Fixed vectors of words stay; a new word has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

import torch
from torch import Tensor

from permutree.encoding import Codec
from permutree.encoding.labels import COMPONENTS
from permutree.errors import ConfigError
from permutree.model.config import is_for_training
from permutree.model.features import UNKNOWN, WordFeatures
from permutree.model.folder import Outline
from permutree.models import folder as folder_of
from permutree.networks.model import Model
from permutree.training.config import Config

__all__ = ["both", "continued", "continued_codec", "continued_features", "copy_weights", "known_words", "load_start"]

Settings = TypeVar("Settings")


def continued(config: Config) -> Config:
    """The settings of a training with the layers of the model that it starts from, if it starts from one."""
    name = config.training.start
    if name is None:
        return config
    start = Outline.read(folder_of(name)).config
    if start.task != config.model.task:
        what = {"parse": "parser", "tag": "tagger"}
        raise ConfigError(f"{name} is a {what[start.task]}; a {what[config.model.task]} cannot start from it")
    if config.model.embeddings.vectors is not None:
        raise ConfigError(f"the words of {name} have vectors already: leave out model.embeddings.vectors")
    model = continued_settings(start, config.model)
    # A model that was trained on lowercased words can learn capital letters.
    case = start.encoder.case or (start.encoder.kind == "pretrained" and config.model.encoder.case)
    return replace(config, model=replace(model, encoder=replace(model.encoder, case=case)))


def load_start(name: str) -> Model:
    """The model to start from, by name or folder."""
    return Model.load(folder_of(name))


def continued_settings(start: Settings, given: Settings) -> Settings:
    """The settings of a model to start from, but for those that only training reads: these are as given."""
    changes: dict[str, Any] = {}
    for setting in fields(start):  # type: ignore[arg-type]
        old, new = getattr(start, setting.name), getattr(given, setting.name)
        if is_dataclass(old):
            changes[setting.name] = continued_settings(old, new)
        elif is_for_training(setting):
            changes[setting.name] = new
    return replace(start, **changes)  # type: ignore[type-var]


def known_words(start: WordFeatures) -> dict[str, Iterable[str]]:
    """The words that the model to start from knows, as :meth:`WordFeatures.fit` takes them."""
    words = start.words.values
    return {"more_words": words[: start.trained], "fixed_words": words[start.trained :]}


def continued_features(start: WordFeatures, found: WordFeatures) -> WordFeatures:
    """The features of a treebank, with the characters and tags that the model to start from knows."""
    characters, tags = both(start.characters, found.characters), both(start.tags, found.tags)
    return WordFeatures(found.words, characters, tags, found.counts, found.trained)


def continued_codec(start: Codec, found: Codec) -> Codec:
    """The codec of a treebank, with the labels of the model to start from before others."""
    return Codec(
        found.encoding,
        level_scale=found.level_scale,
        tagset=found.tagset,
        root=found.root,
        tops=found.tops,
        closing=found.closing,
        vocabularies={name: both(getattr(start, name), getattr(found, name)) for name in COMPONENTS},
    )


def both(first: Iterable[str], second: Iterable[str]) -> list[str]:
    """The values of two vocabularies."""
    return [*dict.fromkeys((*first, *second))]


@torch.no_grad()
def copy_weights(start: Model, model: Model) -> None:
    """Give a model the weights of the one to start from; rows of tables and heads go by what they stand for."""
    old, new = start.labeller.state_dict(), model.labeller.state_dict()
    had, has = _rows(start), _rows(model)
    for name, weight in old.items():
        if name not in new:
            continue
        if name not in has:
            new[name].copy_(weight)
            continue
        places = {value: place for place, value in enumerate(had[name])}
        rows = [places.get(value, -1) for value in has[name]]
        known = torch.tensor([row >= 0 for row in rows])
        new[name][known] = weight[torch.tensor([row for row in rows if row >= 0], dtype=torch.long)]
        if name == _WORDS:
            new[name][~known] = weight[UNKNOWN]


_WORDS = "encoder.embedding.words.weight"


def _rows(model: Model) -> Mapping[str, Sequence[str]]:
    """What the rows of weights stand for, by the names of the weights."""
    rows: dict[str, Sequence[str]] = {}
    if isinstance(model.features, WordFeatures):
        rows |= {
            _WORDS: model.features.words.values[: model.features.trained],
            "encoder.embedding.fixed": model.features.words.values,
            "encoder.embedding.characters.embedding.weight": model.features.characters.values,
            "encoder.embedding.tags.weight": model.features.tags.values,
        }
    heads: dict[str, Sequence[str]] = {"tags": list(model.tags)}
    if model.codec is not None:
        heads |= {name: getattr(model.codec, name).values for name in COMPONENTS}
        heads |= dict.fromkeys(("first", "last"), model.codec.shared.values)
        rows |= {f"spans.label.{part}": model.codec.shared.values for part in ("weight", "bias")}
    weights: dict[str, Tensor] = model.labeller.state_dict()
    for name, labels in heads.items():
        # Attention has no rows for values.
        if not (name == "permutation" and model.config.attends):
            rows |= {f"heads.{name}.{part}": labels for part in ("weight", "bias")}
    return {name: labels for name, labels in rows.items() if name in weights}
