"""Relations of what nodes have: figures that compare, values that agree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from permutree.search.predicates import FIGURES, OPERATORS
from permutree.search.relations.base import Relation
from permutree.search.segments import Bools, Ids, Segment, TableSet

__all__ = ["Compares", "SameRecord", "SameValue"]


@dataclass(frozen=True)
class Compares(Relation):
    """A figure of the first compares with a figure of the second, to which a number is added."""

    name: str
    operator: str
    other: str
    added: int = 0

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        (column, one), (other_column, other) = FIGURES[self.name], FIGURES[self.other]
        left, right = segment.get(column, first) + one, segment.get(other_column, second) + other + self.added
        same = segment.get("sentence", first) == segment.get("sentence", second)
        answer: Bools = OPERATORS[self.operator](left, right) & same
        return answer


@dataclass(frozen=True)
class SameValue(Relation):
    """A feature of the first has the same value as a feature of the second, or another one; both have one."""

    feature: str
    other: str
    is_same: bool = True
    _translation: Ids | None = None

    def bound(self, tables: TableSet) -> Relation:
        table, other = tables.named(self.feature), tables.named(self.other)
        if self.feature == self.other or table is None or other is None:
            return self
        numbers = [other.find(text) if text else None for text in table.texts]
        known = np.asarray([-1 if number is None else number for number in numbers], np.int64)
        return SameValue(self.feature, self.other, self.is_same, known)

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        one, other = segment.feature(self.feature, first), segment.feature(self.other, second)
        found = (one > 0) & (other > 0) & (segment.get("sentence", first) == segment.get("sentence", second))
        if self._translation is not None:
            one = self._translation[one]
        answer: Bools = found & ((one == other) == self.is_same)
        return answer


@dataclass(frozen=True)
class SameRecord(Relation):
    """The two agree in all features: category, or tag, word, lemma and morphology."""

    is_same: bool = True

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        same = segment.get("label", first) == segment.get("label", second)
        for feature in ("word", "lemma", "morph"):
            same &= segment.feature(feature, first) == segment.feature(feature, second)
        answer: Bools = (same == self.is_same) & (segment.get("sentence", first) == segment.get("sentence", second))
        return answer
