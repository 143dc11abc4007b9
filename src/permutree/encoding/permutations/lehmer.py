"""Lehmer codes: each number says which of what is left is taken next, counted from zero."""

from __future__ import annotations

from collections.abc import Sequence

from permutree.encoding.permutations.base import Change, Permutation, Ranked, Symbol, parse_number
from permutree.encoding.repairs import Kind

__all__ = ["Lehmer", "lehmer_code"]


class Lehmer(Permutation):
    """The Lehmer code of the arrangement: place by place, which of the words left comes next.

    >>> Lehmer().encode([0, 1, 3, 4, 2], ())
    [0, 0, 1, 1, 0]
    >>> Lehmer().decode([0, 0, 9, 0, 0], (), 2)
    ([0, 1, 4, 2, 3], [Change(kind=<Kind.PERMUTATION_RANGE: 'permutation-range'>, word=2, became=2)])
    """

    name = "lehmer"
    paper = 3
    plain = "0"
    plain_symbol = 0

    def parse(self, text: str) -> Symbol | str:
        """A number; a negative one is out of range, not malformed."""
        number = parse_number(text)
        return text if number is None else number

    def format(self, symbol: Symbol) -> str:
        """The number."""
        return str(symbol)

    def encode(self, order: Sequence[int], tags: Sequence[str]) -> Sequence[Symbol]:
        """The code."""
        return lehmer_code(order)

    def decode(
        self, symbols: Sequence[Symbol], tags: Sequence[str], last: int | None, ranked: Ranked = None
    ) -> tuple[list[int], list[Change]]:
        """Take what the numbers say; where there is nothing, the last of what is left, or the best with scores."""
        left = list(range(len(symbols)))
        taken = []
        changes = []
        for word, symbol in enumerate(symbols):
            assert isinstance(symbol, int)
            if not 0 <= symbol < len(left):
                symbol = self._choose(len(left), word, ranked)
                changes.append(Change(Kind.PERMUTATION_RANGE, word, symbol))
            taken.append(left.pop(symbol))
        return taken, changes

    def _choose(self, left: int, word: int, ranked: Ranked) -> int:
        for symbol in ranked(word) if ranked else ():
            if isinstance(symbol, int) and 0 <= symbol < left:
                return symbol
        return left - 1


def lehmer_code(permutation: Sequence[int]) -> list[int]:
    """For each item, how many of those after it are smaller."""
    left = list(range(len(permutation)))
    code = []
    for item in permutation:
        index = left.index(item)
        code.append(index)
        del left[index]
    return code
