"""The paper's labeller: one encoder, and a layer with softmax for each component of the labels."""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor, nn

from permutree.model.config import ModelConfig
from permutree.model.features import WordFeatures
from permutree.networks.attention import PredecessorHead
from permutree.networks.bilstm import BiLSTM
from permutree.networks.convolution import Convolution
from permutree.networks.embeddings import WordEmbedding
from permutree.networks.tensors import Inputs, WordInputs
from permutree.networks.transformer import Transformer

__all__ = ["Labeller", "WordEncoder"]


class WordEncoder(nn.Module):
    """Embeddings of words, characters and tags under a BiLSTM or a Transformer."""

    def __init__(self, config: ModelConfig, features: WordFeatures) -> None:
        super().__init__()
        embeddings, encoder = config.embeddings, config.encoder
        self.embedding = WordEmbedding(
            features.counts,
            len(features.characters),
            len(features.tags),
            trained=features.trained,
            word_size=embeddings.word,
            fixed_size=embeddings.fixed,
            character_size=embeddings.character,
            character_embedding=embeddings.character_embedding,
            character_kind=embeddings.characters,
            tag_size=embeddings.tag if config.reads_tags else 0,
            unknown_alpha=embeddings.unknown_alpha,
            dropout=embeddings.dropout,
        )
        self.context: BiLSTM | Convolution | Transformer
        if encoder.kind != "transformer":
            network = BiLSTM if encoder.kind == "bilstm" else Convolution
            self.context = network(
                self.embedding.size,
                hidden=encoder.hidden,
                layers=encoder.layers,
                dropout=encoder.dropout,
                shared_dropout=encoder.shared_dropout,
            )
        else:
            self.context = Transformer(
                self.embedding.size,
                hidden=encoder.hidden,
                layers=encoder.layers,
                heads=encoder.heads,
                feedforward=encoder.feedforward,
                dropout=encoder.dropout,
                positions=encoder.positions,
            )
        self.size = self.context.size

    def forward(self, inputs: WordInputs) -> Tensor:
        """The states of a batch [B, T, size]."""
        states: Tensor = self.context(self.embedding(inputs), inputs.lengths, inputs.mask)
        return states


class Labeller(nn.Module):
    """An encoder and its heads, by the names of what they predict.

    With ``attention``, the permutation is predicted by attention of that size instead of a softmax.
    """

    def __init__(
        self, encoder: nn.Module, sizes: Mapping[str, int], *, attention: int = 0, dropout: float = 0.33
    ) -> None:
        super().__init__()
        self.encoder = encoder
        #: heads that predict something in training only
        self.auxiliary: set[str] = set()
        self.heads = nn.ModuleDict()
        self._add_heads(sizes, attention, dropout)

    def _add_heads(self, sizes: Mapping[str, int], attention: int, dropout: float) -> None:
        for name, values in sizes.items():
            if name == "permutation" and attention:
                self.heads[name] = PredecessorHead(self._width(name), values, size=attention, dropout=dropout)
            else:
                self.heads[name] = self._linear(name, values)

    def _linear(self, name: str, values: int) -> nn.Linear:
        """The head of the paper: one layer."""
        head = nn.Linear(self._width(name), values)
        nn.init.xavier_uniform_(head.weight)
        nn.init.zeros_(head.bias)
        return head

    def _width(self, name: str) -> int:
        """How many numbers a head reads for each word."""
        size: int = self.encoder.size  # type: ignore[assignment]
        return size

    def add_auxiliary(self, name: str, values: int) -> None:
        """Add a head for something that is predicted in training only, and not kept."""
        self.auxiliary.add(name)
        self.heads[name] = self._linear(name, values)

    def weights(self) -> dict[str, Tensor]:
        """The weights to keep."""
        left_out = tuple(f"heads.{name}." for name in self.auxiliary)
        return {name: weight for name, weight in self.state_dict().items() if not name.startswith(left_out)}

    def forward(self, inputs: Inputs, order: Tensor | None = None) -> dict[str, Tensor]:
        """For each head the scores of all its values at all words [B, T, values], before softmax.

        Attention leaves out the values that no word of the batch can have. The order of arrangements is for labellers
        that read in it.
        """
        return self.read(inputs)[1]

    def read(self, inputs: Inputs) -> tuple[Tensor, dict[str, Tensor]]:
        """The states of words [B, T, size], and the scores of the heads that depend on no arrangement."""
        states = self.encoder(inputs)
        return states, self._scores(states, arranged=False)

    def _scores(self, states: Tensor, *, arranged: bool) -> dict[str, Tensor]:
        """The scores of the heads that are about the arrangement, or of all others."""
        return {
            name: head(states)
            for name, head in self.heads.items()
            if self.is_arranged(name) == arranged
            if self.training or name not in self.auxiliary
        }

    def is_arranged(self, name: str) -> bool:
        """Whether a head comes after a reading in the order of the arrangement."""
        return False
