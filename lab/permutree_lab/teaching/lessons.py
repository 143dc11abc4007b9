"""Lessons: trees that were made to teach a construction, with what each of them promises."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, TypeAlias

from permutree.errors import TreeError
from permutree.trees.tree import Constituent, Tree
from permutree_lab.teaching.parts import Part, constituent_of, tree_of

__all__ = ["Language", "Lesson", "Production", "Rewriting", "check", "lesson", "normalise"]


class Lesson(NamedTuple):
    """A tree and its promise: the constituent that has the gap, or None if no constituent has one."""

    tree: Tree
    gap: Constituent | None = None


#: makes lessons of a tree; nothing if the tree does not hold what it rewrites
Rewriting: TypeAlias = Callable[[Part, Random], Iterator[Lesson]]
#: makes a lesson
Production: TypeAlias = Callable[[Random], Lesson]


@dataclass(frozen=True, slots=True)
class Language:
    """What there is for a language: rewritings and productions of its grammar, by the name of the kind they make."""

    code: str
    rewritings: dict[str, Rewriting]
    grammar: dict[str, Production]
    #: how often a production is used; one that is not named here is used once a turn
    shares: dict[str, int]


def lesson(root: Part, gap: Part | None = None) -> Lesson:
    """A lesson from a part and, below it, the part that has the gap."""
    return Lesson(tree_of(root), None if gap is None else constituent_of(gap, root))


def check(made: Lesson) -> None:
    """Raise a :class:`~permutree.errors.TreeError` unless the tree keeps its promise.

    A lesson with a gap holds the constituent that was promised, and that one is discontinuous. A lesson without one
    is continuous, so that look-alikes teach where no gap is.
    """
    tree, gap = made
    if any(not text or re.search(r"\s", text) for text in tree.words):
        raise TreeError("a word is empty or has a blank in it")
    if gap is None:
        if tree.is_discontinuous:
            raise TreeError(f"a tree that should be continuous has a gap: {tree.discbracket()}")
    elif not gap.is_discontinuous or gap not in [*tree]:
        raise TreeError(f"no {gap.label} with a gap over the words {gap.words}: {tree.discbracket()}")


_SILENT = re.compile(r"[\W_]+")


def normalise(text: str) -> str:
    """What two texts have in common if they are the same sentence: letters and digits, in lower case.

    >>> normalise("`` I do n't , '' he said .") == normalise('"I don’t", he said')
    True
    """
    return _SILENT.sub("", text).lower()
