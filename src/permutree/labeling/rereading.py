"""The second reading: a BiLSTM over the words in the order of the continuous arrangement.

Levels, shared labels and unary chains are about neighbours in the arrangement, which need not be neighbours in the
sentence. A labeller that has chosen the arrangement can read the sentence once more in that order before it decides on
them.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from permutree.labeling.bilstm import BiLSTM

__all__ = ["SecondReading"]


class SecondReading(nn.Module):
    """What a BiLSTM makes of the states in another order, beside the states themselves."""

    def __init__(self, inputs: int, *, hidden: int, dropout: float) -> None:
        super().__init__()
        self.context = BiLSTM(inputs, hidden=hidden, layers=1, dropout=dropout)
        self.size = inputs + self.context.size

    def forward(self, states: Tensor, order: Tensor, lengths: Tensor, mask: Tensor) -> Tensor:
        """States [B, T, inputs] at words and the arrangement [B, T], position to word, to states [B, T, size]."""
        places = order[:, :, None]
        arranged = states.gather(1, places.expand_as(states))
        read = self.context(arranged, lengths, mask)
        back = torch.empty_like(read).scatter(1, places.expand_as(read), read)
        return torch.cat([states, back], 2)
