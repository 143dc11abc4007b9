"""Batches of sentences of about the same length and about the same number of words."""

from __future__ import annotations

from itertools import accumulate
from typing import Protocol

import numpy as np
import numpy.typing as npt

__all__ = [
    "TENSOR_ROWS",
    "Arrays",
    "Batch",
    "Ints",
    "batches_by_size",
    "padded",
    "padding_waste",
    "shuffled_batches",
]

Ints = npt.NDArray[np.int64]

#: the rows of a batch should be a multiple of this: cuDNN leaves the tensor cores of a GPU alone otherwise, and an LSTM
#: takes several times as long
TENSOR_ROWS = 8


def batches_by_size(lengths: Ints, order: Ints, limit: int, step: int = 1, *, waste: int | None = None) -> list[Ints]:
    """Cut sentences, given in an order of similar lengths, into batches of at most ``limit`` words, padding included.

    A sentence that is longer than the limit is a batch of its own. With a ``step``, batches are of a multiple of so
    many sentences, but for the last one and for those where the limit leaves no room for that many. With ``waste``, at
    most so many places of a batch are padding: where a batch of its own costs less than to fill up another.

    >>> [batch.tolist() for batch in batches_by_size(np.array([2, 3, 3, 9]), np.arange(4), 6)]
    [[0, 1], [2], [3]]
    >>> [batch.tolist() for batch in batches_by_size(np.array([2, 2, 2, 2, 2, 2]), np.arange(6), 6, step=2)]
    [[0, 1], [2, 3], [4, 5]]
    >>> [batch.tolist() for batch in batches_by_size(np.array([2, 3, 3, 9]), np.arange(4), 99, waste=4)]
    [[0, 1, 2], [3]]
    """
    batches: list[Ints] = []
    sizes = lengths[order].tolist()
    start, longest = 0, 0
    sums = [0, *accumulate(sizes)]
    most = limit if waste is None else waste
    for place, length in enumerate(sizes):
        longest = max(longest, length)
        while place > start and (
            (places := longest * (place + 1 - start)) > limit or places - sums[place + 1] + sums[start] > most
        ):
            rest = (place - start) % step
            end = place - rest if place - start > rest else place
            batches.append(order[start:end])
            start, longest = end, max(sizes[end : place + 1])
    if len(order) > start:
        batches.append(order[start:])
    return batches


class Batch(Protocol):
    """A batch of sentences as arrays, filled up to the same length."""

    @property
    def lengths(self) -> Ints:
        """The number of words of each sentence [B]."""


class Arrays(Protocol):
    """The features of many sentences."""

    @property
    def offsets(self) -> Ints:
        """Where each sentence begins, in words, and where the last one ends."""

    @property
    def lengths(self) -> Ints:
        """What each sentence costs in a batch: its words, or its sub-words."""

    def batch(self, sentences: Ints) -> Batch:
        """Some of the sentences as a batch."""


def shuffled_batches(lengths: Ints, limit: int, random: np.random.Generator) -> list[Ints]:
    """Batches for one epoch of training: sentences of a length in random order, batches in random order."""
    # Equal lengths are shuffled by a stable sort of a random order; no noise is added, so that little is padded.
    shuffled = random.permutation(len(lengths))
    order = shuffled[np.argsort(lengths[shuffled], kind="stable")]
    batches = batches_by_size(lengths, order, limit, TENSOR_ROWS)
    return [batches[number] for number in random.permutation(len(batches)).tolist()]


def padding_waste(lengths: Ints, batches: list[Ints]) -> float:
    """The share of padding among all places of the batches."""
    places = sum(int(lengths[batch].max()) * len(batch) for batch in batches)
    return 1 - int(lengths.sum()) / places if places else 0.0


def padded(values: npt.NDArray[np.integer], offsets: Ints, sentences: Ints, fill: int) -> Ints:
    """Some sentences of a flat array as the rows of a matrix, filled up at the end."""
    lengths = offsets[sentences + 1] - offsets[sentences]
    places = np.arange(int(lengths.max(initial=0)))
    inside = places < lengths[:, None]
    matrix = np.full(inside.shape, fill, np.int64)
    matrix[inside] = values[(offsets[sentences][:, None] + places)[inside]]
    return matrix
