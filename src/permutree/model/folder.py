"""A trained labeller as a folder: weights, vocabularies and settings, and nothing that can run.

``config.json``
    the version of this layout, the settings and the codec
``model.safetensors``
    the weights, for PyTorch
``model.onnx``, ``words.onnx``, ``second.onnx``
    the network with its weights for ONNX Runtime, instead or beside, in as many graphs as it takes
``words.json`` or ``pieces.json``, ``tags.json``
    the vocabularies
``README.md``
    the model card

Here is what both ways to run a labeller share: all but the weights.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from permutree.encoding import Codec
from permutree.encoding.codec import COMPONENTS
from permutree.errors import DataError
from permutree.formats.sinks import whole_file
from permutree.model.config import ModelConfig
from permutree.model.features import WordFeatures
from permutree.model.subwords import PieceFeatures
from permutree.settings import as_dict, settings_from

__all__ = ["CARD", "FORMAT_VERSION", "GRAPHS", "SCORES", "WEIGHTS", "Outline"]

FORMAT_VERSION = 1
WEIGHTS = "model.safetensors"
CARD = "README.md"
#: the graphs for ONNX Runtime: of words, of sentences, of the second reading
GRAPHS = ("words.onnx", "model.onnx", "second.onnx")
#: only so many words, the most frequent ones, are told apart when they are hidden
HIDDEN_WORDS = 20_000
#: ends the names of those outputs of a graph that are log-probabilities
SCORES = ".scores"


@dataclass(slots=True, eq=False)
class Outline:
    """All of a model but its weights; a tagger has no codec."""

    config: ModelConfig
    features: WordFeatures | PieceFeatures
    codec: Codec | None
    #: the tags that it predicts, if it does
    tags: Sequence[str] = ()
    #: what is said of it: training data, scores, …
    facts: dict[str, Any] = field(default_factory=dict)
    #: the architecture of a pretrained encoder
    encoder: Mapping[str, Any] | None = None

    @property
    def sizes(self) -> dict[str, int]:
        """How many values each head has."""
        sizes = {component: len(getattr(self.codec, component)) for component in COMPONENTS} if self.codec else {}
        if self.config.task == "mask" and isinstance(self.features, WordFeatures):
            sizes["words"] = min(len(self.features.words), HIDDEN_WORDS)
        if self.codec and self.config.depth:
            sizes["depth"] = self.codec.deepest + 1
        if self.codec and self.config.edges:
            sizes |= dict.fromkeys(("first", "last"), len(self.codec.shared))
        if self.config.predicts_tags:
            sizes["tags"] = len(self.tags)
        return sizes

    def write(self, folder: Path) -> None:
        """Write all files but the weights into a folder; the settings last."""
        settings = {
            "format_version": FORMAT_VERSION,
            "model": as_dict(self.config),
            "codec": self.codec.to_json() if self.codec else None,
            "encoder": self.encoder,
            "facts": self.facts,
        }
        _write_json(folder / f"{self.features.kind}.json", self.features.to_json())
        _write_json(folder / "tags.json", list(self.tags))
        _write_json(folder / "config.json", settings)

    @classmethod
    def read(cls, folder: str | Path) -> Outline:
        """The outline of the model in a folder."""
        folder = Path(folder)
        settings = _read_json(folder / "config.json")
        version = settings.get("format_version") if isinstance(settings, dict) else None
        if version is None:
            raise DataError("its config.json is not that of a permutree model", source=str(folder))
        if not isinstance(version, int) or version > FORMAT_VERSION:
            message = f"model format {version!r} is not known; this permutree reads up to {FORMAT_VERSION}: update it"
            raise DataError(message, source=str(folder))
        try:
            config = settings_from(ModelConfig, settings["model"])
            codec = Codec.from_json(settings["codec"]) if settings["codec"] else None
            tags = _read_json(folder / "tags.json")
            if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
                raise DataError("not a list of tags", source=str(folder / "tags.json"))
            if config.predicts_tags and not tags:
                raise DataError("there are no tags to predict", source=str(folder / "tags.json"))
            kind = PieceFeatures if config.encoder.kind == "pretrained" else WordFeatures
            features = kind.from_json(_read_json(folder / f"{kind.kind}.json"))
        except DataError:
            raise
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise DataError(f"its files do not fit together: {error!r}", source=str(folder)) from error
        return cls(config, features, codec, tuple(tags), settings.get("facts", {}), settings.get("encoder"))


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
        raise DataError(message, source=str(path)) from None
    except ValueError as error:
        raise DataError(f"damaged: {error}", source=str(path)) from None
    return data
