"""The English rewritings by kind, and how statements come to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from permutree_lab.teaching.english.phrases import Writer
from permutree_lab.teaching.english.statements import Statement, is_continuous, statement_of
from permutree_lab.teaching.lessons import Lesson, Rewriting
from permutree_lab.teaching.parts import Part

__all__ = ["REWRITINGS", "NounRewriter", "rewriting"]

REWRITINGS: dict[str, Rewriting] = {}

#: what rewrites a statement; None if it does not hold what is needed
Rewriter = Callable[[Statement, Writer], Lesson | None]
#: what rewrites a noun phrase and its last part
NounRewriter = Callable[[Part, Part, Writer], Lesson | None]


def rewriting(kind: str, share: float = 1.0, *, gaps: bool = False) -> Callable[[Rewriter], Rewriter]:
    """Register what rewrites statements, of which a share is taken; with ``gaps``, also those that have some inside."""

    def register(make: Rewriter) -> Rewriter:
        def rewrite(root: Part, random: Random) -> Iterator[Lesson]:
            found = statement_of(root)
            writer = Writer(random, gaps=gaps)
            if found is None or not writer.chance(share) or not (found.is_straight if gaps else is_continuous(root)):
                return
            made = make(found, writer)
            if made is not None:
                yield made

        REWRITINGS[kind] = rewrite
        return make

    return register
