"""Weights of pretrained encoders that travel: as int8, in pieces, and put together again."""

import importlib
import json
from pathlib import Path
from types import ModuleType

import pytest
import torch
from safetensors.torch import load_file, save_file

from permutree_lab.folders import LAB

WEIGHTS = "model.safetensors"


@pytest.fixture
def encoders(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    monkeypatch.syspath_prepend(str(LAB / "models"))
    return importlib.import_module("pypi_encoders")


@pytest.fixture
def weights(tmp_path: Path) -> dict[str, torch.Tensor]:
    """Weights in a folder: matrices whose rows are small and large, one of zeros, a bias, whole numbers."""
    chance = torch.Generator().manual_seed(1)
    matrix = torch.randn(40, 30, generator=chance) * torch.logspace(-3, 1, 40)[:, None]
    made = {
        "matrix": matrix,
        "zeros": torch.zeros(3, 4),
        "bias": torch.randn(40, generator=chance),
        "positions": torch.arange(5),
    }
    save_file(made, tmp_path / WEIGHTS)
    return made


def test_weights_come_back_from_int8_and_pieces(
    encoders: ModuleType, weights: dict[str, torch.Tensor], tmp_path: Path
) -> None:
    before = (tmp_path / WEIGHTS).stat().st_size
    encoders.quantise(tmp_path)
    assert (tmp_path / WEIGHTS).stat().st_size < 0.5 * before
    encoders.cut(tmp_path, 500)
    assert len(json.loads((tmp_path / f"{WEIGHTS}.parts.json").read_text("utf-8"))) > 2
    encoders.join(tmp_path)
    encoders.expand(tmp_path)
    found = load_file(tmp_path / WEIGHTS)
    assert sorted(path.name for path in tmp_path.iterdir()) == [WEIGHTS]
    assert found.keys() == weights.keys()
    assert torch.equal(found["positions"], weights["positions"])
    assert torch.equal(found["bias"], weights["bias"].half())
    assert not found["zeros"].any()
    # No weight is off by more than half a step of its row, but for half precision.
    step = weights["matrix"].abs().amax(1, keepdim=True) / 127
    assert (found["matrix"].float() - weights["matrix"]).abs().div(step).max() < 0.6


def test_a_missing_or_changed_piece_is_named(
    encoders: ModuleType, weights: dict[str, torch.Tensor], tmp_path: Path
) -> None:
    encoders.cut(tmp_path, 500)
    piece = tmp_path / f"{WEIGHTS}.002"
    content = piece.read_bytes()
    piece.write_bytes(content[:-1] + b"x")
    with pytest.raises(SystemExit, match="not the file that was cut"):
        encoders.join(tmp_path)
    piece.unlink()
    with pytest.raises(SystemExit, match=f"no {WEIGHTS}.002 yet"):
        encoders.join(tmp_path)


def test_other_weights_are_left_alone(encoders: ModuleType, weights: dict[str, torch.Tensor], tmp_path: Path) -> None:
    before = (tmp_path / WEIGHTS).read_bytes()
    encoders.expand(tmp_path)
    assert (tmp_path / WEIGHTS).read_bytes() == before
