"""Ensembles: models that parse together, whatever words they know and however they number their labels.

They must parse the same language and describe trees in the same way: the same labeller and the same encoding. Then each
reads the words as it was trained to, by characters or by sub-words, and tells what it predicts in the values of the
first one. Of a label or tag that only some of them know, only these are asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from permutree.errors import ConfigError
from permutree.model.batching import Arrays, Batch, Ints
from permutree.model.features import WordFeatures
from permutree.model.folder import Outline
from permutree.model.subwords import PieceFeatures
from permutree.networks.labeller import Labeller
from permutree.networks.model import Model
from permutree.networks.tensors import Inputs, as_tensors
from permutree.networks.translation import Translation

__all__ = ["Ensemble", "JointArrays", "JointBatch", "JointFeatures", "JointInputs"]


@dataclass(frozen=True, slots=True, eq=False)
class JointBatch:
    """A batch of sentences, as several models read it; ``whose`` says which part each model reads."""

    parts: Sequence[Batch]
    whose: Sequence[int]

    @property
    def lengths(self) -> Ints:
        """The number of words of each sentence [B]."""
        return self.parts[0].lengths

    def tensors(self) -> JointInputs:
        """The batch as tensors that share its memory."""
        return JointInputs([as_tensors(part) for part in self.parts], self.whose)


@dataclass(frozen=True, slots=True, eq=False)
class JointInputs:
    """A batch of sentences as tensors, as several models read it."""

    parts: Sequence[Inputs]
    whose: Sequence[int]

    @property
    def lengths(self) -> Tensor:
        """The number of words of each sentence [B]."""
        return self.parts[0].lengths

    @property
    def mask(self) -> Tensor:
        """Where there are words [B, T]."""
        return self.parts[0].mask

    @property
    def members(self) -> list[Inputs]:
        """What each model reads."""
        return [self.parts[number] for number in self.whose]

    def to(self, device: torch.device | str) -> JointInputs:
        """A copy on a device."""
        return JointInputs([part.to(device) for part in self.parts], self.whose)


@dataclass(frozen=True, slots=True, eq=False)
class JointArrays:
    """The features of many sentences, as several models read them."""

    parts: Sequence[Arrays]
    whose: Sequence[int]

    @property
    def lengths(self) -> Ints:
        """What each sentence costs in a batch, for the model that it costs most."""
        longest: Ints = np.max([part.lengths for part in self.parts], axis=0)
        return longest

    @property
    def offsets(self) -> Ints:
        """Where each sentence begins, in words, and where the last one ends."""
        return self.parts[0].offsets

    def batch(self, sentences: Ints) -> JointBatch:
        """Some of the sentences as a batch."""
        return JointBatch([part.batch(sentences) for part in self.parts], self.whose)


class JointFeatures:
    """What the members of an ensemble see of sentences; those that see the same share it."""

    def __init__(self, models: Sequence[Model]) -> None:
        self._parts: list[WordFeatures | PieceFeatures] = []
        self._whose: list[int] = []
        known: list[object] = []
        for model in models:
            if (found := model.features.to_json()) not in known:
                known.append(found)
                self._parts.append(model.features)
            self._whose.append(known.index(found))

    def arrays(self, words: Sequence[Sequence[str]], tags: Sequence[Sequence[str]] | None) -> JointArrays:
        """The features of sentences."""
        return JointArrays([part.arrays(words, tags) for part in self._parts], self._whose)


@dataclass(frozen=True, slots=True, eq=False)
class Ensemble:
    """Models that parse together: what the first one is, what all of them read, and how each tells what it predicts."""

    outline: Outline
    features: JointFeatures
    labellers: Sequence[Labeller]
    #: None for a model that has the values of the first one
    translations: Sequence[Translation | None]

    @classmethod
    def of(cls, models: Sequence[Model], names: Sequence[object] = ()) -> Ensemble:
        """Models that describe trees in the same way; by their names, errors say which do not."""
        first = models[0]
        called = [str(name) for name in names] or [f"model {number}" for number in range(1, len(models) + 1)]
        for model, name in zip(models[1:], called[1:], strict=True):
            ours, theirs = _described(first), _described(model)
            for what, value in ours.items():
                # A model that does not say its language may parse any.
                if theirs[what] != value and not (what == "language" and None in (value, theirs[what])):
                    said = f"{called[0]} has {value}, {name} {theirs[what]}"
                    raise ConfigError(f"the models of an ensemble must have the same {what}: {said}")
        translations = [
            None if _values(model) == _values(first) else Translation.between(model, first) for model in models
        ]
        for translation, name in zip(translations, called, strict=True):
            if translation is not None and (head := translation.mute) is not None:
                said = f"{name} has none of the values of {head} that {called[0]} has"
                raise ConfigError(f"the models of an ensemble must have labels and tags in common: {said}")
        return cls(first.outline, JointFeatures(models), [model.labeller for model in models], translations)


def _described(model: Model) -> dict[str, object]:
    """The language of a model, and how it describes trees, whatever labels and tags there are."""
    config, codec = model.config, model.codec
    found = "spans" if config.scores_spans else "ends" if config.finds_ends else "levels"
    described: dict[str, object] = {
        "language": model.facts.get("language"),
        "task": config.task,
        "labeller": config.labeller,
        "way to find constituents": found,
        "use of tags": "tags to predict" if config.predicts_tags else "tags to read" if config.reads_tags else "none",
    }
    if codec is not None:
        described |= {
            "encoding": config.permutation.name,
            "scale of levels": codec.level_scale,
            "coarse tags": "none" if codec.tagset is None else codec.tagset.name,
            "root": codec.root,
            "heads": "votes at ends" if config.has("edges") else "no votes at ends",
        }
    return described


def _values(model: Model) -> tuple[object, object]:
    """The labels and tags of a model, in their order."""
    return model.codec and model.codec.to_json()["vocabularies"], list(model.tags)
