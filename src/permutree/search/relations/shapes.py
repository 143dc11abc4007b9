"""Relations of trees: dominance, corners, children, siblings, secondary edges; and of words: precedence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from permutree.search.predicates import AnyValue, HasValue, Test, ValueTest, bind, passing
from permutree.search.relations.base import (
    Candidates,
    Found,
    Partners,
    Relation,
    ancestors,
    by_key,
    in_range,
    is_below,
    is_rare,
    is_short,
)
from permutree.search.segments import Bools, Ids, Segment, TableSet

__all__ = [
    "Before",
    "Corner",
    "Dominates",
    "NthChild",
    "Precedes",
    "SameNode",
    "SameYield",
    "Secondary",
    "Siblings",
]

_ANY = AnyValue()


@dataclass(frozen=True)
class Dominates(Relation):
    """The first is so many levels above the second, the edge to which may have to have a label.

    At 0 levels a node dominates itself.
    """

    least: int = 1
    most: int | None = None
    label: ValueTest | None = None
    _test: Test | None = None

    @property
    def finds_one(self) -> tuple[bool, bool]:  # type: ignore[override]
        return self.most == 0, self.most is not None and self.most == self.least

    def bound(self, tables: TableSet) -> Relation:
        if self.label is None:
            return self
        return Dominates(self.least, self.most, self.label, bind(HasValue("function", self.label), tables))

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        found = is_below(segment, first, second)
        if self.least > 1 or self.most is not None:
            levels = segment.get("depth", second) - segment.get("depth", first)
            found &= levels >= self.least
            if self.most is not None:
                found &= levels <= self.most
        if self.least == 0:
            found |= first == second
        if self._test is not None:
            found &= self._test(segment, second)
        return found

    def seconds(self, segment: Segment, first: Ids, candidates: Candidates) -> Partners | None:
        if self.most == 0:
            return Found(np.arange(len(first)), first)
        starts, ends = first + (self.least > 0), first + segment.get("size", first)
        if self.least == self.most == 1 and not is_short(starts, ends, candidates):
            pool = candidates()
            return by_key(pool - segment.get("up", pool), pool, first, first)
        return in_range(starts, ends, candidates)

    def firsts(self, segment: Segment, second: Ids, candidates: Candidates) -> Partners | None:
        return ancestors(segment, second, self.least, self.most)


@dataclass(frozen=True)
class Corner(Relation):
    """The second is the first, or the last, word of the first; a word is its own."""

    is_left: bool
    finds_one = (True, False)

    def _corner(self, segment: Segment, nodes: Ids) -> Ids:
        words = segment.get("left" if self.is_left else "right", nodes)
        return segment.words_at(segment.get("sentence", nodes), words)

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        answer: Bools = self._corner(segment, first) == second
        return answer

    def seconds(self, segment: Segment, first: Ids, candidates: Candidates) -> Partners | None:
        return Found(np.arange(len(first)), self._corner(segment, first))

    def firsts(self, segment: Segment, second: Ids, candidates: Candidates) -> Partners | None:
        return ancestors(segment, second, 0, None)


@dataclass(frozen=True)
class NthChild(Relation):
    """The second is a child of the first: the n-th, or with -n the n-th from the end, by leftmost words."""

    number: int
    finds_one = (True, True)

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        up, rank = segment.get("up", second), segment.get("rank", second)
        wanted = self.number - 1 if self.number > 0 else segment.get("arity", first) + self.number
        answer: Bools = (up > 0) & (second - up == first) & (rank == wanted)
        return answer

    def seconds(self, segment: Segment, first: Ids, candidates: Candidates) -> Partners | None:
        return Dominates(1, 1).seconds(segment, first, candidates)

    def firsts(self, segment: Segment, second: Ids, candidates: Candidates) -> Partners | None:
        return ancestors(segment, second, 1, 1)


@dataclass(frozen=True)
class Siblings(Relation):
    """The two are different children of one node; of ordered ones the first begins, or comes, before the second.

    With ``next_only`` there is no sibling between them, by the order of leftmost words.
    """

    is_ordered: bool = False
    next_only: bool = False

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        up = segment.get("up", first)
        found = (up > 0) & (segment.parents(second) == first - up) & (first != second) & (segment.get("up", second) > 0)
        if self.is_ordered:
            found &= first < second
        if self.next_only:
            found &= segment.get("rank", second) - segment.get("rank", first) == 1
        answer: Bools = found
        return answer

    def seconds(self, segment: Segment, first: Ids, candidates: Candidates) -> Partners | None:
        parents = segment.parents(first)
        ends = parents + segment.get("size", parents)
        if is_short(parents, ends, candidates):
            return in_range(parents + 1, ends, candidates)
        pool = candidates()
        pool = pool[segment.get("up", pool) > 0]
        return by_key(segment.parents(pool), pool, parents, parents)

    def firsts(self, segment: Segment, second: Ids, candidates: Candidates) -> Partners | None:
        return self.seconds(segment, second, candidates)


@dataclass(frozen=True)
class Precedes(Relation):
    """The first word of the first is so many words before the first word of the second."""

    least: int = 1
    most: int | None = None

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        distance = segment.get("left", second) - segment.get("left", first)
        found = (distance >= self.least) & (segment.get("sentence", first) == segment.get("sentence", second))
        answer: Bools = found if self.most is None else found & (distance <= self.most)
        return answer

    def seconds(self, segment: Segment, first: Ids, candidates: Candidates) -> Partners | None:
        if is_rare(segment, first, candidates):
            return None
        pool = candidates()
        start = segment.first_words(first)
        end = segment.word_offsets[segment.get("sentence", first) + 1] - 1
        most = end if self.most is None else np.minimum(start + self.most, end)
        return by_key(segment.first_words(pool), pool, start + self.least, most)

    def firsts(self, segment: Segment, second: Ids, candidates: Candidates) -> Partners | None:
        if is_rare(segment, second, candidates):
            return None
        pool = candidates()
        end = segment.first_words(second)
        start = segment.word_offsets[segment.get("sentence", second)]
        least = start if self.most is None else np.maximum(end - self.most, start)
        return by_key(segment.first_words(pool), pool, least, end - self.least)


@dataclass(frozen=True)
class Before(Relation):
    """All words of the first stand before all words of the second; with ``next_only`` with none between."""

    next_only: bool = False

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        distance = segment.get("left", second) - segment.get("right", first)
        found = segment.get("sentence", first) == segment.get("sentence", second)
        answer: Bools = found & ((distance == 1) if self.next_only else (distance >= 1))
        return answer

    def seconds(self, segment: Segment, first: Ids, candidates: Candidates) -> Partners | None:
        if is_rare(segment, first, candidates):
            return None
        pool = candidates()
        base = segment.word_offsets[segment.get("sentence", first)]
        start = base + segment.get("right", first) + 1
        end = segment.word_offsets[segment.get("sentence", first) + 1] - 1
        return by_key(segment.first_words(pool), pool, start, np.minimum(start, end) if self.next_only else end)


@dataclass(frozen=True)
class SameNode(Relation):
    """The two are the same node."""

    finds_one = (True, True)

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        answer: Bools = first == second
        return answer

    def seconds(self, segment: Segment, first: Ids, candidates: Candidates) -> Partners | None:
        return Found(np.arange(len(first)), first)

    def firsts(self, segment: Segment, second: Ids, candidates: Candidates) -> Partners | None:
        return Found(np.arange(len(second)), second)


@dataclass(frozen=True)
class SameYield(Relation):
    """The two have the same words at a side: both sides, the first word, or the last word."""

    side: str

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        found = segment.get("sentence", first) == segment.get("sentence", second)
        for column in {"both": ("left", "right", "words"), "left": ("left",), "right": ("right",)}[self.side]:
            found &= segment.get(column, first) == segment.get(column, second)
        answer: Bools = found
        return answer


@dataclass(frozen=True)
class Secondary(Relation):
    """A secondary edge leads from the first to the second; it may have to have a label."""

    label: ValueTest = _ANY
    _wanted: Bools | None = None

    def bound(self, tables: TableSet) -> Relation:
        return Secondary(self.label, passing(self.label, tables.features["edge"]))

    def _edges(self, segment: Segment) -> tuple[Ids, Ids]:
        assert self._wanted is not None
        chosen = np.flatnonzero(self._wanted[segment.arrays["secondary_label"]])
        parents, children = (segment.arrays[f"secondary_{end}"][chosen].astype(np.int64) for end in ("parent", "child"))
        return parents, children

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        parents, children = self._edges(segment)
        return np.isin(first * segment.nodes + second, parents * segment.nodes + children)

    def seconds(self, segment: Segment, first: Ids, candidates: Candidates) -> Partners | None:
        parents, children = self._edges(segment)
        return by_key(parents, children, first, first, is_tested=False)

    def firsts(self, segment: Segment, second: Ids, candidates: Candidates) -> Partners | None:
        parents, children = self._edges(segment)
        return by_key(children, parents, second, second, is_tested=False)
