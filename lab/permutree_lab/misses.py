"""What became of discontinuous constituents that were not found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from permutree.evaluation import Evaluation
from permutree.trees.tree import Tree

__all__ = ["KINDS", "Miss", "count_misses", "find_misses"]

#: what was found instead, the nearest first: the same words under another label; a constituent of the same label
#: without gaps that is part of it, or that has all its words and more; one with gaps that has at least half of their
#: words in common with it; nothing of the kind
KINDS = ("other label", "part", "without gap", "other gap", "nothing")

#: labels and words, punctuation left out, and the numbers of constituents that have them
_Constituents = dict[tuple[str, frozenset[int]], int]


class Miss(NamedTuple):
    """A discontinuous constituent that was not found: its sentence, its place in the gold tree, and what was found."""

    sentence: int
    constituent: int
    kind: str


def count_misses(evaluation: Evaluation, gold: Sequence[Tree], predicted: Sequence[Tree]) -> dict[str, int]:
    """How many of the gold discontinuous constituents were missed in each way."""
    counts = Counter(miss.kind for miss in find_misses(evaluation, gold, predicted))
    return {kind: counts[kind] for kind in KINDS}


def find_misses(evaluation: Evaluation, gold: Sequence[Tree], predicted: Sequence[Tree]) -> Iterator[Miss]:
    """The gold discontinuous constituents that were missed."""
    bounds = pairwise(evaluation.words.offsets.tolist())
    for sentence, (wanted, found, (first, last)) in enumerate(zip(gold, predicted, bounds, strict=True)):
        # Words are counted without those that are not scored, so that punctuation makes no gap.
        is_kept = evaluation.words.is_kept[first:last]
        ranks = np.where(is_kept, np.cumsum(is_kept) - 1, -1).tolist()
        constituents = _constituents(wanted, ranks)
        gapped = [one for one in constituents if not _is_continuous(one[1])]
        if gapped:
            others = _constituents(found, ranks)
            for one in gapped:
                if one not in others:
                    yield Miss(sentence, constituents[one], _kind(*one, others))


def _constituents(tree: Tree, ranks: Sequence[int]) -> _Constituents:
    return {
        (one.label, frozenset(ranks[word] for word in one.words if ranks[word] >= 0)): number
        for number, one in enumerate(tree)
    }


def _is_continuous(words: frozenset[int]) -> bool:
    return not words or max(words) - min(words) + 1 == len(words)


def _kind(label: str, words: frozenset[int], others: _Constituents) -> str:
    """What was found instead of a constituent."""
    if any(found == words for _, found in others):
        return "other label"
    alike = [found for name, found in others if name == label and found]
    continuous = [found for found in alike if _is_continuous(found)]
    if any(found < words for found in continuous):
        return "part"
    if any(found > words for found in continuous):
        return "without gap"
    if any(2 * len(found & words) >= len(found | words) for found in alike if not _is_continuous(found)):
        return "other gap"
    return "nothing"
