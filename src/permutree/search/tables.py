"""Tables of strings: each distinct label, tag, word or file name has a number, and columns hold the numbers.

Number 0 stands for "no value". A table that is being filled is a :class:`TableBuilder`; one in an index is a
:class:`StringTable`, whose texts stay in the file until somebody wants them: a look-up reads some twenty of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from difflib import get_close_matches
from functools import cached_property
from itertools import pairwise
from threading import Lock

import numpy as np
import numpy.typing as npt

__all__ = ["NO_VALUE", "StringTable", "TableBuilder"]

#: the number of "no value"
NO_VALUE = 0
#: tests of a table whose results are kept
REMEMBERED = 32


class TableBuilder(dict[str | None, int]):
    """Numbers for texts, given when a text is met for the first time."""

    def __init__(self) -> None:
        super().__init__({None: NO_VALUE})

    def __missing__(self, text: str | None) -> int:
        number = self[text] = len(self)
        return number

    def table(self) -> StringTable:
        """The table as it is now."""
        texts = ["" if text is None else text for text in self]
        raw = [text.encode("utf-8", "surrogatepass") for text in texts]
        offsets = np.zeros(len(raw) + 1, np.int64)
        np.cumsum([len(text) for text in raw], out=offsets[1:])
        # Number 0 has no text to be found by.
        order = sorted(range(1, len(raw)), key=raw.__getitem__)
        blob = np.frombuffer(b"".join(raw), np.uint8)
        return StringTable(blob, offsets, np.asarray(order, np.uint32))


class StringTable:
    """The texts of a column: a blob of UTF-8, where each begins, and their numbers in the order of the bytes."""

    def __init__(
        self, blob: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64], order: npt.NDArray[np.uint32]
    ) -> None:
        self.blob = blob
        self.offsets = offsets
        self.order = order
        #: what was found before, by what was asked
        self._found: dict[Hashable, npt.NDArray[np.bool_]] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        """How many numbers there are, that of "no value" among them."""
        return len(self.offsets) - 1

    def _raw(self, number: int) -> bytes:
        return self.blob[int(self.offsets[number]) : int(self.offsets[number + 1])].tobytes()

    def text(self, number: int) -> str:
        """The text with this number; nothing for number 0."""
        return self._raw(number).decode("utf-8", "surrogatepass")

    def texts_of(self, numbers: Iterable[int]) -> list[str | None]:
        """The texts with these numbers; None for number 0."""
        return [self.text(number) if number else None for number in numbers]

    def find(self, text: str) -> int | None:
        """The number of a text; None if no column has it."""
        wanted = text.encode("utf-8", "surrogatepass")
        low, high = 0, len(self.order)
        while low < high:
            middle = (low + high) // 2
            if self._raw(int(self.order[middle])) < wanted:
                low = middle + 1
            else:
                high = middle
        if low < len(self.order) and self._raw(int(self.order[low])) == wanted:
            return int(self.order[low])
        return None

    @cached_property
    def texts(self) -> Sequence[str]:
        """All texts, by number; the first is that of "no value"."""
        raw = self.blob.tobytes()
        ends = self.offsets.tolist()
        return [raw[start:end].decode("utf-8", "surrogatepass") for start, end in pairwise(ends)]

    def matching(self, key: Hashable, test: Callable[[str], object]) -> npt.NDArray[np.bool_]:
        """For each number whether its text passes a test; no value never does. The last tests are remembered by key."""
        known = self._found.get(key)
        if known is None:
            known = np.fromiter((bool(test(text)) for text in self.texts), bool, len(self))
            known[NO_VALUE] = False
            # A server searches in several threads.
            with self._lock:
                while len(self._found) >= REMEMBERED:
                    self._found.pop(next(iter(self._found)))
                self._found[key] = known
        return known.copy()

    def near(self, text: str, count: int = 3) -> list[str]:
        """Texts that look like this one, for hints."""
        if len(self) > 50_000:
            return []
        by_case = [other for other in self.texts if other.casefold() == text.casefold()]
        shortened = [other for other in self.texts if re.split(r"[-=|+]", other)[0] == text]
        return list(dict.fromkeys([*by_case, *shortened, *get_close_matches(text, self.texts, count)]))[:count]
