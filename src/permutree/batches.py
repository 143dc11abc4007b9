"""Sentences of similar lengths together, so that little has to be filled up."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["TENSOR_ROWS", "batches_by_size"]

Numbers = npt.NDArray[np.int64]

#: the rows of a batch should be a multiple of this: cuDNN leaves the tensor cores of a GPU alone otherwise, and an LSTM
#: takes several times as long
TENSOR_ROWS = 8


def batches_by_size(lengths: Numbers, order: Numbers, limit: int, step: int = 1) -> list[Numbers]:
    """Cut sentences, given in an order of similar lengths, into batches of at most ``limit`` words, padding included.

    A sentence that is longer than the limit is a batch of its own. With a ``step``, batches are of a multiple of so
    many sentences, but for the last one and for those where the limit leaves no room for that many.

    >>> [batch.tolist() for batch in batches_by_size(np.array([2, 3, 3, 9]), np.arange(4), 6)]
    [[0, 1], [2], [3]]
    >>> [batch.tolist() for batch in batches_by_size(np.array([2, 2, 2, 2, 2, 2]), np.arange(6), 6, step=2)]
    [[0, 1], [2, 3], [4, 5]]
    """
    batches: list[Numbers] = []
    sizes = lengths[order].tolist()
    start, longest = 0, 0
    for place, length in enumerate(sizes):
        longest = max(longest, length)
        while place > start and longest * (place + 1 - start) > limit:
            rest = (place - start) % step
            end = place - rest if place - start > rest else place
            batches.append(order[start:end])
            start, longest = end, max(sizes[end : place + 1])
    if len(order) > start:
        batches.append(order[start:])
    return batches
