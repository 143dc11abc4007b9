"""Where the nodes of a tree stand: computed once here, drawn by the modules for text, SVG and LaTeX.

Words stand side by side in sentence order, each in a column of its own. A constituent stands within the columns of one
of its blocks. As constituents are nested or disjoint, two that are not above each other never share a column: no label
can stand on another or on a branch, and no two branches run into each other. What remains is lines that cross.

Each constituent has a level, words have level 0. Below its label runs a horizontal line from which the branches to its
children hang, so two constituents can share a level only if their words, with everything between them, stand apart. The
narrower one goes below: what fills a gap passes the line of the discontinuous constituent around it as one branch.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from permutree.trees.nodes import blocks_of
from permutree.trees.tree import Tree

__all__ = ["Layout", "lay_out"]

#: the space that a node needs to the left and to the right of its branch
Size = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of the nodes of a tree. Nodes are numbered: words from 0, then constituents in preorder."""

    #: the branch that a node hangs from and stands below
    x: list[float]
    level: list[int]
    #: -1 for the root
    parents: list[int]
    #: node → its children from left to right, empty for words
    children: list[list[int]]
    #: discontinuous constituents → their rank in preorder, for colours
    discontinuous: dict[int, int]
    width: float
    #: the level of the root
    height: int

    def extent(self, constituent: int) -> tuple[float, float]:
        """The ends of the horizontal line below a constituent."""
        children = self.children[constituent]
        x = self.x[constituent]
        return min(x, self.x[children[0]]), max(x, self.x[children[-1]])

    def sweep(self) -> Iterator[tuple[list[int], list[tuple[float, int]]]]:
        """For each level from 1 upwards: the constituents there, and the branches (x, child) that pass by.

        The branches come from left to right, in a list that is good until the next level is asked for.
        """
        levels: list[list[int]] = [[] for _ in range(self.height + 1)]
        for node, level in enumerate(self.level):
            levels[level].append(node)
        passing = [(self.x[word], word) for word in levels[0]]
        for constituents in levels[1:]:
            for constituent in constituents:
                for child in self.children[constituent]:
                    del passing[bisect_left(passing, (self.x[child], child))]
            yield constituents, passing
            for constituent in constituents:
                insort(passing, (self.x[constituent], constituent))


def lay_out(tree: Tree, sizes: Sequence[Size], gap: float, snap: Callable[[float], float] = float) -> Layout:
    """Place the nodes, which need the given space, with at least a gap between the columns of words.

    Coordinates are multiples of what ``snap`` rounds to.
    """
    size = len(tree.words)
    constituents = range(size, size + len(tree.labels))
    parents = [parent if parent < 0 else parent + size for parent in (*tree.word_parents, *tree.parents)]
    children: list[list[int]] = [[] for _ in parents]
    for node, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(node)
    first, last = _hulls(tree, children)
    words_of = [end - start for start, end in zip(tree.starts, tree.ends, strict=True)]
    gapped = [node for node in constituents if last[node] - first[node] + 1 != words_of[node - size]]
    discontinuous = {node: rank for rank, node in enumerate(gapped)}
    homes = _homes(tree, children, first, last, discontinuous)
    columns = _Columns(_chain_sizes(sizes, children), homes, size, gap)
    columns.widen(columns.place(children, snap))
    x = columns.place(children, snap)
    level = _levels(first, last, size)
    return Layout(x, level, parents, children, discontinuous, columns.ends[-1], max(level))


def _chain_sizes(sizes: Sequence[Size], children: list[list[int]]) -> list[Size]:
    """The sizes, but those of a unary chain are that of its widest constituent: so it is straight."""
    widened = list(sizes)
    unary = [(node, below[0]) for node, below in enumerate(children) if len(below) == 1]
    for node, child in (*reversed(unary), *unary):
        if children[child]:
            (left, right), (child_left, child_right) = widened[node], widened[child]
            widened[node] = widened[child] = max(left, child_left), max(right, child_right)
    return widened


def _hulls(tree: Tree, children: list[list[int]]) -> tuple[list[int], list[int]]:
    """The first and the last word of each node."""
    first = [*range(len(tree.words)), *[0] * len(tree.labels)]
    last = first.copy()
    for node in range(len(first) - 1, len(tree.words) - 1, -1):
        first[node] = min(first[child] for child in children[node])
        last[node] = max(last[child] for child in children[node])
    return first, last


def _homes(
    tree: Tree, children: list[list[int]], first: list[int], last: list[int], discontinuous: dict[int, int]
) -> list[tuple[int, int]]:
    """The block (first and last word) in which each node stands: the one with most of its children.

    Of several, it is the one nearest to the middle of all children.
    """
    size = len(tree.words)
    homes = list(zip(first, last, strict=True))
    places = [float(word) for word in first]
    for node in range(len(homes) - 1, size - 1, -1):
        nearby = sorted(places[child] for child in children[node])
        middle = (nearby[0] + nearby[-1]) / 2
        if node in discontinuous:
            blocks = [(start, end - 1) for start, end in blocks_of(tree.yield_of(node - size))]
            inside = [bisect_right(nearby, end) - bisect_left(nearby, start) for start, end in blocks]
            _, _, home = min(
                (-count, max(block[0] - middle, middle - block[1]), block)
                for count, block in zip(inside, blocks, strict=True)
            )
            middle = _target(nearby, *home)
            homes[node] = home
        places[node] = middle
    return homes


def _target(places: list[float], begin: float, end: float, near: float = 0) -> float:
    """Where a node should stand between begin and end, given the places of its children from left to right.

    That is in the middle, or above an inner child that is near to it.
    """
    inside = places[bisect_left(places, begin) : bisect_right(places, end)]
    if len(inside) > 1:
        places = inside
    middle = (places[0] + places[-1]) / 2
    after = bisect_left(places, middle, 1, len(places) - 1) if len(places) > 2 else 0
    for place in places[max(after - 1, 1) : min(after + 1, len(places) - 1)]:
        if abs(place - middle) <= near:
            middle = place
    return min(max(middle, begin), end)


class _Columns:
    """The columns of words, and where nodes stand in them."""

    def __init__(self, sizes: Sequence[Size], homes: list[tuple[int, int]], size: int, gap: float) -> None:
        self.sizes, self.homes, self.gap = sizes, homes, gap
        #: the space to the left and to the right of each word's branch
        self.left = [left for left, _ in sizes[:size]]
        self.right = [right for _, right in sizes[:size]]
        for (left, right), (begin, end) in zip(sizes[size:], homes[size:], strict=True):
            if begin == end:
                self.left[begin] = max(self.left[begin], left)
                self.right[begin] = max(self.right[begin], right)
        self.starts = [0.0] * size
        self.ends = [0.0] * size
        self.is_widened = False

    def place(self, children: list[list[int]], snap: Callable[[float], float]) -> list[float]:
        """Where the branch of each node is; sorts the children from left to right."""
        x = [0.0] * len(self.sizes)
        edge: float = 0
        for word, (left, right) in enumerate(zip(self.left, self.right, strict=True)):
            self.starts[word] = edge
            x[word] = edge + left
            self.ends[word] = x[word] + right
            edge = self.ends[word] + self.gap
        for node in range(len(x) - 1, len(self.left) - 1, -1):
            children[node].sort(key=x.__getitem__)
            begin, end = self.homes[node]
            if begin == end:
                x[node] = x[begin]
                continue
            places = [x[child] for child in children[node]]
            target = snap(_target(places, self.starts[begin], self.ends[end], self.gap / 2))
            leftmost, rightmost = self._room(node)
            fits = leftmost <= rightmost or self.is_widened
            x[node] = min(max(target, leftmost), rightmost) if fits else target
        return x

    def _room(self, node: int) -> tuple[float, float]:
        """Between which places a node must stand to be within its home."""
        begin, end = self.homes[node]
        left, right = self.sizes[node]
        return self.starts[begin] + left, self.ends[end] - right

    def widen(self, x: list[float]) -> None:
        """Make room at the edges of homes that are too narrow for their nodes."""
        more_left = [0.0] * len(self.left)
        more_right = [0.0] * len(self.right)
        for node in range(len(self.left), len(x)):
            leftmost, rightmost = self._room(node)
            if leftmost > rightmost:
                begin, end = self.homes[node]
                lack = leftmost - rightmost
                missing = min(max(leftmost - x[node], 0), lack)
                more_left[begin] = max(more_left[begin], missing)
                more_right[end] = max(more_right[end], lack - missing)
        self.left = [width + more for width, more in zip(self.left, more_left, strict=True)]
        self.right = [width + more for width, more in zip(self.right, more_right, strict=True)]
        self.is_widened = True


def _levels(first: list[int], last: list[int], size: int) -> list[int]:
    """The level of each node: above everything that stands between its first and its last word."""
    levels = [0] * len(first)
    # The skyline so far: runs of words with the same highest level above them.
    runs, tops = list(range(size)), [0] * size
    for node in sorted(range(size, len(first)), key=lambda node: (last[node] - first[node], -node)):
        begin, end = first[node], last[node] + 1
        low, high = bisect_right(runs, begin) - 1, bisect_left(runs, end)
        levels[node] = 1 + max(tops[low:high])
        new_runs, new_tops = [begin], [levels[node]]
        if runs[low] < begin:
            new_runs.insert(0, runs[low])
            new_tops.insert(0, tops[low])
        if end < (runs[high] if high < len(runs) else size):
            new_runs.append(end)
            new_tops.append(tops[high - 1])
        runs[low:high], tops[low:high] = new_runs, new_tops
    return levels
