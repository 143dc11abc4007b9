"""A labeller in PyTorch with its codec, features and facts: built, saved and loaded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from permutree.encoding import Codec
from permutree.errors import ConfigError, DataError
from permutree.formats.sinks import whole_file
from permutree.model.config import EncoderConfig, ModelConfig
from permutree.model.features import WordFeatures
from permutree.model.folder import GRAPHS, WEIGHTS, Outline
from permutree.model.subwords import PieceFeatures
from permutree.networks.graphs import read_graphs
from permutree.networks.labeller import Labeller, WordEncoder
from permutree.networks.pretrained import PretrainedEncoder
from permutree.networks.reread import RereadLabeller

__all__ = ["Model"]


@dataclass(slots=True, eq=False)
class Model:
    """A labeller with all that it takes to use it; a tagger has no codec."""

    config: ModelConfig
    features: WordFeatures | PieceFeatures
    labeller: Labeller
    codec: Codec | None
    #: the tags that it predicts, if it does
    tags: Sequence[str] = ()
    #: what is said of it: language, licence, scores, …
    facts: dict[str, Any] = field(default_factory=dict)
    #: the settings that it was trained with, for the record
    training: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def build(
        cls,
        config: ModelConfig,
        features: WordFeatures | PieceFeatures,
        codec: Codec | None,
        tags: Sequence[str],
        encoder: nn.Module | None = None,
    ) -> Model:
        """A model with fresh weights; the encoder may be given, such as a pretrained one."""
        if encoder is None:
            if not isinstance(features, WordFeatures):
                raise ConfigError("a pretrained encoder must be given")
            encoder = WordEncoder(config, features)
        if config.encoder.on_top and isinstance(encoder, PretrainedEncoder):
            encoder.put_on_top(
                hidden=config.encoder.hidden, layers=config.encoder.on_top, dropout=config.encoder.dropout
            )
        return cls(config, features, cls._labeller(config, features, codec, tags, encoder), codec, tuple(tags))

    @staticmethod
    def _labeller(
        config: ModelConfig,
        features: WordFeatures | PieceFeatures,
        codec: Codec | None,
        tags: Sequence[str],
        encoder: nn.Module,
    ) -> Labeller:
        sizes, dropout = Outline(config, features, codec, tags).sizes, config.encoder.dropout
        attention = config.attention if config.attends else 0
        if not config.rereads:
            return Labeller(encoder, sizes, attention=attention, dropout=dropout)
        labels = len(codec.shared) if codec is not None and config.scores_spans else 0
        return RereadLabeller(encoder, sizes, attention=attention, reread=config.reread, labels=labels, dropout=dropout)

    @property
    def parameters(self) -> int:
        """The number of weights."""
        return sum(weight.numel() for weight in self.labeller.weights().values())

    @property
    def outline(self) -> Outline:
        """All but the weights."""
        encoder = self.labeller.encoder
        config = encoder.config_json() if isinstance(encoder, PretrainedEncoder) else None
        return Outline(self.config, self.features, self.codec, self.tags, self.facts, self.training, config)

    def save(self, folder: str | Path, labeller: Labeller | None = None) -> None:
        """Write the folder; the weights may be those of another labeller of the same shape."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        weights = {name: weight.contiguous() for name, weight in (labeller or self.labeller).weights().items()}
        with whole_file(folder / WEIGHTS) as temporary:
            save_file(weights, temporary)
        # Graphs of other weights would be run in their place.
        for name in GRAPHS:
            (folder / name).unlink(missing_ok=True)
        self.outline.write(folder)

    @classmethod
    def load(cls, folder: str | Path, device: torch.device | str = "cpu") -> Model:
        """The model in a folder, ready to use; its weights may be those of its graphs, made whole again from int8."""
        folder = Path(folder)
        outline = Outline.read(folder)
        try:
            is_pretrained = outline.config.encoder.kind == "pretrained"
            encoder = PretrainedEncoder.from_config(outline.encoder or {}) if is_pretrained else None
            model = cls.build(outline.config, outline.features, outline.codec, outline.tags, encoder)
        except (AttributeError, KeyError, TypeError, ValueError, RuntimeError) as error:
            raise DataError(f"its files do not fit together: {error!r}", source=str(folder)) from error
        model.facts, model.training = outline.facts, outline.training
        for name in (WEIGHTS,) if (folder / WEIGHTS).exists() else GRAPHS:
            outline.checksums.check(name)
        if (folder / WEIGHTS).exists() or not (folder / GRAPHS[1]).exists():
            model._load_weights(_read_weights(folder / WEIGHTS), folder / WEIGHTS)
        else:
            model._load_weights(read_graphs(folder, model.labeller), folder)
        model.labeller.to(device).eval()
        return model

    def _load_weights(self, weights: dict[str, Tensor], source: Path) -> None:
        wanted = self.labeller.state_dict()
        # Heads that only training needs, or that earlier versions had.
        weights = {name: weight for name, weight in weights.items() if name in wanted or not _UNUSED(name)}
        for name in sorted(wanted.keys() ^ weights.keys()):
            what = "is missing" if name in wanted else "is not part of the model"
            raise DataError(f"the weight {name} {what}", source=str(source))
        for name, weight in weights.items():
            if weight.shape != wanted[name].shape:
                found, expected = tuple(weight.shape), tuple(wanted[name].shape)
                raise DataError(f"the weight {name} has the shape {found}, not {expected}", source=str(source))
        self.labeller.load_state_dict(weights)


_UNUSED = re.compile(r"heads\.(?:levels|depth)\.").match


def _read_weights(path: Path) -> dict[str, Tensor]:
    if not path.exists():
        raise DataError("the weights are missing", source=str(path))
    try:
        return load_file(path)
    except (SafetensorError, OSError) as error:
        raise DataError(f"damaged weights: {error}", source=str(path)) from error


def without_pretrained_path(config: ModelConfig) -> ModelConfig:
    """The settings with only the last part of where a pretrained encoder came from, if that is a folder."""
    encoder: EncoderConfig = config.encoder
    if encoder.pretrained is None or not Path(encoder.pretrained).is_dir():
        return config
    return replace(config, encoder=replace(encoder, pretrained=Path(encoder.pretrained).name))
