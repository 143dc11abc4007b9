"""What a query says of one node: values of features, kinds, figures; and how it is tested on columns.

A predicate is symbolic. Bound to the tables of a corpus it becomes a test, which knows three things: how many nodes
of a segment will pass at most, which ones do, and whether given nodes do.
"""

from __future__ import annotations

import operator
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from permutree.search.segments import Bools, Ids, Segment, TableSet
from permutree.search.tables import NO_VALUE, StringTable

__all__ = [
    "FIGURES",
    "OPERATORS",
    "AllOf",
    "AnyOf",
    "AnyValue",
    "BothValues",
    "EitherValue",
    "Figure",
    "HasValue",
    "IsNot",
    "IsRoot",
    "IsWord",
    "NotValue",
    "Pattern",
    "Predicate",
    "Test",
    "Text",
    "ValueTest",
    "bind",
    "passing",
]

#: values that are looked up one by one; for more, the column is scanned
FEW = 64
#: how figures are compared
OPERATORS: dict[str, Callable[[Ids, Ids | int], Bools]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
#: what can be asked of a node as a number → column, and what is added to it
FIGURES = {
    "arity": ("arity", 0),
    "tokenarity": ("words", 0),
    "length": ("words", 0),
    "blocks": ("blocks", 0),
    "gaps": ("blocks", -1),
    "depth": ("depth", 0),
    "rank": ("rank", 1),
    "first": ("left", 1),
    "last": ("right", 1),
}


# --- values of features -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text:
    """Exactly this text."""

    text: str


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression: for the whole text, or to be found in it."""

    pattern: str
    is_whole: bool = True
    ignores_case: bool = False


@dataclass(frozen=True, slots=True)
class NotValue:
    """A text that fails a test."""

    test: ValueTest


@dataclass(frozen=True, slots=True)
class BothValues:
    """A text that passes two tests."""

    one: ValueTest
    other: ValueTest


@dataclass(frozen=True, slots=True)
class EitherValue:
    """A text that passes one of two tests."""

    one: ValueTest
    other: ValueTest


@dataclass(frozen=True, slots=True)
class AnyValue:
    """Any text."""


ValueTest = Text | Pattern | NotValue | BothValues | EitherValue | AnyValue


def passing(test: ValueTest, table: StringTable) -> Bools:
    """For each number of a table whether its text passes; no value never does."""
    match test:
        case Text(text):
            found = np.zeros(len(table), bool)
            number = table.find(text)
            if number is not None:
                found[number] = True
        case Pattern(pattern, is_whole, ignores_case):
            expression = re.compile(pattern, re.IGNORECASE if ignores_case else 0)
            found = table.matching(test, expression.fullmatch if is_whole else expression.search)
        case NotValue(inner):
            found = ~passing(inner, table)
        case BothValues(one, other):
            found = passing(one, table) & passing(other, table)
        case EitherValue(one, other):
            found = passing(one, table) | passing(other, table)
        case AnyValue():
            found = np.ones(len(table), bool)
    found[NO_VALUE] = False
    return found


# --- predicates -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HasValue:
    """The node has the feature, and its value passes a test."""

    feature: str
    test: ValueTest


@dataclass(frozen=True, slots=True)
class IsWord:
    """The node is a word, or it is none."""

    wanted: bool = True


@dataclass(frozen=True, slots=True)
class IsRoot:
    """The node is the root of its tree."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the node compares with a number."""

    name: str
    operator: str
    value: int


@dataclass(frozen=True, slots=True)
class AllOf:
    """All of these hold; of none of them, always."""

    parts: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One of these holds."""

    parts: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True)
class IsNot:
    """This does not hold."""

    part: Predicate


Predicate = HasValue | IsWord | IsRoot | Figure | AllOf | AnyOf | IsNot


# --- tests ------------------------------------------------------------------------------------------------------------


class Test(ABC):
    """A predicate that is bound to the tables of a corpus."""

    def estimate(self, segment: Segment) -> int:
        """How many nodes pass, at most."""
        return segment.nodes

    def candidates(self, segment: Segment) -> Ids:
        """The nodes that pass, in ascending order."""
        nodes = np.arange(segment.nodes)
        return nodes[self(segment, nodes)]

    @abstractmethod
    def __call__(self, segment: Segment, nodes: Ids) -> Bools:
        """Whether nodes pass."""


@dataclass
class _Value(Test):
    feature: str
    wanted: Bools

    @cached_property
    def numbers(self) -> Ids:
        return np.flatnonzero(self.wanted)

    def estimate(self, segment: Segment) -> int:
        if not len(self.numbers):
            return 0
        if self.column is None:
            return segment.nodes
        if len(self.numbers) > FEW:
            return int(segment.word_offsets[-1]) if self.feature != "cat" else segment.nodes
        return sum(segment.posting_size(self.column, value) for value in self._posted())

    @property
    def column(self) -> str | None:
        """The column that has postings of it."""
        return {"cat": "label", "pos": "label", "word": "form"}.get(self.feature)

    def _posted(self) -> list[int]:
        """The values of that column that are wanted."""
        numbers: list[int] = self.numbers.tolist()
        if self.column == "form":
            return numbers
        return [2 * number + (self.feature == "pos") for number in numbers]

    def candidates(self, segment: Segment) -> Ids:
        if not len(self.numbers):
            return np.zeros(0, np.int64)
        if self.column is None:
            return super().candidates(segment)
        if len(self.numbers) > FEW:
            return self._scan(segment, self.column)
        found = [segment.posting(self.column, value).astype(np.int64) for value in self._posted()]
        nodes = found[0] if len(found) == 1 else np.sort(np.concatenate(found), kind="stable")
        return nodes if self.column == "label" else np.sort(segment.nodes_of_words(nodes))

    def _scan(self, segment: Segment, column: str) -> Ids:
        """All nodes, or words, of a column that has postings, by a table of the values that are wanted."""
        if column == "form":
            return np.sort(segment.nodes_of_words(np.flatnonzero(self.wanted[segment.arrays["form"]])))
        label = segment.arrays["label"]
        return np.flatnonzero(self.wanted[np.where(label & 1 == (self.feature == "pos"), label >> 1, NO_VALUE)])

    def __call__(self, segment: Segment, nodes: Ids) -> Bools:
        found: Bools
        if self.feature in ("cat", "pos") and len(self.numbers) == 1:
            wanted = 2 * int(self.numbers[0]) + (self.feature == "pos")
            found = segment.arrays["label"][nodes] == wanted
        else:
            found = self.wanted[segment.feature(self.feature, nodes)]
        return found


@dataclass
class _Kind(Test):
    wanted: bool

    def __call__(self, segment: Segment, nodes: Ids) -> Bools:
        answer: Bools = segment.is_word(nodes) == self.wanted
        return answer


class _Root(Test):
    def estimate(self, segment: Segment) -> int:
        return segment.sentences

    def candidates(self, segment: Segment) -> Ids:
        return segment.node_offsets[:-1]

    def __call__(self, segment: Segment, nodes: Ids) -> Bools:
        answer: Bools = segment.get("up", nodes) == 0
        return answer


@dataclass
class _Compare(Test):
    column: str
    operator: str
    value: int

    @property
    def _is_gap(self) -> bool:
        """Whether only discontinuous constituents can pass."""
        return self.column == "blocks" and not OPERATORS[self.operator](np.ones(1, np.int64), self.value)[0]

    def estimate(self, segment: Segment) -> int:
        return len(segment.arrays["gapped"]) if self._is_gap else segment.nodes

    def candidates(self, segment: Segment) -> Ids:
        if not self._is_gap:
            return super().candidates(segment)
        nodes = segment.arrays["gapped"].astype(np.int64)
        return nodes[self(segment, nodes)]

    def __call__(self, segment: Segment, nodes: Ids) -> Bools:
        return OPERATORS[self.operator](segment.get(self.column, nodes), self.value)


@dataclass
class _All(Test):
    parts: list[Test]

    def estimate(self, segment: Segment) -> int:
        return min((part.estimate(segment) for part in self.parts), default=segment.nodes)

    def candidates(self, segment: Segment) -> Ids:
        if not self.parts:
            return np.arange(segment.nodes)
        first, *rest = sorted(self.parts, key=lambda part: part.estimate(segment))
        nodes = first.candidates(segment)
        for part in rest:
            nodes = nodes[part(segment, nodes)]
        return nodes

    def __call__(self, segment: Segment, nodes: Ids) -> Bools:
        found = np.ones(len(nodes), bool)
        for part in self.parts:
            found &= part(segment, nodes)
        return found


@dataclass
class _Any(Test):
    parts: list[Test]

    def estimate(self, segment: Segment) -> int:
        return min(sum(part.estimate(segment) for part in self.parts), segment.nodes)

    def candidates(self, segment: Segment) -> Ids:
        if 4 * self.estimate(segment) > segment.nodes:
            return super().candidates(segment)
        nodes = np.sort(np.concatenate([part.candidates(segment) for part in self.parts]), kind="stable")
        return nodes[np.append(True, nodes[1:] != nodes[:-1])] if len(nodes) else nodes

    def __call__(self, segment: Segment, nodes: Ids) -> Bools:
        found = np.zeros(len(nodes), bool)
        for part in self.parts:
            found |= part(segment, nodes)
        return found


@dataclass
class _Not(Test):
    part: Test

    def __call__(self, segment: Segment, nodes: Ids) -> Bools:
        return ~self.part(segment, nodes)


def bind(predicate: Predicate, tables: TableSet) -> Test:
    """The test of a predicate on a corpus with these tables."""
    match predicate:
        case HasValue(feature, test):
            table = tables.named(feature)
            return _Value(feature, passing(test, table) if table is not None else np.zeros(1, bool))
        case IsWord(wanted):
            return _Kind(wanted)
        case IsRoot():
            return _Root()
        case Figure(name, sign, value):
            column, added = FIGURES[name]
            return _Compare(column, sign, value - added)
        case AllOf(parts):
            return _All([bind(part, tables) for part in parts])
        case AnyOf(parts):
            tests = [bind(part, tables) for part in parts]
            return _joined_values(tests) or _Any(tests)
        case IsNot(part):
            return _Not(bind(part, tables))


def _joined_values(tests: list[Test]) -> _Value | None:
    """One test in place of several of the same feature, of which one must pass; None if they are others."""
    values = [test for test in tests if isinstance(test, _Value)]
    if len(values) < len(tests) or len({test.feature for test in values}) != 1:
        return None
    wanted = values[0].wanted.copy()
    for test in values[1:]:
        wanted |= test.wanted
    return _Value(values[0].feature, wanted)
