"""Several processes train the same model as one that does their batches one after the other."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

from permutree.model.batching import Ints
from permutree.settings import as_dict
from permutree.training.config import Config
from permutree.training.loop import Result, Trainer, train
from tiny_models import tiny_config

#: five batches: the last step has one for two processes
SETTINGS: dict[str, Any] = {
    "training": {
        "epochs": 4,
        "evaluate": 2,
        "batch": 80,
        "accumulate": 2,
        "average": 0.9,
        "checkpoint": 2,
        "checkpoint_epochs": 1,
    }
}
ACCELERATE = "accelerate.commands.launch --cpu --num_processes 2 --num_machines 1 --mixed_precision no"
TORCHRUN = "torch.distributed.run --standalone --nproc_per_node 2"


def launch(launcher: str, config: Config, folder: Path) -> tuple[str, str]:
    """Train in two processes, as anyone would; what they printed, and what they said beside."""
    settings = folder / "config.toml"
    settings.write_text(_toml(as_dict(config)), "utf-8")
    options = "--dynamo_backend no --main_process_port 0" if launcher == ACCELERATE else ""
    command = [sys.executable, "-m", *launcher.split(), *options.split(), "-m", "permutree", "train", str(settings)]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    environment.pop("ACCELERATE_USE_CPU", None)
    with subprocess.Popen(
        command, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            printed, said = process.communicate(timeout=600)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    assert process.returncode == 0, said
    return printed, said


def _toml(tables: dict[str, Any], path: str = "") -> str:
    """Settings as lines of TOML."""
    lines = ""
    for name, value in tables.items():
        if isinstance(value, dict):
            lines += _toml(value, f"{path}{name}.")
        elif value is not None:
            lines += f"{path}{name} = {json.dumps(value)}\n"
    return lines


def check_same(folder: Path, result: Result) -> None:
    """The same weights, but for the order of additions, and the same scores."""
    log = [json.loads(line) for line in (folder / "log.jsonl").read_text("utf-8").splitlines()]
    assert [row["epoch"] for row in log] == [row["epoch"] for row in result.history]
    for row, other in zip(log, result.history, strict=True):
        assert row["loss"] == pytest.approx(other["loss"], rel=1e-4)
        assert row.get("f1") == other.get("f1")
    weights = load_file(folder / "model.safetensors")
    for name, weight in load_file(result.folder / "model.safetensors").items():
        torch.testing.assert_close(weights[name], weight, rtol=1e-3, atol=1e-4)


def test_two_processes_train_as_one(tmp_path: Path) -> None:
    printed, said = launch(ACCELERATE, tiny_config(tmp_path / "two", tags="joint", **SETTINGS), tmp_path)
    # One of them speaks for both.
    assert printed.count("discontinuous F1") == said.count("epoch   1 ") == 1
    check_same(tmp_path / "two", train(tiny_config(tmp_path / "one", tags="joint", **SETTINGS)))


def test_two_processes_go_on_where_one_was_interrupted(
    tmp_path: Path, pretrained: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tiny_config(tmp_path / "two", pretrained["bert"], **SETTINGS)
    before = Trainer._step

    def fail(self: Trainer, group: list[Ints]) -> Tensor:
        if self.progress.position == 3:
            raise KeyboardInterrupt
        return before(self, group)

    with monkeypatch.context() as patch:
        patch.setattr(Trainer, "_step", fail)
        with pytest.raises(KeyboardInterrupt):
            train(config)
    printed, said = launch(TORCHRUN, config, tmp_path)
    assert printed.count("discontinuous F1") == said.count("going on from epoch 1, step 2") == 1
    check_same(tmp_path / "two", train(tiny_config(tmp_path / "one", pretrained["bert"], **SETTINGS)))
