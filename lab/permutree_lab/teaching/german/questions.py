"""Questions and requests: yes-no questions, wh-questions over short and long distances, imperatives, second persons."""

from __future__ import annotations

from random import Random

from permutree_lab.teaching.composing import part
from permutree_lab.teaching.german.clauses import (
    Clause,
    Item,
    around,
    build,
    choose_frame,
    comma,
    conjugate,
    make_clause,
    tenses,
    with_zu,
)
from permutree_lab.teaching.german.lexicon import Frame, frames, names
from permutree_lab.teaching.german.morphology import AUXILIARIES, PRONOUNS, REFLEXIVES, Person
from permutree_lab.teaching.german.phrases import noun_phrase, pronoun, time, wh_phrase
from permutree_lab.teaching.german.sentences import finish
from permutree_lab.teaching.german.statements import any_clause
from permutree_lab.teaching.lessons import Lesson
from permutree_lab.teaching.parts import Part, word

__all__ = [
    "embedded_question",
    "imperative",
    "infinitive_question",
    "long_question",
    "long_question_second",
    "polar_question",
    "question_clause",
    "second_person",
    "subject_question",
    "wh_question",
    "what_kind",
]

_ADVERBS = ("warum", "wann", "wo", "wie", "wieso", "weshalb", "woher")


def polar_question(random: Random) -> Lesson:
    """The finite verb first: Hast du das Buch gelesen? Kommt er morgen?"""
    if random.random() < 0.5:
        frame = _of_people(random)
        by = pronoun(random.choice(["du", "du", "ihr", "Sie", "ich", "er", "wir"]), "n")
        clause = make_clause(random, frame, random.choice(tenses(frame)), by=by)
    else:
        clause = any_clause(random)
    if random.random() < 0.2:
        clause.items.append(
            Item(
                part("AVP", word("ADV", random.choice(["denn", "eigentlich", "etwa", "überhaupt"]))),
                False,
                4,
                "particle",
            )
        )
    return finish(random, build(clause, "first"), end="?")


def _of_people(random: Random, *kinds: str) -> Frame:
    while True:
        frame = choose_frame(random, *kinds)
        if "p" in frame.subjects:
            return frame


def question_clause(random: Random, compound: bool | None = None) -> tuple[Clause, Item]:
    """A clause and the phrase of it that is asked for."""
    kind = random.choice(["object", "object", "dative", "prepositional", "adverb", "adverb", "subject"])
    needed = {"object": ["a"], "dative": ["d"], "prepositional": ["P"]}.get(kind, [])
    frame = _of_people(random, *needed)
    if random.random() < 0.4 and kind != "subject":
        by = pronoun(random.choice(["du", "ihr", "Sie", "er", "sie", "wir"]), "n")
        clause = make_clause(
            random,
            frame,
            random.choice(tenses(frame, compound)),
            by=by,
            negated=False,
            adverbials=random.choice([0, 0, 1]),
        )
    else:
        clause = make_clause(
            random, frame, random.choice(tenses(frame, compound)), negated=False, adverbials=random.choice([0, 0, 1])
        )
    clause.items = [item for item in clause.items if item.role not in ("connector",)]
    asked = _ask(random, clause, kind)
    if kind == "object" and not clause.is_clear(asked) and clause.subject is not None:
        # who does it has to be told from whom it is done to
        clause.subject = Item(pronoun("er" if clause.person == "3s" else "wir", "n").part, False, 0, "subject")
        if clause.person == "3p":
            return question_clause(random, compound)
    return clause, asked


def _ask(random: Random, clause: Clause, kind: str) -> Item:
    frame = clause.frame
    assert frame is not None
    assert clause.subject is not None
    if kind == "subject":
        asked = wh_phrase(random, "n", "p")
        clause.finite, clause.verbs, clause.particle = conjugate(
            frame.verb, random.choice(tenses(frame)), asked.person, random
        )
        for item in clause.items:
            if item.role == "reflexive":
                item.part = part("NP", word("PRF", REFLEXIVES[asked.person]))
        clause.subject = Item(asked.part, False, 0, "subject")
        return clause.subject
    if kind == "adverb":
        if random.random() < 0.2:
            made = part("AVP", word("PWAV", "wie"), word("ADV", random.choice(["oft", "lange"])))
        else:
            made = part("AVP", word("PWAV", random.choice(_ADVERBS)))
        asked_item = Item(made, made.texts[0] in ("wo", "woher"), 4, "asked")
        clause.items.append(asked_item)
        return asked_item
    found = clause.find(kind)
    assert found is not None
    if kind == "prepositional":
        complement = next(one for one in frame.complements if one.kind == "P")
        if complement.classes[0] in "po":
            inner = wh_phrase(random, complement.case, complement.classes)
            found.part = part("PP", word("APPR", complement.preposition), inner.part)
        elif random.random() < 0.5:
            glue = "r" if complement.preposition[0] in "aeiouü" else ""
            found.part = part("AVP", word("PWAV", f"wo{glue}{complement.preposition}"))
        else:
            inner = noun_phrase(random, complement.case, complement.classes, det="welch", light=True)
            found.part = part("PP", word("APPR", complement.preposition), inner.part)
        return found
    complement = next(one for one in frame.complements if one.kind == {"object": "a", "dative": "d"}[kind])
    wanted = wh_phrase(random, "a" if kind == "object" else "d", complement.classes)
    found.part, found.is_plural = wanted.part, wanted.person == "3p"
    return found


def wh_question(random: Random) -> Lesson:
    """A wh-phrase first: Welches Buch hast du gelesen? Wem hilft er? Warum kommt niemand?"""
    clause, asked = question_clause(random)
    opening = [word("KON", random.choice(["und", "aber"]))] if random.random() < 0.08 else []
    return finish(random, build(clause, "second", first=asked, opening=opening), end="?")


def subject_question(random: Random) -> Lesson:
    """Who does it: Wer hat mein Fahrrad gestohlen? There is no gap."""
    frame = _of_people(random)
    clause = make_clause(random, frame, random.choice(tenses(frame)), by=wh_phrase(random, "n", "p"), negated=False)
    clause.items = [item for item in clause.items if item.in_vp]
    return finish(random, build(clause, "second"), end="?")


_THINKING = ("glauben", "meinen", "denken", "sagen", "behaupten", "hoffen", "vermuten", "fürchten")


def _thinking(random: Random, tense: str = "") -> Clause:
    choice = random.choice(_THINKING)
    verb = next(frame.verb for frame in frames() if frame.verb.whole == choice)
    by = pronoun(random.choice(["du", "du", "Sie", "ihr", "er", "sie"]), "n")
    finite, verbs, particle = conjugate(
        verb, tense or random.choice(["present", "preterite", "perfect"]), by.person, random
    )
    return Clause(finite, verbs, particle, Item(by.part, False, 0, "subject"), [], person=by.person)


def long_question(random: Random) -> Lesson:
    """A phrase of a dass-clause is asked for: Welches Buch glaubst du, dass er gelesen hat?"""
    clause, asked = question_clause(random)
    matrix = _thinking(random)
    conjunction = word("KOUS", "dass")
    lower = build(clause, "last", opening=[conjunction])
    words = [one for one in lower.words if one not in asked.part.words]
    below = part("S", *lower.children, order=[comma(), *words, comma()])
    top = [matrix.subject.part] if matrix.subject else []
    inside: list[Part] = [part("VP", matrix.verbs[0], below)] if matrix.verbs else [below]
    order = [asked.part, matrix.finite, *top, *matrix.verbs, *below.words]
    return finish(random, part("S", matrix.finite, *top, *inside, order=order), end="?", gap=below)


def long_question_second(random: Random) -> Lesson:
    """The question goes around the verb of thinking: Was, glaubst du, hat er gelesen?"""
    clause, asked = question_clause(random)
    matrix = _thinking(random, "present")
    inner = build(clause, "second", first=asked)
    rest = [one for one in inner.words if one not in asked.part.words]
    top = [matrix.subject.part] if matrix.subject else []
    order = [asked.part, comma(), matrix.finite, *top, comma(), *rest]
    return finish(random, part("S", inner, matrix.finite, *top, order=order), end="?", gap=inner)


def infinitive_question(random: Random) -> Lesson:
    """A phrase of an infinitive is asked for: Welches Bild hast du versucht zu kopieren?"""
    frame = choose_frame(random, "a", without=("d", "r", "P", "dass", "ob", "zu", "zudat", "zuinf"))
    classes = next(one.classes for one in frame.complements if one.kind == "a")
    asked = wh_phrase(random, "a", classes).part
    ending = with_zu(frame.verb)
    whole = part("VP", asked, ending)
    outer = random.choice(
        [one.verb for one in frames() if one.verb.whole in ("versuchen", "vergessen", "planen", "beschließen")]
    )
    by = pronoun(random.choice(["du", "ihr", "Sie", "er", "sie", "wir"]), "n")
    finite, others, _ = conjugate(outer, random.choice(["present", "preterite", "perfect"]), by.person, random)
    if not others:
        order = [asked, finite, by.part, ending]
        return finish(random, part("S", whole, finite, by.part, order=order), end="?", gap=whole)
    order = [asked, finite, by.part, others[0], *([comma()] if random.random() < 0.3 else []), ending]
    return finish(random, part("S", part("VP", whole, others[0]), finite, by.part, order=order), end="?", gap=whole)


def what_kind(random: Random) -> Lesson:
    """Was für … in one piece or two: Was für ein Auto hast du gekauft? Was hast du für ein Auto gekauft?"""
    frame = _of_people(random, "a")
    by = pronoun(random.choice(["du", "ihr", "Sie", "er"]), "n")
    clause = make_clause(random, frame, random.choice(tenses(frame)), by=by, adverbials=0, negated=False)
    target = clause.find("object")
    assert target is not None
    classes = next(one.classes for one in frame.complements if one.kind == "a")
    inner = noun_phrase(random, "a", classes, det="ein", light=True)
    if random.random() < 0.15:
        return _what_people(random)
    what = word("PWS", "was")
    for_what = part("PP", word("APPR", "für"), inner.part)
    if random.random() < 0.4:
        target.part = part("NP", what, for_what)
        return finish(random, build(clause, "second", first=target), end="?")
    whole = part("NP", what, for_what, order=[what])
    target.part = whole
    made = build(clause, "second", first=target)
    ending = [one for one in (clause.particle, *clause.verbs) if one is not None]
    start = [one for one in made.words if one not in ending]
    return finish(random, part("S", *made.children, order=[*start, for_what, *ending]), end="?", gap=whole)


def _what_people(random: Random) -> Lesson:
    """Was sind das für Leute? Was ist das für ein Buch?"""
    inner = noun_phrase(random, "n", random.choice("pdtao"), det="ein", light=True)
    what, that = word("PWS", "was"), part("NP", word("PDS", random.choice(["das", "das", "dies"])))
    finite = word("VAFIN", AUXILIARIES["sein"][random.choice(["present", "preterite"])][inner.person])
    rest = part("PP", word("APPR", "für"), inner.part)
    whole = part("NP", what, rest)
    return finish(random, part("S", whole, finite, that, order=[what, finite, that, rest]), end="?", gap=whole)


def imperative(random: Random) -> Lesson:
    """A request: Komm nach Hause! Lest das Buch! Rufen Sie mich morgen an!"""
    person: Person = random.choice(["2s", "2s", "2p", "3p"])
    frame = _of_people(random, *random.choice([[], ["a"], ["d"]]))
    name = {"2s": "du", "2p": "ihr", "3p": "Sie"}[person]
    clause = make_clause(
        random,
        frame,
        "present",
        by=pronoun(name, "n"),
        adverbials=random.choice([0, 0, 1]),
        negated=random.random() < 0.15,
    )
    forbidden = {PRONOUNS[name][1], PRONOUNS[name][2]}
    for item in clause.items:
        if item.role in ("object", "dative") and set(item.part.texts) & forbidden:
            item.part = pronoun("er", "a" if item.role == "object" else "d").part
    clause.items = [item for item in clause.items if item.role not in ("connector", "particle", "time")]
    if random.random() < 0.25:
        clause.items.append(
            Item(
                part("AVP", word("ADV", random.choice(["doch", "mal", "bitte", "jetzt", "endlich", "nur"]))),
                False,
                4,
                "particle",
            )
        )
    elif random.random() < 0.2:
        clause.items.append(Item(time(random, "future"), False, 4, "time"))
    clause.finite = word("VVFIN" if person == "3p" else "VVIMP", frame.verb.imperative(person))
    if person != "3p":
        clause.subject = None
    made = build(clause, "first")
    if random.random() < 0.2:
        who = part("NP", word("NE", random.choice(names()["female"] + names()["male"])))
        front = random.random() < 0.5
        order = [who, comma(), *made.words] if front else [*made.words, comma(), who]
        made = part("S", who, *made.children, order=order)
    elif random.random() < 0.1:
        please = part("AVP", word("ADV", "bitte"))
        made = part("S", please, *made.children, order=[please, *made.words])
    return finish(random, made, end=random.choice(["!", "!", "."]))


def second_person(random: Random) -> Lesson:
    """A statement to somebody: Du hast das Buch vergessen. Ihr könnt mir glauben."""
    frame = _of_people(random)
    by = pronoun(random.choice(["du", "du", "ihr", "Sie"]), "n")
    clause = make_clause(random, frame, random.choice(tenses(frame)), by=by)
    firsts = [None, None, *clause.firsts()]
    return finish(random, build(clause, "second", first=random.choice(firsts)))


def embedded_question(random: Random) -> Lesson:
    """A question inside a sentence: Ich weiß nicht, wer das Buch gelesen hat. Er fragt, ob …"""
    if random.random() < 0.4:
        clause = any_clause(random)
        inner = build(clause, "last", opening=[word("KOUS", "ob")])
    else:
        clause, asked = question_clause(random)
        asked.rank = -1
        inner = build(clause, "last")
    verb = random.choice(
        [
            frame.verb
            for frame in frames()
            if frame.verb.whole in ("wissen", "fragen", "verstehen", "vergessen", "prüfen")
        ]
    )
    by = (
        pronoun(random.choice(["ich", "er", "sie", "wir"]), "n")
        if random.random() < 0.6
        else noun_phrase(random, "n", "po")
    )
    finite, verbs, particle = conjugate(verb, random.choice(["present", "preterite", "perfect"]), by.person, random)
    matrix = Clause(finite, verbs, particle, Item(by.part, False, 0, "subject"), [], person=by.person)
    if verb.whole == "wissen":
        matrix.items.append(Item(word("PTKNEG", "nicht"), False, 8, "negation"))
    matrix.after.append(Item(around(inner), True, 20, "clause"))
    if random.random() < 0.2:
        first = matrix.after.pop()
        matrix.items.append(first)
        return finish(random, build(matrix, "second", first=first))
    return finish(random, build(matrix, "second"))
