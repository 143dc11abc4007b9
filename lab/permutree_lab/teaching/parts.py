"""Parts of a sentence: constituents and words that know the order in which their words are said.

Rewritings and grammars compose parts. A part never changes: to rewrite a sentence is to build a new part from parts of
the old one. A discontinuous part is one whose words are not all side by side in the part above it; the part above
says so by naming the order of its words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from permutree.errors import TreeError
from permutree.trees.builder import Leaf, Node, TreeBuilder
from permutree.trees.nodes import Node as TreeNode
from permutree.trees.tree import Constituent, Tree

__all__ = [
    "Part",
    "constituent_of",
    "copy",
    "extend",
    "part",
    "part_of",
    "replace",
    "replace_words",
    "smallest_gap",
    "tree_of",
    "word",
]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A constituent, or a word, whose label is its tag. Parts are compared by identity."""

    label: str
    children: tuple[Part, ...] = ()
    #: the words of a constituent in the order in which they are said; of a word, nothing
    order: tuple[Part, ...] = ()
    text: str = ""

    @property
    def words(self) -> tuple[Part, ...]:
        """The words in the order in which they are said."""
        return self.order or (self,)

    @property
    def is_word(self) -> bool:
        """Whether the part is a word."""
        return not self.children

    @property
    def is_straight(self) -> bool:
        """Whether the children are said one after the other; below them, there may be gaps."""
        return self.order == tuple(said for child in self.children for said in child.words)

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the words."""
        return tuple(word.text for word in self.words)

    def __iter__(self) -> Iterator[Part]:
        """The part and all parts below it, parents first."""
        stack = [self]
        while stack:
            one = stack.pop()
            yield one
            stack.extend(reversed(one.children))

    def __repr__(self) -> str:
        return f"Part({self.label!r}, {' '.join(self.texts)!r})"


#: what a function takes that replaces words
WordChange: TypeAlias = Callable[[Part], Part]


def word(tag: str, text: str) -> Part:
    """A word."""
    return Part(tag, text=text)


def part(
    label: str,
    *children: Part | None,
    first: Sequence[Part | None] = (),
    last: Sequence[Part | None] = (),
    order: Sequence[Part] = (),
) -> Part:
    """A constituent over children that are said in this order, but for what is displaced.

    ``first`` names parts, at any depth below, that are said before all others, ``last`` those that are said after
    them; ``order`` lists all parts as they are said instead. What is None is left out, so that what is optional needs
    no case of its own.

    >>> who, did, you, see = word("WP", "Who"), word("VBD", "did"), word("PRP", "you"), word("VB", "see")
    >>> tree_of(part("SQ", did, you, part("VP", who, see), first=[who]))
    Tree('(SQ (VP (WP 0=Who) (VB 3=see)) (VBD 1=did) (PRP 2=you))')
    """
    there = tuple(child for child in children if child is not None)
    if not order:
        before = [word for one in first if one is not None for word in one.words]
        after = [word for one in last if one is not None for word in one.words]
        displaced = {*before, *after}
        order = [*before, *(word for child in there for word in child.words if word not in displaced), *after]
    return Part(label, there, tuple(word for one in order for word in one.words))


def extend(one: Part, *after: Part | None, before: Sequence[Part | None] = ()) -> Part:
    """The constituent with more children, which are said before and after all others."""
    start = [new for new in before if new is not None]
    end = [new for new in after if new is not None]
    said = (word for some in (start, [one], end) for new in some for word in new.words)
    return Part(one.label, (*start, *one.children, *end), tuple(said))


def smallest_gap(root: Part, moved: Part) -> Part | None:
    """The smallest part around ``moved`` that is discontinuous in the sentence, or None."""
    place = {said: number for number, said in enumerate(root.words)}
    inside = {*moved.words}
    found: Part | None = None
    for one in root:
        numbers = [place[said] for said in one.words]
        is_apart = max(numbers) - min(numbers) + 1 != len(numbers)
        if is_apart and inside < {*one.words} and (found is None or len(one.words) <= len(found.words)):
            found = one
    return found


def part_of(tree: Tree) -> Part:
    """A tree as a part."""
    words = [word(tag, text) for tag, text in zip(tree.tags, tree.words, strict=True)]

    def convert(node: TreeNode) -> Part:
        if node.is_word:
            return words[node.indices[0]]
        below = tuple(convert(child) for child in node.children)
        return Part(node.label, below, tuple(words[index] for index in node.indices))

    return convert(tree.root)


def tree_of(root: Part) -> Tree:
    """A part as a tree, checked: every word hangs somewhere, and once."""
    leaves = {one: Leaf(one.text, one.label) for one in root.words}

    def convert(one: Part) -> Node | Leaf:
        if not one.is_word:
            return Node(one.label, [convert(child) for child in one.children])
        if one not in leaves:
            raise TreeError(f"word {one.text!r} hangs in the tree but is not said")
        return leaves[one]

    return Tree.of(TreeBuilder(convert(root), list(leaves.values())))


def constituent_of(one: Part, root: Part) -> Constituent:
    """A part as a constituent of the tree that a root is made into."""
    index = {said: number for number, said in enumerate(root.words)}
    return Constituent(one.label, tuple(sorted(index[said] for said in one.words)))


def copy(one: Part, change: WordChange | None = None) -> Part:
    """A copy with words of its own, to say a part twice; ``change`` makes each word, from the old one."""
    change = change or (lambda old: word(old.label, old.text))
    new = {old: change(old) for old in one.words}
    return _exchange(one, new)


def replace_words(root: Part, new: dict[Part, Part]) -> Part:
    """The part with other words in the place of some."""
    return _exchange(root, {old: new.get(old, old) for old in root.words})


def _exchange(one: Part, new: dict[Part, Part]) -> Part:
    if one.is_word:
        return new[one]
    return Part(one.label, tuple(_exchange(child, new) for child in one.children), tuple(new[old] for old in one.order))


def replace(root: Part, old: Part, new: Part | None) -> Part | None:
    """The part with another one in the place of ``old``, or without it; None if nothing is left.

    The words of ``old`` must stand side by side: the new ones are said in their place.
    """
    if root is old:
        return new
    if not any(one is old for one in root):
        return root
    first, size = root.order.index(old.words[0]), len(old.words)
    if root.order[first : first + size] != old.words:
        raise TreeError(f"{old!r} has a gap: its words cannot be replaced together")
    children = tuple(child for one in root.children if (child := replace(one, old, new)) is not None)
    if not children:
        return None
    return Part(root.label, children, (*root.order[:first], *(new.words if new else ()), *root.order[first + size :]))
