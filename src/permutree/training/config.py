"""How a labeller is trained: settings in a TOML file, or one of those that come with permutree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from permutree.labeling.config import ModelConfig
from permutree.settings import SettingsError, read_toml, set_by_path, settings_from

__all__ = ["Config", "DataConfig", "OptimiserConfig", "TrainingConfig", "config_names", "load_config"]

_FOLDER = Path(__file__).parent / "configs"


@dataclass(frozen=True, slots=True)
class DataConfig:
    """Treebank files, in any format that permutree reads."""

    train: tuple[str, ...] = ()
    dev: tuple[str, ...] = ()
    #: the same sentences with the tags of a tagger, for tags = "predicted"
    train_tags: tuple[str, ...] = ()
    dev_tags: tuple[str, ...] = ()
    #: longer sentences are not trained on; how many is said
    max_length: int = 200


@dataclass(frozen=True, slots=True)
class OptimiserConfig:
    """How weights change."""

    kind: Literal["adamw", "sgd"] = "adamw"
    rate: float = 2e-3
    #: the rate of a pretrained encoder, if it is another
    encoder_rate: float | None = None
    weight_decay: float = 0.01
    momentum: float = 0.9
    beta1: float = 0.9
    beta2: float = 0.98
    #: the share of all steps in which the rate rises from 0
    warmup: float = 0.05
    #: how it falls: to 0 in a line or a half cosine, by 1 / (1 + rate_decay · epoch), or not
    schedule: Literal["linear", "cosine", "inverse", "constant"] = "cosine"
    rate_decay: float = 0.05
    #: the longest gradient
    clip: float = 5.0


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """How long, in which steps, and on what."""

    epochs: int = 60
    #: places of a batch, padding included: words, or sub-words of a pretrained encoder
    batch: int = 2500
    #: sentences of a batch, if fewer
    batch_sentences: int | None = None
    #: batches of one step, on all processes together
    accumulate: int = 1
    #: weights are averaged over steps with this decay; 0 for the last weights
    average: float = 0.999
    #: epochs without a better dev score before training stops
    patience: int = 15
    #: epochs between evaluations
    evaluate: int = 1
    #: steps between checkpoints within an epoch; there is one after every epoch
    checkpoint: int = 1000
    #: training stops after so many minutes
    minutes: float | None = None
    seed: int = 1
    precision: Literal["fp32", "bf16"] = "fp32"
    tensorboard: bool = False


@dataclass(frozen=True, slots=True)
class Config:
    """All of it."""

    model: ModelConfig = field(default_factory=ModelConfig)
    data: DataConfig = field(default_factory=DataConfig)
    optimiser: OptimiserConfig = field(default_factory=OptimiserConfig)
    training: TrainingConfig = field(default_factory=TrainingConfig)
    out: str = ""

    def __post_init__(self) -> None:
        """Refuse what cannot work."""
        for name, value in (("epochs", self.training.epochs), ("batch", self.training.batch)):
            if value < 1:
                raise SettingsError(f"training.{name} must be at least 1, not {value}")
        if self.training.accumulate < 1 or self.training.evaluate < 1 or self.training.checkpoint < 1:
            raise SettingsError("training.accumulate, training.evaluate and training.checkpoint must be at least 1")
        if not 0 <= self.training.average < 1:
            raise SettingsError(f"training.average must be at least 0 and less than 1, not {self.training.average}")


def config_names() -> list[str]:
    """The settings that come with permutree."""
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


def load_config(name: str | Path, overrides: dict[str, Any] | None = None, assignments: Iterable[str] = ()) -> Config:
    """The settings of a file, or of that name, with some changed: by tables, or by texts like ``training.seed=2``."""
    values = read_toml(_find(name))
    _merge(values, overrides or {})
    for assignment in assignments:
        set_by_path(values, assignment)
    return settings_from(Config, values)


def _find(name: str | Path) -> Path:
    if Path(name).is_file():
        return Path(name)
    if str(name) in config_names():
        return _FOLDER / f"{name}.toml"
    raise SettingsError(f"no file {str(name)!r}, nor settings of that name; there are {', '.join(config_names())}")


def _merge(values: dict[str, Any], changes: dict[str, Any]) -> None:
    for name, value in changes.items():
        if isinstance(value, dict):
            _merge(values.setdefault(name, {}), value)
        else:
            values[name] = value
