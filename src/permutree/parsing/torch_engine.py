"""Labellers run by PyTorch, one or an ensemble of several."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from permutree.errors import ConfigError
from permutree.model.batching import TENSOR_ROWS, Arrays, Ints, batches_by_size
from permutree.model.folder import SPANS, Outline
from permutree.networks.attention import arrange, close_arrangements
from permutree.networks.labeller import Labeller
from permutree.networks.model import Model
from permutree.networks.reread import RereadLabeller, arrange_states, best_ends
from permutree.networks.tensors import Inputs, as_tensors
from permutree.parsing.engines import ENDS, ENDS_SCORES, LABELS, ORDER, Values, joined, ranges
from permutree.trees.batch import Bools

__all__ = ["TorchEngine", "encoder_states", "ensemble_of", "find_device"]

#: places of a batch, padding included: many for a GPU, few enough for the cache of a CPU
BATCH = {"cuda": 1 << 14, "cpu": 2048}


class TorchEngine:
    """Labellers on a device; on a GPU in half precision, unless ``precise``.

    Several labellers with the same heads are an ensemble: their log-probabilities are averaged. They agree on an
    arrangement before any of them reads a second time.
    """

    name = "PyTorch"
    room = 1 << 25

    def __init__(
        self,
        labellers: Labeller | Sequence[Labeller],
        device: torch.device | str = "cpu",
        *,
        precise: bool = False,
        compiled: bool = False,
    ) -> None:
        self.device = torch.device(device)
        self.precise = precise or self.device.type == "cpu"
        members = [labellers] if isinstance(labellers, Labeller) else list(labellers)
        make = (lambda step: torch.compile(step, dynamic=True)) if compiled else (lambda step: step)
        self._read: list[Callable[..., Any]] = [make(member.read) for member in members]
        self._spans = [
            member.spans for member in members if isinstance(member, RereadLabeller) and member.spans is not None
        ]
        self._reread: list[Callable[..., Any]] = [
            make(member.reread) for member in members if isinstance(member, RereadLabeller)
        ]

    @torch.inference_mode()
    def predict(self, arrays: Arrays, scores: Collection[str] = (), closed: Bools | None = None) -> Values:
        """The best values of all heads, or scores where they are asked for."""
        lengths = arrays.lengths
        order = np.argsort(lengths, kind="stable")
        found: dict[str, list[Tensor]] = {}
        counts: list[Tensor] = []
        limit = BATCH.get(self.device.type, BATCH["cpu"])
        with torch.autocast(self.device.type, torch.bfloat16, enabled=not self.precise):
            for sentences in batches_by_size(lengths, order, limit, TENSOR_ROWS):
                inputs = as_tensors(arrays.batch(sentences))
                counts.append(inputs.lengths)
                # Worked out here, as a GPU that has to count words would be waited for.
                words = inputs.mask.flatten().nonzero().squeeze(1).to(self.device, non_blocking=True)
                known = None if closed is None else torch.from_numpy(closed[sentences]).to(self.device)
                for name, given in self._label(inputs.to(self.device), scores, known).items():
                    found.setdefault(name, []).append(given.flatten(0, 1).index_select(0, words))
        if not found:
            return {}
        # From the order of lengths back to that of the sentences.
        places = ranges(torch.cat(counts).numpy(), np.argsort(order))
        return {name: _in_order(parts, places) for name, parts in found.items()}

    def _label(self, inputs: Inputs, scores: Collection[str], closed: Tensor | None) -> dict[str, Tensor]:
        """What is predicted of a batch [B, T, …]."""
        states, heads = zip(*(read(inputs) for read in self._read), strict=True)
        given = _average(heads)
        found: dict[str, Tensor] = {}
        if closed is not None:
            given["permutation"] = close_arrangements(given["permutation"], inputs.lengths, closed)
        if self._reread:
            order = arrange(given["permutation"].argmax(2), inputs.lengths)
            found[ORDER] = order.int()
            rest = (inputs.lengths, inputs.mask)
            again = [
                reread(arrange_states(one, order), *rest) for reread, one in zip(self._reread, states, strict=True)
            ]
            ends = [one.pop(ENDS) for one in again if ENDS in one]
            spans = [one.pop(SPANS) for one in again if SPANS in one]
            if ends and not spans:
                # As the heads are: probabilities multiplied.
                joint = ends[0] if len(ends) == 1 else torch.stack(ends).float().log().mean(0).exp()
                found[ENDS], found[ENDS_SCORES] = best_ends(joint)
            if spans:
                joint = spans[0] if len(spans) == 1 else torch.stack(spans).float().mean(0)
                found[ENDS], found[LABELS], found[ENDS_SCORES] = self._spans[0].choose(joint, inputs.lengths)
            given |= _average(again)
        for name, table in given.items():
            found[name] = table.float() if name in scores else table.argmax(2).int()
        return found


@torch.inference_mode()
def encoder_states(model: Model, words: Sequence[Sequence[str]]) -> np.ndarray:
    """What the encoder of a model makes of words, before any head reads it [words, units]."""
    arrays = model.features.arrays(words, None)
    order = np.argsort(arrays.lengths, kind="stable")
    parts: list[np.ndarray] = []
    counts: list[Ints] = []
    for sentences in batches_by_size(arrays.lengths, order, BATCH["cpu"], TENSOR_ROWS):
        inputs = as_tensors(arrays.batch(sentences))
        states, _ = model.labeller.read(inputs)
        parts.append(states[inputs.mask].numpy())
        counts.append(inputs.lengths.numpy())
    if not parts:
        return np.zeros((0, 0), np.float32)
    found: np.ndarray = np.concatenate(parts)[ranges(np.concatenate(counts), np.argsort(order))]
    return found


def _average(found: Sequence[Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """The scores of one labeller, or the averaged log-probabilities of several."""
    if len(found) == 1:
        return dict(found[0])
    return {name: torch.stack([scores[name].float().log_softmax(2) for scores in found]).mean(0) for name in found[0]}


def _in_order(parts: list[Tensor], places: Ints) -> np.ndarray:
    """What was predicted at some places of all batches together, put into order by the device."""
    if parts[0].dim() > 1 and len({part.shape[1] for part in parts}) > 1:
        return joined([part.cpu().numpy() for part in parts])[places]
    return torch.cat(parts).index_select(0, torch.from_numpy(places).to(parts[0].device)).cpu().numpy()


def ensemble_of(models: Sequence[Model]) -> tuple[Outline, list[Labeller]]:
    """Models trained on the same data, with other seeds or sizes: what they have in common, and their labellers."""
    first = models[0]
    for other in models[1:]:
        same = {
            "labels": (first.codec and first.codec.to_json()) == (other.codec and other.codec.to_json()),
            "tags to predict": list(first.tags) == list(other.tags),
            "tags to read": first.config.reads_tags == other.config.reads_tags,
            "words": first.features.to_json() == other.features.to_json(),
            "labeller": first.outline.sizes == other.outline.sizes and first.config.rereads == other.config.rereads,
        }
        for what, is_same in same.items():
            if not is_same:
                raise ConfigError(f"models of an ensemble must have the same {what}: train them on the same data")
    return first.outline, [model.labeller for model in models]


def find_device(name: torch.device | str | None) -> torch.device:
    """The device of this name, or the GPU if there is one and none is named."""
    has_gpu = torch.cuda.is_available()
    device = torch.device(name or ("cuda" if has_gpu else "cpu"))
    if device.type == "cuda" and not has_gpu:
        raise ConfigError("there is no GPU that PyTorch can use; run on the cpu")
    return device
