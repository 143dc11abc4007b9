"""What the encodings of the permutation τ have in common.

Only sentences in which some word moves come here: in all others every word has the encoding's plain symbol (INV, 0 or
NEXT), and the batch code deals with them without looking at single words.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Literal, NamedTuple

from permutree.encoding.repairs import Kind
from permutree.encoding.tagsets import Tagset

__all__ = ["Change", "Permutation", "Ranked", "Symbol", "invert", "parse_number"]

#: One symbol: a number, a pointer (how many words with this tag to count back, tag), or None for INV and NEXT.
Symbol = int | tuple[int, str] | None
#: The symbols that a word may have, best first; None where no scores are given.
Ranked = Callable[[int], Iterable[Symbol]] | None

#: Numbers beyond this are read as this: no sentence is as long, and sums stay small.
LARGEST = 1_000_000
_NUMBER = re.compile(r"[+-]?[0-9]+").fullmatch


class Change(NamedTuple):
    """A symbol that was read as another one."""

    kind: Kind
    word: int
    became: Symbol


class Permutation(ABC):
    """One way to write the permutation τ as a symbol per word, and what it needs for that."""

    #: what the encoding is called; without a name, a class is a base of others
    name: ClassVar[str] = ""
    #: its place among the paper's encodings (section 4), if it is one of them
    paper: ClassVar[int | None] = None
    #: the symbol of a word that stays where it is, as text and as a symbol
    plain: ClassVar[str]
    plain_symbol: ClassVar[Symbol]
    #: whether symbols speak of tags, and whether of coarse ones, which takes a tagset
    needs_tags: ClassVar[bool] = False
    needs_tagset: ClassVar[bool] = False
    #: whether the symbols alone decide which word comes last, whatever the levels say
    decides_last: ClassVar[bool] = False
    #: what predicts it in a network: a softmax over the values of the training set, or attention to the words before,
    #: for which value v means the (v + 1)th word back
    head: ClassVar[Literal["softmax", "attention"]] = "softmax"

    def __init__(self, tagset: Tagset | None = None) -> None:
        self.tagset = tagset

    @classmethod
    def fixed_values(cls) -> list[str] | None:
        """All values, if they are known whatever the training set; None if they are those that occur there."""
        return None

    def to_release(self, text: str) -> str:
        """A symbol as the paper's own release (disco2labels) writes it."""
        return text

    def from_release(self, text: str) -> str:
        """A symbol of the release in ours; what is none stays as it is, for decoding to repair."""
        return text

    @abstractmethod
    def parse(self, text: str) -> Symbol | str:
        """The symbol that a text stands for; the text itself if it is none."""

    @abstractmethod
    def format(self, symbol: Symbol) -> str:
        """A symbol as text."""

    @abstractmethod
    def encode(self, order: Sequence[int], tags: Sequence[str]) -> Sequence[Symbol]:
        """The symbols of the words of a sentence, given its arrangement."""

    @abstractmethod
    def decode(
        self, symbols: Sequence[Symbol], tags: Sequence[str], last: int | None, ranked: Ranked = None
    ) -> tuple[list[int], list[Change]]:
        """The arrangement of any symbols, and which of them had to be read as others.

        ``last`` is the word that is to come last, if that is known. An encoding in which places are given one by one
        keeps the last place for it; otherwise it may end up elsewhere, and the caller moves it.
        """


def parse_number(text: str) -> int | None:
    """The number in a text, cut off at a million either way; None if it is not a whole number in ASCII digits.

    >>> parse_number("-3"), parse_number("9" * 5000), parse_number("3.0"), parse_number("")
    (-3, 1000000, None, None)
    """
    if not _NUMBER(text):
        return None
    if len(text) > 7:
        digits = text.lstrip("+-").lstrip("0")
        number = int(digits or "0") if len(digits) <= 7 else LARGEST
        number = -number if text[0] == "-" else number
    else:
        number = int(text)
    return max(-LARGEST, min(LARGEST, number))


def invert(permutation: Sequence[int]) -> list[int]:
    """The inverse of a permutation.

    >>> invert([0, 1, 3, 4, 2])
    [0, 1, 4, 2, 3]
    """
    inverse = [0] * len(permutation)
    for place, item in enumerate(permutation):
        inverse[item] = place
    return inverse
