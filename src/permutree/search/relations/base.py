"""What a query says of two nodes: dominance, precedence, siblings, gaps; on columns, for many pairs at once.

A relation can check pairs. Most can also find partners: given the first of each pair they say among which nodes the
second is, and the other way round, so that not all nodes of the sentence must be tried. Partners are either found
outright (a parent, the ancestors), or lie in a range of a sorted pool of candidates (descendants in preorder).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from permutree.search.segments import Bools, Ids, Segment, TableSet

__all__ = [
    "Candidates",
    "Found",
    "NotRelated",
    "Partners",
    "Pool",
    "Relation",
    "ancestors",
    "by_key",
    "in_range",
    "is_below",
    "is_rare",
    "is_short",
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
    return in_range(segment.node_offsets[sentences], segment.node_offsets[sentences + 1], candidates)


def in_range(starts: Ids, ends: Ids, candidates: Candidates) -> Pool:
    """The candidates among the nodes of some ranges: if these are few, they are tried without a list of candidates."""
    if is_short(starts, ends, candidates):
        return Pool(None, starts, ends, is_tested=False)
    pool = candidates()
    return Pool(pool, np.searchsorted(pool, starts), np.searchsorted(pool, ends))


def is_short(starts: Ids, ends: Ids, candidates: Candidates) -> bool:
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


@dataclass(frozen=True)
class NotRelated(Relation):
    """Another relation does not hold between two nodes of a sentence."""

    relation: Relation

    def bound(self, tables: TableSet) -> Relation:
        return NotRelated(self.relation.bound(tables))

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        same = segment.get("sentence", first) == segment.get("sentence", second)
        answer: Bools = same & ~self.relation.check(segment, first, second)
        return answer


def is_below(segment: Segment, upper: Ids, lower: Ids) -> Bools:
    """Whether nodes are in the subtree of others, but not the same."""
    return (lower > upper) & (lower < upper + segment.get("size", upper))


def is_rare(segment: Segment, nodes: Ids, candidates: Candidates) -> bool:
    """Whether the sentences of nodes are so few that sorting all candidates would take longer than trying all nodes."""
    sentences = segment.get("sentence", nodes)
    return is_short(segment.node_offsets[sentences], segment.node_offsets[sentences + 1], candidates)


def ancestors(segment: Segment, nodes: Ids, least: int, most: int | None) -> Found:
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


def by_key(keys: Ids, pool: Ids, low: Ids, high: Ids, *, is_tested: bool = True) -> Pool:
    """The nodes of a pool whose keys lie in low … high."""
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    ends = np.searchsorted(keys, high, side="right")
    return Pool(pool[order], np.searchsorted(keys, low), ends, is_tested)
