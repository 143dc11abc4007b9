"""Pins: numbers that are always there, so that int8 quantisation has the same scale in every batch.

The operator for quantised LSTMs takes the scales of its inputs and states from the numbers that it sees, and would give
a sentence other scores in another batch. So every vector that it reads has two numbers more, the largest and the
smallest that there can be, whose weights are zero; and every LSTM has two units more, whose states are always 1 and -1,
the bounds of all states. These stand among its outputs, where they pin what the next layer reads.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from permutree.networks.bilstm import BiLSTM
from permutree.networks.convolution import BOUND, Convolution
from permutree.networks.embeddings import WordEmbedding

__all__ = ["PINS", "Layout", "words_layout"]

#: so many numbers of a vector, and units of an LSTM
PINS = 2


@dataclass(frozen=True, slots=True)
class Layout:
    """How long a vector with pins is, and which of its numbers are others."""

    width: int
    columns: Tensor
    #: its numbers are between -bound and bound
    bound: float = 1.0

    @classmethod
    def of_words(cls, words: int, tags: int, bound: float = 1.0) -> Layout:
        """The vectors of words, then pins, then the vectors of tags."""
        rest = torch.arange(words + PINS, words + PINS + tags)
        return cls(words + PINS + tags, torch.cat([torch.arange(words), rest]), bound)

    @classmethod
    def of_bilstm(cls, hidden: int) -> Layout:
        """The states of both directions, each with pins behind them."""
        states = torch.arange(hidden)
        return cls(2 * (hidden + PINS), torch.cat([states, states + hidden + PINS]))

    @classmethod
    def of_convolution(cls, hidden: int) -> Layout:
        """States that are cut off at a bound, then pins, which the second reading needs."""
        return cls.of_words(hidden, 0, BOUND)

    @classmethod
    def of_states(cls, context: BiLSTM | Convolution) -> Layout:
        """The states that a network gives."""
        if isinstance(context, Convolution):
            return cls.of_convolution(context.size)
        return cls.of_bilstm(context.size // 2)

    def beside(self, other: Layout) -> Layout:
        """Both vectors as one."""
        columns = torch.cat([self.columns, other.columns + self.width])
        return Layout(self.width + other.width, columns, max(self.bound, other.bound))

    def spread(self, weights: Tensor) -> Tensor:
        """Weights [..., numbers] with zeros for pins [..., width]."""
        found = torch.zeros(*weights.shape[:-1], self.width)
        found[..., self.columns] = weights
        return found

    def gather(self, weights: Tensor) -> Tensor:
        """Weights [..., width] without those of pins; those of graphs without pins stay as they are."""
        return weights[..., self.columns] if weights.shape[-1] == self.width else weights


def words_layout(embedding: WordEmbedding, bound: float = 1.0) -> Layout:
    """The layout of what a network over embedded words reads, whose numbers have a bound."""
    tags = 0 if embedding.tags is None else embedding.tags.weight.shape[1]
    return Layout.of_words(embedding.size - tags, tags, bound)
