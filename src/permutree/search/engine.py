"""The engine: solutions of a conjunction in a segment, as arrays of nodes, one column for each variable.

The plan begins with the variable that has the fewest candidates and adds one variable at a time: one that a relation
ties to those that are there, a relation that finds a single partner first, then the rarest. Each step makes new rows,
tests them and throws away what fails. Rows are worked on in parts, so that memory stays bounded however many
solutions there are; between steps somebody may stop it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from permutree.errors import PermutreeError
from permutree.search.formulas import Conjunction, Nodes
from permutree.search.predicates import AllOf, Figure, Test, bind
from permutree.search.relations.base import Candidates, Found, Relation, same_sentence
from permutree.search.segments import Bools, Ids, Segment, TableSet, ranges

__all__ = ["Control", "Plan", "SearchStopped"]

#: rows that are worked on at once, and candidates that are tried at once
ROWS = 1 << 17
PAIRS = 1 << 21


class SearchStopped(PermutreeError):
    """A search ran into its time limit, or somebody stopped it."""


@dataclass(slots=True)
class Control:
    """When a search has to stop: at a point of time, or as soon as a function says so."""

    deadline: float | None = None
    cancelled: Callable[[], bool] | None = None

    @classmethod
    def after(cls, seconds: float | None, cancelled: Callable[[], bool] | None = None) -> Control:
        """Stop after so many seconds."""
        return cls(None if seconds is None else time.monotonic() + seconds, cancelled)

    def check(self) -> None:
        """Raise SearchStopped when it is time."""
        if self.cancelled is not None and self.cancelled():
            raise SearchStopped("the search was cancelled")
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise SearchStopped("the search took longer than it may; say more of the rarest node, or allow more time")


#: the rows that are there: variable → node of each row
Rows = dict[str, Ids]


@dataclass(slots=True)
class _Edge:
    """A relation between two variables, bound to a corpus."""

    first: str
    relation: Relation
    second: str


class Plan:
    """A conjunction, bound to the tables of a corpus."""

    def __init__(self, conjunction: Conjunction, tables: TableSet, given: Sequence[str] = ()) -> None:
        self.variables = conjunction.variables
        self.given = tuple(given)
        gapped = {
            name
            for edge in conjunction.relations
            for name, is_gapped in zip((edge.first, edge.second), edge.relation.needs_gap, strict=True)
            if is_gapped
        }
        self.tests: dict[str, Test] = {
            name: bind(AllOf((*predicates, *(_GAPPED if name in gapped else ()))), tables)
            for name, predicates in conjunction.predicates.items()
        }
        self.edges = [_bound(edge, tables) for edge in conjunction.relations]
        self.absent = [
            ([Plan(alternative, tables, shared) for alternative in alternatives], shared)
            for alternatives, shared in conjunction.absent
        ]

    def solutions(self, segment: Segment, control: Control, window: tuple[int, int]) -> Iterator[Rows]:
        """The solutions in some sentences of a segment, given by their first node and that after them; in parts."""
        estimates = {name: test.estimate(segment) for name, test in self.tests.items()}
        if not estimates or not min(estimates.values()):
            return
        start = min(self.variables, key=estimates.__getitem__)
        state = _State(self, segment, control, estimates)
        nodes = state.candidates(start)
        nodes = nodes[slice(*np.searchsorted(nodes, window))]
        for begin in range(0, len(nodes), ROWS):
            yield from state.complete(state.filtered({start: nodes[begin : begin + ROWS]}, (start,)))

    def solved(self, segment: Segment, control: Control, rows: Rows) -> Bools:
        """Whether each of some rows, that have nodes for the given variables, has a solution."""
        size = len(next(iter(rows.values())))
        found = np.zeros(size, bool)
        estimates = {name: test.estimate(segment) for name, test in self.tests.items()}
        if not all(estimates.values()):
            return found
        state = _State(self, segment, control, estimates)
        keep = np.ones(size, bool)
        for name in self.given:
            if name in self.tests:
                keep &= self.tests[name](segment, rows[name])
        kept = np.flatnonzero(keep)
        start = {name: column[kept] for name, column in rows.items()} | {_ROW: kept}
        start = state.filtered(start, self.given)
        for part in state.complete(start):
            found[part[_ROW]] = True
        return found


#: what relations to gaps say of a node
_GAPPED = (Figure("blocks", ">", 1),)
#: the column of the numbers of rows, in a negated part
_ROW = "\0row"


def _bound(edge: Nodes, tables: TableSet) -> _Edge:
    return _Edge(edge.first, edge.relation.bound(tables), edge.second)


class _State:
    """A plan at work on one segment."""

    def __init__(self, plan: Plan, segment: Segment, control: Control, estimates: dict[str, int]) -> None:
        self.plan = plan
        self.segment = segment
        self.control = control
        self.estimates = estimates
        self._candidates: dict[str, Ids] = {}

    def candidates(self, name: str) -> Ids:
        if name not in self._candidates:
            self._candidates[name] = self.plan.tests[name].candidates(self.segment)
        return self._candidates[name]

    @cached_property
    def _order(self) -> dict[frozenset[str], tuple[str, _Edge | None]]:
        return {}

    def next_variable(self, known: frozenset[str]) -> tuple[str, _Edge | None]:
        """The variable to add, and the relation by which to find it."""
        if known not in self._order:
            best: tuple[tuple[bool, bool, int], str, _Edge | None] | None = None
            for name in self.plan.variables:
                if name in known:
                    continue
                for edge in [*self.plan.edges, None]:
                    cost = self._cost(name, edge, known)
                    if cost is not None and (best is None or cost < best[0]):
                        best = cost, name, edge
            assert best is not None
            self._order[known] = best[1], best[2]
        return self._order[known]

    def _cost(self, name: str, edge: _Edge | None, known: frozenset[str]) -> tuple[bool, bool, int] | None:
        estimate = self.estimates[name]
        if edge is None:
            return True, True, estimate
        is_second = edge.second == name and edge.first in known
        is_first = edge.first == name and edge.second in known
        if not is_second and not is_first:
            return None
        finds_one = edge.relation.finds_one[0 if is_second else 1]
        finder = type(edge.relation).seconds if is_second else type(edge.relation).firsts
        knows_better = finder not in (Relation.seconds, Relation.firsts)
        return not knows_better, not finds_one, estimate

    def complete(self, rows: Rows) -> Iterator[Rows]:
        """All rows with nodes for all variables that these rows can be extended to."""
        self.control.check()
        size = len(next(iter(rows.values())))
        if not size:
            return
        known = frozenset(rows) - {_ROW}
        if known.issuperset(self.plan.variables):
            rows = self._without_absent(rows)
            if len(next(iter(rows.values()))):
                yield rows
            return
        name, edge = self.next_variable(known)
        for part in self._extended(rows, name, edge):
            yield from self.complete(part)

    def _extended(self, rows: Rows, name: str, edge: _Edge | None) -> Iterator[Rows]:
        """Rows with nodes for one more variable, tested as far as can be."""
        segment = self.segment
        candidates = Candidates(self.estimates[name], lambda: self.candidates(name))
        partners = None
        if edge is not None and edge.second == name:
            partners = edge.relation.seconds(segment, rows[edge.first], candidates)
        elif edge is not None:
            partners = edge.relation.firsts(segment, rows[edge.second], candidates)
        if partners is None:
            anchor = rows[next(other for other in rows if other != _ROW)]
            partners = same_sentence(segment, anchor, candidates)
        known = {*rows, name} - {_ROW}
        if isinstance(partners, Found):
            yield self._checked(rows, name, partners.rows, partners.nodes, known, is_tested=False)
            return
        lengths = np.maximum(partners.ends - partners.starts, 0)
        for begin, end in _parts(lengths):
            self.control.check()
            places, owner = ranges(partners.starts[begin:end], partners.ends[begin:end])
            nodes = places if partners.nodes is None else partners.nodes[places]
            yield self._checked(rows, name, owner + begin, nodes, known, is_tested=partners.is_tested)

    def _checked(self, rows: Rows, name: str, owner: Ids, nodes: Ids, known: set[str], *, is_tested: bool) -> Rows:
        """New rows that pass the test of the new node and all relations that it now takes part in."""
        if not is_tested:
            passed = np.flatnonzero(self.plan.tests[name](self.segment, nodes))
            owner, nodes = owner[passed], nodes[passed]
        extended = {other: column[owner] for other, column in rows.items()}
        extended[name] = nodes
        for edge in self.plan.edges:
            if name in (edge.first, edge.second) and {edge.first, edge.second} <= known:
                passed = np.flatnonzero(edge.relation.check(self.segment, extended[edge.first], extended[edge.second]))
                if len(passed) != len(extended[name]):
                    extended = {other: column[passed] for other, column in extended.items()}
        return extended

    def filtered(self, rows: Rows, names: Sequence[str]) -> Rows:
        """The rows in which all relations hold whose variables are all there."""
        for edge in self.plan.edges:
            if edge.first in names and edge.second in names:
                passed = edge.relation.check(self.segment, rows[edge.first], rows[edge.second])
                rows = {other: column[passed] for other, column in rows.items()}
        return rows

    def _without_absent(self, rows: Rows) -> Rows:
        """The rows for which no negated part has a solution."""
        for alternatives, shared in self.plan.absent:
            for plan in alternatives:
                # A part that shares no variable is about the sentence: any node of it will do.
                names = shared or (next(name for name in rows if name != _ROW),)
                given = {name: rows[name] for name in names}
                if not len(next(iter(given.values()))):
                    return rows
                keep = ~plan.solved(self.segment, self.control, given)
                rows = {name: column[keep] for name, column in rows.items()}
        return rows


def _parts(lengths: Ids) -> Iterator[tuple[int, int]]:
    """Runs of rows that together try a bounded number of candidates."""
    if not len(lengths):
        return
    total = np.cumsum(lengths)
    begin = 0
    while begin < len(lengths):
        done = int(total[begin - 1]) if begin else 0
        end = max(int(np.searchsorted(total, done + PAIRS, side="right")), begin + 1)
        yield begin, end
        begin = end
