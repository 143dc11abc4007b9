"""Training that ends by a given moment, for machines that are lent by the minute.

The learning rate falls with the clock, and is at its end when the time is: nobody has to know how many epochs fit. A
training that was stopped halfway would keep weights that the last epochs had not yet settled.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from accelerate.utils import set_seed

from permutree.training.building import prepare
from permutree.training.calibration import SHIFTS, THRESHOLDS
from permutree.training.config import Config
from permutree.training.determinism import deterministic
from permutree.training.loop import Result, Trainer, start_accelerator
from permutree.training.starting import continued
from permutree.training.validation import Row

__all__ = ["train_until"]

#: the dev set of a model that has learnt something takes this much longer to be scored, at most
_MARGIN = 1.5


def train_until(config: Config, end: float, *, on_epoch: Callable[[Row], None] | None = None) -> Result:
    """Train until a moment of :func:`time.time`, but for no more epochs than the settings have.

    What comes after the last step, scores and calibration, is done by then as well.
    """
    config = continued(config)
    accelerator = start_accelerator(config)
    set_seed(config.training.seed)
    with deterministic(accelerator.device):
        model, data, validator = prepare(config)
        scored = 1
        if config.model.has("calibration"):
            scored += len(SHIFTS) + (len(THRESHOLDS) if config.model.scores_spans else 0)
        trainer = Trainer(config, accelerator, model, data, validator)
        for _ in range(2):
            # The first time, much is slow that is not slow again.
            start = time.time()
            validator.score(trainer.scored, accelerator.device)
        begun = time.time()
        left = max(1e-9, end - begun - _MARGIN * scored * (begun - start))
        trainer.clock = lambda: (time.time() - begun) / left
        return trainer.run(on_epoch)
