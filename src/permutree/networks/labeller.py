"""The multi-task labeller: one encoder, and a layer with softmax for each component of the labels."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import torch
import torch.nn.functional as F  # noqa: N812 - as everybody calls it
from torch import Tensor, nn

from permutree.model.config import ModelConfig
from permutree.model.features import WordFeatures
from permutree.networks.attention import PredecessorHead, arrange, close_arrangements
from permutree.networks.bilstm import BiLSTM
from permutree.networks.embeddings import WordEmbedding
from permutree.networks.rereading import SecondReading, best_ends
from permutree.networks.tensors import Constituents, Inputs, WordInputs
from permutree.networks.transformer import Transformer

__all__ = ["ENDS", "Labeller", "WordEncoder", "constituent_loss", "end_loss", "ends_at_words", "labelling_loss"]

#: the components that are about neighbours in the arrangement
ARRANGED = ("levels", "shared", "unary", "shared-functions", "depth", "first", "last")
#: what the ends of constituents are called among what is predicted
ENDS = "ends"


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
        self.context: BiLSTM | Transformer
        if encoder.kind == "bilstm":
            self.context = BiLSTM(
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

    With ``attends``, the permutation is predicted by attention of that size. With ``reread``, the words are read a
    second time, in the order of the arrangement, by a BiLSTM of that size, before the components that depend on the
    arrangement, and with ``ends``, attention of that size looks for the ends of constituents.
    """

    def __init__(
        self,
        encoder: nn.Module,
        sizes: Mapping[str, int],
        *,
        attends: int = 0,
        reread: int = 0,
        ends: int = 0,
        dropout: float = 0.33,
    ) -> None:
        super().__init__()
        self.encoder = encoder
        #: heads that predict something in training only
        self.auxiliary: set[str] = set()
        size: int = encoder.size  # type: ignore[assignment]
        self.reading = SecondReading(size, hidden=reread, dropout=dropout, ends=ends) if reread else None
        self.heads = nn.ModuleDict()
        for name, values in sizes.items():
            if name == "permutation" and attends:
                self.heads[name] = PredecessorHead(size, values, size=attends, dropout=dropout)
            else:
                self.heads[name] = self._linear(name, values)

    def _linear(self, name: str, values: int) -> nn.Linear:
        """The head of the paper: one layer."""
        size: int = self.encoder.size  # type: ignore[assignment]
        head = nn.Linear(self.reading.size if self.reading and name in ARRANGED else size, values)
        nn.init.xavier_uniform_(head.weight)
        nn.init.zeros_(head.bias)
        return head

    def add_auxiliary(self, name: str, values: int) -> None:
        """Add a head for something that is predicted in training only, and not kept."""
        self.auxiliary.add(name)
        self.heads[name] = self._linear(name, values)

    def weights(self) -> dict[str, Tensor]:
        """The weights to keep."""
        left_out = tuple(f"heads.{name}." for name in self.auxiliary)
        return {name: weight for name, weight in self.state_dict().items() if not name.startswith(left_out)}

    def forward(
        self,
        inputs: Inputs,
        order: Tensor | None = None,
        is_own: Tensor | None = None,
        closed: Tensor | None = None,
    ) -> dict[str, Tensor]:
        """For each head the scores of all its values at all words [B, T, values], before softmax.

        If it looks for ends, there are the best of these as well [B, T, 3], see :func:`best_ends`; while it is trained,
        the scores of all [B, 2, T, T], by position. Attention leaves out the values that no word of the batch
        can have. ``order`` is the arrangement to read in [B, T], position to word, if it is known; else, and where
        ``is_own`` [B] is true, the permutation says it, which ends with the last word where ``closed`` [B] is true.
        """
        states, scores = self.read(inputs)
        if closed is not None:
            scores["permutation"] = close_arrangements(scores["permutation"], inputs.lengths, closed)
        if self.reading is None:
            return scores
        if order is None or is_own is not None:
            own = arrange(scores["permutation"].argmax(2), inputs.lengths)
            order = own if order is None or is_own is None else torch.where(is_own[:, None], own, order)
        again = self.reread(states, order, inputs)
        if ENDS in again and not self.training:
            again[ENDS] = ends_at_words(again[ENDS], order)
        return scores | again

    def read(self, inputs: Inputs) -> tuple[Tensor, dict[str, Tensor]]:
        """The states of words, and the scores of the heads that depend on no arrangement."""
        states = self.encoder(inputs)
        return states, {name: head(states) for name, head in self._heads(arranged=False)}

    def reread(self, states: Tensor, order: Tensor, inputs: Inputs) -> dict[str, Tensor]:
        """The scores of the other heads, after a second reading in the order of an arrangement."""
        assert self.reading is not None
        states, ends = self.reading(states, order, inputs.lengths, inputs.mask)
        scores = {name: head(states) for name, head in self._heads(arranged=True)}
        return scores if ends is None else scores | {ENDS: ends}

    def _heads(self, *, arranged: bool) -> list[tuple[str, nn.Module]]:
        """The heads that come after the second reading, or before it; without one, all come before."""
        return [
            (name, head)
            for name, head in self.heads.items()
            if (self.reading is not None and name in ARRANGED) == arranged
            if self.training or name not in self.auxiliary
        ]


def ends_at_words(scores: Tensor, order: Tensor) -> Tensor:
    """The best ends for the boundaries behind words, which are scored by position [B, 2, T, T]."""
    found = best_ends(scores)
    return torch.empty_like(found).scatter(1, order[:, :, None].expand_as(found), found)


def labelling_loss(
    scores: Mapping[str, Tensor], gold: Mapping[str, Tensor], weights: Mapping[str, float] = MappingProxyType({})
) -> Tensor:
    """The categorical cross-entropies of all heads, summed over heads and words; each has a weight of 1 or that given.

    Gold values [B, T] that are negative do not count: padding, and values that the vocabulary does not have.
    """
    losses = [
        weights.get(name, 1.0)
        * F.cross_entropy(scores[name].flatten(0, 1).float(), gold[name].flatten(), ignore_index=-1, reduction="sum")
        for name in gold
    ]
    return torch.stack(losses).sum()


def constituent_loss(scores: Mapping[str, Tensor], gold: Constituents) -> Tensor:
    """The cross-entropy of the labels that words give to constituents together, summed over constituents.

    The words at the boundaries that a constituent owns have one vote each, and so have its first and its last word.
    """
    shared, first, last = (scores[name].flatten(0, 1).float() for name in ("shared", "first", "last"))
    votes = first[gold.firsts] + last[gold.lasts]
    votes = votes.index_add(0, gold.owners, shared[gold.boundaries])
    return F.cross_entropy(votes, gold.values, ignore_index=-1, reduction="sum")


def end_loss(scores: Tensor, gold: Constituents) -> Tensor:
    """The cross-entropies of both ends of the constituents at all boundaries, summed; scores are [B, 2, T, T]."""
    ends = scores.transpose(1, 2).flatten(0, 1)[gold.positions].float()
    return F.cross_entropy(ends.flatten(0, 1), gold.ends.flatten(), reduction="sum")
