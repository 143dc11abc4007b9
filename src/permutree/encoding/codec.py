"""Trees to labels and back, in batches: the components of the labels as arrays of numbers, with vocabularies.

The codec joins the parts: :mod:`~permutree.encoding.constituents` for levels, shared labels and unary chains, and one
of :mod:`~permutree.encoding.permutations` for the permutation. Arrays run over the words of all sentences, one sentence
after the other; labels stand at their words.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, dropwhile, islice, pairwise
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from permutree.encoding.chains import Chains, ChainValues
from permutree.encoding.constituents import NOTHING, describe
from permutree.encoding.decoding import decode_batch
from permutree.encoding.labels import COMPONENTS, Decoded, Label, Labels, Scores
from permutree.encoding.levels import (
    LevelKind,
    LevelScale,
    absolute_symbol,
    is_written_absolutely,
    parse_level,
)
from permutree.encoding.permutations import Permutation, Symbol, permutation_named
from permutree.encoding.repairs import Repairs, Spelling
from permutree.encoding.tagsets import Tagset, guess_tagset, tagset_named
from permutree.encoding.vocabulary import UNKNOWN, UNKNOWN_TEXT, Vocabulary
from permutree.errors import TreeError
from permutree.trees.batch import Bools, Ints, TreeBatch
from permutree.trees.tree import Tree

__all__ = ["BATCH", "Codec", "Constituents"]

#: how often, for each root, a label of roots may be missing or stand elsewhere, by mistake, if only roots have such
_SLIPS = 0.01
#: How many sentences are worked on at once: enough to make array operations cheap, few enough to stay in the cache.
BATCH = 2048


@dataclass(frozen=True, slots=True, eq=False)
class Constituents:
    """The constituents of a batch: as labels, by position in the arrangement, and those over several words as spans."""

    levels: Ints
    shared: Ints
    unary: Ints
    #: first position and the one behind the last, unary chains as one constituent, in preorder
    starts: Ints
    ends: Ints
    #: the constituent that owns the boundary behind each position; means nothing at last positions
    owners: Ints
    #: the value of the shared label of each
    labels: Ints


class Codec:
    """Encodes and decodes batches of trees.

    Vocabularies that are not given start empty and grow with what is encoded; :meth:`fit` makes a codec with the values
    of a training set and closes them.

    >>> trees = [Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")]
    >>> codec = Codec("pointer")
    >>> labels = codec.encode(trees)
    >>> labels.permutation, codec.permutation
    (array([0, 0, 0, 1], dtype=int32), Vocabulary(['NEXT', '-1 WRB']))
    >>> forest, repairs = codec.decode(labels, [trees[0].words], [trees[0].tags])
    >>> list(forest.trees()) == trees, repairs
    (True, [])
    """

    def __init__(
        self,
        encoding: str = "pointer",
        *,
        level_scale: LevelScale = "relative",
        tagset: Tagset | str | None = None,
        root: str = "ROOT",
        tops: Iterable[str] = (),
        closing: Mapping[str, float] | Iterable[str] = (),
        vocabularies: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        """A codec for one of the encodings.

        ``level_scale`` says how levels are written: relative to the word before, absolute, or mixed.
        ``tagset`` gives the coarse tags of pointer-simplified; without it, it is guessed from the first tags met.
        ``root`` is the label of a root that no word labels, ``tops`` are the labels of all roots, also those over one
        word, if only roots have these, and ``closing`` are the words that, as the last of a sentence, are the last of
        its arrangement, with what that may cost (:func:`permutree.encoding.final_punctuation.closing_words`).
        """
        self.encoding = encoding
        if level_scale not in get_args(LevelScale):
            raise TreeError(f"levels are written {', '.join(get_args(LevelScale))}, not {level_scale!r}")
        self.level_scale = level_scale
        self.root = root
        self.tops = tuple(tops)
        self.closing = {**closing} if isinstance(closing, Mapping) else dict.fromkeys(closing, math.inf)
        self.tagset = tagset_named(tagset) if isinstance(tagset, str) else tagset
        self.symbols = self._make_permutation()
        given = vocabularies or {}
        self.levels = Vocabulary(given.get("levels", ()), is_closed="levels" in given)
        self.shared = Vocabulary(given.get("shared", ()), is_closed="shared" in given)
        self.unary = Vocabulary(given.get("unary", ()), is_closed="unary" in given)
        self.permutation = Vocabulary(given.get("permutation", ()), is_closed="permutation" in given)
        self.chains = Chains()
        self.shared_chains = ChainValues(self.chains, self.shared)
        self.unary_chains = ChainValues(self.chains, self.unary)
        self.spelling = Spelling({component: getattr(self, component) for component in COMPONENTS}, self.chains)
        self._level_table = np.zeros(0, np.int8), np.zeros(0, np.int32)
        self._topped = np.zeros(0, np.int32), np.zeros(0, np.int32)
        self._symbol_table: tuple[list[Symbol], Bools, Bools] = [], np.zeros(0, bool), np.zeros(0, bool)
        self._symbol_numbers: dict[Symbol, int] = {}

    def _make_permutation(self) -> Permutation:
        kind = permutation_named(self.encoding)
        return kind(self.tagset if kind.needs_tagset else None)

    @classmethod
    def fit(cls, trees: TreeBatch | Iterable[Tree], encoding: str = "pointer", **options: Any) -> Codec:
        """A codec with the values of some trees, which are all it will ever use.

        Values are sorted by how often they occur, and ``root`` is the most frequent label of a root.
        """
        forest = trees if isinstance(trees, TreeBatch) else TreeBatch.from_trees(trees)
        codec = cls(encoding, **options)
        labels = codec.encode(forest)
        counts: dict[str, Counter[str]] = {}
        for component in COMPONENTS:
            values: Vocabulary = getattr(codec, component)
            found = np.bincount(getattr(labels, component), minlength=len(values)).tolist()
            counts[component] = Counter(dict(zip(values, found, strict=True)))
        names = [forest.vocabulary[label] for label in forest.labels.tolist()]
        # The first constituent of a sentence is its root; a sentence of one word need not have any.
        bounds = list(pairwise(forest.node_offsets.tolist()))
        sizes = np.diff(forest.word_offsets).tolist()
        roots = Counter(names[first] for (first, _), size in zip(bounds, sizes, strict=True) if size > 1)
        alone = Counter(
            tuple(names[first : min(first + 1, last)])
            for (first, last), size in zip(bounds, sizes, strict=True)
            if size == 1
        )
        others = Counter(names) - Counter(names[first] for first, last in bounds if last > first)
        if roots and "root" not in options:
            codec.root = max(roots, key=lambda label: (roots[label], label))
        slips = sum(others[label] for label in roots)
        slips += sum(count for root, count in alone.items() if not roots.keys() & root)
        vocabularies = {
            component: sorted(counter, key=lambda value: (-counter[value], value))
            for component, counter in counts.items()
        }
        if (fixed := codec.symbols.fixed_values()) is not None:
            vocabularies["permutation"] = fixed
        return cls(
            encoding,
            level_scale=codec.level_scale,
            tagset=codec.tagset,
            root=codec.root,
            closing=codec.closing,
            tops=sorted(roots) if slips <= _SLIPS * roots.total() else (),
            vocabularies=vocabularies,
        )

    def to_json(self) -> dict[str, Any]:
        """All of the codec as plain data, for a model folder."""
        tagset = self.tagset and {
            "name": self.tagset.name,
            "table": self.tagset.table,
            "until_hyphen": self.tagset.until_hyphen,
        }
        return {
            "encoding": self.encoding,
            "level_scale": self.level_scale,
            "tagset": tagset,
            "root": self.root,
            "tops": list(self.tops),
            "closing": sorted(word for word, most in self.closing.items() if most == math.inf),
            "often_closing": {word: most for word, most in sorted(self.closing.items()) if most < math.inf},
            "vocabularies": {component: list(getattr(self, component)) for component in COMPONENTS},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Codec:
        """The codec that ``to_json`` described; what it does not know is left alone."""
        settings = {name: data[name] for name in cls("absolute").to_json() if name in data}
        settings["closing"] = dict.fromkeys(settings.get("closing", ()), math.inf) | settings.pop("often_closing", {})
        if settings["tagset"] is not None:
            settings["tagset"] = Tagset(**settings["tagset"])
        return cls(**settings)

    def encode(self, trees: TreeBatch | Iterable[Tree]) -> Labels:
        """The labels of trees."""
        if isinstance(trees, TreeBatch):
            return self._encode(trees.canonicalise())
        parts = [self._encode(TreeBatch.from_trees(batch)) for batch in _batches(trees)]
        if len(parts) == 1:
            return parts[0]
        components = (
            np.concatenate([np.zeros(0, np.int32), *(getattr(part, component) for part in parts)])
            for component in COMPONENTS
        )
        return Labels(_join_offsets([part.word_offsets for part in parts]), *components)

    def _encode(self, forest: TreeBatch) -> Labels:
        """The labels of a batch of canonical trees."""
        offsets = forest.word_offsets
        found = self.encode_constituents(forest)
        places = np.repeat(offsets[:-1], np.diff(offsets)) + forest.order
        levels, shared, unary = (_scatter(values, places) for values in (found.levels, found.shared, found.unary))
        return Labels(offsets, levels, shared, unary, self.encode_permutation(forest))

    def encode_constituents(self, forest: TreeBatch) -> Constituents:
        """The constituents of a batch of canonical trees as n, x and u, and as spans."""
        size = len(forest.order)
        chains, starts, ends = self._collapse(forest, *_spans(forest))
        is_over_word = ends - starts == 1
        unary = np.zeros(size, np.int32)
        unary[starts[is_over_word]] = chains[is_over_word]
        is_over_many = ~is_over_word
        chains, starts, ends = chains[is_over_many], starts[is_over_many], ends[is_over_many]
        levels, owners = describe(starts, ends, size)
        shared = chains[owners] if len(chains) else np.zeros(size, np.int32)
        lasts = forest.word_offsets[1:] - 1
        shared[lasts] = 0
        return Constituents(
            self._number_levels(levels, lasts),
            self.shared_chains.values(shared),
            self.unary_chains.values(unary),
            starts,
            ends,
            owners,
            self.shared_chains.values(chains),
        )

    def _collapse(self, forest: TreeBatch, starts: Ints, ends: Ints, is_lower: Bools) -> tuple[Ints, Ints, Ints]:
        """Unary chains of constituents as one each."""
        names = np.array([self.chains.labels.number(label) for label in forest.vocabulary], np.int32)
        labels = names[forest.labels] if len(names) else forest.labels
        chains = self.chains.of_single()[labels] if len(names) else labels
        lower = np.flatnonzero(is_lower)
        if not len(lower):
            return chains, starts, ends
        heads = np.maximum.accumulate(np.where(is_lower, 0, np.arange(len(starts))))[lower]
        depths = lower - heads
        for depth in range(1, int(depths.max()) + 1):
            here = depths == depth
            chains[heads[here]] = self.chains.extend_all(chains[heads[here]], labels[lower[here]])
        is_head = ~is_lower
        return chains[is_head], starts[is_head], ends[is_head]

    def _number_levels(self, levels: Ints, lasts: Ints) -> Ints:
        """The vocabulary's numbers for levels."""
        numbers = levels if self.level_scale == "absolute" else np.diff(levels, prepend=np.int32(0))
        # what stands at last positions is no level
        is_number = np.ones(len(levels), bool)
        is_number[lasts] = False
        near = np.zeros(0, np.intp)
        if self.level_scale == "mixed":
            near = np.flatnonzero(is_number & is_written_absolutely(levels, numbers))
            is_number[near] = False
        lowest = int(numbers.min(initial=0))
        is_there = np.bincount(numbers - lowest).astype(bool)
        is_needed = np.bincount(numbers[is_number] - lowest, minlength=len(is_there)).astype(bool)
        table = np.full(len(is_there), UNKNOWN, np.int32)
        for number in np.flatnonzero(is_needed).tolist():
            table[number] = self.levels.number(str(number + lowest))
        values = table[numbers - lowest]
        for level in np.unique(levels[near]).tolist():
            values[near[levels[near] == level]] = self.levels.number(absolute_symbol(level))
        values[lasts] = self.levels.number(NOTHING)
        return values

    def encode_permutation(self, forest: TreeBatch) -> Ints:
        """The permutation symbols of a batch of canonical trees."""
        self._settle_tagset(forest.tags)
        plain = self.permutation.number(self.symbols.plain)
        values = np.full(len(forest.order), plain, np.int32)
        numbers = self._symbol_numbers
        for sentence in np.flatnonzero(forest.moved).tolist():
            first, last = forest.word_offsets[sentence : sentence + 2].tolist()
            symbols = self.symbols.encode(forest.order[first:last].tolist(), forest.tags[sentence])
            for symbol in symbols:
                if symbol not in numbers:
                    numbers[symbol] = self.permutation.number(self.symbols.format(symbol))
            values[first:last] = [numbers[symbol] for symbol in symbols]
        return values

    def _settle_tagset(self, tags: Iterable[Sequence[str]]) -> None:
        """Guess the tagset of an encoding that needs one, if none was given, from the first tags met."""
        if self.symbols.needs_tagset and self.tagset is None:
            self.tagset = guess_tagset(chain.from_iterable(tags))
            self.symbols = self._make_permutation()

    def texts(self, labels: Labels) -> Iterator[list[Label]]:
        """The labels of each sentence as text."""
        columns = [
            [values[number] if 0 <= number < len(values) else UNKNOWN_TEXT for number in numbers.tolist()]
            for values, numbers in ((getattr(self, name), getattr(labels, name)) for name in COMPONENTS)
        ]
        rows = map(Label, *columns)
        for length in np.diff(labels.word_offsets).tolist():
            yield list(islice(rows, length))

    def numbers(self, sentences: Iterable[Sequence[Sequence[str]]]) -> Labels:
        """Labels given as text."""
        sentences = list(sentences)
        offsets = np.cumsum([0, *map(len, sentences)], dtype=np.int32)
        rows = list(chain.from_iterable(sentences))
        columns = (
            np.fromiter((number(row[index]) for row in rows), np.int32, len(rows))
            for index, number in enumerate(getattr(self, name).number for name in COMPONENTS)
        )
        return Labels(offsets, *columns)

    def decode(
        self,
        labels: Labels,
        words: Sequence[Sequence[str]],
        tags: Sequence[Sequence[str]],
        scores: Scores | None = None,
    ) -> Decoded:
        """The trees of any labels whatever, and what had to be repaired; gold labels need no repair.

        With scores, an impossible symbol gives way to the best possible one instead of a default.
        """
        self._check_lengths(labels, words, tags)
        self._settle_tagset(tags)
        offsets = labels.word_offsets
        parts = []
        for first in range(0, max(len(labels), 1), BATCH):
            last = min(first + BATCH, len(labels))
            begin, end = int(offsets[first]), int(offsets[last])
            batch = Labels(
                offsets[first : last + 1] - offsets[first],
                *(getattr(labels, component)[begin:end] for component in COMPONENTS),
            )
            batch_scores = scores.rows(begin, end) if scores else None
            parts.append(decode_batch(self, batch, words[first:last], tags[first:last], batch_scores, first))
        if len(parts) == 1:
            return parts[0]
        return Decoded(
            TreeBatch.join([part.forest for part in parts]),
            Repairs.join([part.repairs for part in parts], self.spelling),
        )

    def _check_lengths(self, labels: Labels, words: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]) -> None:
        lengths = np.diff(labels.word_offsets)
        for what, given in (("words", words), ("tags", tags)):
            if len(given) != len(lengths):
                raise TreeError(f"labels of {len(lengths)} sentences, but {what} of {len(given)}")
            counts = np.fromiter(map(len, given), np.int32, len(given))
            for sentence in np.flatnonzero((counts != lengths) | (counts == 0))[:1].tolist():
                if not counts[sentence]:
                    raise TreeError(f"sentence {sentence} has no words")
                raise TreeError(f"sentence {sentence}: {lengths[sentence]} labels, but {counts[sentence]} {what}")

    def level_table(self) -> tuple[npt.NDArray[np.int8], Ints]:
        """For each value of the levels its kind and number; one more for unknown ones."""
        if len(self._level_table[0]) != len(self.levels) + 1:
            parsed = [parse_level(text, absolute=self.level_scale == "absolute") for text in self.levels]
            parsed.append((LevelKind.INVALID, 0))
            kinds, numbers = zip(*parsed, strict=True)
            self._level_table = np.array(kinds, np.int8), np.array(numbers, np.int32)
        return self._level_table

    def topped(self) -> tuple[Ints, Ints]:
        """For each chain, what it is over a whole sentence, and what it is elsewhere.

        Labels that only roots have go from the upper ends of others, and a root that has none gets one.
        """
        if len(self._topped[0]) == len(self.chains):
            return self._topped
        as_root = np.arange(len(self.chains), dtype=np.int32)
        elsewhere = as_root.copy()
        tops = [self.chains.labels.number(label) for label in self.tops]
        lengths, firsts, labels = self.chains.arrays()
        for number in np.flatnonzero(lengths).tolist():
            own = labels[firsts[number] : firsts[number] + lengths[number]].tolist()
            if own[0] in tops:
                elsewhere[number] = self._extended(0, dropwhile(tops.__contains__, own))
            else:
                as_root[number] = self._extended(self.chains.number((self.root,)), own)
        self._topped = as_root, elsewhere
        return self._topped

    def _extended(self, chain: int, labels: Iterable[int]) -> int:
        """The number of a chain with more labels at its lower end."""
        for label in labels:
            chain = self.chains.extend(chain, label)
        return chain

    def symbol_table(self) -> tuple[list[Symbol], Bools, Bools]:
        """For each value of the permutation its symbol, whether it is the plain one, and whether it is malformed.

        The symbol of a malformed value is the plain one, too. There is one more value, malformed, for unknown ones.
        """
        if len(self._symbol_table[0]) != len(self.permutation) + 1:
            parsed = [*map(self.symbols.parse, self.permutation), UNKNOWN_TEXT]
            is_plain = np.array([symbol == self.symbols.plain_symbol for symbol in parsed])
            is_malformed = np.array([isinstance(symbol, str) for symbol in parsed])
            symbols = [self.symbols.plain_symbol if isinstance(symbol, str) else symbol for symbol in parsed]
            self._symbol_table = symbols, is_plain, is_malformed
        return self._symbol_table


def _batches(trees: Iterable[Tree]) -> Iterator[list[Tree]]:
    trees = iter(trees)
    yield list(islice(trees, BATCH))
    while batch := list(islice(trees, BATCH)):
        yield batch


def _spans(forest: TreeBatch) -> tuple[Ints, Ints, Bools]:
    """Where constituents start and end, counted over all sentences, and which are below another with the same words."""
    bases = np.repeat(forest.word_offsets[:-1], np.diff(forest.node_offsets))
    starts, ends = forest.starts + bases, forest.ends + bases
    is_lower = np.zeros(len(starts), bool)
    is_lower[1:] = (starts[1:] == starts[:-1]) & (ends[1:] == ends[:-1])
    return starts, ends, is_lower


def _scatter(values: Ints, places: Ints) -> Ints:
    scattered = np.empty_like(values)
    scattered[places] = values
    return scattered


def _join_offsets(parts: Sequence[Ints]) -> Ints:
    lengths = np.concatenate([np.diff(part) for part in parts])
    return np.cumsum(np.append(np.int32(0), lengths), dtype=np.int32)
