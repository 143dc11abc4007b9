"""What passes between trees and networks: the labels of a batch as numbers, their scores, and what they decode to."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from permutree.encoding.repairs import Repairs
from permutree.trees.batch import Ints, TreeBatch

__all__ = ["COMPONENTS", "Decoded", "Floats", "Label", "Labels", "Scores"]

Floats = npt.NDArray[np.floating]

#: n, x, u and p of the paper
COMPONENTS = ("levels", "shared", "unary", "permutation")


class Label(NamedTuple):
    """The label of one word, as text."""

    levels: str
    shared: str
    unary: str
    permutation: str


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """The labels of a batch: for each component the number of each word's value in its vocabulary."""

    word_offsets: Ints
    levels: Ints
    shared: Ints
    unary: Ints
    permutation: Ints

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.word_offsets) - 1


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Scores for a batch, by component: one row a word, one column a value of the vocabulary.

    Log-probabilities, or anything that differs from them by a constant for each word.
    """

    levels: Floats | None = None
    shared: Floats | None = None
    unary: Floats | None = None
    permutation: Floats | None = None

    def rows(self, first: int, last: int) -> Scores:
        """The scores of some of the words."""
        given = (getattr(self, field.name) for field in fields(self))
        return Scores(*(None if scores is None else scores[first:last] for scores in given))

    def best(self) -> dict[str, Ints]:
        """The best value of each word, for the components that have scores."""
        components = {component: getattr(self, component) for component in COMPONENTS}
        return {name: scores.argmax(1).astype(np.int32) for name, scores in components.items() if scores is not None}


class Decoded(NamedTuple):
    """Trees as arrays, in canonical form, and what had to be repaired to get them."""

    forest: TreeBatch
    repairs: Repairs
