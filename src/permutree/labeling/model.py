"""A trained labeller as a folder: weights, vocabularies and settings, and nothing that can run.

``config.json``
    the version of this layout, the settings and the codec
``model.safetensors``
    the weights
``words.json`` or ``pieces.json``, ``tags.json``
    the vocabularies
``README.md``
    the model card
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import nn

from permutree.encoding import Codec
from permutree.labeling.config import EncoderConfig, ModelConfig
from permutree.labeling.features import WordFeatures
from permutree.labeling.labeller import Labeller, WordEncoder
from permutree.labeling.pretrained import PretrainedEncoder
from permutree.labeling.subwords import PieceFeatures
from permutree.output import whole_file
from permutree.settings import SettingsError, as_dict, settings_from
from permutree.treebanks.errors import TreebankError

__all__ = ["FORMAT_VERSION", "Model"]

FORMAT_VERSION = 1
COMPONENTS = ("levels", "shared", "unary", "permutation")


@dataclass(slots=True, eq=False)
class Model:
    """A labeller with all that it takes to use it; a tagger has no codec."""

    config: ModelConfig
    features: WordFeatures | PieceFeatures
    labeller: Labeller
    codec: Codec | None
    #: the tags that it predicts, if it does
    tags: Sequence[str] = ()
    #: what is said of it: training data, scores, …
    facts: dict[str, Any] = field(default_factory=dict)

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
                raise SettingsError("a pretrained encoder must be given")
            encoder = WordEncoder(config, features)
        sizes = {component: len(getattr(codec, component)) for component in COMPONENTS} if codec else {}
        if config.predicts_tags:
            sizes["tags"] = len(tags)
        labeller = Labeller(
            encoder,
            sizes,
            attends=codec is not None and config.encoding == "predecessor",
            reread=config.second_reading,
            dropout=config.encoder.dropout,
        )
        return cls(config, features, labeller, codec, tuple(tags))

    @property
    def parameters(self) -> int:
        """The number of weights."""
        return sum(weight.numel() for weight in self.labeller.parameters())

    def save(self, folder: str | Path, labeller: nn.Module | None = None) -> None:
        """Write the folder; the weights may be those of another labeller of the same shape."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        encoder = self.labeller.encoder
        settings = {
            "format_version": FORMAT_VERSION,
            "model": as_dict(self.config),
            "codec": self.codec.to_json() if self.codec else None,
            "encoder": encoder.config_json() if isinstance(encoder, PretrainedEncoder) else None,
            "facts": self.facts,
        }
        _write_json(folder / f"{self.features.kind}.json", self.features.to_json())
        _write_json(folder / "tags.json", list(self.tags))
        weights = {name: weight.contiguous() for name, weight in (labeller or self.labeller).state_dict().items()}
        with whole_file(folder / "model.safetensors") as temporary:
            save_file(weights, temporary)
        _write_json(folder / "config.json", settings)

    @classmethod
    def load(cls, folder: str | Path, device: torch.device | str = "cpu") -> Model:
        """The model in a folder, ready to use."""
        folder = Path(folder)
        settings = _read_json(folder / "config.json")
        version = settings.get("format_version") if isinstance(settings, dict) else None
        if version is None:
            raise TreebankError("its config.json is not that of a permutree model", source=str(folder))
        if not isinstance(version, int) or version > FORMAT_VERSION:
            message = f"model format {version!r} is not known; this permutree reads up to {FORMAT_VERSION}: update it"
            raise TreebankError(message, source=str(folder))
        try:
            config = settings_from(ModelConfig, settings["model"])
            codec = Codec.from_json(settings["codec"]) if settings["codec"] else None
            tags = _read_json(folder / "tags.json")
            if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
                raise TreebankError("not a list of tags", source=str(folder / "tags.json"))
            if config.predicts_tags and not tags:
                raise TreebankError("there are no tags to predict", source=str(folder / "tags.json"))
            is_pretrained = config.encoder.kind == "pretrained"
            kind = PieceFeatures if is_pretrained else WordFeatures
            features = kind.from_json(_read_json(folder / f"{kind.kind}.json"))
            encoder = PretrainedEncoder.from_config(settings["encoder"]) if is_pretrained else None
            model = cls.build(config, features, codec, tags, encoder)
        except TreebankError:
            raise
        except (AttributeError, KeyError, TypeError, ValueError, RuntimeError) as error:
            raise TreebankError(f"its files do not fit together: {error!r}", source=str(folder)) from error
        model.facts = settings.get("facts", {})
        model._load_weights(folder / "model.safetensors")
        model.labeller.to(device).eval()
        return model

    def _load_weights(self, path: Path) -> None:
        if not path.exists():
            raise TreebankError("the weights are missing", source=str(path))
        try:
            weights = load_file(path)
        except (SafetensorError, OSError) as error:
            raise TreebankError(f"damaged weights: {error}", source=str(path)) from error
        wanted = self.labeller.state_dict()
        for name in sorted(wanted.keys() ^ weights.keys()):
            what = "is missing" if name in wanted else "is not part of the model"
            raise TreebankError(f"the weight {name} {what}", source=str(path))
        for name, weight in weights.items():
            if weight.shape != wanted[name].shape:
                found, expected = tuple(weight.shape), tuple(wanted[name].shape)
                raise TreebankError(f"the weight {name} has the shape {found}, not {expected}", source=str(path))
        self.labeller.load_state_dict(weights)


def without_pretrained_path(config: ModelConfig) -> ModelConfig:
    """The settings with only the last part of where a pretrained encoder came from, if that is a folder."""
    encoder: EncoderConfig = config.encoder
    if encoder.pretrained is None or not Path(encoder.pretrained).is_dir():
        return config
    return replace(config, encoder=replace(encoder, pretrained=Path(encoder.pretrained).name))


def _write_json(path: Path, data: Any) -> None:
    with whole_file(path) as temporary:
        temporary.write_text(
            json.dumps(data, ensure_ascii=False, indent=1 if isinstance(data, dict) else None), "utf-8"
        )


def _read_json(path: Path) -> Any:
    try:
        data: Mapping[str, Any] = json.loads(path.read_text("utf-8"))
    except OSError as error:
        message = f"{error.strerror}; is this the folder of a permutree model?"
        raise TreebankError(message, source=str(path)) from None
    except ValueError as error:
        raise TreebankError(f"damaged: {error}", source=str(path)) from None
    return data
