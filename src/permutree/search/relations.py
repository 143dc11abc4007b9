"""What a query says of two nodes: dominance, precedence, siblings, gaps; on columns, for many pairs at once.

A relation can check pairs. Most can also find partners: given the first of each pair they say among which nodes the
second is, and the other way round, so that not all nodes of the sentence must be tried. Partners are either found
outright (a parent, the ancestors), or lie in a range of a sorted pool of candidates (descendants in preorder).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from permutree.search.predicates import FIGURES, OPERATORS, AnyValue, HasValue, Test, ValueTest, bind, passing
from permutree.search.segments import Bools, Ids, Segment, TableSet

__all__ = [
    "Before",
    "Candidates",
    "Compares",
    "Corner",
    "Crosses",
    "Dominates",
    "Fills",
    "Found",
    "InBlock",
    "InGap",
    "NotRelated",
    "NthChild",
    "Pool",
    "Precedes",
    "Relation",
    "SameNode",
    "SameRecord",
    "SameValue",
    "SameYield",
    "Secondary",
    "Siblings",
    "same_sentence",
]


@dataclass(slots=True)
class Candidates:
    """The candidates for a node: how many at most; and which, in ascending order, if somebody calls for them."""

    estimate: int
    find: Callable[[], Ids]

    def __call__(self) -> Ids:
        return self.find()


@dataclass(slots=True)
class Found:
    """Partners: for which row, and which node."""

    rows: Ids
    nodes: Ids


@dataclass(slots=True)
class Pool:
    """Partners: those of row r are ``nodes[starts[r]:ends[r]]``; without a list, all nodes from start to end."""

    nodes: Ids | None
    starts: Ids
    ends: Ids
    #: whether they are candidates; else they have to be tested
    is_tested: bool = True


Partners = Found | Pool


def same_sentence(segment: Segment, known: Ids, candidates: Candidates) -> Pool:
    """All candidates of the same sentence, where a relation knows no better."""
    sentences = segment.get("sentence", known)
    return _in_range(segment.node_offsets[sentences], segment.node_offsets[sentences + 1], candidates)


def _in_range(starts: Ids, ends: Ids, candidates: Candidates) -> Pool:
    """The candidates among the nodes of some ranges: if these are few, they are tried without a list of candidates."""
    if _is_short(starts, ends, candidates):
        return Pool(None, starts, ends, is_tested=False)
    pool = candidates()
    return Pool(pool, np.searchsorted(pool, starts), np.searchsorted(pool, ends))


def _is_short(starts: Ids, ends: Ids, candidates: Candidates) -> bool:
    """Whether ranges have fewer nodes than there are candidates."""
    return int((ends - starts).sum()) < candidates.estimate


class Relation:
    """A relation between two nodes of a sentence; pairs are given as two arrays."""

    #: whether it finds at most one partner for a node, seconds for firsts and firsts for seconds
    finds_one = (False, False)
    #: whether it can only hold of discontinuous constituents, as the first and as the second
    needs_gap = (False, False)

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        """Whether it holds."""
        raise NotImplementedError

    def seconds(self, segment: Segment, first: Ids, candidates: Candidates) -> Partners | None:
        """Among which nodes the seconds are; None if it knows no better than the sentence."""
        return None

    def firsts(self, segment: Segment, second: Ids, candidates: Candidates) -> Partners | None:
        """Among which nodes the firsts are; None if it knows no better than the sentence."""
        return None

    def bound(self, tables: TableSet) -> Relation:
        """The relation for a corpus with these tables."""
        return self


def _is_below(segment: Segment, upper: Ids, lower: Ids) -> Bools:
    """Whether nodes are in the subtree of others, but not the same."""
    return (lower > upper) & (lower < upper + segment.get("size", upper))


def _is_rare(segment: Segment, nodes: Ids, candidates: Candidates) -> bool:
    """Whether the sentences of nodes are so few that sorting all candidates would take longer than trying all nodes."""
    sentences = segment.get("sentence", nodes)
    return _is_short(segment.node_offsets[sentences], segment.node_offsets[sentences + 1], candidates)


def _ancestors(segment: Segment, nodes: Ids, least: int, most: int | None) -> Found:
    """The ancestors of nodes that are so many levels above; at 0 levels the node itself."""
    rows, found = [], []
    row = np.arange(len(nodes))
    level = 0
    while len(row) and (most is None or level <= most):
        if level >= least:
            rows.append(row)
            found.append(nodes)
        up = segment.get("up", nodes)
        goes_on = np.flatnonzero(up)
        row, nodes = row[goes_on], (nodes - up)[goes_on]
        level += 1
    if not rows:
        return Found(np.zeros(0, np.int64), np.zeros(0, np.int64))
    return Found(np.concatenate(rows), np.concatenate(found))


def _by_key(keys: Ids, pool: Ids, low: Ids, high: Ids, *, is_tested: bool = True) -> Pool:
    """The nodes of a pool whose keys lie in low … high."""
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    ends = np.searchsorted(keys, high, side="right")
    return Pool(pool[order], np.searchsorted(keys, low), ends, is_tested)


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
        found = _is_below(segment, first, second)
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
        if self.least == self.most == 1 and not _is_short(starts, ends, candidates):
            pool = candidates()
            return _by_key(pool - segment.get("up", pool), pool, first, first)
        return _in_range(starts, ends, candidates)

    def firsts(self, segment: Segment, second: Ids, candidates: Candidates) -> Partners | None:
        return _ancestors(segment, second, self.least, self.most)


@dataclass(frozen=True)
class Corner(Relation):
    """The second is the first, or the last, word of the first; a word is its own."""

    is_left: bool
    finds_one = (True, False)

    def _corner(self, segment: Segment, nodes: Ids) -> Ids:
        words = segment.get("left" if self.is_left else "right", nodes)
        return segment.words_at(segment.get("sentence", nodes), words)

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        return self._corner(segment, first) == second

    def seconds(self, segment: Segment, first: Ids, candidates: Candidates) -> Partners | None:
        return Found(np.arange(len(first)), self._corner(segment, first))

    def firsts(self, segment: Segment, second: Ids, candidates: Candidates) -> Partners | None:
        return _ancestors(segment, second, 0, None)


@dataclass(frozen=True)
class Precedes(Relation):
    """The first word of the first is so many words before the first word of the second."""

    least: int = 1
    most: int | None = None

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        distance = segment.get("left", second) - segment.get("left", first)
        found = (distance >= self.least) & (segment.get("sentence", first) == segment.get("sentence", second))
        return found if self.most is None else found & (distance <= self.most)

    def seconds(self, segment: Segment, first: Ids, candidates: Candidates) -> Partners | None:
        if _is_rare(segment, first, candidates):
            return None
        pool = candidates()
        start = segment.first_words(first)
        end = segment.word_offsets[segment.get("sentence", first) + 1] - 1
        most = end if self.most is None else np.minimum(start + self.most, end)
        return _by_key(segment.first_words(pool), pool, start + self.least, most)

    def firsts(self, segment: Segment, second: Ids, candidates: Candidates) -> Partners | None:
        if _is_rare(segment, second, candidates):
            return None
        pool = candidates()
        end = segment.first_words(second)
        start = segment.word_offsets[segment.get("sentence", second)]
        least = start if self.most is None else np.maximum(end - self.most, start)
        return _by_key(segment.first_words(pool), pool, least, end - self.least)


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
        return found

    def seconds(self, segment: Segment, first: Ids, candidates: Candidates) -> Partners | None:
        parents = segment.parents(first)
        ends = parents + segment.get("size", parents)
        if _is_short(parents, ends, candidates):
            return _in_range(parents + 1, ends, candidates)
        pool = candidates()
        pool = pool[segment.get("up", pool) > 0]
        return _by_key(segment.parents(pool), pool, parents, parents)

    def firsts(self, segment: Segment, second: Ids, candidates: Candidates) -> Partners | None:
        return self.seconds(segment, second, candidates)


@dataclass(frozen=True)
class NthChild(Relation):
    """The second is a child of the first: the n-th, or with -n the n-th from the end, by leftmost words."""

    number: int
    finds_one = (True, True)

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        up, rank = segment.get("up", second), segment.get("rank", second)
        wanted = self.number - 1 if self.number > 0 else segment.get("arity", first) + self.number
        return (up > 0) & (second - up == first) & (rank == wanted)

    def seconds(self, segment: Segment, first: Ids, candidates: Candidates) -> Partners | None:
        return Dominates(1, 1).seconds(segment, first, candidates)

    def firsts(self, segment: Segment, second: Ids, candidates: Candidates) -> Partners | None:
        return _ancestors(segment, second, 1, 1)


@dataclass(frozen=True)
class SameNode(Relation):
    """The two are the same node."""

    finds_one = (True, True)

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        return first == second

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
        return found


@dataclass(frozen=True)
class Secondary(Relation):
    """A secondary edge leads from the first to the second; it may have to have a label."""

    label: ValueTest = AnyValue()
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
        return _by_key(parents, children, first, first, is_tested=False)

    def firsts(self, segment: Segment, second: Ids, candidates: Candidates) -> Partners | None:
        parents, children = self._edges(segment)
        return _by_key(children, parents, second, second, is_tested=False)


def _is_inside(segment: Segment, first: Ids, second: Ids) -> Bools:
    """Whether all words of the second stand between words of the first, and none is one of these."""
    found = segment.get("sentence", first) == segment.get("sentence", second)
    found &= segment.get("left", first) < segment.get("left", second)
    found &= segment.get("right", second) < segment.get("right", first)
    return found & ~_is_below(segment, first, second)


@dataclass(frozen=True)
class InGap(Relation):
    """All words of the second stand in gaps of the first: in any, or in the n-th, or the n-th from the end."""

    number: int | None = None
    needs_gap = (True, False)

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        found = _is_inside(segment, first, second)
        if self.number is not None:
            rows = np.flatnonzero(found)
            above, below = first[rows], second[rows]
            before = self.number if self.number > 0 else self.number - 1
            _, start, is_there = segment.block(above, before)
            end, _, is_next = segment.block(above, before + 1)
            inside = (start < segment.get("left", below)) & (segment.get("right", below) < end)
            found[rows] = is_there & is_next & inside
        return found


@dataclass(frozen=True)
class InBlock(Relation):
    """The second is below the first, and all of its words stand in the n-th block, or the n-th from the end."""

    number: int

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        found = _is_below(segment, first, second)
        start, end, is_there = segment.block(first, self.number)
        found &= is_there & (start <= segment.get("left", second)) & (segment.get("right", second) <= end)
        return found

    def seconds(self, segment: Segment, first: Ids, candidates: Candidates) -> Partners | None:
        return Dominates().seconds(segment, first, candidates)

    def firsts(self, segment: Segment, second: Ids, candidates: Candidates) -> Partners | None:
        return _ancestors(segment, second, 1, None)


@dataclass(frozen=True)
class Fills(Relation):
    """The words of the first are exactly those of one gap of the second."""

    needs_gap = (False, True)

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        found = _is_inside(segment, second, first) & (segment.get("blocks", first) == 1)
        rows = np.flatnonzero(found)
        filler, broken = first[rows], second[rows]
        sentences = segment.get("sentence", filler)
        for column, step in (("left", -1), ("right", 1)):
            beside = segment.words_at(sentences, segment.get(column, filler) + step)
            found[rows] &= _is_below(segment, broken, beside)
        return found


@dataclass(frozen=True)
class Crosses(Relation):
    """Words of the two alternate: each has a word between two words of the other, and they share none."""

    needs_gap = (True, True)

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        found = segment.get("sentence", first) == segment.get("sentence", second)
        found &= (first != second) & ~_is_below(segment, first, second) & ~_is_below(segment, second, first)
        for one, other in ((first, second), (second, first)):
            rows = np.flatnonzero(found)
            left, right = (segment.get(column, other[rows]) for column in ("left", "right"))
            found[rows] = segment.has_word_between(one[rows], left, right)
        return found


@dataclass(frozen=True)
class Before(Relation):
    """All words of the first stand before all words of the second; with ``next_only`` with none between."""

    next_only: bool = False

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        distance = segment.get("left", second) - segment.get("right", first)
        found = segment.get("sentence", first) == segment.get("sentence", second)
        return found & ((distance == 1) if self.next_only else (distance >= 1))

    def seconds(self, segment: Segment, first: Ids, candidates: Candidates) -> Partners | None:
        if _is_rare(segment, first, candidates):
            return None
        pool = candidates()
        base = segment.word_offsets[segment.get("sentence", first)]
        start = base + segment.get("right", first) + 1
        end = segment.word_offsets[segment.get("sentence", first) + 1] - 1
        return _by_key(segment.first_words(pool), pool, start, np.minimum(start, end) if self.next_only else end)


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
        return OPERATORS[self.operator](left, right) & (
            segment.get("sentence", first) == segment.get("sentence", second)
        )


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
        return found & ((one == other) == self.is_same)


@dataclass(frozen=True)
class SameRecord(Relation):
    """The two agree in all features: category, or tag, word, lemma and morphology."""

    is_same: bool = True

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        same = segment.get("label", first) == segment.get("label", second)
        for feature in ("word", "lemma", "morph"):
            same &= segment.feature(feature, first) == segment.feature(feature, second)
        return (same == self.is_same) & (segment.get("sentence", first) == segment.get("sentence", second))


@dataclass(frozen=True)
class NotRelated(Relation):
    """Another relation does not hold between two nodes of a sentence."""

    relation: Relation

    def bound(self, tables: TableSet) -> Relation:
        return NotRelated(self.relation.bound(tables))

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        same = segment.get("sentence", first) == segment.get("sentence", second)
        return same & ~self.relation.check(segment, first, second)
