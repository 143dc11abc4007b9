"""Clauses: a subject, a chain of verbs with what hangs in its lowest verb, and the order in which all this is said.

In alpino, complements and adverbials hang in the phrase of the lowest verb (ppart, inf), wherever they stand, and the
subject hangs in the clause. So whatever is said before the finite verb makes a gap as soon as there is a second verb.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal, TypeAlias

from permutree_lab.teaching.composing import part
from permutree_lab.teaching.dutch.lexicon import Complement, Frame, frames
from permutree_lab.teaching.dutch.morphology import AUXILIARIES, REFLEXIVES, Person, Tense, Verb
from permutree_lab.teaching.dutch.phrases import (
    Nominal,
    adverb,
    manner,
    negation,
    noun_phrase,
    numbered,
    object_pronoun,
    place,
    prepositional,
    subject,
    time,
    towards,
)
from permutree_lab.teaching.parts import Part, word

__all__ = [
    "FIRST",
    "LAST",
    "Clause",
    "Item",
    "Order",
    "Piece",
    "Shape",
    "build",
    "choose_frame",
    "conjugate",
    "infinitive",
    "make_clause",
    "particle_word",
    "tense_of",
]

Order: TypeAlias = Literal["second", "first", "last"]
#: how the verbs of a clause are chained: plain, perfect, modal, perfect-modal, passive, …
Shape: TypeAlias = str

#: the place of what is said before the finite verb, and of what is said after all verbs
FIRST, LAST = -1.0, 100.0


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of an item and the place where they are said: smaller numbers come first."""

    part: Part
    rank: float


@dataclass(slots=True)
class Item:
    """A complement or adverbial, or the subject, with the pieces in which it is said."""

    part: Part
    pieces: list[Piece]
    kind: str

    @classmethod
    def whole(cls, one: Part, rank: float, kind: str) -> Item:
        """An item in one piece."""
        return cls(one, [Piece(one, rank)], kind)

    def move(self, rank: float) -> None:
        """Say the first piece at another place."""
        self.pieces[0] = Piece(self.pieces[0].part, rank)


@dataclass(slots=True)
class Clause:
    """A clause before its words are in order."""

    subject: Item | None
    verb: Verb
    person: Person
    tense: Tense
    #: labels and verbs below the finite one, outermost first
    chain: list[tuple[str, Part]]
    items: list[Item]
    #: the participle is said before the other verbs of its cluster
    participle_first: bool = False
    #: particle of the finite verb, where it stands alone
    particle: str = ""
    #: what hangs in the clause and not in the lowest verb
    high: list[Item] = field(default_factory=list)
    nominal: Nominal | None = None

    def of(self, kind: str) -> list[Item]:
        """The items of a kind."""
        return [item for item in self.items if item.kind == kind]


_PARTICLE_TAGS = {"terug": "bw", "weg": "bw", "goed": "adj"}


def particle_word(text: str) -> Part:
    """A separable particle as a word of its own."""
    return word(_PARTICLE_TAGS.get(text, "vz"), text)


def choose_frame(random: Random, *kinds: str, without: Sequence[str] = ()) -> Frame:
    """A frame with complements of these kinds and none of the others."""
    return random.choice(
        [one for one in frames() if all(one.has(kind) for kind in kinds) and not any(one.has(no) for no in without)]
    )


def tense_of(shape: Shape, tense: Tense) -> str:
    """The era that a clause speaks of: past, present, future."""
    if shape in ("perfect", "perfect-modal", "passive-perfect", "perfect-laten"):
        return "past"
    if tense == "past" and shape not in ("would", "would-have"):
        return "past"
    return "future" if shape in ("future", "modal", "modal-passive") else "present"


_TENSES: tuple[Tense, ...] = ("present", "past")
_MODALS = ("willen", "kunnen", "moeten", "mogen", "zullen")


def conjugate(random: Random, verb: Verb, shape: Shape, tense: Tense) -> tuple[Verb, list[tuple[str, Part]], Tense]:
    """The finite verb of a shape, the chain below it, and its tense."""
    participle = ("ppart", word("ww", verb.whole_participle))
    bare = ("inf", word("ww", verb.whole_infinitive))
    perfect = AUXILIARIES["zijn" if verb.auxiliary == "z" else "hebben"]
    modal = AUXILIARIES[random.choice(_MODALS)]
    true_modal = AUXILIARIES[random.choice(_MODALS[:4])]
    if shape == "perfect":
        return perfect, [participle], tense
    if shape == "modal":
        return modal, [bare], tense
    if shape == "future":
        return AUXILIARIES[random.choice(["zullen", "gaan"])], [bare], "present"
    if shape == "perfect-modal":
        return AUXILIARIES["hebben"], [("inf", word("ww", true_modal.infinitive)), bare], tense
    if shape == "would":
        return AUXILIARIES["zullen"], [("inf", word("ww", true_modal.infinitive)), bare], "past"
    if shape == "would-have":
        return AUXILIARIES["zullen"], [("inf", word("ww", perfect.infinitive)), participle], "past"
    if shape == "passive":
        return AUXILIARIES["worden"], [participle], tense
    if shape == "passive-perfect":
        return AUXILIARIES["zijn"], [participle], tense
    if shape == "modal-passive":
        return modal, [("inf", word("ww", "worden")), participle], tense
    return verb, [], tense


def _object(random: Random, doer: Nominal, complement: Complement, *, pronouns: float = 0.15) -> Item:
    if "p" in complement.classes and random.random() < pronouns:
        return Item.whole(object_pronoun(random, doer), 1, "o")
    if complement.classes.strip("poz") and random.random() < 0.1:
        return Item.whole(word("vnw", random.choice(["het", "dat", "dit"])), 1, "o")
    many = numbered if random.random() < 0.12 else noun_phrase
    nominal = many(random, complement.classes)
    return Item.whole(nominal.part, random.choice([2.5, 4]) if nominal.is_definite else 6, "o")


def _complement(random: Random, doer: Nominal, complement: Complement) -> Item | None:
    kind = complement.kind
    if kind == "o":
        return _object(random, doer, complement)
    if kind == "i":
        if random.random() < 0.4:
            return Item.whole(object_pronoun(random, doer), 1.1, "i")
        return Item.whole(noun_phrase(random, "p", det=random.choice(["de", "mijn", "zijn"]), light=True).part, 2, "i")
    if kind == "z":
        return Item.whole(word("vnw", REFLEXIVES[doer.person]), 0.9, "z")
    if kind == "P":
        return Item.whole(prepositional(random, complement.preposition, complement.classes), 8, "P")
    if kind == "loc":
        return Item.whole(place(random), 7.5, "loc")
    if kind == "dir":
        return Item.whole(towards(random), 9, "dir")
    return None


def adverbials(random: Random, number: int, era: str, *, negated: bool = True) -> list[Item]:
    """Times, adverbs, negation, manner and places, so many."""
    kinds = random.sample(["time", "adverb", "manner", "place", "time", "no"], number)
    found: dict[str, Item] = {}
    for kind in kinds:
        if kind == "time":
            found[kind] = Item.whole(time(random, era), 3, "time")
        elif kind == "adverb":
            found[kind] = Item.whole(adverb(random), 5, "adverb")
        elif kind == "manner":
            found[kind] = Item.whole(manner(random), 7, "manner")
        elif kind == "place":
            found[kind] = Item.whole(place(random), 7.4, "place")
        elif negated:
            found[kind] = Item.whole(negation(random), 5.5, "no")
    return list(found.values())


def make_clause(
    random: Random,
    frame: Frame,
    shape: Shape = "plain",
    tense: Tense | None = None,
    *,
    doer: Nominal | None = None,
    adverbs: int | None = None,
    light: bool = False,
) -> Clause:
    """A clause of a frame: subject, complements that are phrases, adverbials. Clauses among them the caller adds."""
    tense = tense or _TENSES[random.randrange(2)]
    passive = "passive" in shape
    if passive:
        target = next(one for one in frame.complements if one.kind == "o")
        doer = doer or subject(random, target.classes, light=light)
        if doer.is_pronoun and doer.part.texts[0] == "men":
            doer = noun_phrase(random, target.classes, det="de")
    else:
        doer = doer or subject(random, frame.subjects, light=light)
    verb, chain, said_in = conjugate(random, frame.verb, shape, tense)
    skipped = ("o",) if passive else ()
    items = [
        item
        for complement in frame.complements
        if complement.kind not in skipped and (item := _complement(random, doer, complement)) is not None
    ]
    if passive and random.random() < 0.45:
        items.append(Item.whole(prepositional(random, "door", frame.subjects.replace("e", "o")), 7.8, "door"))
    era = tense_of(shape, said_in)
    number = random.choice([0, 1, 1, 2]) if adverbs is None else adverbs
    negated = not any(item.pieces[0].rank == 6 for item in items) and doer.is_definite
    items += adverbials(random, number, era, negated=negated)
    if any(item.kind == "loc" for item in items):
        items = [item for item in items if item.kind != "place"]
    return Clause(
        Item.whole(doer.part, 0, "subject"),
        verb,
        doer.person,
        said_in,
        chain,
        items,
        participle_first=bool(chain) and chain[-1][0] == "ppart" and random.random() < 0.5,
        particle=frame.verb.particle if verb is frame.verb else "",
        nominal=doer,
    )


def build(clause: Clause, order: Order, *, label: str = "", opening: Sequence[Part] = ()) -> Part:
    """The clause as a constituent; the last child is that of the lowest verb, if there is more than one.

    ``opening`` is said before everything and hangs in the clause.
    """
    there = [clause.subject] if clause.subject is not None else []
    everything = sorted(
        (piece for item in (*there, *clause.items, *clause.high) for piece in item.pieces), key=lambda one: one.rank
    )
    fronted = [piece.part for piece in everything if piece.rank < 0]
    middle = [piece.part for piece in everything if 0 <= piece.rank < LAST]
    late = [piece.part for piece in everything if piece.rank >= LAST]
    subject_first = clause.subject is not None and clause.subject.pieces[0].rank < 0
    inverted = order != "last" and not subject_first
    text = clause.verb.finite(clause.person, clause.tense, inverted and clause.subject is not None)
    particle = particle_word(clause.particle) if clause.particle and order != "last" else None
    finite = word("ww", clause.particle + text if order == "last" else text)
    cluster = [verb for _, verb in clause.chain]
    if order == "last":
        cluster = [finite, *cluster]
    if clause.participle_first and cluster:
        cluster = [cluster[-1], *cluster[:-1]]
    low = [item.part for item in clause.items]
    inner: Part | None = None
    for name, verb in reversed(clause.chain):
        inner = part(name, *low, verb) if inner is None else part(name, inner, verb)
    said = [*opening, *fronted, *([finite] if order != "last" else []), *middle]
    said += [*([particle] if particle else []), *cluster, *late]
    children = [*opening, *(item.part for item in (*there, *clause.high)), finite, particle]
    if inner is None:
        children += low
    else:
        children.append(inner)
    return part(label or {"second": "smain", "first": "sv1", "last": "ssub"}[order], *children, order=said)


def infinitive(
    random: Random, frame: Frame, *, label: str = "ti", adverbs: int = 0, doer: Nominal | None = None
) -> Part:
    """An infinitive with te, or om and te: (ti (inf het boek lezen) te)."""
    doer = doer or Nominal(word("vnw", "hij"), "3s")
    items = [item for one in frame.complements if (item := _complement(random, doer, one)) is not None]
    items += adverbials(random, adverbs, "future", negated=False)
    items.sort(key=lambda item: item.pieces[0].rank)
    te, verb = word("vz", "te"), word("ww", frame.verb.infinitive)
    particle = particle_word(frame.verb.particle) if frame.verb.particle else None
    low = [item.part for item in items]
    inner = part("inf", *low, particle, verb)
    made = part("ti", inner, te, order=[*low, *([particle] if particle else []), te, verb])
    if label == "ti":
        return made
    return part("oti", word("vz", "om"), made)
