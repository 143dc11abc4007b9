"""Relations of gaps and blocks: what stands in a gap, what fills it, in which block something is, what crosses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from permutree.search.relations.base import Candidates, Partners, Relation, ancestors, is_below
from permutree.search.relations.shapes import Dominates
from permutree.search.segments import Bools, Ids, Segment

__all__ = ["Crosses", "Fills", "InBlock", "InGap"]


def _is_inside(segment: Segment, first: Ids, second: Ids) -> Bools:
    """Whether all words of the second stand between words of the first, and none is one of these."""
    found = segment.get("sentence", first) == segment.get("sentence", second)
    found &= segment.get("left", first) < segment.get("left", second)
    found &= segment.get("right", second) < segment.get("right", first)
    answer: Bools = found & ~is_below(segment, first, second)
    return answer


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
        found = is_below(segment, first, second)
        start, end, is_there = segment.block(first, self.number)
        found &= is_there & (start <= segment.get("left", second)) & (segment.get("right", second) <= end)
        return found

    def seconds(self, segment: Segment, first: Ids, candidates: Candidates) -> Partners | None:
        return Dominates().seconds(segment, first, candidates)

    def firsts(self, segment: Segment, second: Ids, candidates: Candidates) -> Partners | None:
        return ancestors(segment, second, 1, None)


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
            found[rows] &= is_below(segment, broken, beside)
        answer: Bools = found
        return answer


@dataclass(frozen=True)
class Crosses(Relation):
    """Words of the two alternate: each has a word between two words of the other, and they share none."""

    needs_gap = (True, True)

    def check(self, segment: Segment, first: Ids, second: Ids) -> Bools:
        found = segment.get("sentence", first) == segment.get("sentence", second)
        found &= (first != second) & ~is_below(segment, first, second) & ~is_below(segment, second, first)
        for one, other in ((first, second), (second, first)):
            rows = np.flatnonzero(found)
            left, right = (segment.get(column, other[rows]) for column in ("left", "right"))
            found[rows] = segment.has_word_between(one[rows], left, right)
        answer: Bools = found
        return answer
