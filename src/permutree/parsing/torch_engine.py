"""Labellers run by PyTorch."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from permutree.errors import ConfigError
from permutree.model.batching import TENSOR_ROWS, Arrays, Ints, batches_by_size
from permutree.networks.labeller import ENDS
from permutree.networks.tensors import as_tensors
from permutree.parsing.engines import Values, joined, ranges
from permutree.trees.batch import Bools

__all__ = ["TorchEngine", "find_device", "predict"]

#: places of a batch, padding included: many for a GPU, few enough for the cache of a CPU
BATCH = {"cuda": 1 << 14, "cpu": 2048}


class TorchEngine:
    """A labeller on a device; on a GPU in half precision, unless ``precise``."""

    name = "PyTorch"

    def __init__(
        self, labeller: nn.Module, device: torch.device | str = "cpu", *, precise: bool = False, compiled: bool = False
    ) -> None:
        self.device = torch.device(device)
        self.labeller: Any = torch.compile(labeller, dynamic=True) if compiled else labeller
        self.precise = precise or self.device.type == "cpu"

    def predict(self, arrays: Arrays, scores: Collection[str] = (), closed: Bools | None = None) -> Values:
        """The best values of all heads, or log-probabilities where they are asked for."""
        with torch.autocast(self.device.type, torch.bfloat16, enabled=not self.precise):
            return predict(self.labeller, arrays, self.device, scores, closed)


@torch.inference_mode()
def predict(
    labeller: nn.Module,
    arrays: Arrays,
    device: torch.device | str,
    scores: Collection[str] = (),
    closed: Bools | None = None,
    limit: int | None = None,
) -> Values:
    """What a labeller says of all sentences, in batches of so many places at most: see ``Engine.predict``."""
    lengths = arrays.lengths
    order = np.argsort(lengths, kind="stable")
    found: dict[str, list[Tensor]] = {}
    counts: list[Tensor] = []
    limit = limit or BATCH.get(torch.device(device).type, BATCH["cpu"])
    for sentences in batches_by_size(lengths, order, limit, TENSOR_ROWS):
        inputs = as_tensors(arrays.batch(sentences))
        counts.append(inputs.lengths)
        # Worked out here, as a GPU that has to count words would be waited for.
        words = inputs.mask.flatten().nonzero().squeeze(1).to(device, non_blocking=True)
        known = {} if closed is None else {"closed": torch.from_numpy(closed[sentences]).to(device)}
        for name, given in labeller(inputs.to(device), **known).items():
            if name != ENDS:
                given = given.float().log_softmax(2) if name in scores else given.argmax(2).int()
            found.setdefault(name, []).append(given.flatten(0, 1).index_select(0, words))
    if not found:
        return {}
    # From the order of lengths back to that of the sentences.
    places = ranges(torch.cat(counts).numpy(), np.argsort(order))
    return {name: _in_order(parts, places) for name, parts in found.items()}


def _in_order(parts: list[Tensor], places: Ints) -> np.ndarray:
    """What was predicted at some places of all batches together, put into order by the device."""
    if parts[0].dim() > 1 and len({part.shape[1] for part in parts}) > 1:
        return joined([part.cpu().numpy() for part in parts])[places]
    return torch.cat(parts).index_select(0, torch.from_numpy(places).to(parts[0].device)).cpu().numpy()


def find_device(name: torch.device | str | None) -> torch.device:
    """The device of this name, or the GPU if there is one and none is named."""
    has_gpu = torch.cuda.is_available()
    device = torch.device(name or ("cuda" if has_gpu else "cpu"))
    if device.type == "cuda" and not has_gpu:
        raise ConfigError("there is no GPU that PyTorch can use; run on the cpu")
    return device
