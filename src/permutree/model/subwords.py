"""What a pretrained encoder sees of a sentence: the sub-words of its words, in windows of as many as it can read.

Every word is cut into sub-words on its own, so that each belongs to one word. A sentence that has more sub-words than
the encoder can read at once is read in windows that overlap by half or more, and each word is looked up in the window
whose middle is nearest, where it has most of its context.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from permutree.encoding.vocabulary import Vocabulary
from permutree.errors import ConfigError
from permutree.model.batching import Ints, padded

__all__ = ["CASES", "PieceArrays", "PieceBatch", "PieceFeatures", "case_of"]

#: how words with capital letters are written: one at the beginning, several and no others, one alone, or otherwise
CASES = ("first", "all", "one", "mixed")
#: words are cut into sub-words so many at a time
_AT_A_TIME = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class PieceBatch:
    """A batch of B sentences of at most T words, in R windows of at most P sub-words."""

    lengths: Ints  # [B]
    pieces: Ints  # [R, P]
    #: which sub-words there are, the others are padding [R, P]
    visible: npt.NDArray[np.bool_]
    #: where the first sub-word of each word stands, or its last, counted through all windows [B, T]
    places: Ints


@dataclass(frozen=True, slots=True, eq=False)
class PieceArrays:
    """The sub-words of many sentences, one after the other, and the windows that they are read in."""

    features: PieceFeatures
    #: of sentences in words, and of sentences in windows
    offsets: Ints
    window_offsets: Ints
    pieces: Ints
    #: where each window begins in ``pieces``, and how many it has
    window_starts: Ints
    window_lengths: Ints
    #: for each word the window it is looked up in, counted within its sentence, and its place there
    windows: Ints
    places: Ints

    @property
    def lengths(self) -> Ints:
        """The number of sub-words of each sentence in all its windows, special ones included: what it costs."""
        special = len(self.features.prefix) + len(self.features.suffix)
        costs = np.cumsum(np.concatenate([[0], self.window_lengths + special]))
        return np.diff(costs[self.window_offsets])

    def batch(self, sentences: Ints) -> PieceBatch:
        """Some of the sentences as a batch."""
        features = self.features
        counts = self.window_offsets[sentences + 1] - self.window_offsets[sentences]
        first = np.cumsum(counts) - counts
        rows = np.arange(int(counts.sum())) + np.repeat(self.window_offsets[sentences] - first, counts)
        lengths = self.window_lengths[rows]
        before, after, longest = len(features.prefix), len(features.suffix), int(lengths.max(initial=0))
        inside = np.arange(longest) < lengths[:, None]
        pieces = np.full((len(rows), before + longest + after), features.pad, np.int64)
        pieces[:, :before] = features.prefix
        pieces[:, before : before + longest][inside] = self.pieces[
            (self.window_starts[rows][:, None] + np.arange(longest))[inside]
        ]
        pieces[np.arange(len(rows))[:, None], before + lengths[:, None] + np.arange(after)] = features.suffix
        # Padding is looked up at the first place of all; what is found there does not count.
        windows = padded(self.windows, self.offsets, sentences, 0) + first[:, None]
        places = windows * pieces.shape[1] + padded(self.places, self.offsets, sentences, 0) + before
        words = self.offsets[sentences + 1] - self.offsets[sentences]
        places[np.arange(places.shape[1]) >= words[:, None]] = 0
        return PieceBatch(
            words,
            pieces,
            np.arange(pieces.shape[1]) < before + lengths[:, None] + after,
            places,
        )


class PieceFeatures:
    """Cuts words into the sub-words of a pretrained encoder and numbers them."""

    kind = "pieces"

    def __init__(
        self,
        tokenizer: str,
        *,
        window: int,
        prefix: Sequence[int],
        suffix: Sequence[int],
        pad: int,
        unknown: int,
        special: Iterable[int],
        last: bool = False,
        case: Sequence[int] = (),
    ) -> None:
        """A tokenizer, as the text of a ``tokenizer.json``, and the numbers of its special sub-words.

        ``window`` is how many sub-words the encoder reads at once, with those that stand before (``prefix``) and after
        (``suffix``) every sentence. A word that has no sub-words is ``unknown``, and so is what would be taken for a
        special one. A word is looked up at its first sub-word, or at its ``last``. If the tokenizer lowercases words,
        ``case`` has the sub-words that mark capital letters, one for each of :data:`CASES`; they stand after the word.
        """
        from tokenizers import Tokenizer

        try:
            self._tokenizer = Tokenizer.from_str(_spaced(tokenizer))
        except Exception as error:  # the library raises nothing more special
            raise ConfigError(f"not the text of a tokenizer.json: {error}") from None
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._tokenizer.encode_special_tokens = True
        self.window = window
        self.prefix = list(prefix)
        self.suffix = list(suffix)
        self.pad = pad
        self.unknown = unknown
        self.special = sorted({*special} - {unknown})
        self.last = last
        self.case = list(case)
        if self._room < 1:
            raise ConfigError(f"a window of {window} has no room for sub-words beside the special ones")

    @property
    def _room(self) -> int:
        """How many sub-words of words a window has."""
        return self.window - len(self.prefix) - len(self.suffix)

    @property
    def vocabulary_size(self) -> int:
        """How many sub-words there are: one more than the highest number."""
        return 1 + max(self._tokenizer.get_vocab(with_added_tokens=True).values(), default=0)

    def with_case(self) -> PieceFeatures:
        """Features that mark words with capital letters, if the tokenizer lowercases them.

        Unused entries of the vocabulary, which BERT and its kind have, become the markers.
        """
        small, *others = self.cut(["of", "Of", "OF"])
        if self.case or any(one != small for one in others):
            return self
        vocabulary = self._tokenizer.get_vocab(with_added_tokens=True)
        unused = [vocabulary[piece] for piece in (f"[unused{number}]" for number in range(100)) if piece in vocabulary]
        if len(unused) < len(CASES):
            raise ConfigError(
                "model.encoder.case: the tokenizer of this encoder has no unused sub-words, such as [unused0], to mark "
                "capital letters with; leave it out"
            )
        return PieceFeatures.from_json(self.to_json() | {"case": unused[: len(CASES)]})

    def known(self) -> list[str]:
        """What it knows as a whole: words, and pieces of words without the signs that mark them as such."""
        vocabulary = self._tokenizer.get_vocab(with_added_tokens=False)
        return [piece.removeprefix("##").lstrip("▁Ġ") for piece in sorted(vocabulary, key=vocabulary.__getitem__)]

    def to_json(self) -> dict[str, Any]:
        """All there is to know, as plain data."""
        return {
            "tokenizer": self._tokenizer.to_str(),
            "window": self.window,
            "prefix": self.prefix,
            "suffix": self.suffix,
            "pad": self.pad,
            "unknown": self.unknown,
            "special": self.special,
            "last": self.last,
            "case": self.case,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PieceFeatures:
        """The features that ``to_json`` described."""
        return cls(
            data["tokenizer"],
            window=data["window"],
            prefix=data["prefix"],
            suffix=data["suffix"],
            pad=data["pad"],
            unknown=data["unknown"],
            special=data["special"],
            # Folders of earlier versions do not say.
            last=data.get("last", False),
            case=data.get("case", ()),
        )

    def cut(self, words: Iterable[str]) -> list[list[int]]:
        """The numbers of the sub-words of words, each cut on its own; every word has at least one."""
        # Halves of surrogate pairs, which no tokenizer takes, become question marks.
        texts = [word.encode("utf-8", "replace").decode("utf-8") for word in words]
        numbers: list[list[int]] = []
        special = {*self.special}
        for start in range(0, len(texts), _AT_A_TIME):
            for encoded in self._tokenizer.encode_batch_fast(
                texts[start : start + _AT_A_TIME], add_special_tokens=False
            ):
                ids = encoded.ids
                if not special.isdisjoint(ids):
                    ids = [self.unknown if number in special else number for number in ids]
                numbers.append(ids or [self.unknown])
        if self.case:
            for text, ids in zip(texts, numbers, strict=True):
                if (case := case_of(text)) is not None:
                    ids.append(self.case[CASES.index(case)])
        return numbers

    def arrays(self, words: Sequence[Sequence[str]], tags: Sequence[Sequence[str]] | None = None) -> PieceArrays:
        """The sub-words of sentences; tags are not read."""
        offsets = np.cumsum([0, *map(len, words)], dtype=np.int64)
        types = Vocabulary()
        numbers = np.fromiter(map(types.number, chain.from_iterable(words)), np.int64, int(offsets[-1]))
        cut = self.cut(types)
        lengths = np.fromiter(map(len, cut), np.int64, len(cut))
        flat = np.fromiter(chain.from_iterable(cut), np.int64, int(lengths.sum()))
        return self._windows(offsets, numbers, flat, lengths)

    def _windows(self, offsets: Ints, numbers: Ints, flat: Ints, type_lengths: Ints) -> PieceArrays:
        """Lay out the sub-words of all words in windows, given those of each different word."""
        room = self._room
        lengths = type_lengths[numbers] if len(numbers) else numbers
        ends = np.cumsum(lengths)
        type_starts = (np.cumsum(type_lengths) - type_lengths)[numbers] if len(numbers) else numbers
        total = int(ends[-1]) if len(ends) else 0
        pieces = flat[np.arange(total) + np.repeat(type_starts - (ends - lengths), lengths)]

        starts = np.concatenate([[0], ends])[offsets]
        sizes = np.diff(starts)
        # Windows are spread evenly, as few as possible with at least half of each shared with the next.
        step = max(1, room // 2)
        counts = np.where(sizes > room, -((room - sizes) // step) + 1, np.minimum(sizes, 1))
        window_offsets = np.cumsum(np.concatenate([[0], counts]))
        within = np.arange(int(window_offsets[-1])) - np.repeat(window_offsets[:-1], counts)
        spread = np.repeat(np.maximum(sizes - room, 0), counts)
        window_starts = within * spread // np.maximum(np.repeat(counts, counts) - 1, 1)

        places = (ends - 1 if self.last else ends - lengths) - np.repeat(starts[:-1], np.diff(offsets))
        windows = np.zeros_like(places)
        for sentence in np.flatnonzero(counts > 1).tolist():
            inside = slice(int(offsets[sentence]), int(offsets[sentence + 1]))
            begins = window_starts[window_offsets[sentence] : window_offsets[sentence + 1]]
            # Half-way between the middles of two windows, the second becomes the nearer one.
            between = (begins[:-1] + begins[1:] + room - 1) / 2
            windows[inside] = np.searchsorted(between, places[inside])
            places[inside] -= begins[windows[inside]]
        return PieceArrays(
            self,
            offsets,
            window_offsets,
            pieces,
            window_starts + np.repeat(starts[:-1], counts),
            np.repeat(np.minimum(sizes, room), counts),
            windows,
            places,
        )


def case_of(word: str) -> str | None:
    """How a word with capital letters is written.

    >>> [case_of(word) for word in ["The", "DNA", "C", "mRNA", "McKay's", "of", "12"]]
    ['first', 'all', 'one', 'mixed', 'mixed', None, None]
    """
    letters = [letter for letter in word if letter.isalpha()]
    capitals = sum(letter.isupper() for letter in letters)
    if not capitals:
        return None
    if capitals == len(letters):
        return "all" if capitals > 1 else "one"
    return "first" if capitals == 1 and letters[0].isupper() else "mixed"


def _spaced(tokenizer: str) -> str:
    """The tokenizer as it cuts words after a space, for those that tell words with a space before them from others."""
    data = json.loads(tokenizer)
    first = data.get("pre_tokenizer") or {}
    steps = [first, *first.get("pretokenizers", [])]
    to_bytes = next((step for step in steps if step.get("type") == "ByteLevel"), None)
    # Folders of earlier versions already have spaces there.
    if any(step.get("type") == "Split" for step in steps) and to_bytes and not to_bytes.get("add_prefix_space"):
        # Every part of a word would get a space where words are split before they become bytes.
        space = {"type": "Prepend", "prepend": " "}
        others = data.get("normalizer") or {}
        if space not in others.get("normalizers", []):
            data["normalizer"] = {"type": "Sequence", "normalizers": [space, *([others] if others else [])]}
        return json.dumps(data, ensure_ascii=False)
    for step in steps:
        if step.get("type") == "ByteLevel":
            step["add_prefix_space"] = True
        elif step.get("type") == "Metaspace":
            step["prepend_scheme"] = "always"
    return json.dumps(data, ensure_ascii=False)
