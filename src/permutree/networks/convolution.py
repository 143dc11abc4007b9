"""Stacked convolutions: what a word means is told by the words around it, all words of a batch at once.

An LSTM waits for the word before; a layer of convolutions is two matrix products over all words. Layers look further
and further: at both neighbours, at every second word, at every fourth, … That is the network of WaveNet (van den Oord
et al. 2016) with words to both sides, and normalised before each layer (pre-norm). All that is multiplied has a bound,
so that it can be int8.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from permutree.networks.bilstm import SharedDropout

__all__ = ["BOUND", "REACHES", "Convolution", "ConvolutionLayer", "windows"]

#: how far a layer looks to each side, one layer after the other, and again
REACHES = (1, 2, 4, 8)
#: normalised states are cut off at this; few are so large
BOUND = 4.0


def windows(states: Tensor, reach: int, nothing: int = 0) -> Tensor:
    """Each word [B, T, H] between those so far before and behind it [B, T, 3 · H]; outside the sentence is nothing."""
    room = nn.functional.pad(states, (0, 0, reach, reach), value=nothing)
    length = states.shape[1]
    return torch.cat([room[:, :length], states, room[:, 2 * reach : 2 * reach + length]], 2)


class Convolution(nn.Module):
    """A stack of gated convolutions over three words each, with dropout before each layer and after the last."""

    def __init__(self, inputs: int, *, hidden: int, layers: int, dropout: float, shared_dropout: bool = True) -> None:
        super().__init__()
        self.size = hidden
        self.enter = nn.Linear(inputs, hidden)
        self.layers = nn.ModuleList(
            ConvolutionLayer(hidden, reach=REACHES[number % len(REACHES)]) for number in range(layers)
        )
        self.norm = nn.LayerNorm(hidden)
        self.dropout = SharedDropout(dropout) if shared_dropout else nn.Dropout(dropout)

    def forward(self, vectors: Tensor, lengths: Tensor, mask: Tensor) -> Tensor:
        """Vectors of words [B, T, inputs] to states [B, T, size]."""
        states = self.enter(self.dropout(vectors))
        is_word = mask[:, :, None]
        for layer in self.layers:
            normalised = layer.norm(states).clamp(-BOUND, BOUND)  # type: ignore[operator]
            states = states + layer(self.dropout(normalised) * is_word)
        found: Tensor = self.dropout(self.norm(states).clamp(-BOUND, BOUND))
        return found


class ConvolutionLayer(nn.Module):
    """A gated convolution, and a layer that puts what it finds into states."""

    def __init__(self, hidden: int, *, reach: int) -> None:
        super().__init__()
        self.reach = reach
        self.norm = nn.LayerNorm(hidden)
        #: what it finds in the word before, the word itself and the one behind, and how much of that counts
        self.look = nn.Linear(3 * hidden, 2 * (hidden // 2))
        self.mix = nn.Linear(hidden // 2, hidden)

    def forward(self, states: Tensor) -> Tensor:
        """Normalised states [B, T, hidden], zero behind the end of a sentence, to what is to be added to them."""
        found, gates = self.look(windows(states, self.reach)).chunk(2, 2)
        mixed: Tensor = self.mix(found.tanh() * gates.sigmoid())
        return mixed
