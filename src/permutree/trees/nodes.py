"""The nodes of a tree as objects, to walk over: constituents and words, each with its children and its parent.

A tree is stored as arrays; nodes are made when somebody asks for them, all of a tree at once, and read everything else
from the arrays. They are equal if they are the same place of equal trees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from permutree.trees.tree import Tree

__all__ = ["Node", "Word", "blocks_of", "nodes_of"]


class Node:
    """A constituent of a tree; words are nodes, too (:class:`Word`)."""

    __slots__ = ("_children", "_number", "_parent", "_tree")

    def __init__(self, tree: Tree, number: int) -> None:
        self._tree = tree
        # Words are numbered from 0, constituents from len(tree).
        self._number = number
        self._parent: Node | None = None
        self._children: tuple[Node, ...] = ()

    @property
    def tree(self) -> Tree:
        """The tree that the node is in."""
        return self._tree

    @property
    def label(self) -> str:
        """The label of a constituent, the tag of a word."""
        return self._tree.labels[self._number - len(self._tree)]

    @property
    def parent(self) -> Node | None:
        """The constituent above; None for the root."""
        return self._parent

    @property
    def children(self) -> tuple[Node, ...]:
        """The constituents and words right below, by their leftmost word; a word has none."""
        return self._children

    @property
    def is_word(self) -> bool:
        """Whether the node is a word."""
        return False

    @property
    def indices(self) -> tuple[int, ...]:
        """The indexes of the words, in sentence order."""
        return self._tree.yield_of(self._number - len(self._tree))

    @property
    def words(self) -> tuple[str, ...]:
        """The texts of the words, in sentence order."""
        return tuple(self._tree.words[index] for index in self.indices)

    @property
    def span_text(self) -> str:
        """The words with blanks between them, and … for each gap."""
        words = self._tree.words
        return " … ".join(" ".join(words[start:end]) for start, end in self.blocks)

    @property
    def blocks(self) -> tuple[tuple[int, int], ...]:
        """The maximal runs of consecutive words, as half-open intervals."""
        return blocks_of(self.indices)

    @property
    def is_discontinuous(self) -> bool:
        """Whether there is a gap between the words."""
        indices = self.indices
        return indices[-1] - indices[0] + 1 != len(indices)

    @property
    def subtree(self) -> Tree:
        """A tree of this node and all below it, whose words are numbered from 0."""
        places = {word: place for place, word in enumerate(self.indices)}
        below = [(node.label, [places[word] for word in node.indices]) for node in self.descendants if not node.is_word]
        tags = [self._tree.tags[word] for word in self.indices]
        return type(self._tree).from_constituents(self.words, tags, below)

    @property
    def descendants(self) -> Iterator[Node]:
        """This node and all below it, parents first, from left to right."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node._children))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        return self._number == other._number and self._tree == other._tree

    def __hash__(self) -> int:
        return hash((self._number, self._tree))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.label!r}, {self.span_text!r})"

    def __reduce__(self) -> tuple[object, ...]:
        # Not by the links, which in a deep tree would be too many to follow.
        return _node_at, (self._tree, self._number)


class Word(Node):
    """A word of a tree: its text, its tag as the label, and its place in the sentence."""

    __slots__ = ()

    @property
    def label(self) -> str:
        """The tag."""
        return self._tree.tags[self._number]

    @property
    def text(self) -> str:
        """The word itself."""
        return self._tree.words[self._number]

    @property
    def index(self) -> int:
        """The place in the sentence, from 0."""
        return self._number

    @property
    def is_word(self) -> bool:
        """Whether the node is a word."""
        return True

    @property
    def indices(self) -> tuple[int, ...]:
        """The index of the word alone."""
        return (self._number,)


def nodes_of(tree: Tree) -> list[Node]:
    """All nodes of a tree: its words in sentence order, then its constituents in preorder."""
    size = len(tree)
    nodes: list[Node] = [Word(tree, index) for index in range(size)]
    nodes += [Node(tree, size + number) for number in range(len(tree.labels))]
    children: list[list[Node]] = [[] for _ in tree.labels]
    above = (*tree.word_parents, *tree.parents)
    # By their first position in the arrangement, siblings come in order.
    first = [*tree.tau, *tree.starts]
    for number in sorted(range(len(nodes)), key=first.__getitem__):
        if above[number] >= 0:
            children[above[number]].append(nodes[number])
            nodes[number]._parent = nodes[size + above[number]]
    for node, below in zip(nodes[size:], children, strict=True):
        node._children = tuple(below)
    return nodes


def _node_at(tree: Tree, number: int) -> Node:
    return nodes_of(tree)[number]


def blocks_of(words: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """The maximal runs of consecutive numbers in a sorted sequence, as half-open intervals.

    >>> blocks_of([0, 1, 4, 6, 7])
    ((0, 2), (4, 5), (6, 8))
    """
    blocks = []
    start = previous = words[0]
    for word in words[1:]:
        if word != previous + 1:
            blocks.append((start, previous + 1))
            start = word
        previous = word
    blocks.append((start, previous + 1))
    return tuple(blocks)
