"""Clauses and phrases that depend on others, beside them or apart: relatives, dat-clauses, infinitives, dan."""

from __future__ import annotations

from collections.abc import Callable
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
from permutree_lab.teaching.dutch.lexicon import Frame, frames
from permutree_lab.teaching.dutch.morphology import AUXILIARIES
from permutree_lab.teaching.dutch.phrases import Nominal, noun_phrase, phrase, prepositional, pronoun, subject
from permutree_lab.teaching.dutch.sentences import finish, mark
from permutree_lab.teaching.dutch.statements import any_clause, clause_frame, copula_clause, say_first
from permutree_lab.teaching.lessons import Lesson
from permutree_lab.teaching.parts import Part, word

__all__ = [
    "adverbial_clause",
    "attached_relative",
    "comma_before",
    "complement_clause",
    "dat_clause",
    "extraposed_clause",
    "extraposed_infinitive",
    "extraposed_phrase",
    "extraposed_relative",
    "extraposed_subject_relative",
    "het_clause",
    "noun_clause",
    "object_frame",
    "prepositional_clause",
    "relative",
    "subordinate",
]

_CLAUSAL = ("dat", "of", "ti", "oti")
_SHAPES = ("plain", "plain", "perfect", "perfect", "modal", "perfect-modal", "would-have")


def comma_before(random: Random, one: Part, chance: float = 0.3) -> Part:
    """The part, with a comma before it now and then."""
    if random.random() > chance:
        return one
    return part(one.label, *one.children, order=[mark(","), *one.words])


def subordinate(random: Random, conjunction: str = "dat", clause: Clause | None = None) -> Part:
    """A clause with its verbs last below a conjunction."""
    clause = clause or (copula_clause(random) if random.random() < 0.2 else any_clause(random, light=True))
    return part("cp", word("vg", conjunction), build(clause, "last"))


def dat_clause(random: Random) -> Part:
    """A clause with dat."""
    return subordinate(random)


_R_FORMS = {"met": "mee", "tot": "toe"}


def relative(random: Random, head: Nominal, classes: str) -> Part:
    """A relative clause on a noun of a class: its subject, its object, or below a preposition."""
    one = classes[0]
    shape = random.choice(_SHAPES)
    as_subject = [frame for frame in frames() if one in frame.subjects and not set(frame.kinds) & set(_CLAUSAL)]
    as_object = [
        frame
        for frame in frames()
        if any(c.kind == "o" and one in c.classes for c in frame.complements) and not set(frame.kinds) & set(_CLAUSAL)
    ]
    below = [
        frame
        for frame in frames()
        if any(c.kind == "P" and one in c.classes for c in frame.complements) and not set(frame.kinds) & set(_CLAUSAL)
    ]
    kind = random.choice(
        [*(["s"] * 4 if as_subject else []), *(["o"] * 4 if as_object else []), *(["P"] if below else [])]
    )
    pronoun_word: Part = word("vnw", head.relative)
    if kind == "s":
        clause = make_clause(random, random.choice(as_subject), shape, doer=head, adverbs=random.choice([0, 1]))
        clause.subject = None
    else:
        frame = random.choice(as_object if kind == "o" else below)
        doer = subject(random, frame.subjects, light=True)
        clause = make_clause(random, frame, shape, doer=doer, adverbs=random.choice([0, 0, 1]))
        clause.items = [item for item in clause.items if item.kind != kind]
        if kind == "P":
            preposition = next(c.preposition for c in frame.complements if c.kind == "P")
            stranded = _R_FORMS.get(preposition, preposition)
            if head.is_person:
                pronoun_word = part("pp", word("vz", preposition), word("vnw", "wie"))
            elif random.random() < 0.5:
                pronoun_word = word("bw", f"waar{stranded}")
            else:
                pronoun_word = word("vnw", "waar")
                clause.items.append(Item.whole(part("pp", word("vz", stranded)), 8, "P"))
    return part("rel", pronoun_word, build(clause, "last"))


def _join(head: Nominal, after: Part, closed: bool = False) -> Part:
    """A noun phrase with something after it; ``closed`` says a comma behind."""
    children = head.part.children or (head.part,)
    order = [*head.part.words, after, *([mark(",")] if closed else [])]
    return part("np", *children, after, order=order)


def _split(head: Nominal, after: Part, rank: float, kind: str) -> Item:
    """A noun phrase whose last part is said after all verbs."""
    return Item(_join(head, after), [Piece(head.part, rank), Piece(after, LAST)], kind)


def attached_relative(random: Random) -> Lesson:
    """De man die ik gisteren zag, droeg een hoed: the clause beside its noun."""
    frame = clause_frame(random)
    classes = frame.subjects[0]
    head = noun_phrase(random, classes, light=True)
    after = comma_before(random, relative(random, head, classes), 0.2)
    whole = _join(head, after, closed=after.words[0].label == "let" or random.random() < 0.6)
    doer = Nominal(whole, head.person, head.relative, is_definite=head.is_definite)
    return finish(build(say_first(make_clause(random, frame, random.choice(_SHAPES), doer=doer)), "second"))


_APART = ("perfect", "perfect", "modal", "perfect-modal", "would-have", "future")


def object_frame(random: Random) -> tuple[Frame, str]:
    """A frame with an object and nothing else, and the classes of the object."""
    frame = choose_frame(random, "o", without=(*_CLAUSAL, "i", "dir", "P"))
    return frame, next(one.classes for one in frame.complements if one.kind == "o")


def _with_object(
    random: Random, make: Callable[[Nominal, str], Part], *, comma: float, wanted: str = "ptdaeolzf"
) -> Lesson:
    """A clause whose object, of some class, has something that is said after the verbs."""
    frame, classes = object_frame(random)
    while not set(classes) & set(wanted):
        frame, classes = object_frame(random)
    classes = random.choice([one for one in classes if one in wanted])
    shape = "plain" if frame.verb.particle and random.random() < 0.6 else random.choice(_APART)
    clause = make_clause(random, frame, shape, adverbs=random.choice([0, 0, 1]))
    det = random.choice(["een", "een", "de", "veel", "-"])
    head = noun_phrase(random, classes, det=det, plural=det in ("veel", "-"), light=True, negative=False)
    item = _split(head, comma_before(random, make(head, classes), comma), 4, "o")
    clause.items = [one for one in clause.items if one.kind not in ("o", "no")] + [item]
    chance = random.random()
    if chance < 0.15:
        return finish(build(say_first(clause, item), "second"), gap=item.part)
    if chance < 0.3:
        conjunction = random.choice(["dat", "omdat", "hoewel"])
        made = subordinate(random, conjunction, clause)
        if conjunction == "dat":
            report = pronoun(random.choice(["ik", "hij", "ze", "we"]))
            verb = (
                AUXILIARIES["vinden"] if random.random() < 0.2 else choose_frame(random, "dat", without=("i", "z")).verb
            )
            outer = Clause(
                Item.whole(report.part, FIRST, "subject"), verb, report.person, "past", [], [], particle=verb.particle
            )
            outer.items.append(Item.whole(made, LAST, "cp"))
            return finish(build(outer, "second"), gap=item.part)
        outer = copula_clause(random)
        outer.items.append(Item.whole(made, LAST, "cp"))
        return finish(build(say_first(outer), "second"), gap=item.part)
    return finish(build(say_first(clause), "second"), gap=item.part)


def extraposed_relative(random: Random) -> Lesson:
    """Ik heb een man ontmoet die vijf talen spreekt."""
    return _with_object(random, lambda head, classes: relative(random, head, classes), comma=0.35)


def extraposed_phrase(random: Random) -> Lesson:
    """Hij heeft een boek geschreven over de oorlog."""
    by_class = {"d": [("over", "ae"), ("over", "p"), ("van", "p")], "a": [("voor", "pol")], "e": [("tegen", "a")]}

    def make(head: Nominal, classes: str) -> Part:
        preposition, inner = random.choice(by_class[classes])
        return prepositional(random, preposition, inner)

    return _with_object(random, make, comma=0.0, wanted="dae")


def extraposed_subject_relative(random: Random) -> Lesson:
    """Er kwam een vrouw binnen die drie koffers droeg; Gisteren is er een man geweest die …"""
    pool = [one for one in frames() if one.kinds in ((), ("loc",)) and "p" in one.subjects]
    frame = random.choice(pool)
    shape = "plain" if frame.verb.particle and random.random() < 0.5 else random.choice(["perfect", "modal"])
    det = random.choice(["een", "een", "veel", "enkele"])
    head = noun_phrase(random, "p", det=det, plural=det != "een", light=True)
    clause = make_clause(random, frame, shape, doer=head, adverbs=random.choice([0, 0, 1]))
    clause.items = [item for item in clause.items if item.kind in ("loc", "place", "time")]
    item = _split(head, comma_before(random, relative(random, head, "p")), 4, "subject")
    clause.subject = item
    moved = clause.of("time")
    if moved:
        moved[0].move(FIRST)
    clause.items.append(Item.whole(word("vnw", "er"), 0.5 if moved else FIRST, "er"))
    return finish(build(clause, "second"), gap=item.part)


#: verbs that take a content noun, with its noun, and what follows the noun
_CONTENTS = (
    ("wekken wek wekte wekten gewekt", "indruk", "dat"),
    ("opgeven", "hoop", "dat"),
    ("uiten uit uitte uitten geuit", "kritiek", "dat"),
    ("ontkennen ontken ontkende ontkenden ontkend", "gerucht", "dat"),
    ("horen hoor hoorde hoorden gehoord", "gerucht", "dat"),
    ("hebben", "indruk", "dat"),
    ("hebben", "idee", "dat"),
    ("krijgen krijg kreeg kregen gekregen", "kans", "oti"),
    ("krijgen krijg kreeg kregen gekregen", "opdracht", "oti"),
    ("hebben", "tijd", "oti"),
    ("hebben", "zin", "oti"),
    ("doen doe deed deden gedaan", "poging", "oti"),
    ("doen doe deed deden gedaan", "belofte", "oti"),
    ("verliezen verlies verloor verloren verloren", "moed", "oti"),
    ("nemen neem nam namen genomen", "besluit", "oti"),
)
_NEUTER = frozenset(["gerucht", "idee", "besluit"])


def _content(random: Random, *, wanted: str = "") -> tuple[Clause, Nominal, Part]:
    """A clause without its object, the object, which is a noun that takes a clause or infinitive, and what it takes."""
    from_table = [one for one in _CONTENTS if one[0] != "opgeven" and wanted in ("", one[2])]
    forms, noun, kind = random.choice(from_table)
    doer = subject(random, "p", light=True)
    if forms == "hebben":
        verb = AUXILIARIES["hebben"]
    else:
        infinitive_form, first, past, pasts, participle = forms.split()
        verb = type(AUXILIARIES["hebben"])(infinitive_form, "", first, past, pasts, participle, "h")
    frame = Frame(verb, "p", ())
    shape = random.choice(["perfect", "perfect", "modal", "would-have"])
    clause = make_clause(random, frame, shape, doer=doer, adverbs=random.choice([0, 0, 1]))
    clause.items = [item for item in clause.items if item.kind in ("time", "adverb")]
    det = (
        "geen" if noun in ("tijd", "zin") else random.choice(["de", "een"] if noun not in ("hoop", "moed") else ["de"])
    )
    if noun in _NEUTER and det == "de":
        det = "het"
    head = Nominal(
        part("np", word("lid" if det != "geen" else "vnw", det), word("n", noun)), "3s", is_definite=det == "de"
    )
    if kind == "dat":
        after = dat_clause(random)
    else:
        label = "ti" if noun in ("poging", "opdracht", "besluit", "belofte") and random.random() < 0.4 else "oti"
        after = infinitive(random, choose_frame(random, without=("dat", "of", "ti", "z")), label=label)
    return clause, head, after


def extraposed_clause(random: Random) -> Lesson:
    """Hij heeft de indruk gewekt dat het geld weg was."""
    clause, head, after = _content(random, wanted="dat")
    item = _split(head, comma_before(random, after, 0.15), 6, "o")
    clause.items.append(item)
    return finish(build(say_first(clause), "second"), gap=item.part)


def extraposed_infinitive(random: Random) -> Lesson:
    """De politie heeft een poging gedaan om de dader te vinden."""
    clause, head, after = _content(random, wanted="oti")
    item = _split(head, comma_before(random, after, 0.1), 6, "o")
    clause.items.append(item)
    return finish(build(say_first(clause), "second"), gap=item.part)


def noun_clause(random: Random) -> Lesson:
    """De hoop dat ze terugkomt is klein; Hij heeft geen tijd om de krant te lezen: the clause beside its noun."""
    if random.random() < 0.5:
        clause, head, after = _content(random)
        clause.chain, clause.verb = [], AUXILIARIES["hebben"]
        clause.items.append(Item.whole(_join(head, after), 9, "o"))
        return finish(build(say_first(clause), "second"))
    head = noun_phrase(random, "c", det="de", plural=False, light=True, bare=True)
    whole = _join(head, dat_clause(random), closed=random.random() < 0.4)
    adjective = random.choice(["klein", "groot", "belangrijk", "onjuist", "overdreven", "terecht"])
    made = Clause(
        Item.whole(whole, FIRST, "subject"),
        AUXILIARIES[random.choice(["zijn", "lijken", "blijken"])],
        "3s",
        random.choice(["present", "past"]),
        [],
        [Item.whole(word("adj", adjective), 7, "predicate")],
    )
    return finish(build(made, "second"))


def complement_clause(random: Random) -> Lesson:
    """Ze heeft gezegd dat de trein te laat komt; Ik weet of hij komt; Dat hij komt, weet ik."""
    kind = random.choice(["dat", "dat", "dat", "of"])
    frame = choose_frame(random, kind)
    clause = make_clause(
        random, frame, random.choice(["plain", "plain", "perfect", "modal"]), adverbs=random.choice([0, 0, 1])
    )
    clause.items = [item for item in clause.items if item.kind not in ("manner",)]
    made = comma_before(random, subordinate(random, kind), 0.15)
    if kind == "dat" and random.random() < 0.15:
        made = part("cp", *made.children, order=[*made.children, mark(",")])
        item = Item.whole(made, FIRST, "cp")
        clause.items.append(item)
        return finish(build(clause, "second"))
    clause.items.append(Item.whole(made, LAST, "cp"))
    return finish(build(say_first(clause), "second"))


_CONJUNCTIONS = ("omdat", "als", "toen", "terwijl", "hoewel", "voordat", "nadat", "zodat", "zodra", "doordat", "totdat")


def adverbial_clause(random: Random) -> Lesson:
    """Omdat de baas ziek is, wacht ze; Ze wacht omdat de baas ziek is."""
    clause = any_clause(random, light=True) if random.random() < 0.7 else copula_clause(random)
    clause.items = [item for item in clause.items if item.kind != "time"]
    conjunction = random.choice(_CONJUNCTIONS)
    made = subordinate(random, conjunction)
    if conjunction not in ("zodat", "totdat") and random.random() < 0.55:
        closed = part("cp", *made.children, order=[made, mark(",")])
        item = Item.whole(closed, FIRST, "cp")
        clause.items.append(item)
        return finish(build(clause, "second"))
    clause.items.append(Item.whole(comma_before(random, made), LAST, "cp"))
    return finish(build(say_first(clause), "second"))


_JUDGEMENTS = ("belangrijk", "jammer", "duidelijk", "mogelijk", "moeilijk", "leuk", "waar", "vreemd", "goed", "nodig")


def het_clause(random: Random) -> Lesson:
    """Het is belangrijk dat alle kinderen lezen; Het is moeilijk om een woning te vinden; Is het waar dat …?"""
    adjective = random.choice(_JUDGEMENTS)
    degree = random.choice([None, None, word("adj", "heel"), word("bw", "niet")])
    predicate = word("adj", adjective)
    degree_in = degree if degree is not None and degree.text == "heel" and adjective not in ("waar", "nodig") else None
    clause = Clause(
        Item.whole(word("vnw", "het"), FIRST, "subject"),
        AUXILIARIES["zijn"],
        "3s",
        random.choice(["present", "present", "past"]),
        [],
        [Item.whole(phrase("ap", degree_in, predicate), 7, "predicate")],
    )
    if random.random() < 0.3:
        clause.chain = [("inf", word("ww", "zijn"))]
        clause.verb, clause.tense = AUXILIARIES["zullen"], "past"
    if adjective in ("moeilijk", "leuk", "goed", "nodig", "belangrijk") and random.random() < 0.6:
        after = infinitive(random, choose_frame(random, without=("dat", "of", "ti", "z")), label="oti")
    else:
        after = dat_clause(random)
    clause.items.append(Item.whole(comma_before(random, after, 0.1), LAST, "cp"))
    if random.random() < 0.2:
        assert clause.subject is not None
        clause.subject.move(0)
        return finish(build(clause, "first"), end="?")
    return finish(build(clause, "second"))


_ABOUT_CLAUSES = frozenset(
    (
        *("klagen", "rekenen", "twijfelen", "nadenken", "zorgen", "protesteren", "verzetten", "ergeren", "praten"),
        *("spreken", "denken", "profiteren", "lijden", "lachen", "zwijgen"),
    )
)


def prepositional_clause(random: Random) -> Lesson:
    """Hij klaagt erover dat …; Ze rekent er niet op dat …: er and the clause are one phrase."""
    frame = random.choice([one for one in frames() if one.verb.whole_infinitive in _ABOUT_CLAUSES and one.has("P")])
    preposition = next(one.preposition for one in frame.complements if one.kind == "P")
    preposition = "over" if preposition == "met" and frame.verb.infinitive in ("praten", "spreken") else preposition
    stranded = _R_FORMS.get(preposition, preposition)
    clause = make_clause(random, frame, random.choice(["plain", "perfect", "modal"]), adverbs=random.choice([0, 1]))
    clause.items = [item for item in clause.items if item.kind not in ("P", "manner")]
    after = comma_before(random, dat_clause(random), 0.2)
    if random.random() < 0.5:
        er = word("bw", f"er{stranded}")
        made = part("pp", er, after)
        item = Item(made, [Piece(er, 8), Piece(after, LAST)], "P")
    else:
        er, rest = word("vnw", "er"), word("vz", stranded)
        made = part("pp", er, rest, after)
        item = Item(made, [Piece(er, 1.2), Piece(rest, 8), Piece(after, LAST)], "P")
    clause.items.append(item)
    return finish(build(say_first(clause), "second"))
