"""Transformer encoders, with learned positions as in the paper or rotary ones."""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812 - as everybody calls it
from torch import Tensor, nn

__all__ = ["Transformer"]


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
        self.layers = nn.ModuleList(
            Layer(hidden, heads, feedforward, dropout, is_rotary=positions == "rotary") for _ in range(layers)
        )
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
        for layer in self.layers:
            states = layer(states, visible)
        normalised: Tensor = self.dropout(self.norm(states))
        return normalised


class Layer(nn.Module):
    """One layer: attention to all words of the sentence, then a feed-forward network at each."""

    def __init__(self, hidden: int, heads: int, feedforward: int, dropout: float, *, is_rotary: bool) -> None:
        super().__init__()
        self.heads = heads
        self.is_rotary = is_rotary
        self.attention_norm = nn.LayerNorm(hidden)
        self.query_key_value = nn.Linear(hidden, 3 * hidden)
        self.merge = nn.Linear(hidden, hidden)
        self.feedforward_norm = nn.LayerNorm(hidden)
        self.widen = nn.Linear(hidden, feedforward)
        self.narrow = nn.Linear(feedforward, hidden)
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: Tensor, visible: Tensor) -> Tensor:
        """States [B, T, H], and which words may be attended to [B, 1, 1, T]."""
        batch, length, hidden = states.shape
        projected = self.query_key_value(self.attention_norm(states))
        query, key, value = projected.view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        if self.is_rotary:
            query, key = rotate(query), rotate(key)
        probability = self.dropout.p if self.training else 0.0
        attended = F.scaled_dot_product_attention(query, key, value, attn_mask=visible, dropout_p=probability)
        states = states + self.dropout(self.merge(attended.transpose(1, 2).reshape(batch, length, hidden)))
        widened = self.dropout(F.gelu(self.widen(self.feedforward_norm(states))))
        narrowed: Tensor = self.dropout(self.narrow(widened))
        return states + narrowed


def rotate(vectors: Tensor) -> Tensor:
    """Rotary positions (Su et al. 2021): pairs of features [B, heads, T, D] turned by angles that grow along T."""
    half = vectors.shape[-1] // 2
    places = torch.arange(vectors.shape[-2], device=vectors.device, dtype=torch.float)
    speeds = 10000 ** (-torch.arange(half, device=vectors.device, dtype=torch.float) / half)
    angles = places[:, None] * speeds
    cosine, sine = angles.cos().to(vectors.dtype), angles.sin().to(vectors.dtype)
    first, second = vectors[..., :half], vectors[..., half : 2 * half]
    turned = [first * cosine - second * sine, first * sine + second * cosine, vectors[..., 2 * half :]]
    return torch.cat(turned, -1)
