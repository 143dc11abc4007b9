"""What decoding had to change in labels that describe no tree."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

__all__ = ["Kind", "Repair"]


class Kind(StrEnum):
    """Why a label was repaired; the part before the first hyphen is the component of the label."""

    #: no word or more than one was marked as the last of the arrangement
    LEVELS_LAST = "levels-last"
    #: not a level at all
    LEVELS_SYMBOL = "levels-symbol"
    #: fewer than one level in common
    LEVELS_RANGE = "levels-range"
    #: a level without a constituent that branches there, or with a constituent that nobody labels
    LEVELS_UNLABELLED = "levels-unlabelled"
    #: no label where there has to be one, or a malformed one
    SHARED_MISSING = "shared-missing"
    #: another word gave the same constituent another label
    SHARED_CONFLICT = "shared-conflict"
    #: a label at the last word of the arrangement, which shares nothing with a next one
    SHARED_LAST = "shared-last"
    #: a malformed unary chain
    UNARY_SYMBOL = "unary-symbol"
    #: not a symbol of the encoding
    PERMUTATION_SYMBOL = "permutation-symbol"
    #: a place outside the sentence, or more words skipped than are left
    PERMUTATION_RANGE = "permutation-range"
    #: a place that another word has
    PERMUTATION_TAKEN = "permutation-taken"
    #: a pointer to a word that is not there
    PERMUTATION_POINTER = "permutation-pointer"
    #: the last word of the arrangement according to its level stands elsewhere according to the permutation
    PERMUTATION_LAST = "permutation-last"

    @property
    def component(self) -> str:
        """The component of the label: levels, shared, unary or permutation."""
        return self.partition("-")[0]


class Repair(NamedTuple):
    """One repair: the label of this word was read as if it were another.

    Putting what it became in place of what it was, for all repairs of a sentence, gives labels of the same tree that
    need no repair. The one exception is a last word that the Lehmer codes or the pointers put elsewhere: it is moved
    to the end, which no change of one symbol can say, and the repair tells the two positions (``@2``, ``@7``).
    """

    kind: Kind
    sentence: int
    word: int
    was: str
    became: str
