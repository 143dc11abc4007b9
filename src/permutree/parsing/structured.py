"""Decoding what the labeller ``reread`` predicts: an arrangement, the ends of constituents, and votes on their labels.

Unlike labels, which are repaired where they describe no tree, these scores are searched for the best tree: constituents
that go together are chosen by their probabilities, and the words inside and at the edges of each choose its label
together. So there is nothing to repair.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from permutree.encoding import Codec
from permutree.encoding.decoding import make_batch, out_of_order, rooted, sums_by_owner
from permutree.encoding.labels import Floats
from permutree.model.folder import VOTES
from permutree.parsing.engines import ENDS, ENDS_SCORES, LABELS, ORDER
from permutree.parsing.spans import choose_spans
from permutree.trees.batch import Bools, Ints, TreeBatch
from permutree.trees.numbered import offsets_of

__all__ = ["choose_constituents", "decode_spans"]

Words = Sequence[Sequence[str]]
#: by the name of a head and some positions to the scores of labels there
Score = Callable[[str, Ints], Floats | None]


def decode_spans(codec: Codec, found: Mapping[str, np.ndarray], words: Words, tags: Words) -> TreeBatch:
    """The trees of a batch, by what an engine has predicted for its positions."""
    offsets: Ints = offsets_of(words).astype(np.int32)
    if LABELS not in found:
        found = choose_constituents(found, offsets, codec.shared_chains.parsed()[0][:-1] > 0)
    bases = np.repeat(offsets[:-1], np.diff(offsets))
    constituents = _Constituents.of(bases + found[ENDS][:, 0], bases + found[ENDS][:, 1] + np.int32(1), offsets)
    boundaries, owners, starts, ends, lasts = constituents
    table = codec.shared_chains.parsed()[0][:-1]
    # All boundaries of a constituent say the same; if not, the last one counts.
    chains: Ints = table.take(found[LABELS].take(lasts)) if table.any() else np.zeros(len(starts), np.int32)
    is_begin, is_last = np.zeros((2, int(offsets[-1])), bool)
    is_begin[offsets[:-1]] = is_last[offsets[1:] - 1] = True
    is_whole = is_begin.take(starts) & is_last.take(ends - 1)
    unary = codec.unary_chains.parsed()[0].take(found["unary"])
    if codec.tops:
        as_root, elsewhere = codec.topped()
        whole = np.flatnonzero(is_whole)
        roots = as_root[chains[whole]]
        chains = elsewhere.take(chains)
        chains[whole] = roots
        unary = rooted(codec, unary, np.diff(offsets))
    chains[is_whole & (chains == 0)] = codec.chains.number((codec.root,))
    is_kept = chains > 0
    order = found[ORDER]
    is_wrong = np.zeros(len(words), bool)
    for places in (boundaries[out_of_order(order, starts, boundaries, owners)], starts[~is_kept]):
        is_wrong[np.searchsorted(offsets, places, side="right") - 1] = True
    spans = (starts, ends, chains)
    if not is_kept.all():
        spans = (starts[is_kept], ends[is_kept], chains[is_kept])
    batch = make_batch(codec, words, tags, offsets, order, spans, unary)
    return batch.canonicalise(np.flatnonzero(is_wrong & batch.moved).astype(np.int32))


def choose_constituents(
    found: Mapping[str, np.ndarray], offsets: Ints, is_label: Bools, score: Score | None = None
) -> dict[str, np.ndarray]:
    """What was predicted for the positions of a batch, with constituents and their labels in place of their scores.

    ``is_label`` says which of the shared labels a constituent may have. ``score`` gives the scores of labels at some
    positions by one of the heads for them, or None if there is no such head; without, they stand in what was found.
    """
    starts, ends = choose_spans(found[ENDS], found[ENDS_SCORES], offsets)
    labels: Ints = np.zeros(len(starts), np.int32)
    if is_label.any():
        constituents = _Constituents.of(starts, ends, offsets)
        if len(constituents.starts):
            best = _labels(constituents, is_label, score or partial(_rows, found))
            labels[constituents.boundaries] = best[constituents.owners]
    bases = np.repeat(offsets[:-1], np.diff(offsets))
    chosen = {ENDS: np.stack([starts - bases, ends - 1 - bases], 1), LABELS: labels}
    return {name: values for name, values in found.items() if name not in (*VOTES, ENDS_SCORES)} | chosen


class _Constituents(NamedTuple):
    """The constituents of a batch in preorder."""

    #: positions with a boundary behind them, grouped by the smallest constituent over it, and the number of that one
    boundaries: Ints
    owners: Ints
    starts: Ints
    ends: Ints
    #: the last boundary of each
    lasts: Ints

    @classmethod
    def of(cls, starts: Ints, ends: Ints, offsets: Ints) -> _Constituents:
        """Those that are the smallest over the boundary behind some position; at last positions there is none."""
        is_boundary = np.ones(int(offsets[-1]), bool)
        is_boundary[offsets[1:] - 1] = False
        behind = np.flatnonzero(is_boundary)
        # Sorted by start, and the longer ones first, constituents are in preorder. Start, size and boundary are one
        # number, so that it is enough to sort.
        bits = int(np.diff(offsets).max(initial=0)).bit_length()
        most = (1 << bits) - 1
        begins = starts.take(behind).astype(np.int64)
        keys = (begins << bits) + (most - ends.take(behind)) + begins
        keys <<= bits
        keys += behind - begins
        keys.sort(kind="stable")
        boundaries: Ints = ((keys >> 2 * bits) + (keys & most)).astype(np.int32)
        keys >>= bits
        is_first = np.append(True, keys[1:] != keys[:-1])[: len(keys)]
        owners = np.cumsum(is_first, dtype=np.int32) - np.int32(1)
        firsts = np.flatnonzero(is_first)
        lasts = boundaries[np.append(firsts[1:], len(keys))[: len(firsts)] - 1]
        keys = keys[firsts]
        begins = keys >> bits
        ends = begins + most - (keys & most)
        return cls(boundaries, owners, begins.astype(np.int32), ends.astype(np.int32), lasts)


def _rows(found: Mapping[str, np.ndarray], name: str, positions: Ints) -> Floats | None:
    """The scores of a head at some positions, if there is such a head."""
    return found[name][positions] if name in found else None


def _labels(constituents: _Constituents, is_label: Bools, score: Score) -> Ints:
    """The label of each constituent that the words at its boundaries and at both edges give the best score together."""
    boundaries, owners, starts, ends, _ = constituents
    scores = score("shared", boundaries)
    assert scores is not None
    chosen, votes = sums_by_owner(scores, np.arange(len(boundaries), dtype=np.int32), owners)
    # Scores of many labels take much memory: those of one head go before those of the next come.
    del scores
    _add_votes(votes, score, "first", starts[chosen])
    _add_votes(votes, score, "last", ends[chosen] - 1)
    # Every constituent has a label.
    votes[:, ~is_label] = -np.inf
    labels: Ints = np.zeros(len(starts), np.int32)
    labels[chosen] = votes.argmax(1)
    return labels


def _add_votes(votes: Floats, score: Score, name: str, edges: Ints) -> None:
    """Add the scores of labels at an edge of each constituent, by one of the heads, if there is such a head."""
    # Several constituents begin, or end, with the same word.
    positions, of_edges = np.unique(edges, return_inverse=True)
    scores = score(name, positions)
    if scores is not None:
        votes += scores[of_edges]
