"""What one model predicts, told in the values of another one.

Models of the same labeller that learnt from other data have other labels and tags, or number them in another way. A
teacher tells a student what it thinks in the student's values, and the members of an ensemble agree in those of the
first one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from permutree.encoding.constituents import NOTHING
from permutree.encoding.labels import COMPONENTS
from permutree.model.folder import SPANS
from permutree.networks.model import Model

__all__ = ["Translation"]


@dataclass(frozen=True, slots=True, eq=False)
class Translation:
    """For each value of a listener's heads the speaker's number of it, -1 for none."""

    columns: Mapping[str, Tensor]
    #: a head of which the speaker has none of the listener's values, if there is one
    mute: str | None = None

    @classmethod
    def between(cls, speaker: Model, listener: Model) -> Translation:
        """How a model tells another one what it predicts."""
        known, wanted = _values(speaker), _values(listener)
        columns: dict[str, Tensor] = {}
        mute = None
        for head, values in wanted.items():
            if head not in known:
                continue
            numbers = {value: number for number, value in enumerate(known[head])}
            columns[head] = torch.tensor([numbers.get(value, -1) for value in values], dtype=torch.long)
            # All models know that there may be no constituent; words need not have unary chains.
            labels = [value for value in values if head == "unary" or value != NOTHING]
            if mute is None and labels and not any(value in numbers for value in labels):
                mute = head
        return cls(columns, mute)

    def told(self, head: str, scores: Tensor, unknown: float) -> Tensor:
        """Scores [..., values of the speaker] as those of the listener's values; ``unknown`` for what it lacks."""
        columns = self.columns["shared" if head == SPANS else head].to(scores.device)
        # Attention leaves out values that no word of the batch can have.
        is_there = (columns >= 0) & (columns < scores.shape[-1])
        return scores.float()[..., columns * is_there].masked_fill(~is_there, unknown)


def _values(model: Model) -> dict[str, Sequence[str]]:
    """What the values of a model's heads stand for, in their order."""
    values: dict[str, Sequence[str]] = {"tags": list(model.tags)} if model.tags else {}
    if model.codec is not None:
        values |= {name: getattr(model.codec, name).values for name in COMPONENTS}
        values |= dict.fromkeys(("first", "last"), values["shared"])
    return values
