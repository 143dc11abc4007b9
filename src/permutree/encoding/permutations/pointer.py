"""Pointers: reading from left to right, each word is put right after the one before it, or after one it points to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from permutree.encoding.permutations.base import Change, Permutation, Ranked, Symbol, parse_number
from permutree.encoding.repairs import Kind

__all__ = ["Pointer", "insert"]


def insert(size: int, jumps: Iterable[tuple[int, int]]) -> list[int]:
    """The arrangement in which each word comes right after the one before it, or after an earlier one if it jumps.

    Jumps are words and where they go, from left to right. A word that jumps and those up to the next jump are a run,
    which goes as a whole behind the word it leads to.

    >>> insert(6, [(2, 0), (4, 1)])
    [0, 2, 3, 1, 4, 5]
    """
    after = [*range(1, size), -1]
    behind = -1  # what comes behind the present run
    for word, target in jumps:
        after[word - 1] = behind
        behind = after[target]
        after[target] = word
    after[-1] = behind
    order = []
    word = 0
    while word != -1:
        order.append(word)
        word = after[word]
    return order


class Pointer(Permutation):
    """NEXT, or how many words with a tag to count back: ``-2 NN`` is the second NN before this word.

    >>> tags = "ADV ADV VAFIN PPER ADV PIAT VVPP $.".split()
    >>> symbols = Pointer().encode([0, 1, 4, 5, 6, 2, 3, 7], tags)
    >>> symbols
    [None, None, None, None, (1, 'ADV'), None, None, (1, 'PPER')]
    >>> Pointer().decode(symbols, tags, 7)
    ([0, 1, 4, 5, 6, 2, 3, 7], [])
    """

    name = "pointer"
    paper: ClassVar[int | None] = 5
    plain = "NEXT"
    plain_symbol = None
    needs_tags = True

    def to_release(self, text: str) -> str:
        """0 for NEXT, and a tilde before the tag, as the release writes them."""
        return "0" if text == self.plain else text.replace(" ", "~", 1)

    def from_release(self, text: str) -> str:
        """NEXT, or the pointer with a space."""
        return self.plain if text == "0" else text.replace("~", " ", 1)

    def parse(self, text: str) -> Symbol | str:
        """NEXT, or a negative number, a space and a tag."""
        if text == self.plain:
            return None
        count, space, tag = text.partition(" ")
        number = parse_number(count)
        if number is None or number >= 0 or not space:
            return text
        return -number, tag

    def format(self, symbol: Symbol) -> str:
        """NEXT or the pointer."""
        if symbol is None:
            return self.plain
        assert isinstance(symbol, tuple)
        return f"{-symbol[0]} {symbol[1]}"

    def encode(self, order: Sequence[int], tags: Sequence[str]) -> Sequence[Symbol]:
        """Which earlier word each word comes after, if it is not the one before it.

        Words are taken out of the arrangement from the last to the first, so that a word's neighbour to the left is
        the nearest one that was read before it.
        """
        size = len(order)
        before = [-1] * (size + 1)  # the neighbours in what is left of the arrangement, by word
        after = [-1] * (size + 1)
        previous = size
        for word in order:
            before[word] = previous
            after[previous] = word
            previous = word
        after[previous] = size
        symbols: list[Symbol] = [None] * size
        simple = self.tagset.simplify(tags) if self.tagset else tags
        for word in range(size - 1, 0, -1):
            left, right = before[word], after[word]
            after[left] = right
            before[right] = left
            if left != word - 1:
                symbols[word] = (simple[left:word].count(simple[left]), simple[left])
        return symbols

    def decode(
        self, symbols: Sequence[Symbol], tags: Sequence[str], last: int | None, ranked: Ranked = None
    ) -> tuple[list[int], list[Change]]:
        """Insert word by word; a pointer to too distant a word goes to the first with that tag, or becomes NEXT.

        With scores, it becomes the best symbol that leads somewhere.
        """
        simple = self.tagset.simplify(tags) if self.tagset else tags
        changes = []
        places: dict[str, list[int]] = {}  # by tag, of the words before the last pointer
        known = 0
        jumps = []
        for word, symbol in enumerate(symbols):
            if symbol is None:
                continue
            assert isinstance(symbol, tuple)
            for index in range(known, word):
                tag = simple[index]
                if tag in places:
                    places[tag].append(index)
                else:
                    places[tag] = [index]
            known = word
            if symbol[0] > len(places.get(symbol[1], ())):
                symbol = self._choose(symbol, places, word, ranked)
                changes.append(Change(Kind.PERMUTATION_POINTER, word, symbol))
                if symbol is None:
                    continue
            jumps.append((word, places[symbol[1]][-symbol[0]]))
        return insert(len(symbols), jumps), changes

    def _choose(
        self, symbol: tuple[int, str], places: dict[str, list[int]], word: int, ranked: Ranked
    ) -> tuple[int, str] | None:
        for choice in ranked(word) if ranked else ():
            if choice is None:
                return None
            if isinstance(choice, tuple) and choice[0] <= len(places.get(choice[1], ())):
                return choice
        found = len(places.get(symbol[1], ()))
        return (found, symbol[1]) if found else None
