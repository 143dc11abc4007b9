"""The trees of sentences that were parsed in pieces: see :mod:`permutree.parsing.cutting`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise

import numpy as np
import numpy.typing as npt

from permutree.encoding import Codec, Repairs
from permutree.parsing.parsed import Cut, Parsed
from permutree.trees.batch import Ints, TreeBatch

__all__ = ["join_pieces"]


def join_pieces(parts: Sequence[Parsed], sentences: Sequence[Sequence[int]], codec: Codec) -> Parsed:
    """The trees of sentences whose pieces were parsed one after the other, in one part or several.

    ``sentences`` are the lengths of the pieces of each. Labels that only roots have go from the pieces of a sentence
    that was cut, and it gets one root.
    """
    forest = TreeBatch.join([part.forest for part in parts])
    counts = np.array([len(lengths) for lengths in sentences])
    owners = np.repeat(np.arange(len(counts)), counts)
    piece_sizes = np.fromiter(chain.from_iterable(sentences), np.int64, len(owners))
    ends = np.cumsum(counts)
    starts = np.cumsum(piece_sizes) - piece_sizes
    #: words of the sentence before each piece
    before = starts - np.repeat(starts[ends - counts], counts)
    confidence = None
    if all(part.confidence is not None for part in parts):
        confidence = np.concatenate([part.confidence for part in parts if part.confidence is not None])
    joined, confidence = _joined_trees(forest, confidence, counts, before, codec)
    repairs = []
    first = 0
    for part in parts:
        last = first + len(part.forest)
        repairs.append(part.repairs.placed(owners[first:last], before[first:last]))
        first = last
    cuts = [Cut(number, tuple(lengths)) for number, lengths in enumerate(sentences) if len(lengths) > 1]
    return Parsed(joined, Repairs.join(repairs, codec.spelling), confidence=confidence, cuts=cuts)


def _joined_trees(
    forest: TreeBatch,
    confidence: npt.NDArray[np.float32] | None,
    counts: npt.NDArray[np.int64],
    before: npt.NDArray[np.int64],
    codec: Codec,
) -> tuple[TreeBatch, npt.NDArray[np.float32] | None]:
    """Trees of sentences, by how many pieces each has and how many words come before each piece."""
    root = codec.chains.labels.number(codec.root)
    vocabulary = codec.chains.labels.values
    is_cut = counts > 1
    nodes = np.diff(forest.node_offsets)
    pieces = np.repeat(np.arange(len(nodes)), nodes)
    # The root of each piece is its first constituent, if it has any.
    firsts = forest.node_offsets[:-1][nodes > 0]
    is_top = np.zeros(len(forest.labels), bool)
    is_top[firsts] = np.isin(
        forest.labels[firsts], [number for number, one in enumerate(vocabulary) if one in codec.tops]
    )
    owners = np.repeat(np.arange(len(counts)), counts)
    is_kept = ~(is_top & is_cut[owners[pieces]])
    word_ends = forest.word_offsets[np.cumsum(counts)]
    word_offsets: Ints = np.append(0, word_ends).astype(np.int32)
    kept_each = np.bincount(owners[pieces][is_kept], minlength=len(counts))
    kept_starts = np.cumsum(kept_each) - kept_each
    # New roots stand before what is kept of their sentences.
    at = kept_starts[is_cut]
    shift = before[pieces][is_kept]
    labels = np.insert(forest.labels[is_kept], at, root).astype(np.int32)
    starts = np.insert(forest.starts[is_kept] + shift, at, 0).astype(np.int32)
    ends = np.insert(forest.ends[is_kept] + shift, at, np.diff(word_offsets)[is_cut]).astype(np.int32)
    order = forest.order + np.repeat(before, np.diff(forest.word_offsets))
    if confidence is not None:
        least = np.ones(len(counts), np.float32)
        np.minimum.at(least, owners[pieces[firsts]], confidence[firsts])
        confidence = np.insert(confidence[is_kept], at, least[is_cut])
    bounds = [0, *np.cumsum(counts).tolist()]
    joined = TreeBatch(
        [_chained(forest.words[first:last]) for first, last in pairwise(bounds)],
        [_chained(forest.tags[first:last]) for first, last in pairwise(bounds)],
        word_offsets,
        order.astype(np.int32),
        np.append(0, np.cumsum(kept_each + is_cut)).astype(np.int32),
        labels,
        starts,
        ends,
        vocabulary,
        is_canonical=True,
    )
    return joined, confidence


def _chained(parts: Sequence[Sequence[str]]) -> Sequence[str]:
    return parts[0] if len(parts) == 1 else [*chain.from_iterable(parts)]
