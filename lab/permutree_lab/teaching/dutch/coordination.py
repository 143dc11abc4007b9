"""Clauses, verb phrases and noun phrases that are coordinated, with words left out and without."""

from __future__ import annotations

from random import Random

from permutree_lab.teaching.composing import part
from permutree_lab.teaching.dutch.clauses import Item, build, choose_frame, make_clause
from permutree_lab.teaching.dutch.phrases import Nominal, named, noun_phrase, place, subject
from permutree_lab.teaching.dutch.sentences import finish, mark
from permutree_lab.teaching.dutch.statements import any_statement, clause_frame, say_first
from permutree_lab.teaching.lessons import Lesson
from permutree_lab.teaching.parts import Part, word

__all__ = ["coordination", "gapping", "listing", "shared_subject", "shared_verb"]

_CLAUSAL = ("dat", "of", "ti", "oti")


def coordination(random: Random) -> Lesson:
    """Two clauses: De zon scheen en de kinderen speelden in de tuin."""
    first, second = any_statement(random, light=True), any_statement(random, light=True)
    joint = word("vg", random.choice(["en", "en", "maar", "want", "of"]))
    comma = mark(",") if joint.text in ("maar", "want") else None
    made = part("conj", first, joint, second, order=[first, *([comma] if comma else []), joint, second])
    return finish(made)


def shared_subject(random: Random) -> Lesson:
    """Hij kwam thuis en ging naar bed: the second clause has no subject of its own."""
    doer = subject(random, "p", light=True)
    first = make_clause(random, clause_frame(random), "plain", "past", doer=doer, adverbs=0)
    while "p" not in (frame := clause_frame(random)).subjects:
        pass
    second = make_clause(random, frame, "plain", "past", doer=doer, adverbs=random.choice([0, 1]))
    second.subject = None
    left, right = build(say_first(first), "second"), build(second, "first", label="smain")
    return finish(part("conj", left, word("vg", random.choice(["en", "en", "maar"])), right))


def gapping(random: Random) -> Lesson:
    """Anna speelt de piano en Tom de viool: the second clause has no verb."""
    doer, other = named(random, "first"), named(random, random.choice(["first", "full"]))
    if random.random() < 0.5:
        doer = noun_phrase(random, "p", det=random.choice(["de", "mijn"]), light=True)
        other = noun_phrase(random, "p", det=random.choice(["de", "mijn"]), light=True)
    if random.random() < 0.35:
        clause = make_clause(random, clause_frame(random, "loc"), "plain", doer=doer, adverbs=0)
        clause.items = [Item.whole(place(random), 7, "loc")]
        rest = place(random)
    else:
        frame = choose_frame(random, "o", without=(*_CLAUSAL, "i", "z", "P", "dir"))
        classes = next(one.classes for one in frame.complements if one.kind == "o")
        clause = make_clause(random, frame, "plain", doer=doer, adverbs=0)
        clause.items = [Item.whole(noun_phrase(random, classes, light=True, negative=False).part, 4, "o")]
        rest = noun_phrase(random, classes, light=True, negative=False).part
    first, second = build(say_first(clause), "second"), part("smain", other.part, rest)
    if random.random() < 0.3:
        return finish(part("conj", first, second, order=[first, mark(","), second]))
    joint = word("vg", random.choice(["en", "en", "maar"]))
    return finish(part("conj", first, joint, second))


def shared_verb(random: Random) -> Lesson:
    """Ze heeft de deur geopend en het licht uitgedaan: two verb phrases below one finite verb."""
    doer = subject(random, "p", light=True)
    shape = random.choice(["perfect", "modal"])
    first = make_clause(random, clause_frame(random), shape, doer=doer, adverbs=random.choice([0, 1]))
    while True:
        second = make_clause(random, clause_frame(random), shape, doer=doer, adverbs=0)
        if second.verb.infinitive == first.verb.infinitive or shape == "modal":
            break
    phrases = [
        part(
            clause.chain[0][0],
            *(item.part for item in sorted(clause.items, key=lambda item: item.pieces[0].rank)),
            clause.chain[0][1],
        )
        for clause in (first, second)
    ]
    finite = word("ww", first.verb.finite(first.person, first.tense))
    joint = word("vg", random.choice(["en", "en", "of"]))
    return finish(part("smain", doer.part, finite, part("conj", phrases[0], joint, phrases[1])))


def listed(random: Random, classes: str) -> Nominal:
    """Three or more nouns: eieren, melk en brood; de kok, de ober en drie gasten."""
    bare = random.random() < 0.4
    parts: list[Part] = []
    for _ in range(random.choice([2, 3, 3, 4])):
        det = "-" if bare else random.choice(["de", "een", "mijn", "de"])
        parts.append(noun_phrase(random, classes, det=det, plural=bare, light=True, bare=bare).part)
    joint = word("vg", "en")
    said: list[Part] = []
    for one in parts[:-1]:
        said += [one, mark(",")]
    said = [*said[:-1], joint, parts[-1]]
    return Nominal(part("conj", *parts[:-1], joint, parts[-1], order=said), "3p")


def listing(random: Random) -> Lesson:
    """We bezochten Rome, Florence en een klein dorp."""
    frame = choose_frame(random, "o", without=(*_CLAUSAL, "i", "z", "P", "dir"))
    classes = next(one.classes for one in frame.complements if one.kind == "o")
    shape = random.choice(["plain", "perfect", "modal"])
    if random.random() < 0.35:
        clause = make_clause(random, frame, shape, doer=listed(random, frame.subjects[0]))
    else:
        clause = make_clause(random, frame, shape, adverbs=0)
        clause.items = [Item.whole(listed(random, classes[0]).part, 4, "o")]
    return finish(build(say_first(clause), "second"))
