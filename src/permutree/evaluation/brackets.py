"""Brackets of many sentences at once: what is scored, and which brackets of the two sides are the same.

A bracket is a label over a set of words. Each word of a sentence has a random 64-bit number, and the number of a set is
the sum of those of its words; in the arrangement every constituent is a span, so that all these sums come out of one
running sum. Two different sets have the same number with a probability of 2⁻⁶⁴.

Words that the parameters delete are taken out of both sides, as the gold side says; the rest close ranks, and only then
is a bracket continuous or not. A bracket without words is none. The same bracket can occur more than once (unary
chains), and then counts as often on each side as it occurs there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain

import numpy as np
import numpy.typing as npt

from permutree.evaluation.parameters import Parameters
from permutree.trees.batch import TreeBatch

__all__ = ["Brackets", "Names", "Words", "join", "match", "score_brackets", "score_words"]

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Hashes = npt.NDArray[np.uint64]

#: elements that a step may spread out in memory at once
_CHUNK = 1 << 21


class Names:
    """Numbers for the names (labels or tags) of both sides, the same on each."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        """The number of a name, which gets the next one if it is new."""
        number = self._numbers.setdefault(name, len(self.names))
        if number == len(self.names):
            self.names.append(name)
        return number

    def numbers(self, names: Iterable[str]) -> Ints:
        """The numbers of some names."""
        return np.fromiter(map(self.number, names), dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Brackets:
    """The brackets of one side, sentence by sentence, each in preorder."""

    sentence: Ints
    #: the constituent in its tree
    node: Ints
    label: Ints
    #: the label of the parent; -1 for a root
    parent: Ints
    #: the number of the set of words
    leaves: Hashes
    blocks: Ints
    #: the bracket of the other side that is the same as this one; -1 if there is none (left)
    partner: Ints

    def __len__(self) -> int:
        """The number of brackets."""
        return len(self.sentence)

    @property
    def is_matched(self) -> Bools:
        """Whether the other side has the bracket too."""
        return self.partner >= 0

    @property
    def is_discontinuous(self) -> Bools:
        """Whether the words of the bracket, after deletion, have a gap."""
        return self.blocks > 1

    def select(self, chosen: Bools) -> Brackets:
        """Some of the brackets; partners go by their numbers in the whole still."""
        return Brackets(*(getattr(self, field.name)[chosen] for field in fields(self)))


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The words of the gold side, sentence by sentence."""

    #: the first word of each sentence, and the number of words
    offsets: Ints
    is_kept: Bools
    counts_for_length: Bools
    gold_tag: Ints
    #: -1 where there is no prediction
    predicted_tag: Ints


def score_words(gold: TreeBatch, predicted: TreeBatch, prediction: Ints, parameters: Parameters, tags: Names) -> Words:
    """Which words count, and both tags of each; ``prediction`` is the predicted tree of each gold tree, or -1."""
    offsets = gold.word_offsets.astype(np.int64)
    lengths = np.diff(offsets)
    numbers = _tag_numbers(gold.tags, parameters, tags)
    plain = np.array(tags.names, dtype=object)
    deleted = np.array([name in parameters.delete_labels for name in plain], dtype=np.bool_)
    skipped = np.array([name in parameters.delete_labels_for_length for name in plain], dtype=np.bool_)
    names = parameters.delete_words | {_unescape(word) for word in parameters.delete_words}
    words = {word for word in names if parameters.deletes_word(word)}
    is_word_deleted = np.fromiter(map(words.__contains__, chain.from_iterable(gold.words)), np.bool_, len(numbers))
    is_kept = ~(is_word_deleted | deleted[numbers])
    if parameters.delete_root_words:
        is_kept &= ~_hangs_from_root(gold)
    other = np.full(len(numbers), -1, dtype=np.int64)
    is_present = np.repeat(prediction >= 0, lengths)
    predicted_tags = [predicted.tags[number] for number in prediction.tolist() if number >= 0]
    other[is_present] = _tag_numbers(predicted_tags, parameters, tags)
    return Words(offsets, is_kept, ~skipped[numbers], numbers, other)


def _tag_numbers(tags: Sequence[Sequence[str]], parameters: Parameters, names: Names) -> Ints:
    table = {tag: names.number(parameters.plain(tag)) for tag in dict.fromkeys(chain.from_iterable(tags))}
    return np.fromiter(map(table.__getitem__, chain.from_iterable(tags)), dtype=np.int64)


def _unescape(word: str) -> str:
    return word.replace("-LRB-", "(").replace("-RRB-", ")")


def _hangs_from_root(forest: TreeBatch) -> Bools:
    """Whether each word stands under no constituent but the root."""
    firsts = np.repeat(forest.word_offsets[:-1], np.diff(forest.node_offsets))
    changes = np.bincount(firsts + forest.starts, minlength=len(forest.order) + 1)
    changes -= np.bincount(firsts + forest.ends, minlength=len(forest.order) + 1)
    depths = np.empty(len(forest.order), dtype=np.int64)
    words = forest.order + np.repeat(forest.word_offsets[:-1], np.diff(forest.word_offsets))
    depths[words] = np.cumsum(changes)[:-1]
    return depths <= 1


def score_brackets(
    gold: TreeBatch, predicted: TreeBatch, prediction: Ints, words: Words, parameters: Parameters, labels: Names
) -> tuple[Brackets, Brackets]:
    """The brackets of both sides, matched; ``prediction`` is the predicted tree of each gold tree, or -1."""
    pairs = np.arange(len(gold), dtype=np.int64)
    of_prediction = np.full(len(predicted), -1, dtype=np.int64)
    of_prediction[prediction[prediction >= 0]] = pairs[prediction >= 0]
    return match(
        _brackets(gold, pairs, words, parameters, labels),
        _brackets(predicted, of_prediction, words, parameters, labels),
        len(labels.names),
    )


def _brackets(forest: TreeBatch, pairs: Ints, words: Words, parameters: Parameters, labels: Names) -> Brackets:
    """The brackets of a forest; ``pairs`` says which sentence of ``words`` each of its trees is about."""
    node_counts, word_counts = np.diff(forest.node_offsets), np.diff(forest.word_offsets)
    word = forest.order + np.repeat(words.offsets[pairs], word_counts)
    is_kept = words.is_kept[word]
    index = np.cumsum(words.is_kept) - 1
    positions = index[word[is_kept]]
    kept_before = _running_sum(is_kept.astype(np.int64))
    hashes_before = _running_sum(np.where(is_kept, _word_hashes(forest)[forest.order], np.uint64(0)))
    first_words = np.repeat(forest.word_offsets[:-1].astype(np.int64), node_counts)
    starts, ends = first_words + forest.starts, first_words + forest.ends
    numbers = labels.numbers(map(parameters.canonical, forest.vocabulary))
    is_deleted = np.array([parameters.is_deleted(label) for label in forest.vocabulary], dtype=np.bool_)
    label = numbers[forest.labels]
    parents = _parents(forest, starts, ends)
    chosen = np.flatnonzero((kept_before[ends] > kept_before[starts]) & ~is_deleted[forest.labels])
    starts, ends, parents = starts[chosen], ends[chosen], parents[chosen]
    return Brackets(
        sentence=np.repeat(pairs, node_counts)[chosen],
        node=chosen - np.repeat(forest.node_offsets[:-1].astype(np.int64), node_counts)[chosen],
        label=label[chosen],
        parent=np.where(parents >= 0, label[parents], -1),
        leaves=hashes_before[ends] - hashes_before[starts],
        blocks=_count_blocks(positions, kept_before[starts], kept_before[ends]),
        partner=np.full(len(chosen), -1, dtype=np.int64),
    )


def _running_sum(values: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
    """The sum of all values before each, and of all."""
    sums = np.zeros(len(values) + 1, dtype=values.dtype)
    np.cumsum(values, out=sums[1:])
    return sums


def _word_hashes(forest: TreeBatch) -> Hashes:
    """A random number for every index that a word can have."""
    longest = int(np.diff(forest.word_offsets).max(initial=0))
    return np.random.default_rng(0x7E33).integers(0, 1 << 64, longest, dtype=np.uint64)


def _parents(forest: TreeBatch, starts: Ints, ends: Ints) -> Ints:
    """The parent of each constituent, -1 for roots.

    Of the constituents before one in preorder, those that are no ancestors have ended before it starts; so its depth
    is found by counting, and its parent is the last one before it that is one level up.
    """
    size = len(starts)
    trees = np.repeat(np.arange(len(forest), dtype=np.int64), np.diff(forest.node_offsets))
    # One position more for each tree keeps the end of a tree apart from the start of the next.
    ended = np.cumsum(np.bincount(ends + trees, minlength=len(forest.order) + len(forest) + 1))
    numbers = np.arange(size, dtype=np.int64)
    depths = numbers - ended[starts + trees]
    keys = depths * size + numbers
    by_depth = np.argsort(depths, kind="stable")
    above = np.searchsorted(keys[by_depth], keys - size) - 1
    return np.where(depths > 0, by_depth[above], -1)


def _count_blocks(positions: Ints, starts: Ints, ends: Ints) -> Ints:
    """The number of blocks of each span of an arrangement.

    ``positions`` are the places of the arranged words in their sentences, counted through over all sentences.
    """
    blocks = np.ones(len(starts), dtype=np.int64)
    if not len(starts):
        return blocks
    bounds = np.stack([starts, ends], axis=1).ravel()
    padded = np.append(positions, 0)
    spread = np.maximum.reduceat(padded, bounds)[::2] - np.minimum.reduceat(padded, bounds)[::2] + 1
    gapped = np.flatnonzero(spread != ends - starts)
    if not len(gapped):
        return blocks
    # A block starts with each word whose left neighbour is outside the span.
    place = np.full(int(positions.max()) + 2, -1, dtype=np.int64)
    place[positions + 1] = np.arange(len(positions))
    neighbours = place[positions]
    sizes = ends[gapped] - starts[gapped]
    for first, last in _chunks(sizes):
        part, lengths = gapped[first:last], sizes[first:last]
        owners = np.repeat(np.arange(len(part)), lengths)
        offsets = np.arange(len(owners)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        beside = neighbours[starts[part][owners] + offsets]
        is_first = (beside < starts[part][owners]) | (beside >= ends[part][owners])
        blocks[part] = np.bincount(owners[is_first], minlength=len(part))
    return blocks


def _chunks(sizes: Ints) -> Iterable[tuple[int, int]]:
    """Ranges of items that together are not larger than a chunk, or single items."""
    totals = np.cumsum(sizes)
    first = 0
    while first < len(sizes):
        before = int(totals[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(totals, before + _CHUNK, side="right")))
        yield first, last
        first = last


def match(gold: Brackets, predicted: Brackets, label_count: int) -> tuple[Brackets, Brackets]:
    """Both sides with the partners found: the first of the same brackets with the first, and so on."""
    keys = [side.sentence * label_count + side.label for side in (gold, predicted)]
    partners = join(keys, [gold.leaves, predicted.leaves])
    return replace(gold, partner=partners[0]), replace(predicted, partner=partners[1])


def join(keys: Sequence[Ints], leaves: Sequence[Hashes]) -> tuple[Ints, Ints]:
    """Pair the items of two sides that have the same key and leaves, in their order; -1 for those left over."""
    size, total = len(keys[0]), len(keys[0]) + len(keys[1])
    if not total:
        return keys[0], keys[1]
    key, leaf = np.concatenate(keys), np.concatenate(leaves)
    # The sort is stable: in each group the items of the first side come before those of the second.
    order = np.lexsort((leaf, key))
    is_new = np.ones(total, dtype=np.bool_)
    is_new[1:] = (np.diff(key[order]) != 0) | (leaf[order][1:] != leaf[order][:-1])
    group = np.cumsum(is_new) - 1
    group_start = np.flatnonzero(is_new)
    is_first_side = order < size
    counts = np.bincount(group[is_first_side], minlength=len(group_start))
    others = np.diff(np.append(group_start, total)) - counts
    rank = np.arange(total) - group_start[group]
    is_paired = is_first_side & (rank < others[group])
    lefts = order[is_paired]
    rights = order[(np.arange(total) + counts[group])[is_paired]]
    partners = np.full(total, -1, dtype=np.int64)
    partners[lefts] = rights - size
    partners[rights] = lefts
    return partners[:size], partners[size:]
