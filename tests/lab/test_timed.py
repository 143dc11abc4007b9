"""Training that ends by a moment: as many epochs as fit, and the learning rate at its end."""

import time
from dataclasses import replace
from pathlib import Path

import torch

from permutree import Parser
from permutree_lab.cell import Places, placed_config
from permutree_lab.grid import Experiment
from permutree_lab.timed import Gate, Pace, count_epochs, train_until

torch.set_num_threads(1)


def test_epochs_leave_time_for_scores() -> None:
    pace = Pace(epoch=10.0, scoring=5.0)
    assert count_epochs(pace, 100.0, most=50, every=1, calibrations=0) == 6
    assert count_epochs(pace, 100.0, most=50, every=50, calibrations=0) == 8
    assert count_epochs(pace, 100.0, most=50, every=50, calibrations=9) == 4
    assert count_epochs(pace, -5.0, most=50, every=1, calibrations=9) == 1


def test_no_more_epochs_than_settings_have(tiny: Experiment, places: Places) -> None:
    config = placed_config(tiny.cells[0], places)
    result = train_until(config, time.time() + 10_000, tried=0.01)
    assert len(result.history) == config.training.epochs == 2
    assert (result.folder / "done.json").exists()
    assert result.history[-1]["rate"] < result.history[0]["rate"]
    assert Parser.load(result.folder)


def test_one_epoch_if_time_is_up(tiny: Experiment, places: Places) -> None:
    config = placed_config(tiny.cells[0], places)
    config = replace(config, out=str(places.work / "late" / "model"))
    assert len(train_until(config, time.time() - 1, tried=0.01).history) == 1


def test_a_gate_opens_when_all_are_there(tmp_path: Path) -> None:
    Gate(tmp_path / "gate", 1).wait("one")
    Gate(tmp_path / "gate", 2).wait("two")
    # Nobody waits for ever.
    Gate(tmp_path / "gate", 9, patience=0.0).wait("three")
    assert sorted(path.name for path in (tmp_path / "gate").iterdir()) == ["one", "three", "two"]
