"""Words or tags of many sentences as numbers: each different text once, and which of them stands where."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import overload

import numpy as np
import numpy.typing as npt

__all__ = ["Numbered", "numbered", "offsets_of"]


class Numbered(Sequence[Sequence[str]]):
    """The texts of sentences, which are made when somebody asks for a sentence.

    ``numbers`` runs over all sentences, which begin at ``offsets``. ``rows`` are the same texts as lists, if there are
    such.

    >>> tags = Numbered(["DT", "NN"], np.array([0, 1, 1]), np.array([0, 2, 3]))
    >>> list(tags), tags[1], tags[:1]
    ([['DT', 'NN'], ['NN']], ['NN'], [['DT', 'NN']])
    """

    def __init__(
        self,
        values: Sequence[str],
        numbers: npt.NDArray[np.integer],
        offsets: npt.NDArray[np.integer],
        rows: Sequence[Sequence[str]] | None = None,
    ) -> None:
        self.values, self.numbers, self.offsets, self.rows = values, numbers, offsets, rows

    @classmethod
    def of(cls, rows: Sequence[Sequence[str]]) -> Numbered:
        """The texts of sentences, numbered unless they are already."""
        if isinstance(rows, Numbered):
            return rows
        offsets = offsets_of(rows)
        return cls(*_number(rows, int(offsets[-1])), offsets, rows)

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[Sequence[str]]:
        return iter(self._all())

    @overload
    def __getitem__(self, index: int) -> Sequence[str]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Sequence[str]]: ...
    def __getitem__(self, index: int | slice) -> Sequence[str] | Sequence[Sequence[str]]:
        if isinstance(index, slice):
            return self._all()[index]
        if self.rows is not None:
            return self.rows[index]
        place = range(len(self))[index]
        first, last = self.offsets[place : place + 2].tolist()
        return [self.values[number] for number in self.numbers[first:last].tolist()]

    def __eq__(self, other: object) -> bool:
        """Whether the sentences have the same texts."""
        return [*map(list, self)] == [*map(list, other)] if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        """How they go to another process: as numbers, which make the lists again."""
        return Numbered, (list(self.values), self.numbers.astype(np.int32), self.offsets)

    def __repr__(self) -> str:
        return f"Numbered({[*map(list, self)]!r})"

    def _all(self) -> Sequence[Sequence[str]]:
        """All sentences as lists, made once."""
        if self.rows is None:
            texts = [*map(self.values.__getitem__, self.numbers.tolist())]
            bounds = self.offsets.tolist()
            self.rows = [texts[bounds[place] : bounds[place + 1]] for place in range(len(self))]
        return self.rows


def numbered(rows: Sequence[Sequence[str]]) -> tuple[Sequence[str], npt.NDArray[np.integer]]:
    """The different texts of sentences, and their numbers one sentence after the other."""
    if isinstance(rows, Numbered):
        return rows.values, rows.numbers
    return _number(rows, sum(map(len, rows)))


def _number(rows: Sequence[Sequence[str]], count: int) -> tuple[list[str], npt.NDArray[np.int64]]:
    """Number the texts of sentences, so many in all: each is looked for once, and a new one gets the next number."""
    number: defaultdict[str, int] = defaultdict()
    number.default_factory = number.__len__
    numbers = np.fromiter(map(number.__getitem__, chain.from_iterable(rows)), np.int64, count)
    return [*number], numbers


def offsets_of(rows: Sequence[Sequence[str]]) -> npt.NDArray[np.integer]:
    """Where sentences begin among all words, and how many words there are."""
    if isinstance(rows, Numbered):
        return rows.offsets
    offsets = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, rows), np.int64, len(rows)), out=offsets[1:])
    return offsets
