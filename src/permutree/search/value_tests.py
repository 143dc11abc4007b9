"""What a query says of the value of a feature: a text, a regular expression, and Boolean expressions of these."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from permutree.search.segments import Bools
from permutree.search.tables import NO_VALUE, StringTable

__all__ = ["AnyValue", "BothValues", "EitherValue", "NotValue", "Pattern", "Text", "ValueTest", "passing"]


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
