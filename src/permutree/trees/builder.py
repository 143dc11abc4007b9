"""A tree while it is being built or changed: plain mutable nodes, of which ``Tree.of`` makes an immutable tree.

Readers of treebank formats and transformations work on builders. Nodes and leaves are compared by identity, so a
builder can hold secondary edges between them while the tree changes around them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from permutree.errors import TreeError
from permutree.trees.annotations import NO_ANNOTATIONS, Annotations, SecondaryEdge
from permutree.trees.fields import Fields

if TYPE_CHECKING:
    from permutree.trees.tree import Tree

__all__ = ["Leaf", "Node", "TreeBuilder"]


@dataclass(slots=True, eq=False)
class Leaf:
    """A word with its tag and whatever else the treebank says of it."""

    word: str
    tag: str
    lemma: str | None = None
    morphology: str | None = None
    function: str | None = None
    offsets: tuple[int, int] | None = None


@dataclass(slots=True, eq=False)
class Node:
    """A constituent: a label over children, in any order."""

    label: str
    children: list[Node | Leaf] = field(default_factory=list)
    function: str | None = None
    confidence: float | None = None

    def subtrees(self) -> Iterator[Node]:
        """This node and all nodes below it, parents first, from left to right."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(child for child in reversed(node.children) if isinstance(child, Node))

    def leaves(self) -> Iterator[Leaf]:
        """The leaves below this node, in the order of the children."""
        stack: list[Node | Leaf] = [self]
        while stack:
            node = stack.pop()
            if isinstance(node, Leaf):
                yield node
            else:
                stack.extend(reversed(node.children))


@dataclass(slots=True, eq=False)
class TreeBuilder:
    """A root, the leaves in sentence order and what belongs to the sentence as a whole."""

    root: Node | Leaf
    leaves: list[Leaf]
    secondary: list[tuple[Node | Leaf, Node | Leaf, str]] = field(default_factory=list)
    id: str | None = None
    comment: str | None = None
    info: dict[str, str] = field(default_factory=dict)

    def nodes(self) -> Iterator[Node]:
        """All constituents, parents first."""
        return self.root.subtrees() if isinstance(self.root, Node) else iter(())

    def parents(self) -> dict[Node | Leaf, Node]:
        """The parent of every node and leaf but the root."""
        return {child: node for node in self.nodes() for child in node.children}

    @classmethod
    def from_tree(cls, tree: Tree) -> TreeBuilder:
        """A builder that holds a tree, to change it."""
        return cls.from_spans(tree.words, tree.tags, tree.order, tree.labels, tree.starts, tree.ends, tree.annotations)

    @classmethod
    def from_spans(
        cls,
        words: Sequence[str],
        tags: Sequence[str],
        order: Sequence[int],
        labels: Sequence[str],
        starts: Sequence[int],
        ends: Sequence[int],
        annotations: Annotations = NO_ANNOTATIONS,
    ) -> TreeBuilder:
        """A builder that holds the tree with these fields, as :class:`~permutree.trees.tree.Tree` has them."""
        leaves = [Leaf(word, tag) for word, tag in zip(words, tags, strict=True)]
        nodes = [Node(label) for label in labels]
        stack: list[tuple[int, Node]] = []
        constituent = 0
        for position, word in enumerate(order):
            while stack and stack[-1][0] <= position:
                stack.pop()
            while constituent < len(nodes) and starts[constituent] == position:
                if stack:
                    stack[-1][1].children.append(nodes[constituent])
                stack.append((ends[constituent], nodes[constituent]))
                constituent += 1
            if stack:
                stack[-1][1].children.append(leaves[word])
        builder = cls(nodes[0] if nodes else leaves[0], leaves)
        builder._annotate([*leaves, *nodes], annotations)
        return builder

    @classmethod
    def from_constituents(
        cls, words: Sequence[str], tags: Sequence[str], constituents: Iterable[tuple[str, Iterable[int]]]
    ) -> TreeBuilder:
        """A builder from (label, word indexes) pairs; of two with the same words the first is the upper one."""
        if len(words) != len(tags):
            raise TreeError(f"{len(words)} words but {len(tags)} tags")
        leaves = [Leaf(word, tag) for word, tag in zip(words, tags, strict=True)]
        return cls.from_yields(leaves, [(Node(label), indexes) for label, indexes in constituents])

    @classmethod
    def from_yields(cls, leaves: list[Leaf], nodes: Iterable[tuple[Node, Iterable[int]]]) -> TreeBuilder:
        """A builder from childless nodes with the indexes of their words; equal yields form a chain, first on top."""
        yields = sorted(((node, frozenset(words)) for node, words in nodes), key=lambda pair: -len(pair[1]))
        if not leaves:
            raise TreeError("empty sentence: no words")
        if not yields:
            if len(leaves) != 1:
                raise TreeError(f"{len(leaves)} words but no constituent over them")
            return cls(leaves[0], leaves)
        if yields[0][1] != frozenset(range(len(leaves))):
            raise TreeError("no constituent spans all words, or one names a word that does not exist")
        # The lowest constituent over each word so far; larger yields are placed first.
        lowest: list[Node | None] = [None] * len(leaves)
        for node, words in yields:
            above = {lowest[word] for word in words if 0 <= word < len(leaves)}
            if not words or min(words) < 0 or max(words) >= len(leaves):
                raise TreeError(f"constituent {node.label!r} is empty or names a word that does not exist")
            if len(above) > 1:
                raise TreeError(f"constituent {node.label!r} overlaps another without being inside it")
            if (parent := above.pop()) is not None:
                parent.children.append(node)
            for word in words:
                lowest[word] = node
        for leaf, parent in zip(leaves, lowest, strict=True):
            assert parent is not None
            parent.children.append(leaf)
        return cls(yields[0][0], leaves)

    def _annotate(self, numbered: Sequence[Node | Leaf], annotations: Annotations) -> None:
        """Spread a tree's annotations over the nodes, which come in the order of their numbers."""
        self.id, self.comment = annotations.id, annotations.comment
        self.info = dict(annotations.info)
        if annotations.lemmas:
            for leaf, lemma in zip(self.leaves, annotations.lemmas, strict=True):
                leaf.lemma = lemma
        if annotations.morphology:
            for leaf, morphology in zip(self.leaves, annotations.morphology, strict=True):
                leaf.morphology = morphology
        if annotations.functions:
            for node, function in zip(numbered, annotations.functions, strict=True):
                node.function = function
        if annotations.offsets:
            for leaf, offsets in zip(self.leaves, annotations.offsets, strict=True):
                leaf.offsets = offsets
        if annotations.confidence:
            nodes = (node for node in numbered if isinstance(node, Node))
            for node, confidence in zip(nodes, annotations.confidence, strict=True):
                node.confidence = confidence
        self.secondary = [(numbered[edge.child], numbered[edge.parent], edge.label) for edge in annotations.secondary]

    def fields(self) -> Fields:
        """The fields of the canonical tree, checked: every leaf once, no empty constituent, no node twice."""
        leaves = self.leaves
        if not leaves:
            raise TreeError("empty sentence: no words")
        index = {leaf: number for number, leaf in enumerate(leaves)}
        if len(index) != len(leaves):
            raise TreeError("a word stands twice in the sentence")
        nodes = self._preorder(index)
        least: dict[Node | Leaf, int] = {leaf: number for number, leaf in enumerate(leaves)}
        for node in reversed(nodes):
            node.children.sort(key=least.__getitem__)
            least[node] = least[node.children[0]]
        return self._number(index)

    def _preorder(self, index: dict[Leaf, int]) -> list[Node]:
        """All nodes, parents before children; raises where this is not a tree over exactly the leaves."""
        nodes: list[Node] = []
        seen: set[Node | Leaf] = set()
        stack: list[Node | Leaf] = [self.root]
        while stack:
            node = stack.pop()
            if node in seen:
                what = f"constituent {node.label!r}" if isinstance(node, Node) else f"word {node.word!r}"
                raise TreeError(f"{what} has two parents or is its own ancestor")
            seen.add(node)
            if isinstance(node, Node):
                if not node.children:
                    raise TreeError(f"constituent {node.label!r} has no children")
                nodes.append(node)
                stack.extend(node.children)
            elif node not in index:
                raise TreeError(f"word {node.word!r} is in the tree but not in the sentence")
        if len(seen) - len(nodes) != len(index):
            lost = next(number for leaf, number in index.items() if leaf not in seen)
            raise TreeError(f"word {lost} ({self.leaves[lost].word!r}) is not in the tree")
        return nodes

    def _number(self, index: dict[Leaf, int]) -> Fields:
        """The fields of the tree of sorted, checked nodes."""
        order: list[int] = []
        nodes: list[Node] = []
        starts: list[int] = []
        ends: list[int] = []
        stack: list[Node | Leaf | int] = [self.root]
        while stack:
            item = stack.pop()
            if isinstance(item, Leaf):
                order.append(index[item])
            elif isinstance(item, Node):
                stack.append(len(nodes))
                nodes.append(item)
                starts.append(len(order))
                ends.append(0)
                stack.extend(reversed(item.children))
            else:
                ends[item] = len(order)
        size = len(order)
        return (
            tuple(leaf.word for leaf in self.leaves),
            tuple(leaf.tag for leaf in self.leaves),
            range(size) if order == list(range(size)) else tuple(order),
            tuple(node.label for node in nodes),
            tuple(starts),
            tuple(ends),
            self._annotations(nodes),
        )

    def _annotations(self, nodes: list[Node]) -> Annotations:
        leaves = self.leaves
        lemmas = tuple(leaf.lemma for leaf in leaves)
        morphology = tuple(leaf.morphology for leaf in leaves)
        numbered: list[Node | Leaf] = [*leaves, *nodes]
        functions = tuple(node.function for node in numbered)
        offsets = tuple(leaf.offsets for leaf in leaves)
        confidence = tuple(node.confidence for node in nodes)
        secondary: tuple[SecondaryEdge, ...] = ()
        if self.secondary:
            numbers = {node: number for number, node in enumerate(numbered)}
            # An edge to a node that a transformation took away goes with the node.
            secondary = tuple(
                sorted(
                    SecondaryEdge(numbers[child], numbers[parent], label)
                    for child, parent, label in self.secondary
                    if child in numbers and parent in numbers
                )
            )
        annotations = Annotations(
            self.id,
            lemmas if any(lemma is not None for lemma in lemmas) else None,
            morphology if any(value is not None for value in morphology) else None,
            functions if any(function is not None for function in functions) else None,
            secondary,
            self.comment,
            tuple(self.info.items()),
            offsets if any(interval is not None for interval in offsets) else None,
            confidence if any(value is not None for value in confidence) else None,
        )
        return NO_ANNOTATIONS if annotations == NO_ANNOTATIONS else annotations
