"""Several labellers as one: their opinions averaged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn

from permutree.errors import ConfigError
from permutree.model.folder import Outline
from permutree.networks.attention import arrange, close_arrangements
from permutree.networks.labeller import ENDS, Labeller, ends_at_words
from permutree.networks.model import Model
from permutree.networks.tensors import Inputs

__all__ = ["Ensemble", "join"]


class Ensemble(nn.Module):
    """Labellers with the same heads, whose log-probabilities are averaged.

    They agree on an arrangement before any of them reads a second time.
    """

    def __init__(self, labellers: Sequence[Labeller]) -> None:
        super().__init__()
        self.labellers = nn.ModuleList(labellers)

    def forward(self, inputs: Inputs, closed: Tensor | None = None) -> dict[str, Tensor]:
        """For each head the averaged scores of all its values at all words [B, T, values]."""
        members = [labeller for labeller in self.labellers if isinstance(labeller, Labeller)]
        states, found = zip(*(labeller.read(inputs) for labeller in members), strict=True)
        scores = _average(found)
        if closed is not None:
            scores["permutation"] = close_arrangements(scores["permutation"], inputs.lengths, closed)
        if members[0].reading is None:
            return scores
        order = arrange(scores["permutation"].argmax(2), inputs.lengths)
        again = [labeller.reread(state, order, inputs) for labeller, state in zip(members, states, strict=True)]
        averaged = _average(again)
        if ENDS in averaged:
            averaged[ENDS] = ends_at_words(averaged[ENDS], order)
        return scores | averaged


def _average(found: Sequence[Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """Averaged log-probabilities, which are those of the last dimension."""
    return {name: torch.stack([scores[name].float().log_softmax(-1) for scores in found]).mean(0) for name in found[0]}


def join(models: Sequence[Model]) -> tuple[Outline, Ensemble]:
    """Models trained on the same data, with other seeds or sizes: what they have in common, and all their labellers."""
    first = models[0]
    for other in models[1:]:
        same = {
            "labels": (first.codec and first.codec.to_json()) == (other.codec and other.codec.to_json()),
            "tags to predict": list(first.tags) == list(other.tags),
            "tags to read": first.config.reads_tags == other.config.reads_tags,
            "words": first.features.to_json() == other.features.to_json(),
            "second reading, or none": bool(first.config.second_reading) == bool(other.config.second_reading),
            "ends, or none": bool(first.config.ends) == bool(other.config.ends),
        }
        for what, is_same in same.items():
            if not is_same:
                raise ConfigError(f"models of an ensemble must have the same {what}: train them on the same data")
    return first.outline, Ensemble([model.labeller for model in models])
