"""Verbs in chains: clusters at the end of a clause, cross-serial order, infinitives with te and with om."""

from __future__ import annotations

from random import Random

from permutree_lab.teaching.composing import part
from permutree_lab.teaching.dutch.clauses import (
    FIRST,
    LAST,
    Clause,
    Item,
    Piece,
    build,
    choose_frame,
    infinitive,
    make_clause,
)
from permutree_lab.teaching.dutch.dependents import subordinate
from permutree_lab.teaching.dutch.lexicon import frames
from permutree_lab.teaching.dutch.morphology import AUXILIARIES, OBJECTS
from permutree_lab.teaching.dutch.phrases import noun_phrase, subject
from permutree_lab.teaching.dutch.sentences import finish, mark
from permutree_lab.teaching.dutch.statements import any_clause, clause_frame, say_first
from permutree_lab.teaching.lessons import Lesson
from permutree_lab.teaching.parts import word

__all__ = [
    "cross_serial",
    "infinitive_clause",
    "purpose",
    "raising",
    "split_infinitive",
    "verb_cluster",
]

_CLAUSAL = ("dat", "of", "ti", "oti")


def verb_cluster(random: Random) -> Lesson:
    """Ik weet dat hij het boek heeft gelezen, gelezen heeft, had willen lezen, zal worden gelezen."""
    frame = choose_frame(random, "o", without=(*_CLAUSAL, "z"))
    shape = random.choice(
        [
            "perfect",
            "perfect",
            "modal",
            "perfect-modal",
            "would",
            "would-have",
            "passive",
            "passive-perfect",
            "modal-passive",
        ]
    )
    if "passive" in shape and frame.has("i"):
        shape = "perfect"
    inner = make_clause(random, frame, shape, adverbs=random.choice([0, 1, 1]), light=True)
    made = subordinate(random, random.choice(["dat", "dat", "dat", "of"]), inner)
    frame = choose_frame(random, "dat", without=("i", "z"))
    outer = make_clause(random, frame, "plain", adverbs=0, light=True)
    outer.items = [Item.whole(made, LAST, "cp")]
    return finish(build(say_first(outer), "second"))


_CAUSERS = ("laten", "zien", "horen")


def cross_serial(random: Random) -> Lesson:
    """Ik zag dat Jan de kinderen het liedje liet zingen; … de auto heeft laten repareren."""
    name = random.choice(_CAUSERS)
    causer = (
        AUXILIARIES["laten"] if name == "laten" else next(one.verb for one in frames() if one.verb.infinitive == name)
    )
    frame = choose_frame(random, "o", without=(*_CLAUSAL, "i", "z", "P", "dir"))
    while "p" not in frame.subjects:
        frame = choose_frame(random, "o", without=(*_CLAUSAL, "i", "z", "P", "dir"))
    doer = subject(random, "p", light=True)
    inner = make_clause(random, frame, "plain", doer=doer, adverbs=0)
    low = part("inf", *(item.part for item in inner.items), word("ww", frame.verb.whole_infinitive))
    made_by = (
        None
        if name == "laten" and random.random() < 0.45
        else noun_phrase(random, "p", det=random.choice(["de", "zijn", "mijn"]), light=True).part
    )
    tense = random.choice(["present", "past"])
    perfect = random.random() < 0.35
    verb = AUXILIARIES["hebben"] if perfect else causer
    finite = word("ww", verb.finite(doer.person, "present" if tense == "present" else "past"))
    outer_word = word("ww", causer.infinitive) if perfect else None
    objects = [item.part for item in inner.items]
    said = [doer.part, *([made_by] if made_by else []), *objects]
    if perfect:
        assert outer_word is not None
        middle = part("inf", made_by, low, outer_word)
        ssub = part("ssub", doer.part, finite, middle, order=[*said, finite, outer_word, low.children[-1]])
    else:
        ssub = part("ssub", doer.part, made_by, finite, low, order=[*said, finite, low.children[-1]])
    made = part("cp", word("vg", random.choice(["dat", "dat", "omdat", "toen"])), ssub)
    if made.words[0].text == "dat":
        outer = make_clause(random, choose_frame(random, "dat", without=("i", "z")), "plain", adverbs=0, light=True)
        outer.items = [Item.whole(made, LAST, "cp")]
    else:
        outer = any_clause(random, light=True, shapes=("plain",))
        outer.items = [item for item in outer.items if item.kind != "time"] + [Item.whole(made, LAST, "cp")]
    return finish(build(say_first(outer), "second"), gap=low)


def infinitive_clause(random: Random) -> Lesson:
    """Hij probeert het raam te openen; Ze heeft beloofd haar oma te bellen."""
    frame = choose_frame(random, "ti", without=("z",))
    clause = make_clause(random, frame, random.choice(["plain", "perfect", "modal"]), adverbs=random.choice([0, 0, 1]))
    clause.items = [item for item in clause.items if item.kind not in ("manner", "no")]
    inner = choose_frame(random, without=("dat", "of", "ti", "z"))
    clause.items.append(Item.whole(infinitive(random, inner, adverbs=random.choice([0, 0, 1])), LAST, "ti"))
    return finish(build(say_first(clause), "second"))


def split_infinitive(random: Random) -> Lesson:
    """Het boek probeerde hij te lezen: the object of the infinitive comes first."""
    frame = random.choice([one for one in frames() if one.kinds == ("ti",)])
    clause = make_clause(random, frame, "plain", adverbs=0, light=True)
    inner = choose_frame(random, "o", without=("dat", "of", "ti", "z", "i", "P", "dir"))
    made = infinitive(random, inner)
    while made.words[0].text in ("het", "geen") or made.words[0].text in OBJECTS:
        made = infinitive(random, inner)
    low = made.children[0]
    first = low.children[0]
    rest = [one for one in made.words if one not in first.words]
    clause.items = [Item(made, [Piece(first, FIRST), Piece(part("x", *rest), LAST)], "ti")]
    return finish(build(clause, "second"), gap=low)


def purpose(random: Random) -> Lesson:
    """Ik ga naar de stad om een jas te kopen; Om de prijs te winnen, moet je oefenen."""
    clause = any_clause(random, light=True, shapes=("plain", "perfect", "modal"))
    inner = choose_frame(random, without=("dat", "of", "ti", "z"))
    made = infinitive(random, inner, label="oti", adverbs=random.choice([0, 1]))
    if random.random() < 0.35:
        closed = part("oti", *made.children, order=[made, *([mark(",")] if random.random() < 0.5 else [])])
        clause.items.append(Item.whole(closed, FIRST, "oti"))
        return finish(build(clause, "second"))
    clause.items.append(Item.whole(made, LAST, "oti"))
    return finish(build(say_first(clause), "second"))


def raising(random: Random) -> Lesson:
    """Hij blijkt de trein te missen; De minister schijnt ziek te zijn."""
    frame = clause_frame(random)
    doer = subject(random, frame.subjects, light=True)
    verb = AUXILIARIES[random.choice(["blijken", "lijken"])]
    made = infinitive(random, frame, adverbs=random.choice([0, 1]), doer=doer)
    clause = Clause(
        Item.whole(doer.part, FIRST, "subject"),
        verb,
        doer.person,
        random.choice(["present", "past"]),
        [],
        [Item.whole(made, 7, "ti")],
    )
    return finish(build(clause, "second"))
