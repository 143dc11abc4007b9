"""Decoding a batch of labels, whatever they are, into one well-formed tree per sentence.

It goes from the words to the arrangement and from there to constituents: which word is last, the permutation, the
levels, the constituents they speak of, their labels. Each step finds by array operations where something is wrong,
repairs it and goes on; what was repaired is told at the end, by comparing the labels with those that the result has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from permutree.encoding.constituents import NOTHING, Brackets, brackets_of, describe
from permutree.encoding.labels import Decoded, Floats, Labels, Scores
from permutree.encoding.levels import LevelKind, compress, resolve, resolve_sentence
from permutree.encoding.permutations.base import Change, Ranked, Symbol
from permutree.encoding.repairs import CODES, MOVED, NO_LEVEL, Kind, Repairs
from permutree.encoding.vocabulary import UNKNOWN
from permutree.trees.batch import Bools, Ints, TreeBatch

if TYPE_CHECKING:
    from permutree.encoding.codec import Codec

__all__ = ["decode_batch", "make_batch", "out_of_order", "rooted", "sums_by_owner"]


def decode_batch(
    codec: Codec,
    labels: Labels,
    words: Sequence[Sequence[str]],
    tags: Sequence[Sequence[str]],
    scores: Scores | None = None,
    first_sentence: int = 0,
) -> Decoded:
    """The trees of a batch and the repairs, whose sentences are counted from ``first_sentence``."""
    return _Batch(codec, labels, words, tags, scores, first_sentence).decode()


class _Batch:
    """The state of decoding: arrays over words (``at words``) or positions in the arrangement."""

    def __init__(
        self,
        codec: Codec,
        labels: Labels,
        words: Sequence[Sequence[str]],
        tags: Sequence[Sequence[str]],
        scores: Scores | None,
        first_sentence: int,
    ) -> None:
        self.codec, self.labels, self.words, self.tags, self.scores = codec, labels, words, tags, scores
        self.first_sentence = first_sentence
        self.offsets = labels.word_offsets
        self.starts = self.offsets[:-1]
        self.lengths = np.diff(self.offsets)
        self.bases = np.repeat(self.starts, self.lengths)
        #: component by component, rows of numbers: code, place, what it was, what it became
        self.repairs: list[Ints] = []
        #: of the permutation: code, place and what a symbol became; code, word and the two positions of a last word
        self.changed: list[tuple[int, int, int]] = []
        self.moved: list[tuple[int, int, int, int]] = []
        #: sentences in which levels or shared labels need repair
        self.is_bad = np.zeros(len(self.lengths), bool)

    def decode(self) -> Decoded:
        """All the steps."""
        if not len(self.lengths):
            empty = np.zeros(0, np.int32)
            fields = (self.offsets, empty, self.offsets, empty, empty, empty, self.codec.chains.labels.values)
            return Decoded(TreeBatch(self.words, self.tags, *fields, is_canonical=True), self._repairs())
        self._read_levels()
        lasts = self._choose_lasts()
        order, is_moved = self._arrange(lasts)
        at_words = self.bases + order
        levels = self._levels(at_words)
        brackets = brackets_of(levels)
        chains = self._label(levels, brackets, at_words)
        is_kept = chains > 0
        unary = self._unary(at_words)
        starts, ends = brackets.starts, brackets.ends
        if not is_kept.all():
            starts, ends, chains = starts[is_kept], ends[is_kept], chains[is_kept]
        if self.is_bad.any():
            self._tell(at_words, starts, ends, chains)
        forest = make_batch(self.codec, self.words, self.tags, self.offsets, order, (starts, ends, chains), unary)
        if is_moved.any():
            forest = forest.canonicalise(self._out_of_order(order, is_moved, brackets, is_kept))
        else:
            forest = forest.canonicalise(np.zeros(0, np.int32))
        return Decoded(forest, self._repairs())

    def _read_levels(self) -> None:
        """What the symbols for levels say, at words."""
        kinds, numbers = self.codec.level_table()
        values = _known(self.labels.levels, len(kinds) - 1)
        self.level_kinds, self.level_numbers = kinds[values], numbers[values]

    def _choose_lasts(self) -> Ints:
        """The last word of each arrangement; -1 where no word says that it is, and the permutation is to decide.

        Of several words that are marked the last one counts. With scores, it is the word for which being last costs
        least, whether too many are marked or none.
        """
        if self.codec.symbols.decides_last:
            return np.full(len(self.lengths), -1, np.int32)
        is_last = self.level_kinds == LevelKind.LAST
        marked = np.flatnonzero(is_last).astype(np.int32)
        if len(marked) == len(self.lengths):
            lasts = marked - self.starts
            if ((lasts >= 0) & (lasts < self.lengths)).all():
                return lasts
        counts = np.add.reduceat(is_last, self.starts, dtype=np.int32)
        positions = np.arange(len(is_last), dtype=np.int32) - self.bases
        lasts = np.maximum.reduceat(np.where(is_last, positions, np.int32(-1)), self.starts)
        self.is_bad |= counts != 1
        if self.scores and self.scores.levels is not None and NOTHING in self.codec.levels:
            kinds = self.codec.level_table()[0][:-1]
            is_level = kinds < LevelKind.LAST
            last = self.codec.levels.number(NOTHING)
            for sentence in np.flatnonzero(counts != 1).tolist() if is_level.any() else ():
                rows = self.scores.levels[self.offsets[sentence] : self.offsets[sentence + 1]]
                lasts[sentence] = int((rows[:, last] - rows[:, is_level].max(1)).argmax())
        return lasts

    def _arrange(self, lasts: Ints) -> tuple[Ints, Bools]:
        """The arrangements, and in which sentences there may be a word that moves."""
        symbols, is_plain, is_malformed = self.codec.symbol_table()
        values = _known(self.labels.permutation, len(symbols) - 1)
        is_moved = np.logical_or.reduceat(~is_plain[values], self.starts)
        is_moved |= (lasts != self.lengths - 1) & (lasts >= 0)
        order = np.arange(len(values), dtype=np.int32) - self.bases
        if not is_moved.any():
            return order, is_moved
        malformed: dict[int, list[int]] = {}  # words, by the start of their sentence
        places = np.flatnonzero(is_malformed[values])
        for first, word in zip(self.bases[places].tolist(), order[places].tolist(), strict=True):
            malformed.setdefault(first, []).append(word)
        is_here = np.repeat(is_moved, self.lengths)
        given = [symbols[value] for value in values[is_here].tolist()]
        arranged: list[int] = []
        sentences = np.flatnonzero(is_moved)
        columns = (sentences, self.starts[sentences], self.lengths[sentences], lasts[sentences])
        for sentence, first, length, last in zip(*(column.tolist() for column in columns), strict=True):
            own = given[len(arranged) : len(arranged) + length]
            arranged += self._arrange_sentence(sentence, first, own, malformed.get(first, ()), last)
        order[is_here] = arranged
        self._add_permutation()
        return order, is_moved

    def _arrange_sentence(
        self, sentence: int, first: int, symbols: list[Symbol], malformed: Sequence[int], last: int
    ) -> list[int]:
        """The arrangement of one sentence in which not all symbols are plain, or the last word is another."""
        permutation = self.codec.symbols
        ranked = self._ranked_symbols(sentence) if self.scores else None
        changes: list[Change] = []
        for word in malformed:
            if ranked:
                symbols[word] = next(iter(ranked(word)), permutation.plain_symbol)
            changes.append(Change(Kind.PERMUTATION_SYMBOL, word, symbols[word]))
        order, more = permutation.decode(symbols, self.tags[sentence], None if last < 0 else last, ranked)
        changes += more
        if changes:
            # where a word comes twice, the first says why and the second what it became
            kinds = {word: kind for kind, word, _ in reversed(changes)}
            number = self.codec.spelling.symbols.number
            for word, became in {word: became for _, word, became in changes}.items():
                self.changed.append((CODES[kinds[word]], first + word, number(permutation.format(became))))
        if last >= 0 and order[-1] != last:
            was = order.index(last)
            del order[was]
            order.append(last)
            self.moved.append((MOVED, first + last, was, len(order) - 1))
        return order

    def _add_permutation(self) -> None:
        """Note the repairs to the permutation."""
        if self.changed:
            self._add("permutation", *np.array(self.changed, np.int32).T)
        if self.moved:
            self.repairs.append(np.array(self.moved, np.int32).T)

    def _ranked_symbols(self, sentence: int) -> Ranked:
        """The symbols by score for the words of a sentence."""
        if self.scores is None or self.scores.permutation is None:
            return None
        rows = self.scores.permutation[self.offsets[sentence] : self.offsets[sentence + 1]]
        symbols, _, is_malformed = self.codec.symbol_table()

        def ranked(word: int) -> Iterator[Symbol]:
            for value in np.argsort(-rows[word], kind="stable").tolist():
                if not is_malformed[value]:
                    yield symbols[value]

        return ranked

    def _levels(self, at_words: Ints) -> Ints:
        """Levels that a tree can have, by position."""
        kinds, numbers = self.level_kinds[at_words], self.level_numbers[at_words]
        levels, self.is_raised = resolve(kinds, numbers, self.offsets)
        is_wrong = kinds >= LevelKind.LAST
        self.is_bad |= kinds[self.offsets[1:] - 1] != LevelKind.LAST
        is_wrong[self.offsets[1:] - 1] = False
        if self.is_raised is not None:
            is_wrong |= self.is_raised
        if is_wrong.any():
            sentences = np.unique(self._sentences(np.flatnonzero(is_wrong)))
            self.is_bad[sentences] = True
            if self.scores and self.scores.levels is not None:
                self._choose_levels(sentences, levels, kinds, numbers, at_words)
        # as many levels as there are boundaries is the most that a tree can have
        is_deep = np.maximum.reduceat(levels, self.starts) >= np.maximum(self.lengths, 1)
        for sentence in np.flatnonzero(is_deep).tolist():
            first, end = self.offsets[sentence : sentence + 2].tolist()
            levels[first:end] = compress(levels[first:end].tolist())
            self.is_bad[sentence] = True
        return levels

    def _choose_levels(
        self, sentences: npt.NDArray[np.intp], levels: Ints, kinds: npt.NDArray[np.int8], numbers: Ints, at_words: Ints
    ) -> None:
        """Put the best possible levels where impossible ones are, in some sentences."""
        assert self.scores is not None
        assert self.scores.levels is not None
        rows = self.scores.levels
        table_kinds, table_numbers = (column.tolist() for column in self.codec.level_table())
        for sentence in sentences.tolist():
            first, end = self.offsets[sentence : sentence + 2].tolist()

            def ranked(position: int, first: int = first) -> Iterator[tuple[int, int]]:
                for value in np.argsort(-rows[at_words[first + position]], kind="stable").tolist():
                    yield table_kinds[value], table_numbers[value]

            levels[first:end] = resolve_sentence(kinds[first:end].tolist(), numbers[first:end].tolist(), ranked)

    def _label(self, levels: Ints, brackets: Brackets, at_words: Ints) -> Ints:
        """The chain of each constituent; 0 for one that is not to be.

        The first label from the left counts; with scores, where labels differ, the label with the best sum over all
        boundaries, and labels that only roots have go from others and come to roots. A constituent that nobody labels
        goes, and its children are its parent's; but a root stays, with a default label.
        """
        table, is_formed = self.codec.shared_chains.parsed()
        values = _known(self.labels.shared, len(table) - 1)[at_words]
        given = table[values]
        lasts = self.offsets[1:] - 1
        self.is_bad |= given[lasts] > 0
        given[lasts] = 0
        formed = is_formed[values]
        if not formed.all():
            self.is_bad[self._sentences(np.flatnonzero(~formed))] = True
        places = np.flatnonzero(given)
        owners, chains_given = brackets.owners[places], given[places]
        chains = np.zeros(len(brackets.starts), np.int32)
        chains[owners[::-1]] = chains_given[::-1]
        if len(places) < len(levels) - len(lasts):
            self.is_bad[self._sentences(np.flatnonzero((given == 0) & (levels > 0)))] = True
        is_conflict = chains[owners] != chains_given
        if is_conflict.any():
            self.is_bad[self._sentences(places[is_conflict])] = True
        is_nameless = chains == 0
        is_doubtful = is_nameless.copy()
        is_doubtful[owners[is_conflict]] = True
        if is_doubtful.any():
            is_branching = np.zeros(len(chains), bool)
            is_branching[brackets.owners[levels > 0]] = True
            if self.scores and self.scores.shared is not None:
                self._choose_chains(chains, is_doubtful & is_branching, levels, brackets, at_words)
                self.is_bad[self._sentences(places[chains[owners] != chains_given])] = True
            self.is_bad[self._sentences(brackets.starts)[is_nameless]] = True
            is_root = self._is_whole(brackets)
            chains[(chains == 0) & is_branching & is_root] = self.codec.chains.number((self.codec.root,))
        if self.scores and self.codec.tops:
            as_root, elsewhere = self.codec.topped()
            kept = np.where(self._is_whole(brackets), as_root[chains], elsewhere[chains])
            self.is_bad[self._sentences(brackets.starts[kept != chains])] = True
            chains = kept
        return chains

    def _is_whole(self, brackets: Brackets) -> Bools:
        """Which constituents are over whole sentences."""
        sentences = self._sentences(brackets.starts)
        found: Bools = (brackets.starts == self.starts[sentences]) & (brackets.ends == self.offsets[1:][sentences])
        return found

    def _choose_chains(
        self, chains: Ints, is_doubtful: Bools, levels: Ints, brackets: Brackets, at_words: Ints
    ) -> None:
        """Label some constituents by the sum of the scores at their boundaries."""
        assert self.scores is not None
        assert self.scores.shared is not None
        table = self.codec.shared_chains.parsed()[0][:-1]
        if not table.any():
            return
        boundaries = brackets.boundaries[np.count_nonzero(levels == 0) :]
        boundaries = boundaries[is_doubtful[brackets.owners[boundaries]]]
        owners = brackets.owners[boundaries]
        if not len(boundaries):
            return
        chosen, sums = sums_by_owner(self.scores.shared, at_words[boundaries], owners)
        sums[:, table == 0] = -np.inf
        chains[chosen] = table[sums.argmax(1)]

    def _unary(self, at_words: Ints) -> Ints:
        """The unary chain over each word, by position."""
        table, is_formed = self.codec.unary_chains.parsed()
        values = _known(self.labels.unary, len(table) - 1)
        formed = is_formed[values]
        if not formed.all():
            places = np.flatnonzero(~formed).astype(np.int32)
            if self.scores and self.scores.unary is not None:
                for place in places[values[places] == len(table) - 1].tolist():
                    ranking = np.argsort(-self.scores.unary[place], kind="stable")
                    values[place] = next((value for value in ranking.tolist() if is_formed[value]), values[place])
            codes = np.full(len(places), CODES[Kind.UNARY_SYMBOL], np.int32)
            self._add("unary", codes, places, table[values[places]])
        chains = table[values[at_words]]
        return self._rooted(chains, at_words) if self.scores and self.codec.tops else chains

    def _rooted(self, chains: Ints, at_words: Ints) -> Ints:
        """Unary chains as :func:`rooted` has them; what differs is a repair."""
        kept = rooted(self.codec, chains, self.lengths)
        differs = np.flatnonzero(kept != chains)
        codes = np.full(len(differs), CODES[Kind.UNARY_ROOT], np.int32)
        self._add("unary", codes, at_words[differs], kept[differs])
        return kept

    def _tell(self, at_words: Ints, starts: Ints, ends: Ints, chains: Ints) -> None:
        """List the repairs to levels and shared labels: where they differ from those of the constituents found."""
        codec = self.codec
        is_here = np.repeat(self.is_bad, self.lengths)
        places = np.flatnonzero(is_here)
        renumbered = np.cumsum(is_here, dtype=np.int32) - 1
        is_node = is_here[starts]
        starts, ends = renumbered[starts[is_node]], renumbered[ends[is_node] - 1] + 1
        levels, owners = describe(starts, ends, len(places))
        is_last = levels == 0
        final = chains[is_node][owners] if len(starts) else np.zeros(len(places), np.int32)
        final[is_last] = 0
        words = at_words[places]
        kinds, numbers = self.level_kinds[words], self.level_numbers[words]
        steps = np.diff(levels, prepend=np.int32(0))
        expected = np.where(kinds == LevelKind.ABSOLUTE, levels, steps)
        differs = np.where(is_last, kinds != LevelKind.LAST, (kinds >= LevelKind.LAST) | (numbers != expected))
        is_raised = np.zeros(len(places), bool) if self.is_raised is None else self.is_raised[places]
        codes = np.select(
            [is_last | (kinds == LevelKind.LAST), kinds == LevelKind.INVALID, is_raised],
            [CODES[Kind.LEVELS_LAST], CODES[Kind.LEVELS_SYMBOL], CODES[Kind.LEVELS_RANGE]],
            CODES[Kind.LEVELS_UNLABELLED],
        )
        became = np.where(is_last, np.int32(NO_LEVEL), levels if codec.level_scale == "absolute" else steps)
        self._add("levels", codes[differs], words[differs], became[differs])
        table, is_formed = codec.shared_chains.parsed()
        values = _known(self.labels.shared, len(table) - 1)[words]
        given, formed = table[values], is_formed[values]
        differs = (given != final) | ~formed
        codes = np.select(
            [is_last, (given > 0) & formed],
            [CODES[Kind.SHARED_LAST], CODES[Kind.SHARED_CONFLICT]],
            CODES[Kind.SHARED_MISSING],
        )
        self._add("shared", codes[differs], words[differs], final[differs])

    def _out_of_order(self, order: Ints, is_moved: Bools, brackets: Brackets, is_kept: Bools) -> Ints:
        """The sentences in which the children of some constituent are not in the order of their leftmost words."""
        boundaries = brackets.boundaries[len(self.lengths) :]
        boundaries = boundaries[np.repeat(is_moved, self.lengths)[boundaries]]
        is_wrong = out_of_order(order, brackets.starts, boundaries, brackets.owners[boundaries])
        sentences = np.zeros(len(self.lengths), bool)
        sentences[self._sentences(boundaries[is_wrong])] = True
        if not is_kept.all():
            # their children have moved up among others
            sentences[self._sentences(brackets.starts[~is_kept])] = True
            sentences &= is_moved
        return np.flatnonzero(sentences).astype(np.int32)

    def _sentences(self, places: npt.NDArray[np.integer]) -> npt.NDArray[np.intp]:
        """The sentences that words or positions belong to."""
        return np.searchsorted(self.offsets, places, side="right") - 1

    def _add(self, component: str, codes: npt.NDArray[np.integer], places: Ints, became: Ints) -> None:
        """Note repairs to a component of the labels of some words."""
        values, count = getattr(self.labels, component)[places], len(getattr(self.codec, component))
        was = np.where((values < 0) | (values >= count), UNKNOWN, values)
        self.repairs.append(np.array([codes, places, was, became], np.int32))

    def _repairs(self) -> Repairs:
        """All repairs, sorted by word; those of one word in the order in which they were noted."""
        spelling = self.codec.spelling
        if not self.repairs:
            return Repairs.none(spelling)
        found = np.concatenate(self.repairs, axis=1)
        codes, places, was, became = found[:, np.argsort(found[1], kind="stable")]
        sentences = self._sentences(places)
        numbers = [codes, sentences + self.first_sentence, places - self.starts[sentences], was, became]
        return Repairs(np.array(numbers, np.int32), spelling)


def make_batch(
    codec: Codec,
    words: Sequence[Sequence[str]],
    tags: Sequence[Sequence[str]],
    offsets: Ints,
    order: Ints,
    spans: tuple[Ints, Ints, Ints],
    unary: Ints,
) -> TreeBatch:
    """Trees from constituents over several words (starts, ends and chains, in preorder) and unary chains by position.

    Positions count over the whole batch. At each word, constituents over several words come before its unary chain.
    """
    # By numbers of four bytes, NumPy takes twice as fast as it indexes; to put, it wants them of eight.
    starts, ends, chains = spans
    size = int(offsets[-1])
    opened = np.cumsum(np.bincount(starts, minlength=size), dtype=np.int32)
    is_unary = unary > 0
    places_of_unary = np.flatnonzero(is_unary)
    unary_before = np.cumsum(is_unary, dtype=np.int32) - is_unary
    count = len(starts) + len(places_of_unary)
    unit_starts = np.empty(count, np.int32)
    unit_ends = np.empty(count, np.int32)
    unit_chains = np.empty(count, np.int32)
    places = np.arange(len(starts)) + unary_before.take(starts)
    unit_starts[places], unit_ends[places], unit_chains[places] = starts, ends, chains
    places = np.arange(len(places_of_unary)) + opened.take(places_of_unary)
    unit_starts[places], unit_ends[places] = places_of_unary, places_of_unary + 1
    unit_chains[places] = unary.take(places_of_unary)
    chain_lengths, chain_starts, chain_labels = codec.chains.arrays()
    lengths = chain_lengths.take(unit_chains)
    total = np.zeros(count + 1, np.int32)
    np.cumsum(lengths, out=total[1:])
    units = np.repeat(np.arange(count), lengths)
    links = np.arange(len(units)) - (total[:-1] - chain_starts.take(unit_chains)).take(units)
    bases = np.repeat(offsets[:-1], np.diff(offsets)).take(unit_starts)
    lasts = offsets[1:] - 1
    units_before = np.zeros(len(offsets), np.int32)
    units_before[1:] = opened[lasts] + unary_before[lasts] + is_unary[lasts]
    return TreeBatch(
        words,
        tags,
        offsets,
        order,
        total[units_before],
        chain_labels.take(links),
        (unit_starts - bases).take(units),
        (unit_ends - bases).take(units),
        codec.chains.labels.values,
    )


def rooted(codec: Codec, unary: Ints, lengths: Ints) -> Ints:
    """Unary chains by position, in which labels that only roots have stand over each sentence of one word alone."""
    as_root, elsewhere = codec.topped()
    alone = (np.cumsum(lengths) - lengths)[lengths == 1]
    roots = as_root[unary[alone]]
    roots[roots == 0] = codec.chains.number((codec.root,))
    kept: Ints = elsewhere.take(unary)
    kept[alone] = roots
    return kept


def out_of_order(order: Ints, starts: Ints, boundaries: Ints, owners: Ints) -> Bools:
    """Which boundaries, grouped by owner, have a child to the left whose leftmost word is behind that of the right one.

    If all children are in order, the leftmost word of a child is the one at its start. So it is enough to compare the
    words at the starts of neighbours: the right one starts behind the boundary between them, the left one behind the
    last boundary with the same owner, or where the owner starts.
    """
    right = boundaries + 1
    left = starts.take(owners)
    left[1:] = np.where(owners[1:] == owners[:-1], right[:-1], left[1:])
    found: Bools = order.take(left) > order.take(right)
    return found


def sums_by_owner(scores: Floats, rows: Ints, owners: Ints) -> tuple[Ints, Floats]:
    """The scores of all boundaries of each constituent, summed; boundaries are rows that come grouped by owner.

    Gives the owners, each once, and their sums.
    """
    firsts = np.flatnonzero(np.append(True, owners[1:] != owners[:-1]))
    counts = np.diff(firsts, append=len(owners))
    # Those with many boundaries first, so that the ones with a second, a third and so on come before the others.
    by_count = np.argsort(-counts, kind="stable")
    firsts, counts = firsts[by_count], counts[by_count]
    sums = scores[rows[firsts]]
    for nth in range(1, int(counts[0])):
        left = firsts[: np.count_nonzero(counts > nth)]
        sums[: len(left)] += scores[rows[left + nth]]
    return owners[firsts], sums


def _known(values: Ints, unknown: int) -> Ints:
    """The values with all that are outside the vocabulary as one."""
    if len(values) and (values.min() < 0 or values.max() >= unknown):
        return np.where((values < 0) | (values >= unknown), np.int32(unknown), values)
    return values
