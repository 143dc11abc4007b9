"""Stacked BiLSTMs.

Each layer is two LSTMs, one of which reads every sentence from its own end: the same as a bidirectional LSTM over
packed sequences, but made of plain operations, so that it runs anywhere.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

__all__ = ["BiLSTM", "SharedDropout", "reverse"]


def reverse(vectors: Tensor, lengths: Tensor) -> Tensor:
    """Every sentence of a batch [B, T, H] back to front; padding stays at the end."""
    places = torch.arange(vectors.shape[1], device=vectors.device)
    turned = torch.where(places < lengths[:, None], lengths[:, None] - 1 - places, places)
    return vectors.gather(1, turned[:, :, None].expand_as(vectors))


class SharedDropout(nn.Module):
    """Dropout of whole features: the same ones at every word of a sentence (Gal and Ghahramani)."""

    def __init__(self, probability: float) -> None:
        super().__init__()
        self.probability = probability

    def forward(self, vectors: Tensor) -> Tensor:
        """Vectors [B, T, H]."""
        if not self.training or not self.probability:
            return vectors
        keep = 1 - self.probability
        mask = torch.empty(vectors.shape[0], 1, vectors.shape[2], device=vectors.device, dtype=vectors.dtype)
        return vectors * mask.bernoulli_(keep).div_(keep)


class BiLSTM(nn.Module):
    """A stack of BiLSTMs with dropout before each and after the last."""

    def __init__(self, inputs: int, *, hidden: int, layers: int, dropout: float, shared_dropout: bool = True) -> None:
        super().__init__()
        sizes = [inputs] + [2 * hidden] * (layers - 1)
        self.forwards = nn.ModuleList(nn.LSTM(size, hidden, batch_first=True) for size in sizes)
        self.backwards = nn.ModuleList(nn.LSTM(size, hidden, batch_first=True) for size in sizes)
        self.dropout = SharedDropout(dropout) if shared_dropout else nn.Dropout(dropout)
        self.size = 2 * hidden
        for lstm in (*self.forwards, *self.backwards):
            _initialise(lstm)

    def forward(self, vectors: Tensor, lengths: Tensor, mask: Tensor) -> Tensor:
        """Vectors of words [B, T, inputs] to states [B, T, size]."""
        for forwards, backwards in zip(self.forwards, self.backwards, strict=True):
            vectors = self.dropout(vectors)
            there, _ = forwards(vectors)
            back, _ = backwards(reverse(vectors, lengths))
            vectors = torch.cat([there, reverse(back, lengths)], 2)
        states: Tensor = self.dropout(vectors)
        return states


def _initialise(lstm: nn.Module) -> None:
    """Orthogonal recurrent weights, and gates that start by remembering."""
    for name, weight in lstm.named_parameters():
        if "weight_hh" in name:
            for gate in weight.data.chunk(4):
                nn.init.orthogonal_(gate)
        elif "weight_ih" in name:
            nn.init.xavier_uniform_(weight)
        else:
            nn.init.zeros_(weight)
            if "bias_ih" in name:
                weight.data.chunk(4)[1].fill_(1)
