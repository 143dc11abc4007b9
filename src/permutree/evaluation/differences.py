"""Where two trees differ: the constituents that were missed, those that are wrong, and wrong tags."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from permutree.evaluation.brackets import Brackets, Ints
from permutree.evaluation.scores import Evaluation, Score

__all__ = ["ORDERS", "Difference", "Order", "find_differences"]

Order = Literal["errors", "f1", "place"]
ORDERS = ("errors", "f1", "place")


@dataclass(frozen=True, slots=True)
class Difference:
    """The errors in a sentence; constituents go by their index in the tree, words by theirs in the sentence."""

    sentence: int
    #: the index of the predicted tree; -1 if it is missing
    prediction: int
    score: Score
    #: constituents of the gold tree that the prediction does not have
    missing: tuple[int, ...]
    #: constituents of the predicted tree that the gold tree does not have
    wrong: tuple[int, ...]
    wrong_tags: tuple[int, ...]

    @property
    def errors(self) -> int:
        """The number of missing and of wrong constituents."""
        return len(self.missing) + len(self.wrong)


def find_differences(evaluation: Evaluation, order: Order = "errors", *, tags: bool = False) -> list[Difference]:
    """The sentences with errors, worst first: the most wrong constituents, or the lowest F1, or as they come.

    Sentences with wrong tags only are left out, unless ``tags`` asks for them.
    """
    discontinuous = evaluation.parameters.disc_only
    counts = evaluation.discontinuous_counts if discontinuous else evaluation.counts
    missing = _left_over(evaluation.gold, len(evaluation), discontinuous)
    wrong = _left_over(evaluation.predicted, len(evaluation), discontinuous)
    words = evaluation.words
    is_wrong = words.is_kept & (words.predicted_tag >= 0) & ~evaluation.is_tag_right
    wrong_words = np.flatnonzero(is_wrong)
    word_sentences = np.searchsorted(words.offsets, wrong_words, side="right") - 1
    wrong_tags = _by_sentence(word_sentences, wrong_words - words.offsets[word_sentences], len(evaluation))
    found = [
        Difference(sentence, prediction, Score(*figures), missing[sentence], wrong[sentence], wrong_tags[sentence])
        for sentence, (prediction, *figures) in enumerate(
            np.stack([evaluation.prediction, counts.gold, counts.predicted, counts.matched], axis=1).tolist()
        )
        if missing[sentence] or wrong[sentence] or (tags and wrong_tags[sentence])
    ]
    keys: dict[Order, Callable[[Difference], tuple[float, ...]]] = {
        "errors": lambda difference: (-difference.errors, _f1(difference), difference.sentence),
        "f1": lambda difference: (_f1(difference), -difference.errors, difference.sentence),
        "place": lambda difference: (difference.sentence,),
    }
    return sorted(found, key=keys[order])


def _f1(difference: Difference) -> float:
    """The F1, which is full where there are no brackets and only tags are wrong."""
    return 100.0 if difference.score.f1 is None else difference.score.f1


def _left_over(brackets: Brackets, size: int, discontinuous: bool) -> list[tuple[int, ...]]:
    """The constituents of each sentence that have no partner."""
    chosen = ~brackets.is_matched
    if discontinuous:
        chosen &= brackets.is_discontinuous
    return _by_sentence(brackets.sentence[chosen], brackets.node[chosen], size)


def _by_sentence(sentences: Ints, values: Ints, size: int) -> list[tuple[int, ...]]:
    """Values grouped by their sentences, which come in any order."""
    grouped: list[list[int]] = [[] for _ in range(size)]
    for sentence, value in zip(sentences.tolist(), values.tolist(), strict=True):
        grouped[sentence].append(value)
    return [tuple(group) for group in grouped]
