"""The fields of a tree as a plain tuple, and the checks on them.

The builder and the notation give fields; :class:`~permutree.trees.tree.Tree` is made of them. So neither needs to know
the class, and trees import them, never the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from permutree.errors import TreeError
from permutree.trees.annotations import Annotations

__all__ = ["Arrangement", "Fields", "arrange", "check_spans", "is_canonical"]

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


class Arrangement(NamedTuple):
    """The fields of a tree that say how it hangs together, and which constituents are the first, second, … of them."""

    order: Sequence[int]
    constituents: list[int]
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def arrange(word_parents: Sequence[int], parents: Sequence[int]) -> Arrangement | None:
    """The arrangement of a tree, given the constituent above each word and each constituent; -1 is above the root.

    None if this is no tree: it has not one root, or a constituent has no words or is its own ancestor.

    >>> arrange([1, 0, 1], [-1, 0])
    Arrangement(order=(0, 2, 1), constituents=[0, 1], starts=(0, 0), ends=(3, 2))
    """
    size = len(word_parents)
    if parents.count(-1) != 1 or -1 in word_parents:
        return None
    # Words come from left to right, and a constituent is hung up when its first word is: so children are in order.
    children: list[list[int]] = [[] for _ in parents]
    for word, parent in enumerate(word_parents):
        siblings, child = children[parent], word
        while not siblings:
            siblings.append(child)
            child, parent = size + parent, parents[parent]
            if parent < 0:
                break
            siblings = children[parent]
        else:
            siblings.append(child)
    order: list[int] = []
    starts = [0]
    ends = [0]
    constituents = [parents.index(-1)]
    # Constituents that are being walked over: their numbers in preorder, and the children that are still to come.
    stack: list[tuple[int, Iterator[int]]] = []
    number, coming = 0, iter(children[constituents[0]])
    while True:
        for child in coming:
            if child < size:
                order.append(child)
            else:
                stack.append((number, coming))
                number, coming = len(starts), iter(children[child - size])
                constituents.append(child - size)
                starts.append(len(order))
                ends.append(0)
                break
        else:
            ends[number] = len(order)
            if not stack:
                break
            number, coming = stack.pop()
    if len(order) != size or len(constituents) != len(parents):
        return None
    arrangement = range(size) if order == list(range(size)) else tuple(order)
    return Arrangement(arrangement, constituents, tuple(starts), tuple(ends))
