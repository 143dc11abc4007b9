"""Reports: what an evaluation shows, as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from permutree.evaluation.brackets import Bools, Brackets, Ints, join
from permutree.evaluation.scores import Counts, Evaluation, Score, percent
from permutree.evaluation.significance import Difference
from permutree.evaluation.tables import Cell, Table

__all__ = [
    "REPORTS",
    "attachments",
    "categories",
    "comparison",
    "confusions",
    "gaps",
    "lengths",
    "sentences",
    "significance",
    "tag_confusions",
    "tags",
]

#: rows that a list of errors has at most
MOST_ERRORS = 20
_SCORE = ("gold", "cand.", "right", "recall", "precision", "F1")


def _sides(evaluation: Evaluation) -> tuple[Brackets, Brackets]:
    """The brackets that the reports are about."""
    gold, predicted = evaluation.gold, evaluation.predicted
    if evaluation.parameters.disc_only:
        return gold.select(gold.is_discontinuous), predicted.select(predicted.is_discontinuous)
    return gold, predicted


def _counts(evaluation: Evaluation) -> Counts:
    return evaluation.discontinuous_counts if evaluation.parameters.disc_only else evaluation.counts


def _cells(score: Score) -> tuple[Cell, ...]:
    return score.gold, score.predicted, score.matched, score.recall, score.precision, score.f1


def _scores_by(gold: Ints, predicted: Ints, matched: Ints) -> dict[int, Score]:
    """The score of every number that occurs, given the numbers of gold, predicted and matched brackets."""
    size = 1 + max(int(gold.max(initial=-1)), int(predicted.max(initial=-1)))
    columns = [np.bincount(numbers, minlength=size).tolist() for numbers in (gold, predicted, matched)]
    return {number: Score(*counts) for number, counts in enumerate(zip(*columns, strict=True)) if any(counts)}


def categories(evaluation: Evaluation) -> Table:
    """The score of each label, the most frequent first."""
    gold, predicted = _sides(evaluation)
    scores = _scores_by(gold.label, predicted.label, gold.label[gold.is_matched])
    names = evaluation.label_names
    order = sorted(scores, key=lambda number: (-scores[number].gold, -scores[number].predicted, names[number]))
    rows = [[names[number], percent(scores[number].gold, len(gold)), *_cells(scores[number])] for number in order]
    return Table("Categories", ["label", "% of gold", *_SCORE], rows)


def gaps(evaluation: Evaluation) -> Table:
    """The score of the brackets with no gap, with one, and so on."""
    gold, predicted = _sides(evaluation)
    scores = _scores_by(gold.blocks - 1, predicted.blocks - 1, (gold.blocks - 1)[gold.is_matched])
    rows = [[number, percent(score.gold, len(gold)), *_cells(score)] for number, score in sorted(scores.items())]
    return Table("Gap degree of brackets", ["gaps", "% of gold", *_SCORE], rows)


def lengths(evaluation: Evaluation, step: int = 10) -> Table:
    """The figures of the sentences of up to 10 words, of 11 to 20, and so on."""
    disc_only = evaluation.parameters.disc_only
    bins = (evaluation.lengths + step - 1) // step
    rows: list[list[Cell]] = []
    for number in np.unique(bins).tolist():
        chosen = bins == number
        scores = evaluation.scores(chosen, discontinuous=disc_only)
        span = f"{(number - 1) * step + 1}–{number * step}" if number else "0"
        figures = _cells(scores.brackets)
        disc = scores.discontinuous.f1
        rows.append([span, scores.sentences, *figures, disc, scores.exact_match, scores.pos_accuracy])
    return Table("Sentence length", ["words", "sentences", *_SCORE, "disc. F1", "exact", "POS"], rows)


def confusions(evaluation: Evaluation) -> Table:
    """Wrong labels over the right words: a gold bracket that was missed where a predicted one is wrong."""
    gold, predicted = _sides(evaluation)
    gold, predicted = gold.select(~gold.is_matched), predicted.select(~predicted.is_matched)
    partners, _ = join([gold.sentence, predicted.sentence], [gold.leaves, predicted.leaves])
    found = partners >= 0
    pairs = zip(gold.label[found].tolist(), predicted.label[partners[found]].tolist(), strict=True)
    return _errors("Labels taken for others", ["gold", "cand."], pairs, evaluation.label_names)


def attachments(evaluation: Evaluation) -> Table:
    """Right brackets below a parent with the wrong label."""
    gold, _ = _sides(evaluation)
    gold = gold.select(gold.is_matched)
    other = evaluation.predicted.parent[gold.partner]
    wrong = gold.parent != other
    columns = (gold.label[wrong].tolist(), gold.parent[wrong].tolist(), other[wrong].tolist())
    names = ["label", "gold parent", "cand. parent"]
    return _errors("Right brackets, wrong parents", names, zip(*columns, strict=True), evaluation.label_names)


def tags(evaluation: Evaluation) -> Table:
    """The score of each tag, the most frequent first."""
    words = evaluation.words
    is_tagged = words.is_kept & (words.predicted_tag >= 0)
    gold = words.gold_tag[words.is_kept]
    right = words.gold_tag[evaluation.is_tag_right]
    scores = _scores_by(gold, words.predicted_tag[is_tagged], right)
    names = evaluation.tag_names
    order = sorted(scores, key=lambda number: (-scores[number].gold, -scores[number].predicted, names[number]))
    rows = [[names[number], percent(scores[number].gold, len(gold)), *_cells(scores[number])] for number in order]
    return Table("Tags", ["tag", "% of gold", *_SCORE], rows)


def tag_confusions(evaluation: Evaluation) -> Table:
    """Wrong tags."""
    words = evaluation.words
    wrong: Bools = words.is_kept & (words.predicted_tag >= 0) & ~evaluation.is_tag_right
    pairs = zip(words.gold_tag[wrong].tolist(), words.predicted_tag[wrong].tolist(), strict=True)
    return _errors("Tags taken for others", ["gold", "cand."], pairs, evaluation.tag_names)


def _errors(title: str, columns: Sequence[str], found: Iterable[tuple[int, ...]], names: Sequence[str]) -> Table:
    """The most frequent errors, each a tuple of names; a parent that is not there is called ``(none)``."""
    counts: dict[tuple[int, ...], int] = {}
    for error in found:
        counts[error] = counts.get(error, 0) + 1
    named = [([names[number] if number >= 0 else "(none)" for number in error], counts[error]) for error in counts]
    named.sort(key=lambda entry: (-entry[1], entry[0]))
    rows: list[list[Cell]] = [[*error, count] for error, count in named[:MOST_ERRORS]]
    if len(named) > MOST_ERRORS:
        title += f" (the {MOST_ERRORS} most frequent of {len(named)})"
    return Table(title, [*columns, "count"], rows)


def sentences(evaluation: Evaluation) -> Table:
    """The figures of each sentence."""
    counts, disc = _counts(evaluation), evaluation.discontinuous_counts
    exact = (counts.is_exact & evaluation.is_predicted).astype(np.int64)
    columns = [evaluation.lengths, counts.gold, counts.predicted, counts.matched, disc.gold, disc.predicted]
    columns += [disc.matched, exact, evaluation.word_counts, evaluation.tags_right]
    rows: list[list[Cell]] = []
    for name, figures in zip(
        evaluation.sentence_names, zip(*map(np.ndarray.tolist, columns), strict=True), strict=True
    ):
        length, gold, predicted, matched, disc_gold, disc_predicted, disc_matched, is_exact, words, right = figures
        disc_cells = (disc_gold, disc_predicted, disc_matched, Score(disc_gold, disc_predicted, disc_matched).f1)
        score = _cells(Score(gold, predicted, matched))
        rows.append([name, length, *score, *disc_cells, is_exact, words, right, percent(right, words)])
    disc_names = ("disc. gold", "disc. cand.", "disc. right", "disc. F1")
    names = ["sentence", "length", *_SCORE, *disc_names, "exact", "words", "tags right", "POS"]
    return Table("Sentences", names, rows)


REPORTS: dict[str, Callable[[Evaluation], Table]] = {
    "summary": Evaluation.summary,
    "categories": categories,
    "gaps": gaps,
    "lengths": lengths,
    "confusions": confusions,
    "attachments": attachments,
    "tags": tags,
    "tag-confusions": tag_confusions,
    "sentences": sentences,
}


def comparison(evaluations: dict[str, Evaluation]) -> Table:
    """The figures of several predictions side by side."""
    rows: list[list[Cell]] = []
    for name, evaluation in evaluations.items():
        scores, disc = evaluation.overall, evaluation.discontinuous
        brackets = (scores.recall, scores.precision, scores.f1, disc.recall, disc.precision, disc.f1)
        rows.append([name, *brackets, scores.exact_match, disc.exact_match, scores.pos_accuracy])
    columns = ["recall", "precision", "F1", "disc. recall", "disc. precision", "disc. F1"]
    return Table("Comparison", ["prediction", *columns, "exact", "disc. exact", "POS"], rows)


def significance(differences: Sequence[Difference], first: str, second: str, method: str) -> Table:
    """Whether two predictions differ by more than chance."""
    rows: list[list[Cell]] = []
    for difference in differences:
        row: list[Cell] = [difference.measure, difference.first, difference.second, difference.difference]
        if difference.interval is not None:
            row += difference.interval
        rows.append([*row, f"{difference.p:.4f}"])
    interval = ["from", "to"] if differences and differences[0].interval is not None else []
    return Table(f"{second} against {first}: {method}", ["", first, second, "difference", *interval, "p"], rows)
