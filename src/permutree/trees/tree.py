"""The tree: words, tags and labelled constituents, any of which may be discontinuous.

A tree is stored as the paper sees it: as its continuous arrangement. ``order`` lists the words in the order in
which a walk over the tree, children sorted by their leftmost word, meets them (the inverse of the permutation τ);
in that order every constituent is one span. Constituents are three parallel tuples, ``labels``, ``starts`` and
``ends``, in preorder: parents before children, siblings from left to right. This form is unique, so equal trees
have equal tuples, and a tree has a discontinuous constituent if and only if ``order`` is not the identity.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from permutree.errors import TreeError
from permutree.trees.annotations import NO_ANNOTATIONS, Annotations
from permutree.trees.builder import TreeBuilder
from permutree.trees.displays import plugged_in, show
from permutree.trees.fields import check_spans, is_canonical
from permutree.trees.nodes import Node, blocks_of, nodes_of
from permutree.trees.notation import format_line, parse_line

if TYPE_CHECKING:
    import networkx
    import nltk

__all__ = ["Constituent", "Tree"]


class Constituent(NamedTuple):
    """One constituent of a tree: its label and the indexes of its words, in sentence order."""

    label: str
    words: tuple[int, ...]

    @property
    def blocks(self) -> tuple[tuple[int, int], ...]:
        """The maximal runs of consecutive words, as half-open intervals."""
        return blocks_of(self.words)

    @property
    def gap_degree(self) -> int:
        """The number of gaps in the yield."""
        return self.fan_out - 1

    @property
    def fan_out(self) -> int:
        """The number of blocks: the block degree of the paper."""
        words = self.words
        if words[-1] - words[0] + 1 == len(words):
            return 1
        return 1 + sum(right - left > 1 for left, right in pairwise(words))

    @property
    def is_discontinuous(self) -> bool:
        """Whether the yield has a gap."""
        return self.words[-1] - self.words[0] + 1 != len(self.words)


class Tree:
    """An immutable constituent tree over words and tags.

    Build one with :meth:`parse`, :meth:`from_constituents`, :meth:`from_spans` or, from a
    :class:`~permutree.trees.builder.TreeBuilder`, with :meth:`of`; all of them check and canonicalise.

    >>> tree = Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")
    >>> tree.is_discontinuous, tree.order, tree.tau
    (True, (0, 3, 1, 2), (0, 2, 3, 1))
    >>> [(constituent.label, constituent.words) for constituent in tree]
    [('S', (0, 1, 2, 3)), ('VP', (0, 3))]
    """

    __slots__ = ("annotations", "ends", "labels", "order", "starts", "tags", "words")

    words: tuple[str, ...]
    tags: tuple[str, ...]
    #: position in the arrangement → word; a ``range`` if the tree is continuous, else a tuple
    order: Sequence[int]
    labels: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    annotations: Annotations

    @classmethod
    def _new(
        cls,
        words: tuple[str, ...],
        tags: tuple[str, ...],
        order: Sequence[int],
        labels: tuple[str, ...],
        starts: tuple[int, ...],
        ends: tuple[int, ...],
        annotations: Annotations = NO_ANNOTATIONS,
    ) -> Tree:
        """A tree from its fields, which the caller knows to be valid and canonical."""
        tree = object.__new__(cls)
        _set_words(tree, words)
        _set_tags(tree, tags)
        _set_order(tree, order)
        _set_labels(tree, labels)
        _set_starts(tree, starts)
        _set_ends(tree, ends)
        _set_annotations(tree, annotations)
        return tree

    @classmethod
    def parse(cls, text: str) -> Tree:
        """The tree written in one line of discbracket."""
        return cls._new(*parse_line(text))

    @classmethod
    def of(cls, builder: TreeBuilder) -> Tree:
        """The tree that a builder holds, checked: every word once, no empty constituent, no node twice."""
        return cls._new(*builder.fields())

    @classmethod
    def from_spans(
        cls,
        words: Iterable[str],
        tags: Iterable[str],
        order: Iterable[int],
        labels: Iterable[str],
        starts: Iterable[int],
        ends: Iterable[int],
        annotations: Annotations = NO_ANNOTATIONS,
    ) -> Tree:
        """A tree from spans over an arrangement, given in preorder; children may come in any order."""
        words, tags, labels = tuple(words), tuple(tags), tuple(labels)
        order, starts, ends = list(order), tuple(starts), tuple(ends)
        check_spans(words, tags, order, labels, starts, ends)
        size = len(words)
        if order == list(range(size)):
            return cls._new(words, tags, range(size), labels, starts, ends, annotations)
        if not is_canonical(order, starts, ends):
            return cls.of(TreeBuilder.from_spans(words, tags, order, labels, starts, ends, annotations))
        return cls._new(words, tags, tuple(order), labels, starts, ends, annotations)

    @classmethod
    def from_constituents(
        cls,
        words: Iterable[str],
        tags: Iterable[str],
        constituents: Iterable[tuple[str, Iterable[int]]],
    ) -> Tree:
        """A tree from (label, word indexes) pairs; of two with the same words the first is the upper one.

        >>> Tree.from_constituents("abc", "XYZ", [("S", [0, 1, 2]), ("A", [0, 2])])
        Tree('(S (A (X 0=a) (Z 2=c)) (Y 1=b))')
        """
        return cls.of(TreeBuilder.from_constituents(list(words), list(tags), constituents))

    def annotated(self, **changes: Any) -> Tree:
        """A copy with some annotations changed."""
        annotations = replace(self.annotations, **changes)
        fields = (self.words, self.tags, self.order, self.labels, self.starts, self.ends)
        return Tree._new(*fields, annotations)

    def with_tags(self, tags: Iterable[str]) -> Tree:
        """A copy with other tags."""
        tags = tuple(tags)
        if len(tags) != len(self.words):
            raise TreeError(f"{len(self.words)} words but {len(tags)} tags")
        return Tree._new(self.words, tags, self.order, self.labels, self.starts, self.ends, self.annotations)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"trees are immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"trees are immutable: cannot delete {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        fields = (self.words, self.tags, self.order, self.labels, self.starts, self.ends, self.annotations)
        return Tree._new, fields

    def __eq__(self, other: object) -> bool:
        """Same words, tags and constituents; annotations are not compared."""
        if not isinstance(other, Tree):
            return NotImplemented
        return (
            self.words == other.words
            and self.labels == other.labels
            and self.starts == other.starts
            and self.ends == other.ends
            and self.tags == other.tags
            and self.order == other.order
        )

    def __hash__(self) -> int:
        return hash((self.words, self.tags, self.labels, self.starts, self.ends, tuple(self.order)))

    def __len__(self) -> int:
        """The number of words."""
        return len(self.words)

    def __iter__(self) -> Iterator[Constituent]:
        """The constituents in preorder."""
        for constituent in range(len(self.labels)):
            yield self.constituent(constituent)

    def __repr__(self) -> str:
        try:
            return f"Tree({self.discbracket()!r})"
        except TreeError:
            # discbracket has no way to write a word with a blank in it.
            constituents = [(constituent.label, constituent.words) for constituent in self]
            return f"Tree.from_constituents({self.words!r}, {self.tags!r}, {constituents!r})"

    def __str__(self) -> str:
        """The tree as a drawing for the terminal."""
        return show(self, "text")

    def _repr_svg_(self) -> str:
        return show(self, "svg")

    def to_nltk(self, discontinuous: str = "raise") -> nltk.Tree:
        """The tree for NLTK; ``discontinuous`` says how gaps are written.

        :mod:`permutree.integrations.nltk` explains the ways: ``raise``, ``split``, ``traces``, ``indices``.
        """
        made: nltk.Tree = plugged_in("to_nltk")(self, discontinuous)
        return made

    @classmethod
    def from_nltk(cls, tree: nltk.Tree, discontinuous: str | None = None) -> Tree:
        """The tree of an NLTK tree, with gaps in one of the ways of :meth:`to_nltk`, which is guessed if not named."""
        made: Tree = plugged_in("from_nltk")(tree, discontinuous)
        return made

    def to_networkx(self) -> networkx.DiGraph[int]:
        """The tree as a graph of NetworkX: see :mod:`permutree.integrations.networkx`."""
        made: networkx.DiGraph[int] = plugged_in("to_networkx")(self)
        return made

    def discbracket(self) -> str:
        """The tree as one line of discbracket."""
        return format_line(self.words, self.tags, self.order, self.labels, self.starts, self.ends)

    @property
    def id(self) -> str | None:
        """The sentence id, if the treebank gave one."""
        return self.annotations.id

    @property
    def tau(self) -> tuple[int, ...]:
        """The paper's τ: word → its position in the continuous arrangement."""
        tau = [0] * len(self.order)
        for position, word in enumerate(self.order):
            tau[word] = position
        return tuple(tau)

    @property
    def root(self) -> Node:
        """The root, to walk down from: a constituent, or a lone word that stands under none.

        >>> tree = Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")
        >>> tree.root.children
        (Node('VP', 'How … work'), Word('VBZ', 'does'), Word('PRP', 'it'))
        """
        return nodes_of(self)[len(self) if self.labels else 0]

    @property
    def root_label(self) -> str:
        """The label of the root, or the tag of a lone word that stands under no constituent."""
        return self.labels[0] if self.labels else self.tags[0]

    @property
    def constituents(self) -> tuple[Node, ...]:
        """The constituents as nodes, in preorder: parents before children, siblings from left to right."""
        return tuple(nodes_of(self)[len(self) :])

    def find(self, label: str) -> list[Node]:
        """The constituents with this label, in preorder.

        >>> [node.span_text for node in Tree.parse("(S (NP (D 0=the) (N 1=cat)) (V 2=sleeps))").find(label="NP")]
        ['the cat']
        """
        return [node for node in self.constituents if node.label == label]

    @property
    def is_discontinuous(self) -> bool:
        """Whether any constituent has a gap."""
        return type(self.order) is tuple

    @property
    def fan_out(self) -> int:
        """The largest number of blocks of any constituent: the tree's block degree."""
        if not self.is_discontinuous:
            return 1
        return max(constituent.fan_out for constituent in self)

    @property
    def gap_degree(self) -> int:
        """The largest number of gaps in any constituent."""
        return self.fan_out - 1

    @property
    def depth(self) -> int:
        """The number of constituents on the longest path from the root to a word."""
        deepest = 0
        stack: list[int] = []
        for start, end in zip(self.starts, self.ends, strict=True):
            while stack and stack[-1] <= start:
                stack.pop()
            stack.append(end)
            deepest = max(deepest, len(stack))
        return deepest

    @property
    def parents(self) -> tuple[int, ...]:
        """The parent of each constituent, as an index into the constituents; -1 for the root."""
        parents = []
        stack: list[int] = []
        ends = self.ends
        for constituent, start in enumerate(self.starts):
            while stack and ends[stack[-1]] <= start:
                stack.pop()
            parents.append(stack[-1] if stack else -1)
            stack.append(constituent)
        return tuple(parents)

    @property
    def word_parents(self) -> tuple[int, ...]:
        """The constituent that each word hangs from; -1 for a lone word without constituents."""
        parents = [-1] * len(self.words)
        stack: list[int] = []
        starts, ends = self.starts, self.ends
        constituent, count, parent, end = 0, len(starts), -1, 0
        for position, word in enumerate(self.order):
            if position == end or (constituent < count and starts[constituent] == position):
                while stack and ends[stack[-1]] <= position:
                    stack.pop()
                while constituent < count and starts[constituent] == position:
                    stack.append(constituent)
                    constituent += 1
                if stack:
                    parent = stack[-1]
                    end = ends[parent]
            parents[word] = parent
        return tuple(parents)

    def yield_of(self, constituent: int) -> tuple[int, ...]:
        """The indexes of the words of a constituent, in sentence order."""
        words = self.order[self.starts[constituent] : self.ends[constituent]]
        return tuple(sorted(words)) if type(words) is tuple else tuple(words)

    def constituent(self, constituent: int) -> Constituent:
        """The constituent at an index in preorder."""
        return Constituent(self.labels[constituent], self.yield_of(constituent))

    def child_numbers(self, constituent: int) -> tuple[int, ...]:
        """The children as node numbers, by leftmost word: words from 0, constituents from ``len(tree)``."""
        size, order, starts, ends = len(self.words), self.order, self.starts, self.ends
        children = []
        position, end = starts[constituent], ends[constituent]
        child = constituent + 1
        while position < end:
            if child < len(starts) and starts[child] == position:
                children.append(size + child)
                position = ends[child]
                while child < len(starts) and starts[child] < position:
                    child += 1
            else:
                children.append(order[position])
                position += 1
        return tuple(children)

    def all_child_numbers(self) -> list[list[int]]:
        """The children of all constituents, in preorder, as :meth:`child_numbers` gives those of one."""
        size, starts, ends = len(self.words), self.starts, self.ends
        children: list[list[int]] = [[] for _ in starts]
        stack: list[int] = []
        constituent, count = 0, len(starts)
        for position, word in enumerate(self.order):
            while stack and ends[stack[-1]] <= position:
                stack.pop()
            while constituent < count and starts[constituent] == position:
                if stack:
                    children[stack[-1]].append(size + constituent)
                stack.append(constituent)
                constituent += 1
            if stack:
                children[stack[-1]].append(word)
        return children


# The fields are set once, past __setattr__; the descriptors of the slots are the fastest way to do it.
_set_words = Tree.__dict__["words"].__set__
_set_tags = Tree.__dict__["tags"].__set__
_set_order = Tree.__dict__["order"].__set__
_set_labels = Tree.__dict__["labels"].__set__
_set_starts = Tree.__dict__["starts"].__set__
_set_ends = Tree.__dict__["ends"].__set__
_set_annotations = Tree.__dict__["annotations"].__set__
