"""Transformer encoders, with learned positions as in the paper or rotary ones."""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812 - as everybody calls it
from torch import Tensor, nn

__all__ = ["Transformer"]

Turns = tuple[Tensor, Tensor]


class Transformer(nn.Module):
    """Layers of attention and feed-forward networks, normalised before each (pre-norm)."""

    def __init__(
        self,
        inputs: int,
        *,
        hidden: int,
        layers: int,
        heads: int,
        feedforward: int,
        dropout: float,
        positions: str,
        max_positions: int = 512,
    ) -> None:
        super().__init__()
        if hidden % heads:
            raise ValueError(f"hidden size {hidden} is not a multiple of {heads} heads")
        self.size = hidden
        self.enter = nn.Linear(inputs, hidden) if inputs != hidden else nn.Identity()
        self.positions = nn.Embedding(max_positions, hidden) if positions == "learned" else None
        #: how many pairs of features of each head are turned
        self.pairs = hidden // heads // 2 if positions == "rotary" else 0
        self.layers = nn.ModuleList(Layer(hidden, heads, feedforward, dropout) for _ in range(layers))
        self.norm = nn.LayerNorm(hidden)
        self.dropout = nn.Dropout(dropout)

    def forward(self, vectors: Tensor, lengths: Tensor, mask: Tensor) -> Tensor:
        """Vectors of words [B, T, inputs] to states [B, T, size]."""
        states = self.enter(vectors)
        if self.positions is not None:
            # A word beyond the last position that can be learned gets the last.
            places = torch.arange(states.shape[1], device=states.device).clamp(max=self.positions.num_embeddings - 1)
            states = states + self.positions(places)
        states = self.dropout(states)
        visible = mask[:, None, None, :]
        turns = rotary_turns(states.shape[1], self.pairs, states.device) if self.pairs else None
        for layer in self.layers:
            states = layer(states, visible, turns)
        normalised: Tensor = self.dropout(self.norm(states))
        return normalised


class Layer(nn.Module):
    """One layer: attention to all words of the sentence, then a feed-forward network at each."""

    def __init__(self, hidden: int, heads: int, feedforward: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.attention_norm = nn.LayerNorm(hidden)
        self.query_key_value = nn.Linear(hidden, 3 * hidden)
        self.merge = nn.Linear(hidden, hidden)
        self.feedforward_norm = nn.LayerNorm(hidden)
        self.widen = nn.Linear(hidden, feedforward)
        self.narrow = nn.Linear(feedforward, hidden)
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: Tensor, visible: Tensor, turns: Turns | None) -> Tensor:
        """States [B, T, H], which words may be attended to [B, 1, 1, T], and what rotary positions turn by."""
        batch, length, hidden = states.shape
        projected = self.query_key_value(self.attention_norm(states))
        projected = projected.view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        query_key, value = projected[:2], projected[2]
        query, key = query_key if turns is None else rotate(query_key, turns)
        probability = self.dropout.p if self.training else 0.0
        attended = F.scaled_dot_product_attention(query, key, value, attn_mask=visible, dropout_p=probability)
        states = states + self.dropout(self.merge(attended.transpose(1, 2).reshape(batch, length, hidden)))
        widened = self.dropout(F.gelu(self.widen(self.feedforward_norm(states))))
        narrowed: Tensor = self.dropout(self.narrow(widened))
        return states + narrowed


def rotary_turns(length: int, pairs: int, device: torch.device) -> Turns:
    """The cosines and sines of the angles that pairs of features are turned by at each word [T, pairs]."""
    places = torch.arange(length, device=device, dtype=torch.float)
    speeds = 10000 ** (-torch.arange(pairs, device=device, dtype=torch.float) / pairs)
    angles = places[:, None] * speeds
    return angles.cos(), angles.sin()


def rotate(vectors: Tensor, turns: Turns) -> Tensor:
    """Rotary positions (Su et al. 2021): pairs of features [..., T, D] turned by angles that grow along T."""
    cosine, sine = (turn.to(vectors.dtype) for turn in turns)
    pairs = cosine.shape[1]
    first, second = vectors[..., :pairs], vectors[..., pairs : 2 * pairs]
    turned = [first * cosine - second * sine, first * sine + second * cosine, vectors[..., 2 * pairs :]]
    return torch.cat(turned, -1)
