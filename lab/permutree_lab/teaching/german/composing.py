"""How German constituents are composed: children in any order, with what is said of them, and when, beside them."""

from __future__ import annotations

from collections.abc import Sequence

from permutree_lab.teaching.parts import Part

__all__ = ["part"]


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
