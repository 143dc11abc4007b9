"""Training that ends by a moment, with the learning rate at its end."""

import time
from dataclasses import replace
from itertools import count
from types import SimpleNamespace

import pytest
import torch

from permutree import Parser
from permutree_lab.cell import Places, placed_config
from permutree_lab.grid import Experiment
from permutree_lab.timed import train_until

torch.set_num_threads(1)


def test_no_more_epochs_than_settings_have(tiny: Experiment, places: Places) -> None:
    config = placed_config(tiny.cells[0], places)
    result = train_until(config, time.time() + 10_000)
    assert len(result.history) == config.training.epochs == 2
    assert (result.folder / "done.json").exists()
    assert result.history[-1]["rate"] < result.history[0]["rate"]
    assert Parser.load(result.folder)


def test_the_rate_falls_with_the_clock(tiny: Experiment, places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    # Every look at this clock is a second, so that no machine is too slow.
    seconds = count()
    monkeypatch.setattr("permutree_lab.timed.time", SimpleNamespace(time=lambda: float(next(seconds))))
    config = placed_config(tiny.cells[0], places)
    optimiser = replace(config.optimiser, schedule="linear", warmup=0.0)
    training = replace(config.training, epochs=10**6, evaluate=10**6)
    config = replace(config, out=str(places.work / "timed" / "model"), optimiser=optimiser, training=training)
    result = train_until(config, 150.0)
    rates = [row["rate"] for row in result.history]
    assert 1 < len(rates) < 150
    assert rates == sorted(rates, reverse=True)
    assert rates[-1] < 0.1 * rates[0]
    # The last epoch is scored, wherever it was when the time was up.
    assert "score" in result.history[-1]
    assert Parser.load(result.folder)


def test_a_model_even_if_time_is_up(tiny: Experiment, places: Places) -> None:
    config = placed_config(tiny.cells[0], places)
    config = replace(config, out=str(places.work / "late" / "model"))
    result = train_until(config, time.time() - 1)
    assert len(result.history) == 1
    assert Parser.load(result.folder)
