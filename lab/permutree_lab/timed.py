"""Training that ends by a given moment, for machines that are lent by the minute.

How many epochs fit is found out by trying: steps of the training itself, beside the other trainings that run there.
Their number is fixed then, so that the learning rate falls to its end. A training that was stopped halfway would keep
weights that the last epochs had not yet settled.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed

from permutree.networks.model import Model
from permutree.training.building import prepare
from permutree.training.calibration import SHIFTS, THRESHOLDS
from permutree.training.config import Config
from permutree.training.data import Dataset
from permutree.training.determinism import deterministic
from permutree.training.loop import Result, Trainer, start_accelerator
from permutree.training.validation import Row, Validator

__all__ = ["Gate", "Pace", "count_epochs", "train_until"]

#: epochs take this much longer than steps that were tried, at most
_MARGIN = 1.1
#: steps that are done before time is taken, as the first ones are slow
_FIRST = 5


@dataclass(frozen=True, slots=True)
class Gate:
    """Where trainings that run side by side wait for each other, so that all try their steps at the same time."""

    folder: Path
    count: int
    #: seconds until those that are there go on without the others
    patience: float = 120.0

    def wait(self, name: str) -> None:
        """Say that this one is here, and wait for the others."""
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / name).touch()
        end = time.monotonic() + self.patience
        while len(list(self.folder.iterdir())) < self.count and time.monotonic() < end:
            time.sleep(0.2)


@dataclass(frozen=True, slots=True)
class Pace:
    """How long parts of a training take, in seconds."""

    epoch: float
    #: the dev set, scored once
    scoring: float


def count_epochs(pace: Pace, seconds: float, *, most: int, every: int, calibrations: int) -> int:
    """How many epochs fit into the time, with the dev set scored after every few of them and for calibration.

    >>> count_epochs(Pace(10.0, 1.0), 100.0, most=20, every=2, calibrations=9)
    7
    >>> count_epochs(Pace(10.0, 1.0), 1000.0, most=20, every=2, calibrations=9)
    20
    >>> count_epochs(Pace(100.0, 1.0), 50.0, most=20, every=2, calibrations=9)
    1
    """
    fitting = [
        epochs
        for epochs in range(1, most + 1)
        if _MARGIN * (epochs * pace.epoch + (math.ceil(epochs / every) + calibrations) * pace.scoring) <= seconds
    ]
    return max(fitting, default=1)


def train_until(
    config: Config,
    end: float,
    *,
    gate: Gate | None = None,
    tried: float = 12.0,
    on_epoch: Callable[[Row], None] | None = None,
) -> Result:
    """Train for as many epochs as fit before a moment of :func:`time.time`, but no more than the settings have.

    Steps are tried for so many seconds, when all trainings of the gate are ready.
    """
    accelerator = start_accelerator(config)
    set_seed(config.training.seed)
    with deterministic(accelerator.device):
        model, data, validator = prepare(config)
        if gate is not None:
            gate.wait(Path(config.out).parent.name)
        pace = _try(config, accelerator, model, data, validator, tried)
        calibrations = 0
        if config.model.has("calibration"):
            calibrations = len(SHIFTS) + (len(THRESHOLDS) if config.model.scores_spans else 0)
        training = config.training
        epochs = count_epochs(
            pace, end - time.time(), most=training.epochs, every=training.evaluate, calibrations=calibrations
        )
        chosen = replace(config, training=replace(training, epochs=epochs))
        set_seed(config.training.seed)
        return Trainer(chosen, accelerator, model, data, validator).run(on_epoch)


def _try(
    config: Config, accelerator: Accelerator, model: Model, data: Dataset, validator: Validator, seconds: float
) -> Pace:
    """Do steps with a copy of the model, as many as fit into the time, and score the dev set with it."""
    copied = replace(model, labeller=copy.deepcopy(model.labeller))
    trainer = Trainer(config, accelerator, copied, data, validator)
    groups = trainer._groups(0)
    trainer.wrapped.train()
    words = done = 0
    start = end = time.perf_counter()
    for number, group in enumerate(groups):
        trainer._step(group)
        trainer.progress.step += 1
        if number < min(_FIRST, len(groups) - 1):
            _wait(accelerator)
            start = time.perf_counter()
            continue
        done += 1
        words += sum(int(data.words[batch].sum()) for batch in group)
        if done % 10 == 0 or number == len(groups) - 1:
            _wait(accelerator)
            end = time.perf_counter()
            if end - start > seconds:
                break
    # Sentences are as long as others on average, but batches are not: what counts is words.
    epoch = (end - start) * int(data.words.sum()) / max(1, words)
    start = time.perf_counter()
    validator.score(trainer.scored, accelerator.device)
    pace = Pace(epoch, time.perf_counter() - start)
    accelerator.free_memory()
    return pace


def _wait(accelerator: Accelerator) -> None:
    """Wait until a GPU has done what it was told."""
    if accelerator.device.type == "cuda":
        torch.cuda.synchronize(accelerator.device)
