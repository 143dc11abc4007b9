"""What decoding had to change in labels that describe no tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, overload

import numpy as np
import numpy.typing as npt

from permutree.encoding.chains import Chains
from permutree.encoding.constituents import NOTHING
from permutree.encoding.vocabulary import UNKNOWN, UNKNOWN_TEXT, Vocabulary
from permutree.trees.batch import Ints
from permutree.trees.displays import plugged_in

__all__ = ["Kind", "Repair", "Repairs", "Spelling"]


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
    #: a label that only roots have over a word of several, or a sentence of one word without such
    UNARY_ROOT = "unary-root"
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


#: A repair's code is an index into this. The last is for a word that is moved to the end, with positions for values.
KINDS = (*Kind, Kind.PERMUTATION_LAST)
CODES = {kind: code for code, kind in enumerate(Kind)}
MOVED = len(Kind)
#: Stands among the numbers of levels for the symbol of a last word.
NO_LEVEL = np.iinfo(np.int32).min


class Spelling:
    """The texts that the numbers of repairs stand for.

    What a label was is a number of its component's vocabulary, or UNKNOWN. What it became is a level, a chain, or a
    number among the symbols that took the place of others, which need not be in the vocabulary.
    """

    def __init__(self, vocabularies: Mapping[str, Vocabulary], chains: Chains) -> None:
        self.chains = chains
        self.symbols = Vocabulary()
        self._components = [kind.component for kind in KINDS]
        self._vocabularies = [vocabularies[component] for component in self._components]

    def was(self, code: int, value: int) -> str:
        """What a label was."""
        if code == MOVED:
            return f"@{value}"
        return UNKNOWN_TEXT if value == UNKNOWN else self._vocabularies[code][value]

    def became(self, code: int, value: int) -> str:
        """What it was read as."""
        if code == MOVED:
            return f"@{value}"
        component = self._components[code]
        if component == "permutation":
            return self.symbols[value]
        if component == "levels":
            return NOTHING if value == NO_LEVEL else str(value)
        return self.chains.text(value)


class Repairs(Sequence[Repair]):
    """All repairs of a batch, by sentence and word.

    A labeller that makes mistakes needs many, and most of the time only their number counts. So they are arrays, and
    become objects when somebody looks at them. Like a list of the same repairs, with which they compare equal.
    """

    __slots__ = ("_columns", "_spelling")

    def __init__(self, columns: Ints, spelling: Spelling) -> None:
        """Five rows of numbers, as wide as there are repairs: code, sentence, word, what it was, what it became."""
        self._columns, self._spelling = columns, spelling

    @classmethod
    def none(cls, spelling: Spelling) -> Repairs:
        """No repairs."""
        return cls(np.zeros((5, 0), np.int32), spelling)

    @classmethod
    def join(cls, parts: Sequence[Repairs], spelling: Spelling) -> Repairs:
        """The repairs of several batches of one codec, one batch after the other."""
        columns = np.concatenate([cls.none(spelling)._columns, *(part._columns for part in parts)], axis=1)
        return cls(columns, spelling)

    def placed(self, sentences: npt.NDArray[np.integer], firsts: npt.NDArray[np.integer]) -> Repairs:
        """These repairs, where sentence s is only a part of ``sentences[s]`` that begins at word ``firsts[s]``."""
        code, sentence, word, was, became = self._columns
        begin = firsts[sentence]
        positions = np.where(code == MOVED, begin, 0)
        columns = np.stack([code, sentences[sentence], word + begin, was + positions, became + positions])
        return Repairs(columns.astype(np.int32), self._spelling)

    def sentences(self) -> npt.NDArray[np.intp]:
        """The sentences that needed repairs, each once."""
        if not len(self):
            return np.zeros(0, np.intp)
        return np.unique(self._columns[1]).astype(np.intp)

    def counts(self) -> Counter[Kind]:
        """How many repairs there are of each kind, in the order in which the kinds come up."""
        counts: Counter[Kind] = Counter()
        if not len(self):
            return counts
        codes, firsts, numbers = np.unique(self._columns[0], return_index=True, return_counts=True)
        for index in np.argsort(firsts).tolist():
            counts[KINDS[codes[index]]] += int(numbers[index])
        return counts

    def __len__(self) -> int:
        return len(self._columns[0])

    def __iter__(self) -> Iterator[Repair]:
        was_text, became_text = self._spelling.was, self._spelling.became
        for code, sentence, word, was, became in self._columns.T.tolist():
            yield Repair(KINDS[code], sentence, word, was_text(code, was), became_text(code, became))

    @overload
    def __getitem__(self, index: int) -> Repair: ...
    @overload
    def __getitem__(self, index: slice) -> Repairs: ...
    def __getitem__(self, index: int | slice) -> Repair | Repairs:
        if isinstance(index, slice):
            return Repairs(self._columns[:, index], self._spelling)
        return next(iter(Repairs(self._columns[:, index, None], self._spelling)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, list | Repairs):
            return NotImplemented
        return len(self) == len(other) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))

    def _repr_html_(self) -> str:
        shown: str = plugged_in("html")(self)
        return shown
