"""The values that one component of the labels can have, numbered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import repeat

__all__ = ["UNKNOWN", "UNKNOWN_TEXT", "Vocabulary"]

#: The number of a value that is not in the vocabulary; decoding takes any number outside the vocabulary as unknown.
UNKNOWN = -1
#: What is shown for such a number.
UNKNOWN_TEXT = "<unknown>"


class Vocabulary:
    """Values and their numbers from 0. It grows by what it is asked for, until it is closed.

    >>> vocabulary = Vocabulary(["NEXT"])
    >>> vocabulary.number("-1 NN"), vocabulary.number("NEXT"), list(vocabulary)
    (1, 0, ['NEXT', '-1 NN'])
    >>> vocabulary.is_closed = True
    >>> vocabulary.number("-2 NN")
    -1
    """

    __slots__ = ("_numbers", "is_closed", "values")

    def __init__(self, values: Iterable[str] = (), *, is_closed: bool = False) -> None:
        self.values: list[str] = [*dict.fromkeys(values)]
        self._numbers: dict[str, int] = {value: number for number, value in enumerate(self.values)}
        self.is_closed = is_closed

    def number(self, value: str) -> int:
        """The number of a value: a new one if the vocabulary is open, UNKNOWN if it is closed."""
        number = self._numbers.get(value)
        if number is not None:
            return number
        if self.is_closed:
            return UNKNOWN
        self._numbers[value] = len(self.values)
        self.values.append(value)
        return len(self.values) - 1

    def numbers(self, values: Iterable[str]) -> list[int]:
        """The numbers of values; UNKNOWN where the vocabulary does not have one."""
        return [*map(self._numbers.get, values, repeat(UNKNOWN))]

    def __contains__(self, value: object) -> bool:
        return value in self._numbers

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[str]:
        return iter(self.values)

    def __getitem__(self, number: int) -> str:
        return self.values[number]

    def __eq__(self, other: object) -> bool:
        return self.values == other.values if isinstance(other, Vocabulary) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Vocabulary({self.values!r})"
