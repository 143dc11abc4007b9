"""Statements: what comes before the finite verb, verb clusters, passives, particles, er, coordination, headlines."""

from __future__ import annotations

from random import Random

from permutree_lab.teaching.composing import part
from permutree_lab.teaching.dutch.clauses import (
    FIRST,
    Clause,
    Item,
    Piece,
    adverbials,
    build,
    choose_frame,
    make_clause,
)
from permutree_lab.teaching.dutch.lexicon import Frame, adjectives, frames, names
from permutree_lab.teaching.dutch.morphology import AUXILIARIES
from permutree_lab.teaching.dutch.phrases import (
    adverb,
    noun_phrase,
    numbered,
    phrase,
    plain_noun,
    pronoun,
    subject,
    time,
)
from permutree_lab.teaching.dutch.sentences import finish
from permutree_lab.teaching.lessons import Lesson
from permutree_lab.teaching.parts import Part, word

__all__ = [
    "adverb_first",
    "all_caps",
    "any_clause",
    "any_statement",
    "clause_frame",
    "copula",
    "copula_clause",
    "er_numeral",
    "er_subject",
    "fronted_adverbial",
    "fronted_flat",
    "fronted_object",
    "fronted_verb",
    "fronted_verb_phrase",
    "headline",
    "impersonal_passive",
    "particle_verb",
    "passive",
    "passive_fronted",
    "plain",
    "pronominal_adverb",
    "say_first",
]

#: shapes with one verb, and with more
ONE = ("plain",)
MORE = ("perfect", "perfect", "perfect", "modal", "modal", "future", "perfect-modal", "would", "would-have")
_CLAUSAL = ("dat", "of", "ti", "oti")


def clause_frame(random: Random, *kinds: str) -> Frame:
    """A frame whose complements are phrases."""
    return choose_frame(random, *kinds, without=_CLAUSAL)


def any_clause(random: Random, *, shapes: tuple[str, ...] = (*ONE, *ONE, *MORE), light: bool = False) -> Clause:
    """A clause of any kind, active or passive."""
    if random.random() < 0.15:
        shape = random.choice(["passive", "passive-perfect", "modal-passive"])
        return make_clause(random, _passive_frame(random), shape, light=light)
    return make_clause(random, clause_frame(random), random.choice(shapes), light=light)


def say_first(clause: Clause, item: Item | None = None) -> Clause:
    """The clause with an item, or the subject, before the finite verb."""
    chosen = item or clause.subject
    assert chosen is not None
    chosen.move(FIRST)
    return clause


def copula_clause(random: Random) -> Clause:
    """A clause with zijn, worden, blijven or lijken: De film was erg spannend, Mijn oom is bakker."""
    classes = random.choice("ptldafe")
    doer = subject(random, classes)
    tense = random.choice(["present", "past"])
    chance = random.random()
    if classes == "p" and chance < 0.25 and doer.person in ("1s", "2s", "3s"):
        noun = plain_noun(random, "p")
        predicate: Part = phrase("np", word("lid", "een") if random.random() < 0.3 else None, word("n", noun.lemma))
    elif chance < 0.4:
        predicate = noun_phrase(random, classes, det="een", plural=False).part
    else:
        degree = random.choice([None, None, None, "bw zeer", "adj erg", "adj heel", "bw te", "bw zo"])
        one = random.choice(adjectives()[classes])
        predicate = phrase("ap", word(*degree.split()) if degree else None, word("adj", one.lemma))
    verb = AUXILIARIES[random.choice(["zijn", "zijn", "zijn", "worden", "blijven"])]
    items = [Item.whole(predicate, 7, "predicate")]
    items += adverbials(random, random.choice([0, 0, 1]), "past" if tense == "past" else "present")
    items = [item for item in items if item.kind not in ("manner",)]
    chain: list[tuple[str, Part]] = []
    if random.random() < 0.3:
        chain = [("inf", word("ww", verb.infinitive))]
        verb = AUXILIARIES[random.choice(["zullen", "kunnen", "moeten"])]
    return Clause(
        Item.whole(doer.part, 0, "subject"),
        verb,
        doer.person,
        "present" if tense == "present" else "past",
        chain,
        items,
        nominal=doer,
    )


def any_statement(random: Random, *, light: bool = False) -> Part:
    """A statement that begins with its subject or something else."""
    clause = copula_clause(random) if random.random() < 0.25 else any_clause(random, light=light)
    movable = clause.of("time") or clause.of("place")
    return build(say_first(clause, movable[0] if movable and random.random() < 0.3 else None), "second")


def plain(random: Random) -> Lesson:
    """De dokter heeft de zieke man geholpen: the subject comes first."""
    return finish(build(say_first(any_clause(random)), "second"), end=random.choice([".", ".", ".", "!", ""]))


def copula(random: Random) -> Lesson:
    """De film was erg spannend."""
    return finish(build(say_first(copula_clause(random)), "second"))


def _can_be_first(clause: Clause, *kinds: str) -> list[Item]:
    taken = ("het", "me", "je", "ze", "u", "nog", "al", "weer", "opnieuw", "zelfs", "ook", "zeker")
    found = [item for kind in kinds for item in clause.of(kind)]
    return [item for item in found if item.part.texts[0] not in taken or not item.part.is_word]


def _fronted(random: Random, shapes: tuple[str, ...], kinds: tuple[str, ...], *needs: str) -> Clause:
    """A clause with something of these kinds before the finite verb."""
    while True:
        clause = make_clause(random, clause_frame(random, *needs), random.choice(shapes))
        movable = _can_be_first(clause, *kinds)
        if movable:
            return say_first(clause, random.choice(movable))


def fronted_object(random: Random) -> Lesson:
    """Die film heb ik gezien: the object comes first, and the phrase of the lowest verb has a gap."""
    clause = _fronted(random, MORE, ("o", "i", "P"), random.choice(["o", "o", "P"]))
    return finish(build(clause, "second"))


def fronted_adverbial(random: Random) -> Lesson:
    """Gisteren heeft de minister de brug geopend: alpino hangs the time in the participle's phrase."""
    return finish(build(_fronted(random, MORE, ("time", "place", "adverb", "loc", "manner")), "second"))


def fronted_flat(random: Random) -> Lesson:
    """Die film zag ik gisteren: with one verb, nothing has a gap."""
    return finish(build(_fronted(random, ONE, ("o", "time", "place", "P", "adverb", "loc")), "second"))


_PASSIVES = ("passive", "passive-perfect", "modal-passive")


_NO_PASSIVE = frozenset(["kennen", "missen", "verliezen", "dragen"])


def _passive_frame(random: Random) -> Frame:
    while True:
        frame = choose_frame(random, "o", without=(*_CLAUSAL, "i", "z"))
        if frame.verb.infinitive not in _NO_PASSIVE:
            return frame


def passive(random: Random) -> Lesson:
    """De brug werd door de koning geopend."""
    return finish(build(say_first(make_clause(random, _passive_frame(random), random.choice(_PASSIVES))), "second"))


def passive_fronted(random: Random) -> Lesson:
    """In de kelder werd het meisje gevonden."""
    while True:
        clause = make_clause(random, _passive_frame(random), random.choice(_PASSIVES), adverbs=random.choice([1, 2]))
        movable = _can_be_first(clause, "door", "time", "place", "adverb", "manner", "P")
        if movable:
            return finish(build(say_first(clause, random.choice(movable)), "second"))


_ACTIVITIES = frozenset(
    (
        *("werken", "lachen", "praten", "spreken", "klagen", "protesteren", "wachten", "zwijgen", "luisteren"),
        *("kijken", "reageren", "nadenken", "rekenen", "stemmen", "spelen"),
    )
)


def impersonal_passive(random: Random) -> Lesson:
    """Er wordt hard gewerkt; In de zaal werd gelachen."""
    frame = random.choice([one for one in frames() if one.verb.whole_infinitive in _ACTIVITIES and not one.has("dat")])
    shape = random.choice(_PASSIVES)
    clause = make_clause(random, frame, "plain", adverbs=0)
    tense = random.choice(["present", "past"])
    verb = AUXILIARIES["worden" if shape == "passive" else "zijn"]
    chain: list[tuple[str, Part]] = [("ppart", word("ww", frame.verb.whole_participle))]
    if shape == "modal-passive":
        verb = AUXILIARIES[random.choice(["moeten", "kunnen", "mogen", "zullen"])]
        chain = [("inf", word("ww", "worden")), *chain]
    items = [item for item in clause.items if item.kind == "P"]
    items += adverbials(random, 1, "past" if tense == "past" else "present")
    made = Clause(None, verb, "3s", "present" if tense == "present" else "past", chain, items)
    made.participle_first = random.random() < 0.5
    if random.random() < 0.6 or not (movable := _can_be_first(made, "time", "place")):
        items.append(Item.whole(word("vnw", "er"), FIRST, "er"))
    else:
        movable[0].move(FIRST)
        items.append(Item.whole(word("vnw", "er"), 0.5, "er"))
    return finish(build(made, "second"))


def er_subject(random: Random) -> Lesson:
    """Er heeft een vrouw in de tuin gezeten; Er kwam een man binnen: er hangs where the lowest verb is."""
    pool = [one for one in frames() if one.kinds in ((), ("loc",)) and "p" in one.subjects]
    doer = noun_phrase(random, "p", det=random.choice(["een", "een", "geen"]), plural=False, light=True)
    if random.random() < 0.4:
        doer = random.choice([numbered(random, "p"), noun_phrase(random, "p", det="veel", plural=True, light=True)])
    shape = random.choice(["plain", "perfect", "modal"])
    clause = make_clause(random, random.choice(pool), shape, doer=doer, adverbs=random.choice([0, 1]))
    clause.items = [item for item in clause.items if item.kind not in ("no", "manner")]
    clause.subject = Item.whole(doer.part, 4, "subject")
    movable = clause.of("time")
    if movable and random.random() < 0.4:
        say_first(clause, movable[0])
        clause.items.append(Item.whole(word("vnw", "er"), 0.5, "er"))
    else:
        clause.items.append(Item.whole(word("vnw", "er"), FIRST, "er"))
    return finish(build(clause, "second"))


def er_numeral(random: Random) -> Lesson:
    """Hij kocht er gisteren twee; We hebben er maar drie gezien: er and the number are one noun phrase."""
    frame = choose_frame(random, "o", without=(*_CLAUSAL, "i", "z", "P", "dir"))
    shape = random.choice(["plain", "plain", "perfect", "modal"])
    doer = random.choice([pronoun(random.choice(["ik", "hij", "we", "je", "ze"])), subject(random, "p", light=True)])
    clause = make_clause(random, frame, shape, doer=doer, adverbs=0)
    count = random.choice(["tw twee", "tw drie", "tw vier", "tw één", "tw zes", "vnw veel", "tw tien", "vnw enkele"])
    er, number = word("vnw", "er"), word(*count.split())
    about = word("bw", random.choice(["nog", "maar", "al"])) if random.random() < 0.2 and count[:2] == "tw" else None
    made = part("np", er, about, number)
    clause.items = [item for item in clause.items if item.kind != "o"]
    clause.items.append(Item(made, [Piece(er, 1.5), Piece(part("np", about, number), 6)], "o"))
    gap = None
    if random.random() < 0.65:
        clause.items.append(Item.whole(time(random, "past" if clause.tense == "past" else "present"), 3, "time"))
        gap = made
    return finish(build(say_first(clause), "second"), gap=gap)


def fronted_verb(random: Random) -> Lesson:
    """Gelezen heb ik het hele boek; Schrijven kan de jongen zijn naam."""
    while True:
        clause = make_clause(random, clause_frame(random, "o"), random.choice(["perfect", "modal"]), adverbs=0)
        if clause.items and not clause.items[0].part.is_word:
            break
    label, verb = clause.chain[0]
    inner = part(label, *(item.part for item in clause.items), verb)
    finite = word("ww", clause.verb.finite(clause.person, clause.tense, inverted=True))
    assert clause.subject is not None
    rest = [item.part for item in clause.items]
    made = part("smain", clause.subject.part, finite, inner, order=[verb, finite, clause.subject.part, *rest])
    return finish(made, gap=inner)


def fronted_verb_phrase(random: Random) -> Lesson:
    """Een auto kopen wil mijn oom; Het raam geopend heeft niemand: no gap."""
    frame = clause_frame(random, "o")
    clause = make_clause(random, frame, random.choice(["perfect", "modal"]), adverbs=random.choice([0, 0, 1]))
    label, verb = clause.chain[0]
    items = sorted(clause.items, key=lambda item: item.pieces[0].rank)
    inner = part(label, *(item.part for item in items), verb)
    finite = word("ww", clause.verb.finite(clause.person, clause.tense, inverted=True))
    assert clause.subject is not None
    return finish(part("smain", clause.subject.part, finite, inner, order=[inner, finite, clause.subject.part]))


def particle_verb(random: Random) -> Lesson:
    """Ik bel mijn oma morgen op."""
    pool = [one for one in frames() if one.verb.particle and not set(one.kinds) & set(_CLAUSAL)]
    clause = make_clause(random, random.choice(pool), "plain", adverbs=random.choice([0, 1, 2]))
    movable = _can_be_first(clause, "time", "place")
    return finish(build(say_first(clause, movable[0] if movable and random.random() < 0.4 else None), "second"))


_R_FORMS = {"met": "mee", "tot": "toe"}


def pronominal_adverb(random: Random) -> Lesson:
    """Daar heb ik spijt van; Ik denk er vaak aan: the pronoun and its preposition are one phrase."""
    frame = choose_frame(random, "P", without=(*_CLAUSAL, "i"))
    clause = make_clause(random, frame, random.choice((*ONE, *ONE, *MORE)), adverbs=random.choice([1, 2]))
    preposition = next(one.preposition for one in frame.complements if one.kind == "P")
    pronoun_word = word("vnw", random.choice(["er", "er", "daar", "daar", "hier"]))
    made = part("pp", pronoun_word, word("vz", _R_FORMS.get(preposition, preposition)))
    clause.items = [item for item in clause.items if item.kind not in ("P", "place", "manner")]
    item = Item(made, [Piece(pronoun_word, 1.2), Piece(made.children[1], 8)], "P")
    clause.items.append(item)
    return finish(
        build(say_first(clause, item if pronoun_word.text != "er" and random.random() < 0.7 else None), "second")
    )


def headline(random: Random) -> Lesson:
    """Jonge kok opent restaurant: no articles, no full stop."""
    frame = choose_frame(random, "o", without=(*_CLAUSAL, "i", "z", "P", "dir"))
    classes = next(one.classes for one in frame.complements if one.kind == "o")
    doer = noun_phrase(random, frame.subjects, det="-", light=True, plural=random.random() < 0.5)
    clause = make_clause(random, frame, "plain", "present", doer=doer, adverbs=0)
    clause.items = [Item.whole(noun_phrase(random, classes, det="-", light=True, plural=True).part, 4, "o")]
    if random.random() < 0.4:
        name = word("n", random.choice(names()["place"])[0])
        clause.items.append(Item.whole(part("pp", word("vz", "in"), name), 7, "place"))
    return finish(build(say_first(clause), "second"), end="")


def all_caps(random: Random) -> Lesson:
    """A statement in capitals."""
    clause = any_clause(random, light=True)
    movable = _can_be_first(clause, "o", "time")
    made = build(say_first(clause, movable[0] if movable and random.random() < 0.4 else None), "second")
    return finish(made, end=random.choice([".", "!", ""]), upper=True)


def adverb_first(random: Random) -> Lesson:
    """Nooit heb ik dat gezien; Misschien komt hij morgen."""
    clause = any_clause(random, light=True)
    clause.items = [item for item in clause.items if item.kind not in ("no", "adverb")]
    item = Item.whole(adverb(random), 5, "adverb")
    while item.part.texts[0] in ("nog", "al", "weer", "ook", "zelfs", "zeker"):
        item = Item.whole(adverb(random), 5, "adverb")
    clause.items.append(item)
    return finish(build(say_first(clause, item), "second"))
