"""Predecessors: pointers that count words, and need no tags.

Not one of the paper's encodings, though it mentions that pointers could do without tags: reading from left to right,
each word says after which earlier word it comes. A labeller can choose that word by attention among all words before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from permutree.encoding.permutations.base import Change, Ranked, Symbol, parse_number
from permutree.encoding.permutations.pointer import Pointer

__all__ = ["Predecessor"]


class Predecessor(Pointer):
    """NEXT, or how many words to count back: ``-3`` is the third word before this one.

    >>> symbols = Predecessor().encode([0, 1, 4, 5, 6, 2, 3, 7], [""] * 8)
    >>> [Predecessor().format(symbol) for symbol in symbols]
    ['NEXT', 'NEXT', 'NEXT', 'NEXT', '-3', 'NEXT', 'NEXT', '-4']
    """

    name = "predecessor"
    paper = None
    needs_tags = False
    #: as a labeller that attends to words is surer of them than of levels
    decides_last = True
    head = "attention"
    #: how many words back a predecessor may be
    LIMIT: ClassVar[int] = 512

    @classmethod
    def fixed_values(cls) -> list[str] | None:
        """NEXT, the word before that, and so on up to the limit."""
        return [cls.plain, *(str(-count) for count in range(2, cls.LIMIT + 1))]

    def to_release(self, text: str) -> str:
        """The symbol unchanged: the release has no predecessors."""
        return text

    def from_release(self, text: str) -> str:
        """The symbol unchanged."""
        return text

    def parse(self, text: str) -> Symbol | str:
        """NEXT or a negative number."""
        if text == self.plain:
            return None
        number = parse_number(text)
        return text if number is None or number >= 0 else (-number, "")

    def format(self, symbol: Symbol) -> str:
        """NEXT or the number."""
        if symbol is None:
            return self.plain
        assert isinstance(symbol, tuple)
        return str(-symbol[0])

    def encode(self, order: Sequence[int], tags: Sequence[str]) -> Sequence[Symbol]:
        """Pointers among words that all have the same tag."""
        return super().encode(order, [""] * len(order))

    def decode(
        self, symbols: Sequence[Symbol], tags: Sequence[str], last: int | None, ranked: Ranked = None
    ) -> tuple[list[int], list[Change]]:
        """Insert word by word; a number that leads out of the sentence leads to its first word."""
        return super().decode(symbols, [""] * len(symbols), last, ranked)
