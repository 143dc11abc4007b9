"""German clauses: a verb with its subject, complements and adverbials, said verb-second, verb-first or verb-last.

Where a clause has more verbs than the finite one, complements and adverbials of the verb hang in a VP, the subject and
adverbials of the clause in S; a VP of one word is no constituent of its own. What is said before the finite verb or
after the others but belongs to the VP makes the VP discontinuous.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal, TypeAlias

from permutree_lab.teaching.composing import part
from permutree_lab.teaching.german.lexicon import Complement, Frame, frames, predicates
from permutree_lab.teaching.german.morphology import (
    AUXILIARIES,
    MODALS,
    NOMINATIVE,
    OBLIQUE,
    REFLEXIVES,
    Case,
    Person,
    Verb,
)
from permutree_lab.teaching.german.phrases import (
    Nominal,
    adverb,
    manner,
    noun_phrase,
    object_,
    place,
    prepositional,
    sentence_adverb,
    subject,
    time,
)
from permutree_lab.teaching.parts import Part, word

__all__ = ["Clause", "Item", "Order", "Tense", "build", "choose_frame", "comma", "infinitive", "make_clause", "tenses"]

Order: TypeAlias = Literal["second", "first", "last"]
Tense: TypeAlias = str

#: tenses with the finite verb alone, and those with more verbs
SIMPLE = ("present", "preterite")
COMPOUND = ("perfect", "pluperfect", "future", "modal", "past-modal", "would", "must-have")
PASSIVE = ("passive", "past-passive", "perfect-passive", "modal-passive")


def comma() -> Part:
    """A comma. It hangs nowhere: the sentence finds its place when all else is said."""
    return word("$,", ",")


@dataclass(slots=True)
class Item:
    """A phrase of a clause."""

    part: Part
    #: whether it hangs in the VP, if there is one
    in_vp: bool
    #: its rank in the middle field
    rank: int
    role: str
    #: whether it hangs in the VP when it is said first
    in_vp_first: bool | None = None
    #: a part of it that is said after the verbs
    late: Part | None = None
    #: of an object, whether it is a plural
    is_plural: bool | None = None


@dataclass(slots=True)
class Clause:
    """A clause before its words are put in an order."""

    finite: Part
    #: the other verbs, from the main verb outwards
    verbs: list[Part]
    particle: Part | None
    subject: Item | None
    items: list[Item]
    #: clauses and phrases that follow the verbs
    after: list[Item] = field(default_factory=list)
    frame: Frame | None = None
    person: Person = "3s"

    def find(self, *roles: str) -> Item | None:
        """The first phrase with one of these roles."""
        return next((item for item in self.items if item.role in roles), None)

    def firsts(self) -> list[Item]:
        """The phrases other than the subject that can come first; of objects, those that nobody takes for a subject."""
        found = [item for item in self.items if item.role in _FIRST and item.part.texts != ("es",)]
        return [item for item in found if item.role != "object" or self.is_clear(item)]

    def is_clear(self, item: Item) -> bool:
        """Whether case or number tells an object from the subject."""
        if self.subject is None or item.part.texts[0].lower() in OBLIQUE:
            return True
        differs = item.is_plural is not None and item.is_plural != self.person.endswith("p")
        return differs or self.subject.part.texts[0].lower() in NOMINATIVE


#: roles of phrases that can come first
_FIRST = frozenset(
    (
        *("object", "dative", "prepositional", "place", "predicate", "agent"),
        *("time", "connector", "adverb", "manner", "location"),
    )
)


def tenses(frame: Frame, compound: bool | None = None) -> tuple[str, ...]:
    """The tenses that a verb can have; compound ones only, simple ones only, or both."""
    active = (*SIMPLE, *SIMPLE, *COMPOUND, "perfect", "perfect")
    if compound is None:
        return active
    return (*COMPOUND, "perfect", "perfect", "modal") if compound else SIMPLE


def conjugate(verb: Verb, tense: Tense, person: Person, random: Random) -> tuple[Part, list[Part], Part | None]:
    """The finite verb, the other verbs from the main verb outwards, and the particle if it stands alone.

    >>> verb = Verb("rufen", "an", "ruft", "rief", "angerufen", "haben")
    >>> finite, others, particle = conjugate(verb, "perfect", "2s", Random(1))
    >>> finite.text, [one.text for one in others], particle
    ('hast', ['angerufen'], None)
    """
    kind = "A" if verb.infinitive in AUXILIARIES and not verb.particle else "V"
    particle = word("PTKVZ", verb.particle) if verb.particle else None
    participle, infinite = word(f"V{kind}PP", verb.participle), word(f"V{kind}INF", verb.whole)
    if tense == "present":
        return word(f"V{kind}FIN", verb.present(person)), [], particle
    if tense == "preterite":
        return word(f"V{kind}FIN", verb.past(person)), [], particle
    if tense in ("perfect", "pluperfect"):
        form = "present" if tense == "perfect" else "preterite"
        return word("VAFIN", AUXILIARIES[verb.auxiliary][form][person]), [participle], None
    if tense == "would-have":
        return word("VAFIN", AUXILIARIES[verb.auxiliary]["subjunctive"][person]), [participle], None
    if tense in ("future", "would"):
        form = "present" if tense == "future" else "subjunctive"
        return word("VAFIN", AUXILIARIES["werden"][form][person]), [infinite], None
    if tense == "must-have":
        form = random.choice(["present", "subjunctive"])
        return _modal(random, form, person), [participle, word("VAINF", verb.auxiliary)], None
    if tense == "modal-passive":
        return (
            _modal(random, random.choice(["present", "preterite", "subjunctive"]), person),
            [participle, word("VAINF", "werden")],
            None,
        )
    if tense in ("passive", "past-passive"):
        form = "present" if tense == "passive" else "preterite"
        return word("VAFIN", AUXILIARIES["werden"][form][person]), [participle], None
    if tense == "perfect-passive":
        form = random.choice(["present", "preterite"])
        return word("VAFIN", AUXILIARIES["sein"][form][person]), [participle, word("VAPP", "worden")], None
    form = random.choice(["present", "subjunctive"]) if tense == "modal" else "preterite"
    return _modal(random, form, person), [infinite], None


def _modal(random: Random, form: str, person: Person) -> Part:
    names = list(MODALS) if form == "subjunctive" else [name for name in MODALS if name != "mögen"]
    return word("VMFIN", MODALS[random.choice(names)][form][person])


def choose_frame(
    random: Random, *kinds: str, without: Iterable[str] = ("dass", "ob", "zu", "zudat", "zuinf"), passive: bool = False
) -> Frame:
    """A verb that asks for complements of these kinds and none of the others; if asked for, one with a passive."""
    found = [
        frame
        for frame in frames()
        if all(frame.has(kind) for kind in kinds)
        and not any(frame.has(kind) for kind in without if kind not in kinds)
        and (frame.has_passive or not passive)
    ]
    return random.choice(found)


def make_clause(
    random: Random,
    frame: Frame,
    tense: Tense,
    *,
    by: Nominal | None = None,
    adverbials: int | None = None,
    negated: bool | None = None,
) -> Clause:
    """A clause of a verb: subject (``by``, or any), complements, some adverbials."""
    passive = "passive" in tense
    items: list[Item] = []
    complements = list(frame.complements)
    if passive:
        target = next(one for one in complements if one.kind == "a")
        complements.remove(target)
        by = by or noun_phrase(random, "n", target.classes)
        if random.random() < 0.3:
            agent = prepositional(random, "von", "d", frame.subjects)
            items.append(Item(agent, True, 7, "agent"))
    doer = by or subject(random, frame.subjects)
    for complement in complements:
        item = _complement(random, complement, doer)
        if item is not None:
            items.append(item)
    count = random.choice([0, 0, 1, 1, 1, 2]) if adverbials is None else adverbials
    items += _adverbials(random, count, _ERAS.get(tense, "now"))
    finite, verbs, particle = conjugate(frame.verb, tense, doer.person, random)
    rank = 0 if doer.is_pronoun else random.choice([0, 3])
    clause = Clause(finite, verbs, particle, Item(doer.part, False, rank, "subject"), items, [], frame, doer.person)
    if negated if negated is not None else random.random() < 0.1:
        _negate(clause)
    return clause


#: adverbs that stand for a preposition with a pronoun
PRONOMINAL = {
    "auf": "darauf",
    "an": "daran",
    "über": "darüber",
    "für": "dafür",
    "gegen": "dagegen",
    "mit": "damit",
    "von": "davon",
    "zu": "dazu",
    "um": "darum",
    "bei": "dabei",
    "unter": "darunter",
    "vor": "davor",
}
_OWN: dict[Person, frozenset[str]] = {
    "1s": frozenset(["mich", "mir"]),
    "2s": frozenset(["dich", "dir"]),
    "1p": frozenset(["uns"]),
    "2p": frozenset(["euch"]),
}


def _other_than(random: Random, case: Case, classes: str, doer: Nominal) -> Nominal:
    """An object that is not the subject itself, which would be a reflexive pronoun."""
    while True:
        found = object_(random, case, classes)
        if not set(found.part.texts) & _OWN.get(doer.person, frozenset()):
            return found


def _complement(random: Random, complement: Complement, doer: Nominal) -> Item | None:
    kind = complement.kind
    if kind == "a":
        found = _other_than(random, "a", complement.classes, doer)
        rank = 1 if found.is_pronoun else 6 if found.is_definite else 10
        return Item(found.part, True, rank, "object", is_plural=None if found.is_pronoun else found.person == "3p")
    if kind == "d":
        found = _other_than(random, "d", complement.classes, doer)
        return Item(found.part, True, 2 if found.is_pronoun else 5, "dative")
    if kind == "r":
        return Item(part("NP", word("PRF", REFLEXIVES[doer.person])), True, 1, "reflexive")
    if kind == "P" and complement.preposition in PRONOMINAL and random.random() < 0.1:
        return Item(part("AVP", word("PROAV", PRONOMINAL[complement.preposition])), True, 7, "prepositional")
    if kind == "P":
        return Item(
            prepositional(random, complement.preposition, complement.case, complement.classes),
            True,
            11,
            "prepositional",
        )
    if kind in ("loc", "dir"):
        return Item(place(random, direction=kind == "dir"), True, 12, "place")
    if kind == "ap":
        return Item(part("AP", word("ADJD", random.choice(predicates()))), True, 12, "predicate")
    return None


#: tenses of what is over, and of what is to come; the others are of now
_ERAS = {
    **dict.fromkeys(("preterite", "perfect", "pluperfect", "past-modal", "must-have"), "past"),
    **dict.fromkeys(("past-passive", "perfect-passive"), "past"),
    **dict.fromkeys(("future", "would", "modal", "modal-passive"), "future"),
}


def _adverbials(random: Random, count: int, era: str) -> list[Item]:
    light = random.random() < 0.4
    makers: list[Callable[[], Item]] = [
        lambda: Item(time(random, era), True, 4, "time", in_vp_first=False),
        lambda: Item(sentence_adverb(random), False, 4, "connector"),
        lambda: Item(sentence_adverb(random, middle=True), False, 4, "particle"),
        lambda: Item(adverb(random, light), True, 7, "particle" if light else "adverb", in_vp_first=True),
        lambda: Item(manner(random), True, 9, "manner", in_vp_first=True),
        lambda: Item(place(random), True, 8, "location"),
    ]
    return [maker() for maker in random.sample(makers, min(count, len(makers)))]


_NEGATIVE = frozenset(["nie", "nichts", "nicht", "niemand", "kaum", "alles", "viel", "etwas", "jemand"])


def _negate(clause: Clause) -> None:
    """Say nicht, unless something indefinite asks for kein."""
    said = {text for item in (*clause.items, *([clause.subject] if clause.subject else [])) for text in item.part.texts}
    if any(item.role == "object" and item.rank == 10 for item in clause.items) or said & _NEGATIVE:
        return
    if any(text.startswith("kein") for text in said) or clause.find("adverb"):
        return
    deep = any(item.in_vp and item.rank < 8 for item in clause.items)
    clause.items.append(Item(word("PTKNEG", "nicht"), deep, 8, "negation"))


def _said(item: Item) -> list[Part]:
    return list(item.part.words)


def build(clause: Clause, order: Order, *, first: Item | None = None, opening: Sequence[Part] = ()) -> Part:
    """The clause as a part, its words in one of the three orders.

    ``first`` is the phrase before the finite verb of a verb-second clause (the subject, if not given); ``opening``
    are conjunctions and the like, which hang in S before everything else.
    """
    if order == "second" and first is None:
        first = clause.subject
    inside = [item for item in clause.items if item is not first]
    if clause.subject is not None and clause.subject is not first:
        inside.append(clause.subject)
    middle = sorted(inside, key=lambda item: item.rank)
    late = [item.late for item in (*([first] if first else []), *middle) if item.late is not None]
    everything = [*([clause.subject] if clause.subject else []), *clause.items, *clause.after]

    def hangs_in_vp(item: Item) -> bool:
        return item.in_vp_first if item is first and item.in_vp_first is not None else item.in_vp

    verbs = clause.verbs
    low = [item.part for item in everything if hangs_in_vp(item)] if verbs else []
    high = [item.part for item in everything if not (verbs and hangs_in_vp(item))]
    chain: list[Part] = []
    if verbs:
        top = part("VP", *low, verbs[0]) if low else verbs[0]
        for outer in verbs[1:]:
            top = part("VP", top, outer)
        chain = [top]
    finite = clause.finite
    particle = clause.particle
    if order == "last" and particle is not None:
        finite, particle = word(finite.label, particle.text + finite.text), None
    ending: list[Part] = [one for one in (particle, *verbs) if one is not None]
    said: list[Part] = [*opening]
    if order == "second":
        said += [*(_said(first) if first else []), finite]
    elif order == "first":
        said.append(finite)
    said += [one for item in middle for one in _said(item)]
    said += [*ending, *([finite] if order == "last" else [])]
    for extra in late:
        said += extra.words
    for item in clause.after:
        said += item.part.words
    return part("S", *opening, *high, finite, particle, *chain, order=said)


def infinitive(random: Random, frame: Frame, *, opening: str = "", adverbials: int = 0) -> Part:
    """An infinitive with zu, with its complements, between commas: das Buch zu lesen, um ihn anzurufen."""
    doer = Nominal(part("NP", word("PPER", "er")), "3s", "m", True)
    items = [item for complement in frame.complements if (item := _complement(random, complement, doer)) is not None]
    items += [item for item in _adverbials(random, adverbials, "future") if item.in_vp]
    said = [item.part for item in sorted(items, key=lambda item: item.rank)]
    start = word("KOUI", opening) if opening else None
    made = part("VP", start, *said, with_zu(frame.verb))
    return around(made) if len(made.children) > 1 else made


def with_zu(verb: Verb) -> Part:
    """The infinitive with zu: zu lesen, anzurufen."""
    if verb.particle:
        return word("VVIZU", f"{verb.particle}zu{verb.infinitive}")
    tag = "VAINF" if verb.infinitive in AUXILIARIES else "VVINF"
    return part("VZ", word("PTKZU", "zu"), word(tag, verb.infinitive))


def around(one: Part) -> Part:
    """The part with commas around it."""
    return Part(one.label, one.children, (comma(), *one.words, comma()))
