"""Training that is killed at any moment and started again comes to the same end."""

import json
import random
import signal
import time
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

import warm
from tiny_models import train_until

#: a checkpoint after every second of five or so steps an epoch; calibration at the end
SETTINGS: dict[str, Any] = {
    "model": {
        "labeller": "reread",
        "attention": 16,
        "reread": {"hidden": 8, "ends": 4},
        "encoder": {"dropout": 0.2},
        "embeddings": {"dropout": 0.2, "unknown_alpha": 0.5},
    },
    "training": {"epochs": 6, "evaluate": 1, "batch": 60, "average": 0.9, "checkpoint": 2, "checkpoint_epochs": 1},
}


def contents(folder: Path) -> dict[str, Any]:
    """All that is in a model folder, but for how long it took."""
    log = [json.loads(line) for line in (folder / "log.jsonl").read_text("utf-8").splitlines()]
    config = json.loads((folder / "config.json").read_text("utf-8"))
    for row in (*log, config["facts"]["dev"]):
        for name in [name for name in row if name.endswith("/s")]:
            del row[name]
    # Checksums of what is not compared.
    for name in ("config.json", "training.json"):
        del config["files"][name]
    training = json.loads((folder / "training.json").read_text("utf-8"))
    del training["out"]
    return {
        "files": sorted(path.name for path in folder.iterdir()),
        "log": log,
        "config": config,
        "training": training,
        "weights": (folder / "model.safetensors").read_bytes(),
        "words": (folder / "words.json").read_bytes(),
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A model folder of training without interruption."""
    folder = tmp_path_factory.mktemp("whole")
    _finish(folder)
    return contents(folder)


def _start(folder: Path, moment: str) -> BaseProcess:
    return warm.start(train_until, str(folder), SETTINGS, moment)


def _finish(folder: Path) -> None:
    process = _start(folder, "never")
    process.join()
    assert process.exitcode == 0


def _time_of(path: Path) -> int:
    """When a file was written; 0 if there is none."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def test_killed_at_chosen_moments(tmp_path: Path, whole: dict[str, Any]) -> None:
    for moment in ("step 1", "step 4", "checkpoint 4", "model 1", "evaluation 2", "log 2", "calibration"):
        process = _start(tmp_path, moment)
        process.join()
        assert process.exitcode == -signal.SIGKILL, moment
    _finish(tmp_path)
    assert contents(tmp_path) == whole


def test_killed_at_random_moments(tmp_path: Path, whole: dict[str, Any]) -> None:
    rng = random.Random()
    checkpoint = tmp_path / "checkpoint.safetensors"
    kills = []
    for _ in range(3):
        before = _time_of(checkpoint)
        process = _start(tmp_path, "never")
        while process.is_alive() and _time_of(checkpoint) == before:
            time.sleep(0.005)
        time.sleep(rng.uniform(0, 0.1))
        process.kill()
        process.join()
        kills.append(process.exitcode)
    assert -signal.SIGKILL in kills
    _finish(tmp_path)
    assert contents(tmp_path) == whole
