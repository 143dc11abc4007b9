"""The second reading: a BiLSTM over the words in the order of the continuous arrangement.

Levels, shared labels and unary chains are about neighbours in the arrangement, which need not be neighbours in the
sentence. A labeller that has chosen the arrangement can read the sentence once more in that order before it decides on
them. And it can look at both ends of constituents: levels say how many constituents two neighbours share, which is
easier to tell for one who knows where the smallest of them begins and ends.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from permutree.networks.bilstm import BiLSTM

__all__ = ["Ends", "SecondReading", "best_ends"]

#: the score of a word that cannot be the end of a constituent
_NEVER = -1e4


class Ends(nn.Module):
    """Attention to the first and to the last word of the smallest constituent that a word shares with the next one."""

    def __init__(self, inputs: int, *, units: int, dropout: float) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        #: queries, keys and values, each for first and for last words
        self.project = nn.Linear(inputs, 6 * units)
        self.size = 2 * units
        self.scale = 1 / math.sqrt(units)

    def forward(self, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """States [B, T, inputs] in the order of the arrangement to what stands at both ends [B, T, size].

        Also the scores of all words as first words, and as last words [B, 2, T, T].
        """
        states = self.dropout(states)
        places = torch.arange(states.shape[1], device=states.device)
        is_first = (places[None, :] <= places[:, None])[None]
        is_last = (places[None, :] > places[:, None])[None] & mask[:, None, :]
        parts = self.project(states).chunk(6, 2)
        found, scores = [], []
        for possible, query, key, value in zip((is_first, is_last), parts[:2], parts[2:4], parts[4:], strict=True):
            score = (query @ key.transpose(1, 2) * self.scale).masked_fill(~possible, _NEVER)
            scores.append(score)
            # Behind the last word there is nothing, and padding must not be taken for it.
            found.append((score.softmax(2) * possible) @ value)
        return torch.cat(found, 2), torch.stack(scores, 1)


def best_ends(scores: Tensor) -> Tensor:
    """Where constituents begin and end, and how sure that is [B, T, 3], by the scores of all ends [B, 2, T, T]."""
    sure, places = scores.float().log_softmax(3).max(3)
    return torch.cat([places.to(sure), sure.sum(1, keepdim=True)], 1).transpose(1, 2)


class SecondReading(nn.Module):
    """What a BiLSTM makes of the states in another order, beside the states themselves."""

    def __init__(self, inputs: int, *, hidden: int, dropout: float, ends: int = 0) -> None:
        super().__init__()
        self.context = BiLSTM(inputs, hidden=hidden, layers=1, dropout=dropout)
        self.size = inputs + self.context.size
        self.ends: Ends | None = None
        if ends:
            self.ends = Ends(self.size, units=ends, dropout=dropout)
            self.size += self.ends.size

    def forward(self, states: Tensor, order: Tensor, lengths: Tensor, mask: Tensor) -> tuple[Tensor, Tensor | None]:
        """States [B, T, inputs] at words and the arrangement [B, T], position to word, to states [B, T, size].

        Also the scores of ends, if they are looked for, by position.
        """
        places = order[:, :, None]
        read, scores = self.read(states.gather(1, places.expand_as(states)), lengths, mask)
        back = torch.empty_like(read).scatter(1, places.expand_as(read), read)
        return torch.cat([states, back], 2), scores

    def read(self, arranged: Tensor, lengths: Tensor, mask: Tensor) -> tuple[Tensor, Tensor | None]:
        """What is new of states that are in the order of the arrangement already, and the scores of ends."""
        read = self.context(arranged, lengths, mask)
        if self.ends is None:
            return read, None
        found, scores = self.ends(torch.cat([arranged, read], 2), mask)
        return torch.cat([read, found], 2), scores
