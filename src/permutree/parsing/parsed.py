"""What comes of parsing a batch: trees as arrays, what had to be done to get them, and counts of all that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from permutree.encoding import Repairs
from permutree.trees.annotations import NO_ANNOTATIONS, Annotations
from permutree.trees.batch import TreeBatch
from permutree.trees.tree import Tree

__all__ = ["Counts", "Cut", "Parsed", "Written"]


@dataclass(frozen=True, slots=True)
class Counts:
    """How much was parsed, and how much of it repaired or cut."""

    sentences: int = 0
    words: int = 0
    #: sentences with repairs, and repairs by their kind
    repaired: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    #: sentences that were too long to be parsed whole, and the pieces that were parsed instead
    cut: int = 0
    pieces: int = 0

    def __add__(self, other: Counts) -> Counts:
        """Both together."""
        return Counts(
            self.sentences + other.sentences,
            self.words + other.words,
            self.repaired + other.repaired,
            self.kinds + other.kinds,
            self.cut + other.cut,
            self.pieces + other.pieces,
        )


class Cut(NamedTuple):
    """A sentence that was too long, parsed in pieces that were joined under one root."""

    #: counted from 0 in the batch
    sentence: int
    #: how many words each piece has
    lengths: tuple[int, ...]


class Parsed(NamedTuple):
    """Trees as arrays, with the tags that were used, what had to be repaired, and what the input said beside."""

    forest: TreeBatch
    repairs: Repairs
    annotations: Sequence[Annotations] = ()
    #: how sure the parser is of each constituent, if somebody asked
    confidence: npt.NDArray[np.float32] | None = None
    #: the sentences that were cut
    cuts: Sequence[Cut] = ()

    def trees(self) -> Iterator[Tree]:
        """The trees, with ids, lemmas and whatever else of the input is about words or the whole sentence."""
        if not self.annotations and self.confidence is None:
            yield from self.forest.trees()
            return
        bounds = self.forest.node_offsets.tolist()
        sure = None if self.confidence is None else self.confidence.astype(float).round(4).tolist()
        for number, tree in enumerate(self.forest.trees()):
            given = self.annotations[number] if self.annotations else NO_ANNOTATIONS
            if given is NO_ANNOTATIONS and sure is None:
                yield tree
                continue
            # Edge labels go with the constituents of the input.
            confidence = None if sure is None else tuple(sure[bounds[number] : bounds[number + 1]])
            yield tree.annotated(
                id=given.id,
                lemmas=given.lemmas,
                morphology=given.morphology,
                comment=given.comment,
                info=given.info,
                offsets=given.offsets,
                confidence=confidence,
            )

    def text(self) -> str:
        """The trees in discbracket, each on a line."""
        return self.forest.text()

    def counts(self) -> Counts:
        """How many sentences, words, repairs and cuts there are."""
        repairs = self.repairs
        return Counts(
            len(self.forest),
            len(self.forest.order),
            len(repairs.sentences()),
            Counter[str](repairs.counts()),
            len(self.cuts),
            sum(len(cut.lengths) for cut in self.cuts),
        )


class Written(NamedTuple):
    """Trees in discbracket, each on a line."""

    text: str
    counts: Counts
    #: the number of the process that wrote them, if there are several
    process: int = 0

    @classmethod
    def of(cls, parsed: Parsed) -> Written:
        """The lines of what was parsed."""
        return cls(parsed.text(), parsed.counts())
