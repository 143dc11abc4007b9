"""Decoding what the labeller ``reread`` predicts: an arrangement, the ends of constituents, and votes on their labels.

Unlike labels, which are repaired where they describe no tree, these scores are searched for the best tree: constituents
that go together are chosen by their probabilities, and the words inside and at the edges of each choose its label
together. So there is nothing to repair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from permutree.encoding import Codec
from permutree.encoding.decoding import make_batch, out_of_order, rooted, sums_by_owner
from permutree.parsing.engines import ENDS, ENDS_SCORES, LABELS, ORDER
from permutree.parsing.spans import choose_spans
from permutree.trees.batch import Ints, TreeBatch
from permutree.trees.numbered import offsets_of

__all__ = ["decode_spans"]

Words = Sequence[Sequence[str]]


def decode_spans(codec: Codec, found: Mapping[str, np.ndarray], words: Words, tags: Words) -> TreeBatch:
    """The trees of a batch, by what an engine has predicted for its positions."""
    offsets: Ints = offsets_of(words).astype(np.int32)
    size = int(offsets[-1])
    starts: Ints
    ends: Ints
    if LABELS in found:
        bases = np.repeat(offsets[:-1], np.diff(offsets))
        starts, ends = (bases + found[ENDS][:, 0]).astype(np.int32), (bases + found[ENDS][:, 1] + 1).astype(np.int32)
    else:
        starts, ends = choose_spans(found[ENDS], found[ENDS_SCORES], offsets)
    is_begin, is_last = np.zeros((2, size), bool)
    is_begin[offsets[:-1]] = is_last[offsets[1:] - 1] = True
    boundaries = np.flatnonzero(~is_last).astype(np.int32)
    # Sorted by start, and the longer ones first, constituents are in preorder.
    keys = starts[boundaries].astype(np.int64) * (size + 1) + (size - ends[boundaries])
    boundaries = boundaries[np.argsort(keys, kind="stable")]
    starts, ends = starts[boundaries], ends[boundaries]
    is_first = np.append(True, (starts[1:] != starts[:-1]) | (ends[1:] != ends[:-1]))[: len(boundaries)]
    owners = np.cumsum(is_first, dtype=np.int32) - np.int32(1)
    starts, ends = starts[is_first], ends[is_first]
    chains = _labels(codec, found, boundaries, owners, starts, ends)
    is_whole = is_begin[starts] & is_last[ends - 1]
    unary = codec.unary_chains.parsed()[0][found["unary"]]
    if codec.tops:
        as_root, elsewhere = codec.topped()
        chains = np.where(is_whole, as_root[chains], elsewhere[chains])
        unary = rooted(codec, unary, np.diff(offsets))
    chains[is_whole & (chains == 0)] = codec.chains.number((codec.root,))
    is_kept = chains > 0
    order = found[ORDER]
    is_wrong = np.zeros(len(words), bool)
    for places in (boundaries[out_of_order(order, starts, boundaries, owners)], starts[~is_kept]):
        is_wrong[np.searchsorted(offsets, places, side="right") - 1] = True
    batch = make_batch(codec, words, tags, offsets, order, (starts[is_kept], ends[is_kept], chains[is_kept]), unary)
    return batch.canonicalise(np.flatnonzero(is_wrong & batch.moved).astype(np.int32))


def _labels(
    codec: Codec, found: Mapping[str, np.ndarray], boundaries: Ints, owners: Ints, starts: Ints, ends: Ints
) -> Ints:
    """The chain of each constituent that the words at its boundaries and at both edges give the best score together."""
    chains: Ints = np.zeros(len(starts), np.int32)
    table = codec.shared_chains.parsed()[0][:-1]
    if not len(starts) or not table.any():
        return chains
    if LABELS in found:
        chains[owners] = table[found[LABELS][boundaries]]
        return chains
    chosen, votes = sums_by_owner(found["shared"], boundaries, owners)
    if "first" in found:
        votes += found["first"][starts[chosen]]
        votes += found["last"][ends[chosen] - 1]
    # Every constituent has a label.
    votes[:, table == 0] = -np.inf
    chains[chosen] = table[votes.argmax(1)]
    return chains
