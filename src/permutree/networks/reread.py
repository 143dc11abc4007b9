"""The labeller ``reread``: it chooses an arrangement, and reads the sentence once more in that order.

Shared labels and unary chains are about neighbours in the arrangement, which need not be neighbours in the sentence. A
labeller that has chosen the arrangement, each word's predecessor by attention, can read the words again in that order
before it decides on them. It also finds the constituents there: by attention to both ends of the smallest one that two
neighbours share. From the second reading on, everything stands by position in the arrangement.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
from torch import Tensor, nn

from permutree.model.config import RereadConfig
from permutree.model.folder import SPANS
from permutree.networks.bilstm import BiLSTM
from permutree.networks.labeller import Labeller
from permutree.networks.spans import SpanHead
from permutree.networks.tensors import Inputs

__all__ = ["ENDS", "Ends", "RereadLabeller", "SecondReading", "arrange_states", "best_ends"]

#: what the ends of constituents are called among what is predicted
ENDS = "ends"
#: the heads that are about neighbours in the arrangement
_ARRANGED = ("levels", "shared", "unary", "first", "last", "shared-functions")
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

    def forward(self, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """States [B, T, inputs] in the order of the arrangement to what stands at both ends [B, T, size].

        Also the scores of all words as first words, and as last words [B, 2, T, T], and their probabilities.
        """
        states = self.dropout(states)
        places = torch.arange(states.shape[1], device=states.device)
        is_first = (places[None, :] <= places[:, None])[None]
        is_last = (places[None, :] > places[:, None])[None] & mask[:, None, :]
        parts = self.project(states).chunk(6, 2)
        found, scores, weights = [], [], []
        for possible, query, key, value in zip((is_first, is_last), parts[:2], parts[2:4], parts[4:], strict=True):
            score = (query @ key.transpose(1, 2) * self.scale).masked_fill(~possible, _NEVER)
            scores.append(score)
            # Behind the last word there is nothing, and padding must not be taken for it.
            weights.append(score.softmax(2) * possible)
            found.append(weights[-1].to(value) @ value)
        return torch.cat(found, 2), torch.stack(scores, 1), torch.stack(weights, 1)


def best_ends(probabilities: Tensor) -> tuple[Tensor, Tensor]:
    """Where constituents begin and end [B, T, 2], and how probable that is [B, T], by those of all ends [B, 2, T, T].

    The latter is the logarithm of the probability of both ends.
    """
    best, places = probabilities.float().max(3)
    return places.transpose(1, 2).int(), best.prod(1).log()


class SecondReading(nn.Module):
    """A BiLSTM over states in the order of the arrangement, and attention to the ends of constituents."""

    def __init__(self, inputs: int, *, hidden: int, dropout: float, ends: int = 0) -> None:
        super().__init__()
        self.context = BiLSTM(inputs, hidden=hidden, layers=1, dropout=dropout)
        self.size = inputs + self.context.size
        self.ends: Ends | None = None
        if ends:
            self.ends = Ends(self.size, units=ends, dropout=dropout)
            self.size += self.ends.size

    def forward(self, states: Tensor, lengths: Tensor, mask: Tensor) -> tuple[Tensor, Tensor | None]:
        """States [B, T, inputs] by position to states [B, T, size].

        Also what is known of ends, if they are looked for [B, 2, T, T]: scores to learn from, later probabilities.
        """
        states = torch.cat([states, self.context(states, lengths, mask)], 2)
        if self.ends is None:
            return states, None
        found, scores, probabilities = self.ends(states, mask)
        return torch.cat([states, found], 2), scores if self.training else probabilities


class RereadLabeller(Labeller):
    """A labeller with a second reading of the sizes of ``reread``.

    If that scores spans, they have so many ``labels``.
    """

    def __init__(
        self,
        encoder: nn.Module,
        sizes: Mapping[str, int],
        *,
        attention: int,
        reread: RereadConfig,
        labels: int = 0,
        dropout: float = 0.33,
    ) -> None:
        super().__init__(encoder, {})
        size: int = encoder.size  # type: ignore[assignment]
        self.reading = SecondReading(size, hidden=reread.hidden, dropout=dropout, ends=reread.ends)
        self.spans: SpanHead | None = None
        if reread.spans:
            self.spans = SpanHead(self.reading.size, labels, reread, dropout=dropout)
        self._add_heads(sizes, attention, dropout)

    def _width(self, name: str) -> int:
        return self.reading.size if self.is_arranged(name) else super()._width(name)

    def is_arranged(self, name: str) -> bool:
        """Whether a head comes after the second reading."""
        return name in _ARRANGED

    def forward(self, inputs: Inputs, order: Tensor | None = None) -> dict[str, Tensor]:
        """The scores of all heads, of those after the second reading by position in the arrangement.

        ``order`` is that arrangement [B, T], position to word.
        """
        assert order is not None
        states, scores = self.read(inputs)
        return scores | self.reread(arrange_states(states, order), inputs.lengths, inputs.mask)

    def reread(self, arranged: Tensor, lengths: Tensor, mask: Tensor) -> dict[str, Tensor]:
        """The scores of the other heads, from states in the order of the arrangement."""
        states, ends = self.reading(arranged, lengths, mask)
        scores = self._scores(states, arranged=True)
        if ends is not None:
            scores[ENDS] = ends
        if self.spans is not None:
            scores[SPANS] = self.spans(states, mask)
        return scores


def arrange_states(states: Tensor, order: Tensor) -> Tensor:
    """States at words [B, T, size] in the order of the arrangement [B, T]."""
    return states.gather(1, order[:, :, None].expand_as(states))
