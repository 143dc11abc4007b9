"""Batches as tensors: what the networks read. The features themselves need no PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from permutree.model.batching import Batch
from permutree.model.features import WordBatch
from permutree.model.subwords import PieceBatch

__all__ = ["Constituents", "Inputs", "PieceInputs", "WordInputs", "as_tensors", "joined_numbers", "moved", "parted"]


class Inputs(Protocol):
    """A batch of sentences as tensors."""

    @property
    def lengths(self) -> Tensor:
        """The number of words of each sentence [B]."""

    @property
    def mask(self) -> Tensor:
        """Where there are words [B, T]."""

    def to(self, device: torch.device | str) -> Inputs:
        """A copy on a device."""


@dataclass(frozen=True, slots=True)
class WordInputs:
    """A batch of B sentences of at most T words, U of them different, of at most L characters each."""

    lengths: Tensor  # [B]
    words: Tensor  # [B, T]
    tags: Tensor  # [B, T]
    #: which of the different words stands where [B, T], and their characters [U, L]
    types: Tensor
    characters: Tensor

    @property
    def mask(self) -> Tensor:
        """Where there are words [B, T]."""
        return torch.arange(self.words.shape[1], device=self.lengths.device) < self.lengths[:, None]

    def to(self, device: torch.device | str) -> WordInputs:
        """A copy on a device."""
        tensors = (self.lengths, self.words, self.tags, self.types, self.characters)
        if _is_for_gpu(self.lengths, device):
            # Once is cheaper than five times.
            together = joined_numbers(tensors, pin=True).to(device, non_blocking=True)
            return WordInputs(*parted(together, tensors))
        return WordInputs(*(tensor.to(device, non_blocking=True) for tensor in tensors))


@dataclass(frozen=True, slots=True)
class PieceInputs:
    """A batch of B sentences of at most T words, in R windows of at most P sub-words."""

    lengths: Tensor  # [B]
    pieces: Tensor  # [R, P]
    #: which sub-words there are, the others are padding [R, P]
    visible: Tensor
    #: where the first sub-word of each word stands, counted through all windows [B, T]
    places: Tensor

    @property
    def mask(self) -> Tensor:
        """Where there are words [B, T]."""
        return torch.arange(self.places.shape[1], device=self.lengths.device) < self.lengths[:, None]

    def to(self, device: torch.device | str) -> PieceInputs:
        """A copy on a device."""
        fields = (self.lengths, self.pieces, self.visible, self.places)
        return PieceInputs(*(moved(tensor, device) for tensor in fields))


def moved(tensor: Tensor, device: torch.device | str) -> Tensor:
    """A tensor on a device; on its way to a GPU, nobody waits for it."""
    return (tensor.pin_memory() if _is_for_gpu(tensor, device) else tensor).to(device, non_blocking=True)


def _is_for_gpu(tensor: Tensor, device: torch.device | str) -> bool:
    return torch.device(device).type == "cuda" and tensor.device.type == "cpu"


def joined_numbers(tensors: Sequence[Tensor], *, pin: bool = False) -> Tensor:
    """The whole numbers of tensors, one after the other; ``pin`` puts them where a GPU can fetch them by itself."""
    together = torch.empty(sum(tensor.numel() for tensor in tensors), dtype=torch.int64, pin_memory=pin)
    # Copied by NumPy: PyTorch starts threads, and waits for them.
    np.concatenate([tensor.numpy().ravel() for tensor in tensors], out=together.numpy())
    return together


def parted(together: Tensor, tensors: Sequence[Tensor]) -> list[Tensor]:
    """What :func:`joined_numbers` joined, in the shapes of these tensors."""
    parts = torch.split(together, [tensor.numel() for tensor in tensors])
    return [part.view(tensor.shape) for part, tensor in zip(parts, tensors, strict=True)]


@dataclass(frozen=True, slots=True)
class Constituents:
    """The C constituents of a batch that are over several words; positions count through the whole batch [B · T]."""

    #: the first and the last position of each [C]
    firsts: Tensor
    lasts: Tensor
    #: the positions whose shared label is that of a constituent, and which one that is [N]
    boundaries: Tensor
    owners: Tensor
    #: the shared label of each constituent, -1 if the vocabulary does not have it [C]
    values: Tensor
    #: where the owner of each boundary begins and ends, counted in the sentence [N, 2]
    ends: Tensor

    def to(self, device: torch.device | str) -> Constituents:
        """A copy on a device."""
        return Constituents(*(getattr(self, field.name).to(device, non_blocking=True) for field in fields(self)))


def as_tensors(batch: Batch) -> Inputs:
    """A batch of arrays as tensors that share its memory."""
    if isinstance(batch, WordBatch):
        return WordInputs(*(torch.from_numpy(getattr(batch, field.name)) for field in fields(WordInputs)))
    assert isinstance(batch, PieceBatch)
    return PieceInputs(*(torch.from_numpy(getattr(batch, field.name)) for field in fields(PieceInputs)))
