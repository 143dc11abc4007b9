"""Scores: what the brackets and words of each pair of trees come to, added up over a treebank.

Counts are whole numbers and percentages are computed from them at the very end, so that every figure is the nearest to
the exact one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from permutree.evaluation.brackets import Bools, Brackets, Ints, Names, Words, score_brackets, score_words
from permutree.evaluation.pairs import Missing, Side, Trees, pair
from permutree.evaluation.parameters import Parameters
from permutree.evaluation.tables import Table

__all__ = ["Counts", "Evaluation", "Evaluator", "Score", "Scores", "percent"]


def percent(part: int, whole: int) -> float | None:
    """A share in per cent; None of nothing."""
    return 100 * part / whole if whole else None


@dataclass(frozen=True, slots=True)
class Score:
    """Brackets of the gold side, of the predicted side and of both."""

    gold: int
    predicted: int
    matched: int

    @property
    def precision(self) -> float | None:
        """The share of predicted brackets that are right, in per cent."""
        return percent(self.matched, self.predicted)

    @property
    def recall(self) -> float | None:
        """The share of gold brackets that were found, in per cent."""
        return percent(self.matched, self.gold)

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall; None only where there are no brackets at all."""
        return percent(2 * self.matched, self.gold + self.predicted)


@dataclass(frozen=True, slots=True)
class Scores:
    """The figures of a treebank or a part of it, over all brackets or over discontinuous ones."""

    sentences: int
    longest: int
    brackets: Score
    #: brackets of which there are several in a sentence counted once
    distinct: Score
    discontinuous: Score
    exact: int
    words: int
    tags_right: int

    @property
    def precision(self) -> float | None:
        """The share of predicted brackets that are right, in per cent."""
        return self.brackets.precision

    @property
    def recall(self) -> float | None:
        """The share of gold brackets that were found, in per cent."""
        return self.brackets.recall

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall."""
        return self.brackets.f1

    @property
    def exact_match(self) -> float | None:
        """The share of sentences with all brackets right and none too many, in per cent."""
        return percent(self.exact, self.sentences)

    @property
    def pos_accuracy(self) -> float | None:
        """The share of words with the right tag, in per cent."""
        return percent(self.tags_right, self.words)

    def record(self) -> dict[str, int | float | None]:
        """The figures as plain data for programs: counts, and shares with all their decimals."""
        return {
            "sentences": self.sentences,
            "gold_brackets": self.brackets.gold,
            "predicted_brackets": self.brackets.predicted,
            "matched_brackets": self.brackets.matched,
            "recall": self.recall,
            "precision": self.precision,
            "f1": self.f1,
            "exact_match": self.exact_match,
            "pos_accuracy": self.pos_accuracy,
        }

    def figures(self) -> dict[str, int | float | None]:
        """The figures under the names that evaluators print them with."""
        return {
            "number of sentences": self.sentences,
            "longest sentence": self.longest,
            "gold brackets": self.distinct.gold,
            "cand. brackets": self.distinct.predicted,
            "disc. gold brackets": self.discontinuous.gold,
            "disc. cand. brackets": self.discontinuous.predicted,
            "labeled recall": self.recall,
            "labeled precision": self.precision,
            "labeled f-measure": self.f1,
            "exact match": self.exact_match,
            "pos accuracy": self.pos_accuracy,
        }


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Brackets per sentence: of each side, of both, and each side without repetitions."""

    gold: Ints
    predicted: Ints
    matched: Ints
    distinct_gold: Ints
    distinct_predicted: Ints

    @classmethod
    def of(cls, gold: Brackets, predicted: Brackets, sentences: int) -> Counts:
        """The counts of the brackets of so many sentences."""

        def count(numbers: Ints) -> Ints:
            return np.bincount(numbers, minlength=sentences)

        return cls(
            count(gold.sentence),
            count(predicted.sentence),
            count(gold.sentence[gold.is_matched]),
            count(gold.sentence[_is_first(gold)]),
            count(predicted.sentence[_is_first(predicted)]),
        )

    @property
    def is_exact(self) -> Bools:
        """Whether all brackets of the sentence are right and none is missing."""
        return np.equal(self.gold, self.matched) & np.equal(self.predicted, self.matched)

    @property
    def is_there(self) -> Bools:
        """Whether the sentence has any brackets on any side."""
        return (self.gold > 0) | (self.predicted > 0)

    def score(self, chosen: Bools) -> Score:
        """The sums over some sentences."""
        return Score(*(int(counts[chosen].sum()) for counts in (self.gold, self.predicted, self.matched)))

    def distinct(self, chosen: Bools) -> Score:
        """The sums over some sentences, repeated brackets counted once; how many matched is not asked."""
        return Score(int(self.distinct_gold[chosen].sum()), int(self.distinct_predicted[chosen].sum()), 0)


def _is_first(brackets: Brackets) -> Bools:
    """Whether no bracket before this one in its sentence is the same."""
    order = np.lexsort((brackets.leaves, brackets.label, brackets.sentence))
    is_first = np.ones(len(order), dtype=np.bool_)
    columns = (brackets.sentence, brackets.label, brackets.leaves)
    is_first[order[1:]] = np.any([column[order][1:] != column[order][:-1] for column in columns], axis=0)
    return is_first


class Evaluation:
    """The comparison of predicted trees with gold trees.

    The figures of the whole are attributes (``precision``, ``recall``, ``f1``, ``exact_match``, ``pos_accuracy``);
    ``discontinuous`` has those over discontinuous brackets. More reports are in :mod:`permutree.evaluation.reports`.
    """

    def __init__(
        self,
        parameters: Parameters,
        sentence_names: Sequence[str],
        words: Words,
        prediction: Ints,
        brackets: tuple[Brackets, Brackets],
        label_names: Sequence[str],
        tag_names: Sequence[str],
    ) -> None:
        self.parameters = parameters
        self.sentence_names = sentence_names
        self.words = words
        #: the predicted tree of each gold tree; -1 where it is missing
        self.prediction = prediction
        self.gold, self.predicted = brackets
        self.label_names = label_names
        self.tag_names = tag_names

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.sentence_names)

    def __repr__(self) -> str:
        figures = ", ".join(f"{name}={value:.2f}" for name, value in self._headline() if value is not None)
        return f"Evaluation({len(self)} sentences, {figures})"

    def __str__(self) -> str:
        return self.summary().text()

    def _repr_html_(self) -> str:
        return self.summary().html()

    def _headline(self) -> list[tuple[str, float | None]]:
        return [("f1", self.f1), ("discontinuous f1", self.discontinuous.f1), ("exact match", self.exact_match)]

    @property
    def is_predicted(self) -> Bools:
        """Whether there is a prediction for each sentence."""
        return self.prediction >= 0

    @cached_property
    def lengths(self) -> Ints:
        """The length of each gold sentence, in words that count for it."""
        return np.diff(_running(self.words.counts_for_length)[self.words.offsets])

    @cached_property
    def word_counts(self) -> Ints:
        """The number of words of each sentence that are scored."""
        return np.diff(_running(self.words.is_kept)[self.words.offsets])

    @cached_property
    def is_tag_right(self) -> Bools:
        """Whether each word that is scored has the right tag."""
        return np.equal(self.words.gold_tag, self.words.predicted_tag) & self.words.is_kept

    @cached_property
    def tags_right(self) -> Ints:
        """The number of right tags of each sentence."""
        return np.diff(_running(self.is_tag_right)[self.words.offsets])

    @cached_property
    def counts(self) -> Counts:
        """The brackets of each sentence."""
        return Counts.of(self.gold, self.predicted, len(self))

    @cached_property
    def discontinuous_counts(self) -> Counts:
        """The discontinuous brackets of each sentence."""
        gold = self.gold.select(self.gold.is_discontinuous)
        predicted = self.predicted.select(self.predicted.is_discontinuous)
        return Counts.of(gold, predicted, len(self))

    def scores(self, chosen: Bools | None = None, *, discontinuous: bool = False) -> Scores:
        """The figures of some sentences (all, if none are chosen), over all or only over discontinuous brackets.

        Sentences that have no discontinuous brackets on any side do not count for the latter, except that tags are
        scored in all of them.
        """
        if chosen is None:
            chosen = np.ones(len(self), dtype=np.bool_)
        counts = self.discontinuous_counts if discontinuous else self.counts
        counted = chosen & counts.is_there if discontinuous else chosen
        return Scores(
            sentences=int(counted.sum()),
            longest=int(self.lengths[chosen].max(initial=0)),
            brackets=counts.score(chosen),
            distinct=counts.distinct(chosen),
            discontinuous=self.discontinuous_counts.score(chosen),
            exact=int((counts.is_exact & self.is_predicted & counted).sum()),
            words=int(self.word_counts[chosen].sum()),
            tags_right=int(self.tags_right[chosen].sum()),
        )

    def summary(self) -> Table:
        """The figures over all and over discontinuous brackets, of all sentences and of those up to the cutoff."""
        columns = self.summary_columns()
        figures = [scores.figures() for scores in columns.values()]
        rows = [[name, *(column[name] for column in figures)] for name in figures[0]]
        return Table("Summary", ["", *columns], rows)

    def summary_columns(self) -> dict[str, Scores]:
        """The columns of the summary."""
        cutoff = self.parameters.cutoff
        short = self.lengths <= cutoff
        columns = {
            "disc.": self.scores(discontinuous=True),
            f"disc. ≤ {cutoff}": self.scores(short, discontinuous=True),
        }
        if self.parameters.disc_only:
            return columns
        return {"all": self.scores(), f"all ≤ {cutoff}": self.scores(short), **columns}

    @cached_property
    def overall(self) -> Scores:
        """The figures of all sentences; over discontinuous brackets if the parameters say so."""
        return self.scores(discontinuous=self.parameters.disc_only)

    @cached_property
    def discontinuous(self) -> Scores:
        """The figures over discontinuous brackets."""
        return self.scores(discontinuous=True)

    @property
    def precision(self) -> float | None:
        """Labelled precision in per cent; None without predicted brackets."""
        return self.overall.precision

    @property
    def recall(self) -> float | None:
        """Labelled recall in per cent; None without gold brackets."""
        return self.overall.recall

    @property
    def f1(self) -> float | None:
        """Labelled F1 in per cent; None without brackets."""
        return self.overall.f1

    @property
    def exact_match(self) -> float | None:
        """The share of sentences without any wrong or missing bracket, in per cent."""
        return self.overall.exact_match

    @property
    def pos_accuracy(self) -> float | None:
        """The share of words with the right tag, in per cent; None without words."""
        return self.overall.pos_accuracy


class Evaluator:
    """Scores pairs of trees batch by batch, as in a training loop; :meth:`result` has the evaluation so far."""

    def __init__(self, parameters: Parameters, missing: Missing = "error") -> None:
        self.parameters = parameters
        self.missing = missing
        self._labels, self._tags = Names(), Names()
        self._names: list[str] = []
        self._words: list[Words] = []
        self._predictions: list[Ints] = []
        self._predicted_size = 0
        self._gold: list[Brackets] = []
        self._predicted: list[Brackets] = []

    def add(self, gold: Trees | Side, predicted: Trees | Side) -> None:
        """Score some pairs of trees."""
        if not isinstance(gold, Side):
            gold = Side.load(gold, "the gold trees")
        if not isinstance(predicted, Side):
            predicted = Side.load(predicted, "the predicted trees")
        prediction = pair(gold, predicted, self.parameters, self.missing)
        words = score_words(gold.forest, predicted.forest, prediction, self.parameters, self._tags)
        brackets = score_brackets(gold.forest, predicted.forest, prediction, words, self.parameters, self._labels)
        before = len(self._names)
        self._names.extend(name or str(number) for number, name in enumerate(gold.ids, before + 1))
        self._words.append(words)
        self._predictions.append(np.where(prediction >= 0, prediction + self._predicted_size, -1))
        self._predicted_size += len(predicted.forest)
        self._gold.append(brackets[0])
        self._predicted.append(brackets[1])

    def result(self) -> Evaluation:
        """The evaluation of all pairs so far."""
        sizes = [len(part) for part in self._predictions]
        return Evaluation(
            self.parameters,
            list(self._names),
            _join_words(self._words),
            np.concatenate([np.zeros(0, dtype=np.int64), *self._predictions]),
            (_join_brackets(self._gold, self._predicted, sizes), _join_brackets(self._predicted, self._gold, sizes)),
            list(self._labels.names),
            list(self._tags.names),
        )


def _join_words(parts: Sequence[Words]) -> Words:
    if len(parts) == 1:
        return parts[0]
    ends = np.concatenate([[0], *(np.diff(part.offsets) for part in parts)]).cumsum().astype(np.int64)
    empty = {"is_kept": np.bool_, "counts_for_length": np.bool_, "gold_tag": np.int64, "predicted_tag": np.int64}
    columns = {
        name: np.concatenate([np.zeros(0, dtype=kind), *(getattr(part, name) for part in parts)])
        for name, kind in empty.items()
    }
    return Words(ends, **columns)


def _join_brackets(parts: Sequence[Brackets], others: Sequence[Brackets], sizes: Sequence[int]) -> Brackets:
    """Brackets of batches of so many sentences, numbered through; ``others`` are those of the other side."""
    if len(parts) == 1:
        return parts[0]
    columns: dict[str, list[Ints]] = {field.name: [] for field in fields(Brackets)}
    sentences = partners = 0
    for part, other, size in zip(parts, others, sizes, strict=True):
        for name, column in columns.items():
            values = getattr(part, name)
            if name == "sentence":
                values = values + sentences
            elif name == "partner":
                values = np.where(values >= 0, values + partners, -1)
            column.append(values)
        sentences += size
        partners += len(other)
    return Brackets(
        **{
            name: np.concatenate([np.zeros(0, dtype=np.uint64 if name == "leaves" else np.int64), *column])
            for name, column in columns.items()
        }
    )


def _running(values: Bools) -> Ints:
    """How many are true before each, and in all."""
    return np.concatenate([[0], np.cumsum(values)]).astype(np.int64)
