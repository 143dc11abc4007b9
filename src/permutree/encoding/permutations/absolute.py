"""Absolute positions: each word says where in the arrangement it stands, unless that is where it was."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from permutree.encoding.permutations.base import Change, Permutation, Ranked, Symbol, invert, parse_number
from permutree.encoding.repairs import Kind

__all__ = ["Absolute"]


class Absolute(Permutation):
    """p(i) = τ(i), with INV for fixed points.

    >>> noch_nie = [0, 1, 4, 5, 6, 2, 3, 7]
    >>> Absolute().encode(noch_nie, ())
    [None, None, 5, 6, 2, 3, 4, None]
    >>> Absolute().decode([None, None, 5, 6, 2, 3, 4, None], (), 7)
    ([0, 1, 4, 5, 6, 2, 3, 7], [])
    """

    name = "absolute"
    paper = 1
    plain = "INV"
    plain_symbol = None

    def parse(self, text: str) -> Symbol | str:
        """INV or a number."""
        if text == self.plain:
            return None
        number = parse_number(text)
        return text if number is None else number

    def format(self, symbol: Symbol) -> str:
        """INV or the number."""
        return self.plain if symbol is None else str(symbol)

    def encode(self, order: Sequence[int], tags: Sequence[str]) -> Sequence[Symbol]:
        """The place of each word."""
        return [self._symbol(word, place) for word, place in enumerate(invert(order))]

    def to_release(self, text: str) -> str:
        """INV with hyphens around it, as the release writes it."""
        return "-INV-" if text == self.plain else text

    def from_release(self, text: str) -> str:
        """INV without its hyphens."""
        return self.plain if text == "-INV-" else text

    def decode(
        self, symbols: Sequence[Symbol], tags: Sequence[str], last: int | None, ranked: Ranked = None
    ) -> tuple[list[int], list[Change]]:
        """Fill the places: the last word's, those of INV words, then the others' from left to right.

        A word whose place is taken or outside the sentence gets the closest free one, of two the left one; with
        scores, the free place that its best symbol names.
        """
        size = len(symbols)
        places = [self._place(word, symbol) for word, symbol in enumerate(symbols)]
        order = [-1] * size
        for word, place in enumerate(places):
            if 0 <= place < size:
                order[place] = word
        if -1 not in order and (last is None or order[-1] == last):
            return order, []
        return self._repair(symbols, places, last, ranked)

    def _place(self, word: int, symbol: Symbol) -> int:
        """The place that a symbol names."""
        if symbol is None:
            return word
        assert isinstance(symbol, int)
        return symbol

    def _symbol(self, word: int, place: int) -> Symbol:
        """The symbol that names a place."""
        return None if place == word else place

    def _repair(
        self, symbols: Sequence[Symbol], places: Sequence[int], last: int | None, ranked: Ranked
    ) -> tuple[list[int], list[Change]]:
        size = len(symbols)
        order = [-1] * size
        changes = []
        if last is not None:
            order[-1] = last
            if places[last] != size - 1:
                changes.append(Change(Kind.PERMUTATION_LAST, last, self._symbol(last, size - 1)))
        waiting = []
        for word, symbol in enumerate(symbols):
            if word == last:
                continue
            if symbol is None and order[word] == -1:
                order[word] = word
            else:
                waiting.append(word)
        free = [place for place, word in enumerate(order) if word == -1]
        for word in waiting:
            wish = places[word]
            index = bisect_left(free, wish)
            if index == len(free) or free[index] != wish:
                index = self._choose(word, wish, free, ranked(word) if ranked else ())
                kind = Kind.PERMUTATION_TAKEN if 0 <= wish < size else Kind.PERMUTATION_RANGE
                changes.append(Change(kind, word, self._symbol(word, free[index])))
            order[free.pop(index)] = word
        return order, changes

    def _choose(self, word: int, wish: int, free: Sequence[int], ranked: Iterable[Symbol]) -> int:
        """An index into the free places."""
        for symbol in ranked:
            place = self._place(word, symbol)
            index = bisect_left(free, place)
            if index < len(free) and free[index] == place:
                return index
        right = bisect_left(free, wish)
        if right == 0:
            return 0
        if right == len(free) or wish - free[right - 1] <= free[right] - wish:
            return right - 1
        return right
