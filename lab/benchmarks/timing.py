"""How long work takes."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["best_of"]


def best_of(times: int, work: Callable[[], object]) -> float:
    """The processor time of the fastest run."""
    best = float("inf")
    for _ in range(times):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best
