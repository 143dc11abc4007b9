"""Checkpoints: all that it takes to go on with training as if nothing had happened, in one file that is replaced whole.

Tensors are the weights, their average and the state of the optimiser; the rest is JSON in the header. The random
numbers of a step depend on the seed and the number of the step alone, and the order of the data on the seed and the
epoch, so neither has to be kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from permutree.errors import DataError
from permutree.formats.sinks import whole_file
from permutree.training.fingerprint import check_data

__all__ = ["Progress", "check_settings", "load_checkpoint", "save_checkpoint"]


@dataclass(slots=True)
class Progress:
    """How far training has come."""

    epoch: int = 0
    #: steps done in this epoch, and in all
    position: int = 0
    step: int = 0
    #: loss and words of this epoch so far
    loss: float = 0.0
    words: int = 0
    seconds: float = 0.0
    best: float = -1.0
    best_epoch: int = 0
    #: what was measured after each epoch
    history: list[dict[str, Any]] = field(default_factory=list)


def save_checkpoint(
    path: Path,
    settings: dict[str, Any],
    data: Mapping[str, str],
    progress: Progress,
    labeller: nn.Module,
    optimiser: torch.optim.Optimizer,
    average: nn.Module | None,
) -> None:
    """Write the checkpoint; the one before stays until this one is complete."""
    tensors = {f"weights.{name}": weight for name, weight in labeller.state_dict().items()}
    if average is not None:
        tensors |= {f"average.{name}": weight for name, weight in average.state_dict().items()}
    for number, state in optimiser.state_dict()["state"].items():
        for name, value in state.items():
            if value is not None:
                tensors[f"optimiser.{number}.{name}"] = torch.as_tensor(value)
    tensors = {name: tensor.detach().cpu().contiguous().clone() for name, tensor in tensors.items()}
    header = {
        "settings": json.dumps(settings),
        "data": json.dumps(data),
        "progress": json.dumps(asdict(progress)),
    }
    with whole_file(path) as temporary:
        save_file(tensors, temporary, metadata=header)


def load_checkpoint(
    path: Path,
    settings: dict[str, Any],
    data: Mapping[str, str],
    labeller: nn.Module,
    optimiser: torch.optim.Optimizer,
    average: nn.Module | None,
) -> Progress:
    """Go back to a checkpoint; an error if it was made with other settings or other data."""
    try:
        with safe_open(path, "pt") as file:
            header = file.metadata()
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a dictionary
        before, progress = json.loads(header["settings"]), Progress(**json.loads(header["progress"]))
        read = json.loads(header.get("data", "null"))
        state = _optimiser_state(tensors)
    except (AttributeError, SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
        raise DataError(f"damaged checkpoint: {error}; delete it to start anew", source=str(path)) from error
    check_settings(path, before, settings)
    check_data(path, read, data)
    try:
        _restore(labeller, tensors, "weights.")
        if average is not None:
            _restore(average, tensors, "average.")
    except RuntimeError as error:
        message = f"its weights are not those of the model: has the data changed? Delete it to start anew ({error})"
        raise DataError(message, source=str(path)) from error
    optimiser.load_state_dict({"state": state, "param_groups": optimiser.state_dict()["param_groups"]})
    return progress


def _optimiser_state(tensors: Mapping[str, Tensor]) -> dict[int, dict[str, Tensor]]:
    """The tensors of the optimiser, by the number of the weight and their name."""
    state: dict[int, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        if name.startswith("optimiser."):
            _, number, key = name.split(".", 2)
            state.setdefault(int(number), {})[key] = tensor
    return state


def check_settings(path: Path, before: dict[str, Any], settings: dict[str, Any]) -> None:
    """An error that names the settings which are not as they were when a file was made, if any."""
    if changed := ", ".join(sorted(_differences(before, settings))):
        message = f"was made with other settings ({changed}); go on with those, choose another folder, or delete it"
        raise DataError(message, source=str(path))


def _restore(module: nn.Module, tensors: dict[str, Tensor], prefix: str) -> None:
    module.load_state_dict(
        {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}
    )


def _differences(before: Any, after: Any, path: str = "") -> set[str]:
    """The names of settings that differ."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return {path} if before != after else set()
    found: set[str] = set()
    for name in before.keys() | after.keys():
        found |= _differences(before.get(name), after.get(name), f"{path}.{name}" if path else name)
    return found
