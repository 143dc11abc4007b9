"""The constituents of a continuous arrangement as labels, and back: n, x and u of the paper, for whole batches.

Positions count over the words of all sentences of a batch, each in the order of its arrangement. Between position p and
p + 1 of a sentence there is a boundary, called p. The *levels* of p (the paper's absolute n) are the number of
constituents that hold both sides, with unary chains counted as one; the lowest of these *owns* the boundary, and its
label is the *shared* label (x). The last position of a sentence has zero levels and no owner. Constituents over one
word are the word's *unary* chain (u).

Everything rests on one fact: among the constituents at one level, which never overlap, and the boundaries that have
as many levels, each boundary belongs to the last constituent that starts at or before it. So sorting both by level,
otherwise from left to right, puts every boundary behind its owner.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from permutree.trees.batch import Ints

__all__ = ["Brackets", "brackets_of", "describe", "format_chain", "has_unfit", "parse_chain"]

#: What stands for no shared label and no unary chain, and for the level of the last word.
NOTHING = "_"
_TOKEN = re.compile(r"\+|[^+\\]+|\\.?", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
#: what no label has in any treebank, and most formats cannot hold: white space and what is no character of XML
_UNFIT = re.compile(r"[\s\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_PLAIN_UNFIT = re.compile(rf"(?:[^\\]|\\.)*?{_UNFIT.pattern}", re.DOTALL).match


def format_chain(labels: Sequence[str]) -> str:
    r"""A chain of labels, top down, as one text: joined with ``+``, or ``_`` if there are none.

    A plus sign, backslash or white space that belongs to a label gets a backslash before it, as does a label that is
    ``_``; the empty label is ``\e``.

    >>> print(format_chain(["S", "VP"]), format_chain(["ONE+Q", "NP"]), format_chain([]), format_chain(["_"]))
    S+VP ONE\+Q+NP _ \_
    """
    return "+".join(map(_escape, labels)) if labels else NOTHING


def _escape(label: str) -> str:
    if label in ("", NOTHING):
        return "\\e" if not label else "\\" + label
    if "+" in label or "\\" in label:
        label = label.replace("\\", "\\\\").replace("+", "\\+")
    return _UNFIT.sub(r"\\\g<0>", label) if has_unfit(label) else label


def has_unfit(text: str) -> bool:
    """Whether there is white space, or a character that XML does not have, in a text: it is no label then."""
    return _UNFIT.search(text) is not None


def parse_chain(text: str) -> tuple[tuple[str, ...], bool]:
    r"""The labels of a chain, and whether the text was well-formed.

    Links that are empty, or have white space without a backslash before it, are no labels and are left out.

    >>> parse_chain("S+VP"), parse_chain("ONE\\+Q+NP"), parse_chain("_"), parse_chain("S++VP"), parse_chain("-3 QQ")
    ((('S', 'VP'), True), (('ONE+Q', 'NP'), True), ((), True), (('S', 'VP'), False), ((), False))
    """
    if text == NOTHING:
        return (), True
    if "\\" not in text:
        parts = text.split("+")
        links = tuple(part for part in parts if part and part != NOTHING and not has_unfit(part))
    else:
        parts = [""]
        for token in _TOKEN.findall(text):
            if token == "+":
                parts.append("")
            else:
                parts[-1] += token
        fit = (part for part in parts if part and part != NOTHING and not _PLAIN_UNFIT(part))
        links = tuple(map(_unescape, fit))
    return links, len(links) == len(parts)


def _unescape(part: str) -> str:
    return "" if part == "\\e" else _ESCAPE.sub(r"\1", part)


def describe(starts: Ints, ends: Ints, size: int) -> tuple[Ints, Ints]:
    """The levels and owners of all positions, given the constituents over more than one word.

    They come in preorder, chains as one. The owner at the last position of a sentence means nothing.
    """
    change = np.bincount(starts, minlength=size) - np.bincount(ends - 1, minlength=size)
    levels = np.cumsum(change, dtype=np.int32)
    opened = np.cumsum(np.bincount(starts, minlength=size), dtype=np.int32)
    # of the constituents that start at one place, the last has all the levels there
    numbers: Ints = np.arange(len(starts), dtype=np.int32)
    owners, _ = _owners(levels, starts, (levels - opened)[starts] + numbers + 1, opened)
    return levels, owners


def _owners(levels: Ints, starts: Ints, node_levels: Ints, opened: Ints) -> tuple[Ints, Ints]:
    """The constituent that owns each boundary; also the boundaries, sorted by level.

    Constituents come in preorder; ``opened[p]`` is how many start at or before p.
    """
    size, count = len(levels), len(starts)
    positions = np.arange(size, dtype=np.int32)
    numbers = np.arange(count, dtype=np.int32)
    highest = int(levels.max(initial=0))
    keys = np.empty(size + count, np.uint8 if highest < 256 else np.uint16 if highest < 65536 else np.int32)
    items = np.empty(size + count, np.int32)
    # constituents are written as -1, -2, … and boundaries as 0, 1, …
    place = numbers + starts
    keys[place] = node_levels
    items[place] = ~numbers
    place = positions + opened
    keys[place] = levels
    items[place] = positions
    items = items[np.argsort(keys, kind="stable")]
    is_boundary = items >= 0
    # forward fill: the rank of the last constituent among the sorted ones
    nodes = ~items[~is_boundary]
    boundaries = items[is_boundary]
    owners = np.empty(size, np.int32)
    if count:
        owners[boundaries] = nodes[(np.cumsum(~is_boundary, dtype=np.int32) - 1)[is_boundary]]
    return owners, boundaries


@dataclass(frozen=True, slots=True, eq=False)
class Brackets:
    """Constituents in preorder, without labels, and which of them owns each boundary."""

    starts: Ints
    ends: Ints
    #: how many constituents start at or before each position
    opened: Ints
    owners: Ints
    #: the boundaries, sorted by level, and so grouped by owner; last positions come first
    boundaries: Ints


def brackets_of(levels: Ints) -> Brackets:
    """The constituents that levels speak of; last positions have zero, all others at least one.

    Where the levels rise, constituents start; where they fall, constituents end. At one level starts and ends
    alternate, so sorting both by level pairs them.
    """
    before = np.empty_like(levels)
    before[:1] = 0
    before[1:] = levels[:-1]
    rise = levels - before
    falls = np.maximum(-rise, 0)
    rises = np.maximum(rise, 0)
    opened = np.cumsum(rises, dtype=np.int32)
    starts, node_levels = _spread(rises, opened, before)
    closings, closing_levels = _spread(falls, np.cumsum(falls, dtype=np.int32), levels)
    owners, boundaries = _owners(levels, starts, node_levels, opened)
    ends = np.empty_like(starts)
    ends[np.argsort(_small(node_levels), kind="stable")] = (
        closings[np.argsort(_small(closing_levels), kind="stable")] + 1
    )
    return Brackets(starts, ends, opened, owners, boundaries)


def _spread(counts: Ints, total: Ints, lower: Ints) -> tuple[Ints, Ints]:
    """Each position as often as its count says, with levels that count up from above a lower one."""
    positions = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    levels = np.arange(1, len(positions) + 1, dtype=np.int32) + (lower - total + counts)[positions]
    return positions, levels


def _small(levels: Ints) -> npt.NDArray[np.integer]:
    """Levels in the smallest integer type that holds them, which sorts fastest."""
    highest = int(levels.max(initial=0))
    return levels.astype(np.uint8 if highest < 256 else np.uint16) if highest < 65536 else levels
