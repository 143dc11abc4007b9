"""How a labeller is trained: settings in a TOML file, or a preset."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from permutree.errors import ConfigError
from permutree.model.config import ModelConfig
from permutree.settings import read_toml, set_by_path, settings_from
from permutree.training.auxiliary import TASKS

__all__ = [
    "Config",
    "DataConfig",
    "OptimiserConfig",
    "TrainingConfig",
    "config_names",
    "describe_config",
    "load_config",
]

_FOLDER = Path(__file__).parent / "presets"


@dataclass(frozen=True, slots=True)
class DataConfig:
    """Treebank files, in any format that permutree reads."""

    train: tuple[str, ...] = ()
    dev: tuple[str, ...] = ()
    #: the same sentences with the tags of a tagger, for tags = "predicted"
    train_tags: tuple[str, ...] = ()
    dev_tags: tuple[str, ...] = ()
    #: more sentences with tags and without trees, which teach words and tags only: files of the format ``tagged``
    tagged: tuple[str, ...] = ()
    #: the licence of a model that is trained on them, for its card
    licence: str | None = None
    #: longer sentences are not trained on; how many is said
    max_length: int = 200

    def __post_init__(self) -> None:
        """Refuse what cannot work."""
        if self.max_length < 1:
            raise ConfigError(f"max_length must be at least 1, not {self.max_length}")
        if bool(self.train_tags) != bool(self.dev_tags):
            raise ConfigError("train_tags and dev_tags go together: the tags of one tagger for both sets")


@dataclass(frozen=True, slots=True)
class OptimiserConfig:
    """How weights change."""

    kind: Literal["adamw", "sgd"] = "adamw"
    rate: float = 2e-3
    #: the rate of a pretrained encoder, if it is another
    encoder_rate: float | None = None
    weight_decay: float = 0.01
    momentum: float = 0.9
    beta2: float = 0.98
    #: the share of all steps in which the rate rises from 0
    warmup: float = 0.05
    #: how it falls: to 0 in a line or a half cosine, by 1 / (1 + rate_decay · epoch), or not
    schedule: Literal["linear", "cosine", "inverse", "constant"] = "cosine"
    rate_decay: float = 0.05
    #: the longest gradient
    clip: float = 5.0

    def __post_init__(self) -> None:
        """Refuse what cannot work."""
        if self.rate <= 0 or (self.encoder_rate is not None and self.encoder_rate <= 0):
            raise ConfigError("rate and encoder_rate must be more than 0")
        for name in ("weight_decay", "rate_decay", "clip"):
            if getattr(self, name) < 0:
                raise ConfigError(f"{name} must be at least 0, not {getattr(self, name)}")
        for name in ("momentum", "beta2"):
            if not 0 <= getattr(self, name) < 1:
                raise ConfigError(f"{name} must be at least 0 and less than 1, not {getattr(self, name)}")
        if not 0 <= self.warmup <= 1:
            raise ConfigError(f"warmup must be a share of all steps, between 0 and 1, not {self.warmup}")


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
    #: steps between checkpoints within an epoch, and epochs between those after epochs
    checkpoint: int = 1000
    checkpoint_epochs: int = 1
    #: training stops after so many minutes
    minutes: float | None = None
    #: name or folder of a trained model to start from: its layers, weights, words and labels
    start: str | None = None
    #: what else of the treebank is predicted in training: functions, shared-functions, morphology
    auxiliary: tuple[str, ...] = ()
    #: how many of the sentences with jumps are read a second time without some of them
    order_noise: float = 0.0
    #: how much jointly predicted tags count beside labels
    tag_weight: float = 1.0
    #: how much the arrangement counts beside the rest
    arrangement_weight: float = 1.0
    #: how much it counts that predictions with different dropout agree; every sentence of a batch is read twice then
    agreement: float = 0.0
    #: names or folders of trained models whose predictions are learnt beside true values, and how much these count
    teachers: tuple[str, ...] = ()
    distillation: float = 1.0
    seed: int = 1
    #: bf16 is mixed precision, on a GPU, where LSTMs are in fp16 then, as cuDNN has nothing else that is half, and on a
    #: CPU with instructions for bf16; on another CPU all is fp32
    precision: Literal["fp32", "bf16"] = "fp32"
    tensorboard: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot work."""
        for name in ("epochs", "batch", "accumulate", "evaluate", "checkpoint", "checkpoint_epochs"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} must be at least 1, not {getattr(self, name)}")
        if self.batch_sentences is not None and self.batch_sentences < 1:
            raise ConfigError(f"batch_sentences must be at least 1, not {self.batch_sentences}")
        unknown = [task for task in self.auxiliary if task not in TASKS]
        if unknown:
            raise ConfigError(f"auxiliary tasks are {', '.join(TASKS)}, not {', '.join(unknown)}")
        if not 0 <= self.average < 1:
            raise ConfigError(f"average must be at least 0 and less than 1, not {self.average}")
        if self.patience < 0:
            raise ConfigError(f"patience must be at least 0, for as long as it takes, not {self.patience}")
        if not 0 <= self.order_noise <= 1:
            raise ConfigError(f"order_noise must be a share of sentences, between 0 and 1, not {self.order_noise}")
        for name in ("tag_weight", "arrangement_weight", "agreement", "distillation"):
            if getattr(self, name) < 0:
                raise ConfigError(f"{name} must be at least 0, not {getattr(self, name):g}")
        if self.minutes is not None and self.minutes <= 0:
            raise ConfigError(f"minutes must be more than 0, not {self.minutes:g}")
        if not 0 <= self.seed < 1 << 32:
            raise ConfigError(f"seed must be at least 0 and less than 2 to the 32, not {self.seed}")


@dataclass(frozen=True, slots=True)
class Config:
    """All settings of a training."""

    model: ModelConfig = field(default_factory=ModelConfig)
    data: DataConfig = field(default_factory=DataConfig)
    optimiser: OptimiserConfig = field(default_factory=OptimiserConfig)
    training: TrainingConfig = field(default_factory=TrainingConfig)
    out: str = ""

    def __post_init__(self) -> None:
        """Refuse what cannot work."""
        if self.training.auxiliary and self.model.task != "parse":
            raise ConfigError("training.auxiliary is for parsers")
        if self.training.order_noise and not self.model.scores_spans:
            raise ConfigError("training.order_noise is for labellers that score spans: set model.reread.spans")
        if self.training.agreement and self.model.scores_spans and self.model.reread.span_loss == "margin":
            raise ConfigError("training.agreement is about probabilities: set model.reread.span_loss to crf or local")
        if self.training.teachers and self.model.scores_spans and self.model.reread.span_loss == "margin":
            raise ConfigError("training.teachers hand on probabilities: set model.reread.span_loss to crf or local")
        if self.data.train_tags and self.model.tags != "predicted":
            raise ConfigError(
                f"data.train_tags and data.dev_tags are for model.tags = 'predicted', not {self.model.tags!r}"
            )
        if self.data.tagged and not self.model.predicts_tags:
            raise ConfigError(f"data.tagged is for taggers and for model.tags = 'joint', not {self.model.tags!r}")

    def check_is_no_ablation(self) -> None:
        """Refuse what is for ablation experiments, which the laboratory runs."""
        if self.model.ablate or (self.model.rereads and not self.model.finds_constituents):
            raise ConfigError(
                "model.ablate and model.reread.ends = 0 are for ablation experiments, run by the laboratory"
            )


def config_names() -> list[str]:
    """The names of the presets."""
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


def describe_config(name: str) -> str:
    """What a preset is for: the first line of its file."""
    return (_FOLDER / f"{name}.toml").read_text("utf-8").partition("\n")[0].removeprefix("# ")


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
    raise ConfigError(f"no file {str(name)!r}, nor settings of that name; there are {', '.join(config_names())}")


def _merge(values: dict[str, Any], changes: dict[str, Any]) -> None:
    for name, value in changes.items():
        if isinstance(value, dict) and isinstance(values.get(name, {}), dict):
            _merge(values.setdefault(name, {}), value)
        else:
            values[name] = value
