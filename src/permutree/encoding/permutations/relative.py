"""Relative positions: each word says how far left of its index it stands in the arrangement."""

from __future__ import annotations

import re

from permutree.encoding.permutations.absolute import Absolute
from permutree.encoding.permutations.base import Symbol

__all__ = ["Relative"]

_NUMBER = re.compile(r"[+-]?[0-9]+").fullmatch


class Relative(Absolute):
    """p(i) = i − τ(i), with INV for fixed points.

    >>> Relative().encode([0, 1, 4, 5, 6, 2, 3, 7], ())
    [None, None, -3, -3, 2, 2, 2, None]
    >>> Relative().decode([None, None, -3, -3, 2, 2, 2, None], (), 7)
    ([0, 1, 4, 5, 6, 2, 3, 7], [])
    """

    name = "relative"
    paper = 2

    def to_release(self, text: str) -> str:
        """The number with its sign turned, as the release writes it."""
        return super().to_release(text) if text == self.plain else str(-int(text))

    def from_release(self, text: str) -> str:
        """The number with its sign turned."""
        if not _NUMBER(text):
            return super().from_release(text)
        return text[1:] if text[0] == "-" else "-" + text.removeprefix("+")

    def _place(self, word: int, symbol: Symbol) -> int:
        if symbol is None:
            return word
        assert isinstance(symbol, int)
        return word - symbol

    def _symbol(self, word: int, place: int) -> Symbol:
        return word - place or None
