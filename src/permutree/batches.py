"""Sentences of similar lengths together, so that little has to be filled up."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["batches_by_size"]

Numbers = npt.NDArray[np.int64]


def batches_by_size(lengths: Numbers, order: Numbers, limit: int) -> list[Numbers]:
    """Cut sentences, given in an order of similar lengths, into batches of at most ``limit`` words, padding included.

    A sentence that is longer than the limit is a batch of its own.

    >>> [batch.tolist() for batch in batches_by_size(np.array([2, 3, 3, 9]), np.arange(4), 6)]
    [[0, 1], [2], [3]]
    """
    batches: list[Numbers] = []
    start, longest = 0, 0
    for place, length in enumerate(lengths[order].tolist()):
        longest = max(longest, length)
        if place > start and longest * (place + 1 - start) > limit:
            batches.append(order[start:place])
            start, longest = place, length
    if len(order) > start:
        batches.append(order[start:])
    return batches
