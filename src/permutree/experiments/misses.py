"""What became of discontinuous constituents that were not found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from permutree.evaluation import Evaluation
from permutree.tree import Tree

__all__ = ["KINDS", "Miss", "count_misses", "find_misses"]

#: what was found instead, the nearest first: the same words under another label; a constituent of the same label
#: without gaps that is part of it, or that has all its words and more; one with gaps that has at least half of their
#: words in common with it; nothing of the kind
KINDS = ("other label", "part", "without gap", "other gap", "nothing")

#: labels and words, punctuation left out
_Constituents = set[tuple[str, frozenset[int]]]


class Miss(NamedTuple):
    """A discontinuous constituent that was not found: its sentence, from 0, and its words without punctuation."""

    sentence: int
    label: str
    words: tuple[int, ...]
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
        gapped = [one for one in _constituents(wanted, ranks) if not _is_continuous(one[1])]
        if gapped:
            kept = np.flatnonzero(is_kept).tolist()
            others = _constituents(found, ranks)
            for label, words in gapped:
                if (label, words) not in others:
                    places = tuple(kept[word] for word in sorted(words))
                    yield Miss(sentence, label, places, _kind(label, words, others))


def _constituents(tree: Tree, ranks: Sequence[int]) -> _Constituents:
    spans = zip(tree.labels, tree.starts, tree.ends, strict=True)
    return {
        (label, frozenset(ranks[word] for word in tree.order[start:end] if ranks[word] >= 0))
        for label, start, end in spans
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
