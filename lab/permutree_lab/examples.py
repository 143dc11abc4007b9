"""Examples of errors: what models of all seeds get wrong in the same way, in short sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from permutree.drawing import draw_text
from permutree.evaluation import evaluate
from permutree.trees.tree import Tree
from permutree_lab.misses import KINDS, Miss, find_misses

__all__ = ["Example", "find_examples"]


class Example(NamedTuple):
    """A discontinuous constituent that all have missed in the same way, and how many such ones there are."""

    miss: Miss
    gold: Tree
    #: the tree of the first model
    predicted: Tree
    alike: int

    def markdown(self) -> str:
        """What was missed in words, and both trees drawn."""
        sentence, constituent, kind = self.miss
        missed = [*self.gold][constituent]
        words = " … ".join(" ".join(self.gold.words[first:last]) for first, last in missed.blocks)
        drawn = draw_text(self.gold, marks={len(self.gold) + constituent: "missing"})
        return (
            f"**{kind}** ({self.alike} by all): {missed.label} *{words}*, sentence {sentence + 1}\n\n"
            f"```text\n{drawn}\n\n{draw_text(self.predicted)}\n```\n"
        )


def find_examples(gold: Sequence[Tree], predicted: Sequence[Sequence[Tree]]) -> Iterator[Example]:
    """For each way to miss a discontinuous constituent, the shortest sentence where all predictions do so."""
    misses = [{*find_misses(evaluate(gold, list(trees)), gold, trees)} for trees in predicted]
    common = set.intersection(*misses)
    for kind in KINDS:
        found = [miss for miss in common if miss.kind == kind]
        if found:
            miss = min(found, key=lambda miss: (len(gold[miss.sentence]), miss))
            yield Example(miss, gold[miss.sentence], predicted[0][miss.sentence], len(found))
