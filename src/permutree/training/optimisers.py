"""Optimisers and their learning rates."""

from __future__ import annotations

import math
from typing import Any, Generic, TypeVar

import torch
from torch import Tensor, nn

from permutree.training.config import OptimiserConfig

__all__ = ["Average", "make_optimiser", "rate_factor"]

Network = TypeVar("Network", bound=nn.Module)


#: the decay of AdamW's average of gradients
_BETA1 = 0.9


def make_optimiser(labeller: nn.Module, config: OptimiserConfig) -> torch.optim.Optimizer:
    """The optimiser; biases and norms do not decay, and a pretrained encoder may have a rate of its own.

    What is put on top of such an encoder is as new as the heads are.
    """
    groups: dict[tuple[float, float], list[Tensor]] = {}
    encoder_rate = config.rate if config.encoder_rate is None else config.encoder_rate
    for name, weight in labeller.named_parameters():
        is_encoder = name.startswith("encoder.") and not name.startswith("encoder.on_top.")
        rate = encoder_rate if is_encoder else config.rate
        decay = config.weight_decay if weight.dim() > 1 else 0.0
        groups.setdefault((rate, decay), []).append(weight)
    settings: list[dict[str, Any]] = [
        {"params": weights, "lr": rate, "base_rate": rate, "weight_decay": decay}
        for (rate, decay), weights in groups.items()
    ]
    if config.kind == "sgd":
        return torch.optim.SGD(settings, lr=config.rate, momentum=config.momentum)
    return torch.optim.AdamW(settings, lr=config.rate, betas=(_BETA1, config.beta2), eps=1e-8, fused=True)


def rate_factor(config: OptimiserConfig, step: int, steps: int, epoch: int) -> float:
    """What the learning rate is multiplied with in a step, counted from 0, of so many."""
    rise = round(config.warmup * steps)
    if step < rise:
        return (step + 1) / rise
    if config.schedule == "constant":
        return 1.0
    if config.schedule == "inverse":
        return 1 / (1 + config.rate_decay * epoch)
    left = max(0.0, (steps - step) / max(1, steps - rise))
    return left if config.schedule == "linear" else 0.5 * (1 - math.cos(math.pi * left))


class Average(Generic[Network]):
    """The exponential moving average of a network's weights, as a network of its own."""

    def __init__(self, labeller: Network, copy: Network, decay: float) -> None:
        self.labeller = copy
        self.decay = decay
        self._weights: list[Tensor] = list(copy.parameters())
        for weight in self._weights:
            weight.requires_grad_(False)
        self._sources: list[Tensor] = list(labeller.parameters())
        copy.eval()
        for module in copy.modules():
            if isinstance(module, nn.RNNBase):
                # A copied LSTM has its weights in pieces, which a GPU would put together again at every call.
                module.flatten_parameters()

    @torch.no_grad()
    def update(self, step: int) -> None:
        """Take in the weights after a step; the first steps count more, so that the start is forgotten."""
        decay = min(self.decay, (step + 1) / (step + 10))
        torch._foreach_lerp_(self._weights, self._sources, 1 - decay)
