"""The productions of the English grammar by kind, and what all of them are made of."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from permutree_lab.teaching.english import lexicon
from permutree_lab.teaching.english.phrases import Writer, preposition
from permutree_lab.teaching.english.shapes import finish
from permutree_lab.teaching.lessons import Lesson, Production
from permutree_lab.teaching.parts import Part, extend, part, word

__all__ = ["GRAMMAR", "SHARES", "full", "production", "statement", "stop"]

GRAMMAR: dict[str, Production] = {}
#: how many sentences of a kind are written in a turn
SHARES: dict[str, int] = {}
#: how many words a sentence has at least and at most
LENGTHS = (3, 42)


def production(kind: str, share: int = 1, *, gaps: bool = True) -> Callable[[Callable[[Writer], Lesson]], Production]:
    """Register what writes a kind of sentence; without ``gaps``, nothing in it may be discontinuous."""

    def register(write: Callable[[Writer], Lesson]) -> Production:
        def produce(random: Random) -> Lesson:
            while True:
                made = write(Writer(random, gaps=gaps))
                if LENGTHS[0] <= len(made.tree) <= LENGTHS[1]:
                    return made

        GRAMMAR[kind], SHARES[kind] = produce, share
        return produce

    return register


def stop(writer: Writer) -> Part:
    """The end of a statement."""
    return word(".", "!" if writer.chance(0.04) else ".")


def full(writer: Writer, sentence: Part, gap: Part | None = None) -> Lesson:
    """A lesson from a statement that has no end yet."""
    return finish(extend(sentence, stop(writer)), gap)


def statement(writer: Writer, depth: int) -> Part:
    """A statement without its end, maybe with something in front or a second half."""
    whole = (writer.transfer() if writer.chance(0.1) else writer.clause(depth)).statement()
    chosen = writer.random.random()
    if chosen < 0.08:
        before = part("ADVP", word("RB", writer.pick(lexicon.SENTENCE_ADVERBS)))
        return extend(whole, before=[before, word(",", ",")])
    if chosen < 0.16:
        before = part("PP", preposition("in"), writer.place())
        return extend(whole, before=[before, word(",", ",")])
    if chosen < 0.28:
        link = word("CC", writer.pick(["and", "but"]))
        return part("S", whole, word(",", ","), link, writer.clause(depth - 1).statement())
    return whole
