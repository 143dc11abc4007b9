"""Deterministic training: on a CPU, gradients are added up in the same order each time.

What a character or a word contributes in several places is a sum, and threads would add to it as they come: rounding
differs, and a training with two threads was never the same twice. PyTorch has an order for such sums, if asked. The
number of threads, the processor and the version of PyTorch still count. A GPU is left alone: it would be much slower.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

__all__ = ["deterministic"]


@contextmanager
def deterministic(device: torch.device) -> Iterator[None]:
    """Let a CPU compute the same each time, and put PyTorch's settings back in the end."""
    if device.type != "cpu":
        yield
        return
    memory: Any = torch.utils.deterministic
    before = torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()
    fills = memory.fill_uninitialized_memory
    torch.use_deterministic_algorithms(True, warn_only=True)
    # Memory that is not read need not be filled.
    memory.fill_uninitialized_memory = False
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before[0], warn_only=before[1])
        memory.fill_uninitialized_memory = fills
