"""The predecessor of each word, chosen by attention among the words before it."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F  # noqa: N812 - as everybody calls it
from torch import Tensor, nn

__all__ = ["PredecessorHead", "arrange"]


class PredecessorHead(nn.Module):
    """Biaffine attention (Dozat and Manning 2017) from each word to the words before it.

    Its values are those of the encoding ``predecessor``: 0 is NEXT, the word just before, 1 the word before that, and
    so on, so that it takes the place of a layer with softmax.
    """

    def __init__(self, inputs: int, values: int, *, size: int = 256, dropout: float = 0.33) -> None:
        super().__init__()
        self.values = values
        self.words = nn.Linear(inputs, size)
        self.predecessors = nn.Linear(inputs, size)
        self.weight = nn.Parameter(torch.zeros(size, size))
        nn.init.orthogonal_(self.weight)
        self.prior = nn.Linear(size, 1)
        #: how likely NEXT is, whatever the words
        self.next = nn.Parameter(torch.full((), 4.0))
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: Tensor) -> Tensor:
        """States [B, T, inputs] to the scores of all values [B, T, values]; those that lead nowhere are impossible."""
        words = self.dropout(F.gelu(self.words(states)))
        before = self.dropout(F.gelu(self.predecessors(states)))
        scores = (words @ self.weight @ before.transpose(1, 2)).float() / math.sqrt(words.shape[2])
        scores = scores + self.prior(before).float().transpose(1, 2)
        length = states.shape[1]
        places = torch.arange(length, device=states.device)
        # From the numbers of words to how far back they are.
        back = places[:, None] - 1 - torch.arange(min(length, self.values), device=states.device)
        far = scores.gather(2, back.clamp(min=0).expand(len(scores), -1, -1))
        far = far.masked_fill(back < 0, -math.inf)
        # The first word has nothing before it and is always NEXT.
        first = torch.zeros_like(far[:, :1]).masked_fill(places[: far.shape[2]] > 0, -math.inf)
        far = torch.cat([first, far[:, 1:]], 1)
        far = torch.cat([far[:, :, :1] + self.next, far[:, :, 1:]], 2)
        return F.pad(far, (0, self.values - far.shape[2]), value=-math.inf)


def arrange(values: Tensor, lengths: Tensor) -> Tensor:
    """The arrangements [B, T], position to word, of predecessors [B, T] given as values of the encoding.

    Words are put into a linked list one after the other, in step over the batch; a value that leads out of the sentence
    leads to its first word. Padding stays where it is.
    """
    batch, length = values.shape
    rows = torch.arange(batch, device=values.device)
    after = torch.full((batch, length + 1), length, device=values.device)
    for word in range(1, length):
        before = (word - 1 - values[:, word]).clamp(min=0)
        # Padding goes behind the padding before it, and the first of it behind all words in the end.
        is_word = word < lengths
        target = torch.where(is_word, before, length)
        after[:, word] = after[rows, target]
        after[rows, target] = torch.where(is_word, word, after[rows, target])
    order = torch.empty_like(values)
    place = torch.zeros(batch, dtype=values.dtype, device=values.device)
    for position in range(length):
        order[:, position] = torch.where(position < lengths, place, position)
        place = after[rows, place]
    return order
