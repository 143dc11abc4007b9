"""Comparison and degree: what is compared stands beside the adjective, or after the verbs."""

from __future__ import annotations

from random import Random

from permutree_lab.teaching.composing import part
from permutree_lab.teaching.dutch.clauses import FIRST, LAST, Clause, Item, Piece, build, make_clause
from permutree_lab.teaching.dutch.dependents import comma_before, dat_clause, object_frame
from permutree_lab.teaching.dutch.lexicon import adjectives, frames
from permutree_lab.teaching.dutch.morphology import AUXILIARIES
from permutree_lab.teaching.dutch.phrases import named, noun_phrase, subject
from permutree_lab.teaching.dutch.sentences import finish
from permutree_lab.teaching.dutch.statements import say_first
from permutree_lab.teaching.lessons import Lesson
from permutree_lab.teaching.parts import Part, word

__all__ = ["comparative", "result", "split_comparative"]


def _compared(random: Random) -> Part:
    doer = random.choice([named(random, random.choice(["first", "full"])), noun_phrase(random, "p", light=True)])
    return part(
        "cp", word("vg", "dan"), random.choice([doer.part, word("vnw", random.choice(["ik", "jij", "hij", "zij"]))])
    )


def comparative(random: Random) -> Lesson:
    """Anna is groter dan haar broer; Hij is even oud als zijn baas: what is compared stands beside the adjective."""
    doer = subject(random, "p", light=True)
    adjective = random.choice(adjectives()["p"])
    after = _compared(random)
    if random.random() < 0.6:
        made = part("ap", word("adj", adjective.comparative), after)
    else:
        after = part("cp", word("vg", "als"), *after.children[1:])
        degree = word("bw", random.choice(["even", "zo"]))
        head = word("adj", adjective.lemma)
        made = part("ap", part("advp", degree, after), head, order=[degree, head, after])
    clause = Clause(
        Item.whole(doer.part, FIRST, "subject"),
        AUXILIARIES["zijn"],
        doer.person,
        random.choice(["present", "past"]),
        [],
        [Item.whole(made, 7, "predicate")],
    )
    return finish(build(clause, "second"))


def split_comparative(random: Random) -> Lesson:
    """Ze heeft meer stemmen gekregen dan alle andere kandidaten; Hij kan harder lopen dan zijn vrienden."""
    after = _compared(random)
    if random.random() < 0.5:
        frame, classes = object_frame(random)
        clause = make_clause(random, frame, random.choice(["perfect", "modal", "would-have"]), adverbs=0)
        noun = noun_phrase(random, random.choice(classes), det="-", plural=True, light=True, bare=True).part
        more = word("vnw", random.choice(["meer", "meer", "minder"]))
        made = part("np", part("detp", more, after), noun)
        clause.items = [item for item in clause.items if item.kind not in ("o", "no")]
        head: Part = part("x", more, noun)
    else:
        frame = random.choice(
            [one for one in frames() if one.kinds in ((), ("loc",), ("dir",)) and "p" in one.subjects]
        )
        clause = make_clause(random, frame, random.choice(["perfect", "modal"]), adverbs=0)
        head = word("adj", random.choice(["harder", "sneller", "beter", "later", "langer", "vaker"]))
        made = part("ap", head, after)
        clause.items = [item for item in clause.items if item.kind not in ("no", "loc")]
    item = Item(made, [Piece(head, 6), Piece(after, LAST)], "more")
    clause.items.append(item)
    return finish(build(say_first(clause), "second"), gap=made)


def result(random: Random) -> Lesson:
    """Hij was zo moe dat hij in de trein sliep: zo and its clause are one phrase, around the adjective."""
    classes = random.choice("ppptlde")
    doer = subject(random, classes, light=True)
    adjective = random.choice(adjectives()[classes])
    degree, head, after = word("bw", "zo"), word("adj", adjective.lemma), dat_clause(random)
    after = comma_before(random, after, 0.2)
    inner = part("advp", degree, after)
    made = part("ap", inner, head, order=[degree, head, after])
    item = Item(made, [Piece(part("x", degree, head), 7), Piece(after, LAST)], "predicate")
    clause = Clause(
        Item.whole(doer.part, FIRST, "subject"),
        AUXILIARIES[random.choice(["zijn", "zijn", "worden"])],
        doer.person,
        random.choice(["present", "past"]),
        [],
        [item],
    )
    if random.random() < 0.25:
        clause.chain = [("ppart", word("ww", "geweest"))]
        clause.verb = AUXILIARIES["zijn"]
    return finish(build(clause, "second"), gap=inner)
