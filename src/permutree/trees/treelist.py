"""The trees of a text: a list that notebooks show as pictures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import SupportsIndex, overload

from permutree.trees.displays import plugged_in
from permutree.trees.tree import Tree

__all__ = ["Trees"]


class Trees(list[Tree]):
    """A list of trees, equal to any list of the same trees, that shows itself as pictures in a notebook.

    Parsers return it for a text. Where they know the language, pictures say what labels mean.

    >>> trees = Trees([Tree.parse("(S (NP (PRP 0=it)) (VBZ 1=works))")], language="en")
    >>> trees == list(trees), trees[:1].language
    (True, 'en')
    """

    __slots__ = ("language",)

    #: the code of the language of all of them, if it is known
    language: str | None

    def __init__(self, trees: Iterable[Tree] = (), *, language: str | None = None) -> None:
        super().__init__(trees)
        self.language = language

    @overload
    def __getitem__(self, index: SupportsIndex) -> Tree: ...
    @overload
    def __getitem__(self, index: slice) -> Trees: ...
    def __getitem__(self, index: SupportsIndex | slice) -> Tree | Trees:
        if isinstance(index, slice):
            return Trees(super().__getitem__(index), language=self.language)
        return super().__getitem__(index)

    def copy(self) -> Trees:
        """Another list of the same trees."""
        return self[:]

    def _repr_html_(self) -> str:
        shown: str = plugged_in("html")(self)
        return shown
