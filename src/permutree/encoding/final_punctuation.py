"""Sentence-final punctuation: where a full stop is the last word, it is the last of the arrangement, too.

A word that jumps back leaves words behind, which come after it and all that follows it, until another word jumps back
behind them. If that one is missed, what was left behind ends up behind the full stop, and whatever it belongs to is
lost. As a labeller chooses each predecessor for itself, this is how it goes wrong most often; but where final
punctuation is not last, it is known that something is wrong, and one other choice mends it.

Some treebanks have exceptions: the full stop of *S, he said, S.* belongs to what he said, and *he said* comes behind it
in the arrangement. Where these are rare, a choice is changed only if it is not much less likely than what was chosen.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from permutree.encoding.permutations.pointer import insert
from permutree.trees.batch import TreeBatch

__all__ = ["TRIES", "arranged", "close", "closing_words", "last"]

#: how often a word must have been seen at the end of a sentence, how seldom it may have been elsewhere in the
#: arrangement so that these are slips, and how seldom so that they are exceptions
_SEEN = 5
_SLIPS = 0.005
_EXCEPTIONS = 0.2
#: so many are no slips, however seldom they are
_MANY = 100
#: exceptions may be rarer where a model learns than where it is used, so that no more is asked of them
_MOST = 5.0
#: other choices that are tried
TRIES = 64


def closing_words(forest: TreeBatch) -> dict[str, float]:
    """Sentence-final punctuation: marks that, at the end of a sentence, are also at the end of its arrangement.

    With each comes how much less likely, in log-probability, an arrangement with it at the end may be to be preferred:
    whatever that is for marks without exceptions; for others, as many times as they are there rather than elsewhere,
    but for no more than e⁵ times.
    """
    seen: Counter[str] = Counter()
    slips: Counter[str] = Counter()
    lasts = forest.order[forest.word_offsets[1:] - 1].tolist()
    for words, last in zip(forest.words, lasts, strict=True):
        if len(words) > 1 and not any(map(str.isalnum, words[-1])):
            seen[words[-1]] += 1
            slips[words[-1]] += last != len(words) - 1
    found = {}
    for word, count in sorted(seen.items()):
        share = slips[word] / count
        if count >= _SEEN and share <= _EXCEPTIONS:
            are_slips = share <= _SLIPS and slips[word] < _MANY
            found[word] = math.inf if are_slips else min(_MOST, math.log(1 / share - 1))
    return found


def arranged(values: Sequence[int]) -> list[int]:
    """The arrangement by values of the encoding ``predecessor``; one that leads nowhere leads to the first word.

    >>> arranged([0, 0, 1, 0, 2, 0])
    [0, 2, 3, 1, 4, 5]
    """
    return insert(len(values), _jumps(values))


def last(values: Sequence[int]) -> int:
    """The last word of the arrangement, found without computing the whole arrangement.

    Behind the last word of a run comes the first of the runs that jump there, as the later ones were put in between.

    >>> last([0, 0, 1, 0, 2, 0]), last([0, 0, 1, 0, 0, 0])
    (5, 1)
    """
    jumps = _jumps(values)
    starts = [0, *(word for word, _ in jumps), len(values)]
    ends = dict(pairwise(starts))
    behind = {target: word for word, target in reversed(jumps)}
    run = 0
    while (end := ends[run] - 1) in behind:
        run = behind[end]
    return end


def _jumps(values: Sequence[int]) -> list[tuple[int, int]]:
    """The words that jump back, and where they go."""
    return [(word, max(0, word - 1 - far)) for word, far in enumerate(values) if far and word]


def close(values: Sequence[int], scores: npt.NDArray[np.floating], most: float = math.inf) -> list[int]:
    """The values with the one change that costs least of those that make the last word the last of the arrangement.

    ``scores`` [words, values] are log-probabilities, up to a constant for each word; -inf is what is impossible. If the
    change costs more than ``most``, the values stay as they are.
    """
    size = len(values)
    words = np.arange(size)
    losses = scores[words, values][:, None] - scores
    losses[words, values] = losses[0] = np.inf
    for word, value in zip(*(places.tolist() for places in _cheapest(losses, most)), strict=True):
        changed = [*values[:word], value, *values[word + 1 :]]
        if last(changed) == size - 1:
            return changed
    if math.isfinite(most):
        return list(values)
    # Whatever it costs, the last word can come behind the one that would be last without it.
    far = size - 2 - last(values[:-1])
    return [*values[:-1], far] if far < losses.shape[1] else list(values)


def _cheapest(losses: npt.NDArray[np.floating], most: float) -> tuple[npt.NDArray[np.intp], ...]:
    """Where the choices are that are tried, those that cost least first, and none that costs more than ``most``."""
    flat = losses.ravel()
    places = np.flatnonzero((flat <= most) & np.isfinite(flat))
    costs = flat[places]
    if len(places) > TRIES:
        # Few are left to be sorted; of those that cost the same, the first ones count.
        is_cheap = costs <= np.partition(costs, TRIES - 1)[TRIES - 1]
        places, costs = places[is_cheap], costs[is_cheap]
    return np.unravel_index(places[np.argsort(costs, kind="stable")[:TRIES]], losses.shape)
