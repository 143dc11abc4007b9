"""Arrangement noise: some sentences are read a second time in an arrangement that is not the true one.

At test time, the second reading gets predicted arrangements. What they lack most often is a jump: a word stays behind
the one before it. So jumps of some sentences are taken back in training. Constituents that have a gap then are not to
be found; the others still are.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from permutree.encoding.final_punctuation import arranged
from permutree.model.batching import Ints
from permutree.training.data import Dataset, Spans

__all__ = ["disturbed"]

#: labels that are about neighbours in the true arrangement, and mean nothing in another
_OF_NEIGHBOURS = ("levels", "shared", "shared-functions")


def disturbed(data: Dataset, rate: float, random: np.random.Generator) -> Dataset:
    """The data with a share of the sentences that have jumps without some of them."""
    assert data.spans is not None
    values, offsets = data.gold["permutation"], data.offsets
    has_jumps = np.add.reduceat(values > 0, offsets[:-1]) > 0
    chosen = np.flatnonzero(has_jumps & (random.random(len(data)) < rate))
    orders, owners = data.orders.copy(), data.spans.owners.copy()
    gold = {name: numbers.copy() for name, numbers in data.gold.items()}
    firsts, lasts, is_kept = data.spans.firsts.copy(), data.spans.lasts.copy(), np.ones(len(data.spans.firsts), bool)
    for sentence in chosen.tolist():
        words = slice(offsets[sentence], offsets[sentence + 1])
        order = data.orders[words]
        other = _without_jumps(values[words], order, random)
        moved = np.argsort(other)[order]
        orders[words] = other
        gold["unary"][words][moved] = data.gold["unary"][words]
        for name in _OF_NEIGHBOURS:
            if name in gold:
                gold[name][words] = -1
        owners[words] = -1
        nodes = slice(data.spans.offsets[sentence], data.spans.offsets[sentence + 1])
        firsts[nodes], lasts[nodes], is_kept[nodes] = _moved(data.spans.firsts[nodes], data.spans.lasts[nodes], moved)
    counts = np.add.reduceat(np.append(is_kept, False), data.spans.offsets[:-1])
    counts[np.diff(data.spans.offsets) == 0] = 0
    spans = Spans(
        np.cumsum([0, *counts], dtype=np.int64), firsts[is_kept], lasts[is_kept], data.spans.labels[is_kept], owners
    )
    return replace(data, orders=orders, gold=gold, spans=spans)


def _without_jumps(values: Ints, order: Ints, random: np.random.Generator) -> Ints:
    """An arrangement in which each jump is taken back or not; if another word would be the last, all are."""
    kept = np.where(random.random(len(values)) < 0.5, values, 0)
    found = np.array(arranged(kept.tolist()), np.int64)
    return found if found[-1] == order[-1] else np.arange(len(values))


def _moved(firsts: Ints, lasts: Ints, moved: Ints) -> tuple[Ints, Ints, Ints]:
    """Where constituents begin and end when positions have moved, and which of them have no gap."""
    places = np.arange(len(moved))
    is_inside = (places >= firsts[:, None]) & (places <= lasts[:, None])
    new_firsts = np.where(is_inside, moved, len(moved)).min(1, initial=len(moved))
    new_lasts = np.where(is_inside, moved, -1).max(1, initial=-1)
    return new_firsts, new_lasts, new_lasts - new_firsts == lasts - firsts
