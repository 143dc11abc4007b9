"""Labellers run by PyTorch, one or an ensemble of several."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from permutree.errors import ConfigError
from permutree.model.batching import TENSOR_ROWS, Arrays, Batch, Ints, batches_by_size
from permutree.model.folder import SPANS, VOTES
from permutree.networks.attention import arrange, close_arrangements, closed_values
from permutree.networks.constituents import choose_labels, choose_spans
from permutree.networks.labeller import Labeller
from permutree.networks.model import Model
from permutree.networks.reread import RereadLabeller, arrange_states, best_ends
from permutree.networks.spans import SpanHead
from permutree.networks.tensors import Inputs, as_tensors, moved
from permutree.networks.translation import Translation
from permutree.parsing.engines import (
    CHUNK,
    CHUNK_WORDS,
    CLAIMS,
    ENDS,
    ENDS_SCORES,
    LABELS,
    ORDER,
    SURE,
    Costs,
    Values,
    joined,
    ranges,
)
from permutree.parsing.ensemble import JointBatch, JointInputs
from permutree.trees.batch import Bools

__all__ = ["SPANS_FROM", "TorchEngine", "encoder_states", "find_device", "halve"]

#: places of a batch, padding included: many for a GPU, few enough for the cache of a CPU
BATCH = {"cuda": 1 << 16, "cpu": 2048}
#: sentences, and words, that are sorted by length together on a GPU
GPU_CHUNK = (1 << 14, 1 << 18)
#: where spans are scored, a sentence of more words than this takes more places than it has words
SPANS_FROM = 16
#: scores that it may be asked for at once
ROOM = 1 << 25
#: numbers below this need two bytes
_SMALL = 1 << 15


class TorchEngine:
    """Labellers on a device; on a GPU in half precision, for which their weights are changed, unless ``precise``.

    Several labellers are an ensemble: their log-probabilities are averaged. They agree on an arrangement before any of
    them reads a second time. If they number their values in different ways, ``translations`` tell those of the first.

    A GPU gets large batches, chooses constituents itself, and hands over nothing but small numbers.
    """

    name = "PyTorch"

    def __init__(
        self,
        labellers: Labeller | Sequence[Labeller],
        device: torch.device | str = "cpu",
        *,
        translations: Sequence[Translation | None] = (),
        precise: bool = False,
        compiled: bool = False,
    ) -> None:
        self.device = torch.device(device)
        self.precise = precise or self.device.type == "cpu"
        is_gpu = self.device.type != "cpu"
        self.overlaps = self.chooses = self.says_how_sure = is_gpu
        self.batch = BATCH.get(self.device.type, BATCH["cpu"])
        self.chunk, self.chunk_words = GPU_CHUNK if is_gpu else (CHUNK, CHUNK_WORDS)
        self.room = 2 * ROOM if is_gpu else ROOM
        members = [labellers] if isinstance(labellers, Labeller) else list(labellers)
        if not self.precise:
            for member in members:
                halve(member)
        self._translations = translations or [None] * len(members)
        weights = [weight for member in members for head in member.heads.values() for weight in head.parameters()]
        #: no head has more values than its weights have rows, but for attention, which has at most as many as words
        self._most_values = max((len(weight) for weight in weights if weight.dim()), default=0)
        make = (lambda step: torch.compile(step, dynamic=True)) if compiled else (lambda step: step)
        self._read: list[Callable[..., Any]] = [make(member.read) for member in members]
        self._spans = [
            member.spans for member in members if isinstance(member, RereadLabeller) and member.spans is not None
        ]
        self._reread: list[Callable[..., Any]] = [
            make(member.reread) for member in members if isinstance(member, RereadLabeller)
        ]

    def predict(self, arrays: Arrays, scores: Collection[str] = (), closed: Costs | None = None) -> Values:
        """The best values of all heads, or scores where they are asked for."""
        return self.launch(arrays, scores, closed)()

    @torch.inference_mode()
    def launch(
        self,
        arrays: Arrays,
        scores: Collection[str] = (),
        closed: Costs | None = None,
        labels: Bools | None = None,
        sure: Collection[str] = (),
    ) -> Callable[[], Values]:
        """Give all batches to the device; what comes back waits for their results."""
        lengths = arrays.lengths
        order = np.argsort(lengths, kind="stable")
        places = np.maximum(lengths, lengths * lengths // SPANS_FROM) if self._spans else lengths
        most = max(self._most_values, int(lengths.max(initial=0)))
        results = _Results(self.device, torch.int16 if most < _SMALL else torch.int32)
        is_label = None if labels is None or not self.chooses else moved(torch.from_numpy(labels), self.device)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=not self.precise):
            for sentences in batches_by_size(places, order, self.batch, TENSOR_ROWS):
                inputs = _tensors(arrays.batch(sentences))
                # Worked out here, as a GPU that has to count words would be waited for.
                counts = inputs.lengths.numpy()
                is_word = np.arange(counts.max(initial=0)) < counts[:, None]
                words = moved(torch.from_numpy(np.flatnonzero(is_word)), self.device)
                known = None if closed is None else moved(torch.from_numpy(closed[sentences]), self.device)
                given = self._label(inputs.to(self.device), scores, known, is_label, sure)
                results.add({name: table.flatten(0, 1).index_select(0, words) for name, table in given.items()})
                results.counts.append(counts)
        results.send()
        # From the order of lengths back to that of the sentences.
        return partial(results.receive, np.argsort(order))

    def _label(
        self,
        inputs: Inputs,
        scores: Collection[str],
        closed: Tensor | None,
        is_label: Tensor | None = None,
        sure: Collection[str] = (),
    ) -> dict[str, Tensor]:
        """What is predicted of a batch [B, T, …]."""
        members = inputs.members if isinstance(inputs, JointInputs) else [inputs] * len(self._read)
        states, heads = zip(*(read(one) for read, one in zip(self._read, members, strict=True)), strict=True)
        given = self._average(heads)
        found: dict[str, Tensor] = {}
        if closed is not None and "permutation" in scores:
            given["permutation"] = close_arrangements(given["permutation"], inputs.lengths, closed)
        elif closed is not None:
            found["permutation"] = closed_values(given.pop("permutation"), inputs.lengths, closed)
        if self._reread:
            values = found["permutation"] if "permutation" in found else given["permutation"].argmax(2)
            order = arrange(values, inputs.lengths)
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
                joint = spans[0] if len(spans) == 1 else self._mean(SPANS, spans)
                found[ENDS], found[LABELS], found[ENDS_SCORES] = self._spans[0].choose(joint, inputs.lengths)
            given |= self._average(again)
            if is_label is not None and ends and not spans:
                found |= {name + SURE: _best(given[name]) for name in sure if name in given}
                votes: dict[str, Tensor] = {name: given.pop(name) for name in VOTES if name in given}
                claims, certain = found[ENDS], found.pop(ENDS_SCORES)
                if sure:
                    found |= {CLAIMS: claims, ENDS_SCORES: certain}
                found[ENDS] = choose_spans(claims, certain, inputs.lengths)
                found[LABELS] = choose_labels(found[ENDS], inputs.lengths, votes, is_label)
        for name, table in given.items():
            found[name] = table.float() if name in scores else table.argmax(2).int()
        return found

    def _average(self, found: Sequence[Mapping[str, Tensor]]) -> dict[str, Tensor]:
        """The scores of one labeller, or the averaged log-probabilities of several."""
        if len(found) == 1:
            return dict(found[0])
        return {name: self._mean(name, [scores[name].float().log_softmax(2) for scores in found]) for name in found[0]}

    def _mean(self, name: str, scores: Sequence[Tensor]) -> Tensor:
        """The mean of what labellers say of the values of a head; of each, of those that know it."""
        # Attention has as many values as there are words.
        most = scores[0].shape[-1]
        told = [
            one if translation is None else translation.told(name, one, math.nan)[..., :most]
            for one, translation in zip(scores, self._translations, strict=True)
        ]
        return torch.stack([one.float() for one in told]).nanmean(0)


class _Results:
    """What a device predicts for batches, sent over as soon as all are done: numbers in few bytes, then scores."""

    def __init__(self, device: torch.device, dtype: torch.dtype) -> None:
        self.device, self.dtype = device, dtype
        self.counts: list[Ints] = []
        self.names: dict[str, int] = {}
        self._numbers: list[Tensor] = []
        self._scores: dict[str, list[Tensor]] = {}
        self._sent: Tensor | None = None
        self._is_there: Any = None

    def add(self, found: dict[str, Tensor]) -> None:
        """Add the values of the words of a batch [words] or [words, …]."""
        numbers = {name: table for name, table in found.items() if not table.is_floating_point()}
        self.names = {name: table[0].numel() for name, table in numbers.items()}
        if numbers:
            self._numbers.append(
                torch.cat([table.view(len(table), -1).to(self.dtype) for table in numbers.values()], 1)
            )
        for name, table in found.items():
            if name not in numbers:
                self._scores.setdefault(name, []).append(table)

    def send(self) -> None:
        """Begin to copy the whole numbers to where Python can read them."""
        if not self._numbers:
            return
        together = torch.cat(self._numbers)
        self._numbers = []
        if self.device.type == "cpu":
            self._sent = together
            return
        self._sent = torch.empty(together.shape, dtype=together.dtype, pin_memory=True)
        self._sent.copy_(together, non_blocking=True)
        self._is_there = torch.cuda.Event()  # type: ignore[no-untyped-call]
        self._is_there.record()

    @torch.inference_mode()
    def receive(self, chosen: Ints) -> Values:
        """The values of all words of sentences in this order, when they are there."""
        if not self.counts:
            return {}
        places = ranges(np.concatenate(self.counts), chosen)
        found: Values = {}
        if self._sent is not None:
            if self._is_there is not None:
                self._is_there.synchronize()
            together = self._sent.numpy()[places].astype(np.int32)
            first = 0
            for name, width in self.names.items():
                part = together[:, first] if width == 1 else together[:, first : first + width]
                found[name] = np.ascontiguousarray(part)
                first += width
        return found | {name: _in_order(parts, places) for name, parts in self._scores.items()}


def halve(labeller: nn.Module) -> None:
    """Give all layers that a GPU runs in half precision the weights that it would make for each batch again."""
    # Scores of spans are summed in single precision.
    exact = [head.label for head in labeller.modules() if isinstance(head, SpanHead)]
    for layer in labeller.modules():
        if isinstance(layer, nn.Linear | nn.Conv1d) and layer not in exact:
            layer.to(torch.bfloat16)
        elif isinstance(layer, nn.LSTM):
            # That is what cuDNN takes.
            layer.half()
            layer.flatten_parameters()


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


def _best(scores: Tensor) -> Tensor:
    """The log-probabilities of the best values [B, T], from scores of all [B, T, values]."""
    exact = scores.float()
    return exact.amax(2) - exact.logsumexp(2)


def _tensors(batch: Batch) -> Inputs:
    """A batch as tensors, for one labeller or for several that read words in different ways."""
    return batch.tensors() if isinstance(batch, JointBatch) else as_tensors(batch)


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
