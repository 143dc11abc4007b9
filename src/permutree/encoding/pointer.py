"""Pointers: reading from left to right, each word is put right after the one before it, or after one it points to."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from permutree.encoding.permutation import Change, Permutation, Ranked, Symbol, parse_number
from permutree.encoding.repairs import Kind
from permutree.encoding.tagsets import Tagset

__all__ = ["Pointer"]


class Pointer(Permutation):
    """NEXT, or how many words with a tag to count back: ``-2 NN`` is the second NN before this word.

    >>> tags = "ADV ADV VAFIN PPER ADV PIAT VVPP $.".split()
    >>> symbols = Pointer().encode([0, 1, 4, 5, 6, 2, 3, 7], tags)
    >>> symbols
    [None, None, None, None, (1, 'ADV'), None, None, (1, 'PPER')]
    >>> Pointer().decode(symbols, tags, 7)
    ([0, 1, 4, 5, 6, 2, 3, 7], [])
    """

    plain = "NEXT"
    plain_symbol = None

    def __init__(self, tagset: Tagset | None = None) -> None:
        self.tagset = tagset

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
        size = len(symbols)
        pointers = [(word, symbol) for word, symbol in enumerate(symbols) if isinstance(symbol, tuple)]
        if not pointers:
            return list(range(size)), []
        simple = self.tagset.simplify(tags) if self.tagset else tags
        wanted = simple if ranked else [tag for _, (_, tag) in pointers]
        places: dict[str, list[int]] = {tag: [] for tag in wanted}
        for word, tag in enumerate(simple):
            if tag in places:
                places[tag].append(word)
        changes = []
        # a pointer and the NEXTs behind it are a run of words, which goes as a whole behind the word pointed to
        after = [*range(1, size), -1]
        behind = -1  # what comes behind the present run
        for word, (count, tag) in pointers:
            found = bisect_left(places.get(tag, ()), word)
            if count > found:
                choice = self._choose((found, tag), places, word, ranked)
                changes.append(Change(Kind.PERMUTATION_POINTER, word, choice))
                if choice is None:
                    continue
                count, tag = choice
                found = bisect_left(places[tag], word)
            target = places[tag][found - count]
            after[word - 1] = behind
            behind = after[target]
            after[target] = word
        after[-1] = behind
        order = []
        word = 0
        while word != -1:
            order.append(word)
            word = after[word]
        return order, changes

    def _choose(
        self, furthest: tuple[int, str], places: dict[str, list[int]], word: int, ranked: Ranked
    ) -> tuple[int, str] | None:
        """What to read for a pointer that leads nowhere, given the furthest one with its tag that does."""
        for choice in ranked(word) if ranked else ():
            if choice is None:
                return None
            if isinstance(choice, tuple) and choice[0] <= bisect_left(places.get(choice[1], ()), word):
                return choice
        return furthest if furthest[0] else None
