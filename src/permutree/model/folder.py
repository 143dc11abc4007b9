"""A trained labeller as a folder: weights, vocabularies and settings, and nothing that can run.

``config.json``
    the version of this layout, what the labeller is made of, the codec, facts (language, licence, scores, …), and the
    checksums of all files
``training.json``
    the settings that it was trained with: a record, which nothing reads back
``model.safetensors``
    the weights, for PyTorch
``model.onnx``, ``words.onnx``, ``second.onnx``, ``labels.onnx``
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
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any

from permutree.encoding import Codec
from permutree.encoding.labels import COMPONENTS
from permutree.errors import ConfigError, DataError
from permutree.formats.sinks import whole_file
from permutree.model.checksums import CONFIG, FILES, Checksums
from permutree.model.config import ModelConfig, is_for_training
from permutree.model.features import WordFeatures
from permutree.model.subwords import PieceFeatures
from permutree.model.version1 import from_version_1
from permutree.settings import settings_from

__all__ = [
    "ALL_FILES",
    "CARD",
    "FORMAT_VERSION",
    "GRAPHS",
    "LICENCE",
    "MODEL_FILES",
    "PIECES",
    "SCORES",
    "SPANS",
    "SPAN_LABELS",
    "SPAN_TOTALS",
    "TRAINING",
    "WEIGHTS",
    "Outline",
]

FORMAT_VERSION = 2
WEIGHTS = "model.safetensors"
CARD = "README.md"
LICENCE = "LICENSE"
#: the graphs for ONNX Runtime: of words, of sentences, of the second reading, of the labels of constituents
GRAPHS = ("words.onnx", "model.onnx", "second.onnx", "labels.onnx")
TRAINING = "training.json"
#: the sub-words of a pretrained encoder
PIECES = "pieces.json"
#: the files that are read when a model is loaded, beside config.json; there are never all of them
MODEL_FILES = (*GRAPHS, WEIGHTS, "words.json", PIECES, "tags.json", TRAINING)
#: what a model folder may have
ALL_FILES = (CONFIG, *MODEL_FILES, CARD, LICENCE)
#: ends the names of outputs of graphs that are scores: log-probabilities, up to a constant for each word
SCORES = ".scores"
#: what the scores of spans are called; of a graph, the scores of their best labels [B, T, T], these labels, and the
#: logarithms of the sums over all labels
SPANS = "spans"
SPAN_LABELS, SPAN_TOTALS = "spans.labels", "spans.totals"
#: the heads whose scores choose the labels of constituents together
VOTES = ("shared", "first", "last")
#: what the second reading hands on to these heads: its states, in whole numbers if they are quantised, and what
#: attention found at the ends of constituents
STATES, FOUND = "numbers", "found"


@dataclass(slots=True, eq=False)
class Outline:
    """All of a model but its weights; a tagger has no codec."""

    config: ModelConfig
    features: WordFeatures | PieceFeatures
    codec: Codec | None
    #: the tags that it predicts, if it does
    tags: Sequence[str] = ()
    #: what is said of it: language, licence, training data, scores, …
    facts: dict[str, Any] = field(default_factory=dict)
    #: the settings that it was trained with, for the record
    training: dict[str, Any] = field(default_factory=dict)
    #: the architecture of a pretrained encoder
    encoder: Mapping[str, Any] | None = None
    #: of the files that it was read from
    checksums: Checksums = field(default_factory=Checksums)

    @property
    def sizes(self) -> dict[str, int]:
        """How many values each head has."""
        sizes = {component: len(getattr(self.codec, component)) for component in COMPONENTS} if self.codec else {}
        if self.config.finds_constituents:
            # Levels are at most learnt from.
            del sizes["levels"]
        if self.config.scores_spans:
            # And so are votes on labels.
            del sizes["shared"]
        elif self.codec and self.config.has("edges"):
            sizes |= dict.fromkeys(("first", "last"), len(self.codec.shared))
        if self.config.predicts_tags:
            sizes["tags"] = len(self.tags)
        return sizes

    def write(self, folder: Path) -> None:
        """Write all files but the weights into a folder; last the settings, with the checksums of all files."""
        settings = {
            "format_version": FORMAT_VERSION,
            "model": _kept(self.config) | {"encoding": self.config.permutation.name},
            "codec": self.codec.to_json() if self.codec else None,
            "encoder": self.encoder,
            "facts": self.facts,
        }
        _write_json(folder / f"{self.features.kind}.json", self.features.to_json())
        _write_json(folder / "tags.json", list(self.tags))
        if self.training:
            _write_json(folder / TRAINING, self.training)
        settings = json.loads(json.dumps(settings))
        _write_json(folder / CONFIG, settings | {FILES: Checksums.of(folder, MODEL_FILES, settings).known})

    @classmethod
    def read(cls, folder: str | Path) -> Outline:
        """The outline of the model in a folder."""
        folder = Path(folder)
        settings = _read_json(folder / CONFIG)
        version = settings.get("format_version") if isinstance(settings, dict) else None
        if version is None:
            raise DataError("its config.json is not that of a permutree model", source=str(folder))
        if type(version) is not int or not 1 <= version <= FORMAT_VERSION:
            message = f"model format {version!r} is not known; this permutree reads 1 to {FORMAT_VERSION}"
            raise DataError(f"{message}: update it, or export the model again", source=str(folder))
        checksums = Checksums.read(folder, settings)
        if version == 1:
            settings = from_version_1(settings, str(folder))
        try:
            config = settings_from(ModelConfig, settings["model"], ignore_unknown=True)
            codec = Codec.from_json(settings["codec"]) if settings["codec"] else None
            tags = _read_json(folder / "tags.json", checksums)
            if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
                raise DataError("not a list of tags", source=str(folder / "tags.json"))
            if config.predicts_tags and not tags:
                raise DataError("there are no tags to predict", source=str(folder / "tags.json"))
            kind = PieceFeatures if config.encoder.kind == "pretrained" else WordFeatures
            features = kind.from_json(_read_json(folder / f"{kind.kind}.json", checksums))
        except DataError:
            raise
        except ModuleNotFoundError as error:
            needed = f"models over a pretrained encoder need the package {error.name}"
            raise ConfigError(f"{needed}: pip install 'permutree[pretrained]'") from None
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise DataError(f"its files do not fit together: {error!r}", source=str(folder)) from error
        has_record = (folder / TRAINING).exists()
        training = _read_json(folder / TRAINING, checksums) if has_record else settings.get("training", {})
        facts = settings.get("facts", {})
        for what, found in (("facts", facts), ("training", training)):
            if not isinstance(found, dict):
                raise DataError(f"its {what} are no table of names and values", source=str(folder))
        return cls(config, features, codec, tuple(tags), facts, training, settings.get("encoder"), checksums)


def _kept(config: Any) -> dict[str, Any]:
    """The settings that a trained model still needs."""
    kept = {}
    for setting in fields(config):
        if not is_for_training(setting):
            value = getattr(config, setting.name)
            kept[setting.name] = _kept(value) if is_dataclass(value) else value
    return kept


def _write_json(path: Path, data: Any) -> None:
    with whole_file(path) as temporary:
        temporary.write_text(
            json.dumps(data, ensure_ascii=False, indent=1 if isinstance(data, dict) else None), "utf-8"
        )


def _read_json(path: Path, checksums: Checksums | None = None) -> Any:
    """What a file of JSON says; an error if it does not have its checksum."""
    try:
        data: Mapping[str, Any] = json.loads(path.read_bytes() if checksums is None else checksums.contents(path.name))
    except DataError:
        raise
    except RecursionError:
        raise DataError("damaged: nested too deeply", source=str(path)) from None
    except OSError as error:
        message = f"{error.strerror}; is this the folder of a permutree model?"
        raise DataError(message, source=str(path)) from None
    except ValueError as error:
        raise DataError(f"damaged: {error}", source=str(path)) from None
    return data
