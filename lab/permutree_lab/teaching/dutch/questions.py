"""Questions and requests: yes-no questions, wh-questions short and long, imperatives, second persons.

In alpino, what is asked for hangs above the clause (whq, whsub), so that questions have no gap of their own.
"""

from __future__ import annotations

from random import Random

from permutree_lab.teaching.composing import part
from permutree_lab.teaching.dutch.clauses import LAST, Clause, Item, build, choose_frame, make_clause
from permutree_lab.teaching.dutch.dependents import subordinate
from permutree_lab.teaching.dutch.lexicon import Frame, frames, names
from permutree_lab.teaching.dutch.phrases import Nominal, noun_phrase, plain_noun, pronoun, subject
from permutree_lab.teaching.dutch.sentences import finish, mark
from permutree_lab.teaching.dutch.statements import any_clause, clause_frame, copula_clause, say_first
from permutree_lab.teaching.lessons import Lesson
from permutree_lab.teaching.parts import Part, word

__all__ = [
    "embedded_question",
    "imperative",
    "long_question",
    "polar_question",
    "second_person",
    "stranded_question",
    "subject_question",
    "wh_question",
    "what_kind",
]

_CLAUSAL = ("dat", "of", "ti", "oti")
_SHAPES = ("plain", "plain", "perfect", "perfect", "modal", "future")
_R_FORMS = {"met": "mee", "tot": "toe"}


def _asker(random: Random, classes: str) -> Nominal:
    """Who a question is about: mostly the one who is asked."""
    if "p" in classes and random.random() < 0.55:
        return pronoun(random.choice(["je", "je", "jij", "u", "jullie", "we", "hij", "ze"]))
    return subject(random, classes, light=True)


def polar_question(random: Random) -> Lesson:
    """Heb je het boek gelezen?"""
    if random.random() < 0.2:
        return finish(build(copula_clause(random), "first"), end="?")
    frame = clause_frame(random)
    clause = make_clause(random, frame, random.choice(_SHAPES), doer=_asker(random, frame.subjects))
    return finish(build(clause, "first"), end="?")


def _which(random: Random, classes: str) -> Nominal:
    plural = random.random() < 0.4
    if plural and random.random() < 0.4:
        noun = plain_noun(random, classes, plural=True)
        return Nominal(part("np", word("tw", "hoeveel"), word("n", noun.plural)), "3p")
    return noun_phrase(random, classes, det="welke", plural=plural, light=True)


def asked_clause(random: Random) -> tuple[Part, Clause]:
    """What is asked for, and the clause without it."""
    chance = random.random()
    if chance < 0.5:
        frame = choose_frame(random, "o", without=_CLAUSAL)
        classes = random.choice(next(one.classes for one in frame.complements if one.kind == "o"))
        clause = make_clause(random, frame, random.choice(_SHAPES), doer=_asker(random, frame.subjects), light=True)
        clause.items = [item for item in clause.items if item.kind != "o"]
        if random.random() < 0.45:
            return word("vnw", "wie" if classes == "p" else "wat"), clause
        return _which(random, classes).part, clause
    if chance < 0.7:
        frame = choose_frame(random, "P", without=_CLAUSAL)
        chosen = next(one for one in frame.complements if one.kind == "P")
        clause = make_clause(random, frame, random.choice(_SHAPES), doer=_asker(random, frame.subjects), light=True)
        clause.items = [item for item in clause.items if item.kind != "P"]
        if "p" in chosen.classes:
            who = word("vnw", "wie") if random.random() < 0.6 else _which(random, "p").part
            return part("pp", word("vz", chosen.preposition), who), clause
        if random.random() < 0.5:
            return word("bw", f"waar{_R_FORMS.get(chosen.preposition, chosen.preposition)}"), clause
        return part("pp", word("vz", chosen.preposition), _which(random, chosen.classes[0]).part), clause
    clause = any_clause(random, light=True)
    clause.items = [item for item in clause.items if item.kind not in ("time", "place", "manner")]
    asked = random.choice(["bw wanneer", "bw waarom", "bw waarom", "bw hoe", "vnw waar"])
    return word(*asked.split()), clause


def wh_question(random: Random) -> Lesson:
    """Welk boek heb je gelezen? Met wie heeft ze gepraat? Waarom kwam hij niet?"""
    asked, clause = asked_clause(random)
    return finish(part("whq", asked, build(clause, "first")), end="?")


def stranded_question(random: Random) -> Lesson:
    """Waar denk je aan? The preposition stays in the clause."""
    frame = choose_frame(random, "P", without=_CLAUSAL)
    preposition = next(one.preposition for one in frame.complements if one.kind == "P")
    clause = make_clause(random, frame, random.choice(_SHAPES), doer=_asker(random, frame.subjects), light=True)
    clause.items = [item for item in clause.items if item.kind not in ("P", "manner")]
    stranded = part("pp", word("vz", _R_FORMS.get(preposition, preposition)))
    clause.items.append(Item.whole(stranded, 8, "P"))
    return finish(part("whq", word("vnw", "waar"), build(clause, "first")), end="?")


def subject_question(random: Random) -> Lesson:
    """Wie heeft mijn fiets gestolen? Welke minister komt?"""
    frame = clause_frame(random)
    while "p" not in frame.subjects:
        frame = clause_frame(random)
    who = Nominal(word("vnw", "wie"), "3s") if random.random() < 0.55 else _which(random, "p")
    clause = make_clause(random, frame, random.choice(_SHAPES), doer=who)
    clause.subject = None
    return finish(part("whq", who.part, build(clause, "first")), end="?")


def long_question(random: Random) -> Lesson:
    """Wat denk je dat de baas zal zeggen? Wie zei ze dat de prijs heeft gewonnen? No gap, as wat hangs above."""
    if random.random() < 0.3:
        frame = clause_frame(random)
        while "p" not in frame.subjects:
            frame = clause_frame(random)
        asked: Part = word("vnw", "wie")
        clause = make_clause(random, frame, random.choice(_SHAPES), doer=Nominal(asked, "3s"), light=True)
        clause.subject = None
    else:
        asked, clause = asked_clause(random)
    inner = part("cp", word("vg", "dat"), build(clause, "last"))
    for _ in range(random.choice([1, 1, 1, 2])):
        verb = random.choice(["denken", "denken", "geloven", "zeggen", "zeggen", "hopen", "vrezen", "beweren"])
        frame = next(one for one in frames() if one.verb.infinitive == verb)
        doer = pronoun(random.choice(["je", "je", "jij", "u", "ze", "hij", "jullie"]))
        outer = make_clause(random, Frame(frame.verb, "p", ()), "plain", doer=doer, adverbs=0)
        outer.items = [Item.whole(inner, LAST, "cp")]
        made = build(outer, "first")
        inner = part("cp", word("vg", "dat"), build(outer, "last"))
    return finish(part("whq", asked, made), end="?")


def embedded_question(random: Random) -> Lesson:
    """Ik weet niet wat ze gekocht heeft; Hij vraagt waarom je lacht."""
    asked, clause = asked_clause(random)
    made = part("whsub", asked, build(clause, "last"))
    frame = choose_frame(random, "of")
    outer = make_clause(random, frame, random.choice(["plain", "plain", "modal", "perfect"]), adverbs=0, light=True)
    if random.random() < 0.4:
        outer.items.append(Item.whole(word("bw", "niet"), 5.5, "no"))
    outer.items.append(Item.whole(made, LAST, "whsub"))
    if random.random() < 0.25:
        return finish(build(outer, "first"), end="?")
    return finish(build(say_first(outer), "second"))


def what_kind(random: Random) -> Lesson:
    """Wat voor boek heb je gelezen? Wat heb je voor boeken gelezen?"""
    frame = choose_frame(random, "o", without=(*_CLAUSAL, "i", "z"))
    classes = random.choice(next(one.classes for one in frame.complements if one.kind == "o"))
    plural = random.random() < 0.5
    noun = plain_noun(random, classes, plural)
    head = word("n", noun.plural if plural else noun.lemma)
    article = word("lid", "een") if not plural and random.random() < 0.6 else None
    clause = make_clause(random, frame, random.choice(_SHAPES), doer=_asker(random, frame.subjects), light=True)
    clause.items = [item for item in clause.items if item.kind not in ("o", "no")]
    what, kind = word("vnw", "wat"), word("vz", "voor")
    if random.random() < 0.35 and article is not None:
        clause.items.append(Item.whole(part("np", part("mwu", kind, article), head), 6, "o"))
        return finish(part("whq", what, build(clause, "first")), end="?")
    asked = part("np", part("mwu", what, kind, article), head)
    return finish(part("whq", asked, build(clause, "first")), end="?")


def imperative(random: Random) -> Lesson:
    """Maak gebruik van onze nieuwe dienst! Bel je oma op! Neemt u de trein! Laten we gaan."""
    chance = random.random()
    end = random.choice([".", ".", "!", "!"])
    if chance < 0.12:
        frame = clause_frame(random)
        clause = make_clause(
            random, frame, "plain", doer=Nominal(word("vnw", "we"), "1p"), adverbs=random.choice([0, 1])
        )
        inner = part("inf", *_ordered(clause.items), word("ww", frame.verb.whole_infinitive))
        return finish(part("sv1", word("ww", "laten"), word("vnw", "we"), inner), end=end)
    if chance < 0.3:
        made = _idiom(random)
        return finish(made, end=end)
    frame = clause_frame(random)
    while "p" not in frame.subjects:
        frame = clause_frame(random)
    doer = pronoun("u") if chance < 0.4 else Nominal(word("vnw", "je"), "2s")
    clause = make_clause(random, frame, "plain", "present", doer=doer, adverbs=random.choice([0, 1, 1]))
    clause.items = [item for item in clause.items if item.kind not in ("adverb",)]
    for item in clause.items:
        if item.kind == "time" and item.part.texts[0] in ("vandaag", "nu"):
            item.move(3)
    if random.random() < 0.3:
        clause.items.append(Item.whole(word("bw", random.choice(["eens", "maar", "even", "toch"])), 3.5, "adverb"))
    if doer.part.text != "u":
        clause.subject = None
        clause.person = "1s"
    made = build(clause, "first")
    if random.random() < 0.12:
        name = word("n", random.choice(names()[random.choice(["male", "female"])])[0])
        return finish(part("du", name, made, order=[name, mark(","), made]), end=end)
    return finish(made, end=end)


def _ordered(items: list[Item]) -> list[Part]:
    return [item.part for item in sorted(items, key=lambda item: item.pieces[0].rank)]


#: requests of notices: verb, words that belong to it with their tags, preposition and class of what follows
_IDIOMS = (
    ("maak", "n/gebruik", "van", "ta"),
    ("maak", "n/kennis", "met", "po"),
    ("maak", "n/plaats", "voor", "p"),
    ("neem", "n/contact vz/op", "met", "po"),
    ("neem", "n/afscheid", "van", "pl"),
    ("neem", "n/deel", "aan", "e"),
    ("houd", "n/rekening", "met", "ae"),
    ("houd", "n/afstand", "van", "tz"),
    ("geef", "n/antwoord", "op", "a"),
    ("geef", "n/aandacht", "aan", "pa"),
    ("heb", "n/geduld", "met", "p"),
    ("stel", "n/vragen", "aan", "p"),
    ("vraag", "n/advies", "aan", "p"),
    ("zoek", "n/hulp", "bij", "po"),
    ("breng", "n/verslag vz/uit", "over", "e"),
    ("doe", "vz/mee", "aan", "e"),
    ("kijk", "vz/uit", "voor", "z"),
    ("denk", "vz/na", "over", "a"),
    ("ga", "vz/in", "op", "a"),
    ("meld", "vnw/je vz/aan", "voor", "e"),
    ("schrijf", "vnw/je vz/in", "voor", "e"),
    ("lees", "vnw/meer", "over", "ae"),
    ("klik", "", "op", "d"),
    ("ga", "", "naar", "l"),
)


def _idiom(random: Random) -> Part:
    verb, rest, preposition, classes = random.choice(_IDIOMS)
    late = [word(*one.split("/")) for one in rest.split()]
    det = random.choice(["de", "onze", "deze", "uw", "je"])
    inner = noun_phrase(random, classes, light=True, negative=False, det=det)
    return part("sv1", word("ww", verb), *late, part("pp", word("vz", preposition), inner.part))


def second_person(random: Random) -> Lesson:
    """Je hebt je sleutel vergeten; Als u de brief leest, kunt u ons bellen."""
    frame = clause_frame(random)
    while "p" not in frame.subjects:
        frame = clause_frame(random)
    doer = pronoun(random.choice(["je", "je", "jij", "u", "jullie"]))
    clause = make_clause(random, frame, random.choice(_SHAPES), doer=doer)
    if random.random() < 0.3:
        clause.items = [item for item in clause.items if item.kind != "time"]
        same = pronoun(doer.part.text)
        inner = make_clause(random, clause_frame(random), random.choice(_SHAPES), doer=same, light=True)
        made = subordinate(random, random.choice(["als", "omdat", "zodra", "voordat"]), inner)
        closed = part("cp", *made.children, order=[made, mark(",")])
        clause.items.append(Item.whole(closed, -1.0, "cp"))
        return finish(build(clause, "second"))
    return finish(build(say_first(clause), "second"))
