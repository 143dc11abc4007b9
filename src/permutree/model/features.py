"""What a labeller trained from scratch sees of a sentence: numbers for its words, their characters and their tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from permutree.encoding.vocabulary import Vocabulary
from permutree.model.batching import Ints, padded
from permutree.trees.numbered import numbered, offsets_of

__all__ = ["PAD", "UNKNOWN", "WordArrays", "WordBatch", "WordFeatures"]

PAD, UNKNOWN = 0, 1
_SPECIAL = ("<pad>", "<unknown>")
#: words are cut to this many characters, half from either end
LONGEST_WORD = 40


@dataclass(frozen=True, slots=True, eq=False)
class WordBatch:
    """A batch of B sentences of at most T words, U of them different, of at most L characters each."""

    lengths: Ints  # [B]
    words: Ints  # [B, T]
    tags: Ints  # [B, T]
    #: which of the different words stands where [B, T], and their characters [U, L]
    types: Ints
    characters: Ints


@dataclass(frozen=True, slots=True, eq=False)
class WordArrays:
    """The features of many sentences, one after the other."""

    offsets: Ints
    tags: Ints
    #: which of the different words stands where
    types: Ints
    #: the number of each different word, and its characters; the last row is padding, which is word -1
    numbers: Ints
    characters: Ints
    #: whether that number is the word's own, and not that of its lower-case form or of all unknown words
    has_own_number: npt.NDArray[np.bool_]
    #: the different words themselves
    forms: Sequence[str]

    @property
    def lengths(self) -> Ints:
        """The number of words of each sentence, which is what a batch is measured by."""
        return np.diff(self.offsets)

    @property
    def words(self) -> Ints:
        """The numbers of all words."""
        return self.numbers[self.types]

    def batch(self, sentences: Ints) -> WordBatch:
        """Some of the sentences as a batch."""
        types = padded(self.types, self.offsets, sentences, -1)
        is_here = np.zeros(len(self.numbers), bool)
        is_here[types] = True
        renumbered = np.cumsum(is_here) - 1
        characters = self.characters[is_here]
        characters = characters[:, : max(1, int((characters != PAD).sum(1).max(initial=1)))]
        return WordBatch(
            self.lengths[sentences],
            self.numbers[types],
            padded(self.tags, self.offsets, sentences, PAD),
            renumbered[types],
            characters,
        )


class WordFeatures:
    """Numbers words, characters and tags by the vocabularies of the training set."""

    kind = "words"

    def __init__(
        self,
        words: Iterable[str],
        characters: Iterable[str],
        tags: Iterable[str],
        counts: Sequence[int] = (),
        trained: int | None = None,
    ) -> None:
        self.words = Vocabulary(words, is_closed=True)
        self.characters = Vocabulary(characters, is_closed=True)
        self.tags = Vocabulary(tags, is_closed=True)
        #: how often each word stood in the training set
        self.counts = list(counts) or [0] * len(self.words)
        #: the first so many have vectors of their own; the others only have fixed ones
        self.trained = len(self.words) if trained is None else trained
        codes = {ord(sign): number for number, sign in enumerate(self.characters) if len(sign) == 1}
        #: the number of each character up to the last that is known, and of all behind it
        self._by_code = np.full(max(codes, default=0) + 2, UNKNOWN, np.int32)
        self._by_code[[*codes]] = [*codes.values()]

    @classmethod
    def fit(
        cls,
        words: Sequence[Sequence[str]],
        tags: Sequence[Sequence[str]],
        *,
        min_count: int = 1,
        more_words: Iterable[str] = (),
        fixed_words: Iterable[str] = (),
    ) -> WordFeatures:
        """The vocabularies of some sentences.

        ``more_words`` are known from elsewhere, such as pretrained vectors, ``fixed_words`` only from there.
        """
        counts = Counter(chain.from_iterable(words))
        kept = [word for word, count in counts.most_common() if count >= min_count]
        kept += [word for word in dict.fromkeys(more_words) if counts[word] < min_count]
        # Words that are spelled like the special ones are unknown.
        kept = [word for word in kept if word not in _SPECIAL]
        trained = len(_SPECIAL) + len(kept)
        known = {*_SPECIAL, *kept}
        kept += [word for word in dict.fromkeys(fixed_words) if word not in known]
        characters = Counter(chain.from_iterable(counts))
        return cls(
            (*_SPECIAL, *kept),
            (*_SPECIAL, *(character for character, _ in characters.most_common())),
            (*_SPECIAL, *(tag for tag, _ in Counter(chain.from_iterable(tags)).most_common())),
            [0, 0, *(counts[word] for word in kept)],
            trained,
        )

    def known(self) -> list[str]:
        """The words that it knows, frequent ones first."""
        return self.words.values[len(_SPECIAL) :]

    def without_counts(self) -> WordFeatures:
        """A copy without word counts, which only training needs."""
        return WordFeatures(self.words, self.characters, self.tags, trained=self.trained)

    def to_json(self) -> dict[str, Any]:
        """The vocabularies as plain data."""
        data: dict[str, Any] = {"words": list(self.words)}
        if any(self.counts):
            data["counts"] = self.counts
        if self.trained < len(self.words):
            data["trained"] = self.trained
        return data | {"characters": list(self.characters), "tags": list(self.tags)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> WordFeatures:
        """The features that ``to_json`` described."""
        return cls(data["words"], data["characters"], data["tags"], data.get("counts", ()), data.get("trained"))

    def arrays(self, words: Sequence[Sequence[str]], tags: Sequence[Sequence[str]] | None) -> WordArrays:
        """The features of sentences; without tags, all tags are unknown."""
        offsets = offsets_of(words).astype(np.int64)
        types, numbers_of_types = numbered(words)
        places = numbers_of_types.astype(np.int64, copy=False)
        if tags is None:
            tag_numbers = np.full(len(places), UNKNOWN, np.int64)
        else:
            tag_numbers = np.fromiter(map(self.tags.number, chain.from_iterable(tags)), np.int64, len(places))
            tag_numbers[tag_numbers < UNKNOWN] = UNKNOWN
        numbers, has_own = self._numbers(types)
        return WordArrays(offsets, tag_numbers, places, numbers, self._spell(types), has_own, types)

    def _numbers(self, words: Sequence[str]) -> tuple[Ints, npt.NDArray[np.bool_]]:
        """The numbers of words, or of their lower-case forms, or that of unknown words; and which are the words' own.

        The last one is that of padding.
        """
        numbers = np.array([*self.words.numbers(words), PAD], np.int64)
        has_own = numbers > UNKNOWN
        for place in np.flatnonzero(numbers[:-1] <= PAD).tolist():
            number = self.words.number(words[place].lower())
            numbers[place] = number if number > PAD else UNKNOWN
        return numbers, has_own

    def _spell(self, words: Iterable[str]) -> Ints:
        """The characters of words, a row each; the last row, of no characters, is that of padding, which is word -1."""
        half = LONGEST_WORD // 2
        words = [word if len(word) <= LONGEST_WORD else word[:half] + word[-half:] for word in words]
        lengths = np.fromiter(map(len, words), np.int64, len(words))
        codes = np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), np.uint32)
        matrix = np.full((len(words) + 1, int(lengths.max(initial=1))), PAD, np.int64)
        inside = np.arange(matrix.shape[1]) < lengths[:, None]
        matrix[:-1][inside] = self._by_code.take(np.minimum(codes, len(self._by_code) - 1))
        return matrix
