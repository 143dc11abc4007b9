"""The fields of a tree as a plain tuple, and the checks on them.

The builder and the notation give fields; :class:`~permutree.trees.tree.Tree` is made of them. So neither needs to know
the class, and trees import them, never the other way round.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from permutree.errors import TreeError
from permutree.trees.annotations import Annotations

__all__ = ["Fields", "check_spans", "is_canonical"]

#: words, tags, order, labels, starts, ends and annotations of a tree in canonical form
Fields: TypeAlias = tuple[
    tuple[str, ...], tuple[str, ...], Sequence[int], tuple[str, ...], tuple[int, ...], tuple[int, ...], Annotations
]


def check_spans(
    words: Sequence[str],
    tags: Sequence[str],
    order: Sequence[int],
    labels: Sequence[str],
    starts: Sequence[int],
    ends: Sequence[int],
) -> None:
    """Raise a TreeError unless these are the fields of a tree, in preorder (canonical or not)."""
    size = len(words)
    if not size:
        raise TreeError("a tree needs at least one word")
    if len(tags) != size:
        raise TreeError(f"{size} words but {len(tags)} tags")
    if sorted(order) != list(range(size)):
        raise TreeError(f"the order is not a permutation of the {size} words")
    if not len(labels) == len(starts) == len(ends):
        raise TreeError("labels, starts and ends differ in length")
    if not labels:
        if size > 1:
            raise TreeError(f"{size} words but no constituent over them")
        return
    if (starts[0], ends[0]) != (0, size):
        raise TreeError("the first constituent does not span all words")
    stack = [(0, size)]
    for start, end in zip(starts[1:], ends[1:], strict=True):
        if not 0 <= start < end <= size:
            raise TreeError(f"empty or impossible span {start}–{end}")
        while stack and stack[-1][1] <= start:
            stack.pop()
        if not stack or start < stack[-1][0] or end > stack[-1][1]:
            raise TreeError(f"the span {start}–{end} is not inside its parent, or spans are not in preorder")
        stack.append((start, end))


def is_canonical(order: Sequence[int], starts: Sequence[int], ends: Sequence[int]) -> bool:
    """Whether the children of every constituent stand in the order of their leftmost words.

    It is enough to compare the leftmost word of each child with that of the sibling before it. Going from right
    to left, ``least[p]`` is the leftmost word of the largest finished subtree that starts at position p.
    """
    least = list(order)
    after = list(range(1, len(least) + 1))
    for start, end in zip(reversed(starts), reversed(ends), strict=True):
        smallest = least[start]
        sibling = after[start]
        previous = smallest
        while sibling < end:
            current = least[sibling]
            if current < previous:
                return False
            previous = current
            sibling = after[sibling]
        after[start] = end
    return True
