"""The Lehmer code of the inverse permutation: word by word, which of the places left it takes."""

from __future__ import annotations

from collections.abc import Sequence

from permutree.encoding.permutations.base import Change, Ranked, Symbol, invert
from permutree.encoding.permutations.lehmer import Lehmer

__all__ = ["InverseLehmer"]


class InverseLehmer(Lehmer):
    """The Lehmer code of τ, so that a word's symbol is about the word itself.

    >>> InverseLehmer().encode([0, 1, 3, 4, 2], ())
    [0, 0, 2, 0, 0]
    >>> InverseLehmer().decode([0, 0, 9, 0, 0], (), 2)
    ([0, 1, 3, 4, 2], [Change(kind=<Kind.PERMUTATION_RANGE: 'permutation-range'>, word=2, became=2)])
    """

    name = "inverse-lehmer"
    paper = 4

    def encode(self, order: Sequence[int], tags: Sequence[str]) -> Sequence[Symbol]:
        """The code of the inverse."""
        return super().encode(invert(order), tags)

    def decode(
        self, symbols: Sequence[Symbol], tags: Sequence[str], last: int | None, ranked: Ranked = None
    ) -> tuple[list[int], list[Change]]:
        """Take the places that the numbers say; where there is none, the last of those left."""
        places, changes = super().decode(symbols, tags, last, ranked)
        return invert(places), changes
