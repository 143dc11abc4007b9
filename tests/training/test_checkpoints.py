from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from permutree.errors import DataError
from permutree.training.checkpoints import Progress, load_checkpoint, save_checkpoint

DATA = {"train.discbracket": "1"}
SETTINGS: dict[str, Any] = {"training": {"seed": 1, "epochs": 3}, "data": {"train": ["a"]}}


def make(kind: str = "adamw", size: int = 3) -> tuple[nn.Module, torch.optim.Optimizer]:
    torch.manual_seed(1)
    network = nn.Linear(size, 2)
    if kind == "sgd":
        return network, torch.optim.SGD(network.parameters(), lr=0.1, momentum=0.9)
    return network, torch.optim.AdamW(network.parameters(), lr=0.1)


def step(network: nn.Module, optimiser: torch.optim.Optimizer) -> None:
    torch.autograd.backward((network(torch.ones(4, 3)) ** 2).sum())
    optimiser.step()
    optimiser.zero_grad()


@pytest.mark.parametrize("kind", ["adamw", "sgd"])
@pytest.mark.parametrize("has_average", [True, False])
def test_all_is_as_it_was(tmp_path: Path, kind: str, has_average: bool) -> None:
    network, optimiser = make(kind)
    average = nn.Linear(3, 2) if has_average else None
    step(network, optimiser)
    step(network, optimiser)
    progress = Progress(epoch=2, position=5, step=17, loss=1 / 3, words=9, best=0.1 + 0.2, history=[{"f1": None}])
    save_checkpoint(tmp_path / "c", SETTINGS, DATA, progress, network, optimiser, average)
    other, other_optimiser = make(kind)
    other_average = nn.Linear(3, 2) if has_average else None
    assert load_checkpoint(tmp_path / "c", SETTINGS, DATA, other, other_optimiser, other_average) == progress
    for _ in range(3):
        step(network, optimiser)
        step(other, other_optimiser)
    assert all(map(torch.equal, network.parameters(), other.parameters()))
    if average is not None and other_average is not None:
        assert all(map(torch.equal, average.parameters(), other_average.parameters()))


def test_a_checkpoint_before_the_first_step(tmp_path: Path) -> None:
    network, optimiser = make("sgd")
    save_checkpoint(tmp_path / "c", SETTINGS, DATA, Progress(), network, optimiser, None)
    assert load_checkpoint(tmp_path / "c", SETTINGS, DATA, network, optimiser, None) == Progress()


def test_other_settings_are_named(tmp_path: Path) -> None:
    network, optimiser = make()
    save_checkpoint(tmp_path / "c", SETTINGS, DATA, Progress(), network, optimiser, None)
    other = {"training": {"seed": 2, "epochs": 3}, "data": {"train": ["b"]}, "more": 1}
    with pytest.raises(DataError, match=r"other settings \(data\.train, more, training\.seed\); .*another folder"):
        load_checkpoint(tmp_path / "c", other, DATA, network, optimiser, None)


@pytest.mark.parametrize("damage", ["cut", "empty", "no header", "bad header", "nothing"])
def test_damaged(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "c"
    network, optimiser = make()
    save_checkpoint(path, SETTINGS, DATA, Progress(), network, optimiser, None)
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:-5])
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "no header":
        save_file({"weights.weight": torch.zeros(2)}, path)
    elif damage == "bad header":
        save_file({"weights.weight": torch.zeros(2)}, path, {"settings": "{", "progress": "{}"})
    else:
        path.unlink()
    with pytest.raises(DataError, match=r"damaged checkpoint: .*; delete it to start anew"):
        load_checkpoint(path, SETTINGS, DATA, network, optimiser, None)


def test_weights_of_other_data(tmp_path: Path) -> None:
    network, optimiser = make(size=4)
    save_checkpoint(tmp_path / "c", SETTINGS, DATA, Progress(), network, optimiser, None)
    other, other_optimiser = make(size=3)
    with pytest.raises(DataError, match="has the data changed"):
        load_checkpoint(tmp_path / "c", SETTINGS, DATA, other, other_optimiser, None)


def test_other_data(tmp_path: Path) -> None:
    network, optimiser = make()
    save_checkpoint(tmp_path / "c", SETTINGS, DATA, Progress(), network, optimiser, None)
    other = {"train.discbracket": "2", "dev.discbracket": "1"}
    message = r"was made with other data \(dev\.discbracket, train\.discbracket\): put that back"
    with pytest.raises(DataError, match=message):
        load_checkpoint(tmp_path / "c", SETTINGS, other, network, optimiser, None)
