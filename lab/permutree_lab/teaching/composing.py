"""How constituents of free word order are composed, and what has become of them when punctuation has moved."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from permutree.errors import TreeError
from permutree.trees.tree import Constituent, Tree
from permutree_lab.teaching.parts import Part

__all__ = ["leaves", "loosen", "part", "promised"]


def part(label: str, *children: Part | None, order: Sequence[Part | None] | None = None) -> Part:
    """A constituent over children; ``order`` lists parts in the order in which they are said, if not as given.

    What the order leaves out is said further up, and it may hold words that hang elsewhere, such as commas. Children
    that are None are left out.

    >>> from permutree_lab.teaching.parts import tree_of, word
    >>> book, has, he, read = word("NN", "Bücher"), word("VAFIN", "hat"), word("PPER", "er"), word("VVPP", "gelesen")
    >>> tree_of(part("S", part("VP", book, read), has, he, order=[book, has, he, read]))
    Tree('(S (VP (NN 0=Bücher) (VVPP 3=gelesen)) (VAFIN 1=hat) (PPER 2=er))')
    """
    there = tuple(child for child in children if child is not None)
    said = there if order is None else [one for one in order if one is not None]
    return Part(label, there, tuple(word for one in said for word in one.words))


def promised(tree: Tree, root: Part, gap: Part | None, punctuation: Collection[str]) -> Constituent | None:
    """The constituent of the tree that ``gap`` has become, whose punctuation may have been moved meanwhile.

    Without a part, it is the first constituent that has a gap, if there is one.
    """
    if gap is None:
        return next((one for one in tree if one.is_discontinuous), None)
    index = {one: number for number, one in enumerate(root.words)}
    wanted = {index[one] for one in gap if one.is_word}
    for one in tree:
        extra = set(one.words) - wanted
        if (
            one.label == gap.label
            and wanted <= set(one.words)
            and all(tree.tags[word] in punctuation for word in extra)
        ):
            return one
    raise TreeError(f"the promised {gap.label} is not in the tree: {tree.discbracket()}")


def leaves(one: Part) -> set[Part]:
    """The words that hang in a part; words that are said in it but hang elsewhere are not among them."""
    return {below for below in one if below.is_word}


def loosen(one: Part, punctuation: Collection[str]) -> Part:
    """The part without punctuation, which is still said in its place."""
    if one.is_word:
        return one
    kept = [loosen(child, punctuation) for child in one.children if child.label not in punctuation]
    return Part(one.label, tuple(child for child in kept if child.is_word or child.children), one.order)
