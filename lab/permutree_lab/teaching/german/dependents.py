"""Clauses and phrases that depend on others, beside them or apart: relatives, dass-clauses, infinitives, als."""

from __future__ import annotations

from random import Random

from permutree_lab.teaching.composing import part
from permutree_lab.teaching.german.clauses import (
    PASSIVE,
    PRONOMINAL,
    Clause,
    Item,
    around,
    build,
    choose_frame,
    comma,
    conjugate,
    infinitive,
    make_clause,
    tenses,
    with_zu,
)
from permutree_lab.teaching.german.lexicon import Frame, adjectives, frames, predicates
from permutree_lab.teaching.german.morphology import (
    AUXILIARIES,
    RELATIVES,
    Case,
    Gender,
    Verb,
    adjective_ending,
    determiner,
)
from permutree_lab.teaching.german.phrases import (
    Nominal,
    named,
    noun_phrase,
    prepositional,
    pronoun,
    subject,
    time,
)
from permutree_lab.teaching.german.questions import question_clause
from permutree_lab.teaching.german.sentences import finish
from permutree_lab.teaching.german.statements import any_clause, copula_clause, opener, reporting
from permutree_lab.teaching.lessons import Lesson
from permutree_lab.teaching.parts import Part, word

__all__ = [
    "adverbial_clause",
    "attached_relative",
    "comparative",
    "complement_clause",
    "control",
    "correlate",
    "es_clause",
    "extraposed_clause",
    "extraposed_phrase",
    "extraposed_relative",
    "extraposed_subject_clause",
    "extraposed_subject_phrase",
    "extraposed_subject_relative",
    "noun_clause",
    "purpose",
    "raised",
    "so_that",
    "split_infinitive",
    "the_more",
]

_SIMPLE_FRAMES = ("dass", "ob", "zu", "zudat", "zuinf")


def relative(random: Random, gender: Gender) -> Part:
    """A relative clause for a noun of a gender, between commas."""
    kind = random.choice(["subject", "subject", "object", "object", "dative", "prepositional", "possessive"])
    if kind in ("subject", "possessive"):
        frame = choose_frame(random)
        who = part("NP", word("PRELS", RELATIVES[gender, "n"]))
        if kind == "possessive":
            thing = noun_phrase(random, "n", frame.subjects[0], det="-", light=True, plural=True)
            who = part("NP", word("PRELAT", RELATIVES[gender, "g"]), *thing.part.children)
        many = gender == "p" or kind == "possessive"
        clause = make_clause(
            random, frame, random.choice(tenses(frame)), by=Nominal(who, "3p" if many else "3s", gender, True)
        )
        clause.subject.rank = -1  # type: ignore[union-attr]
        return around(build(clause, "last"))
    needed = {"object": "a", "dative": "d", "prepositional": "P"}[kind]
    frame = choose_frame(random, needed)
    clause = make_clause(random, frame, random.choice(tenses(frame)))
    item = clause.find(kind)
    assert item is not None
    complement = next(one for one in frame.complements if one.kind == needed)
    case: Case = {"a": "a", "d": "d", "P": complement.case}[needed]  # type: ignore[assignment]
    node = part("NP", word("PRELS", RELATIVES[gender, case]))
    item.part = part("PP", word("APPR", complement.preposition), node) if needed == "P" else node
    item.rank = -1
    return around(build(clause, "last"))


def attached_relative(random: Random) -> Lesson:
    """A relative clause beside its noun: Der Mann, den ich gestern gesehen habe, schläft."""
    made: list[Part] = []

    def follow(random: Random, gender: Gender) -> Part:
        made.append(relative(random, gender))
        return made[-1]

    frame = choose_frame(random)
    head = noun_phrase(random, "n", frame.subjects, follower=follow)
    whole = part("NP", *head.part.children)
    clause = make_clause(random, frame, random.choice(tenses(frame)), by=Nominal(whole, head.person, head.gender))
    firsts = [None, None, None, *(item for item in clause.items if item.role in ("time", "connector"))]
    return finish(random, build(clause, "second", first=random.choice(firsts)))


def _late(random: Random, clause: Clause, follow: str) -> Item:
    """Give the object a clause or phrase that is said after the verbs."""
    made: list[Part] = []

    def after(random: Random, gender: Gender) -> Part:
        made.append(relative(random, gender) if follow == "relative" else _late_phrase(random))
        return made[-1]

    frame, item = clause.frame, clause.find("object")
    assert frame is not None
    assert item is not None
    classes = next(one.classes for one in frame.complements if one.kind == "a")
    if follow == "phrase":
        classes = random.choice("da")
    det = random.choice(["ein", "ein", "der", "kein", "viel", "dies"])
    head = noun_phrase(random, "a", classes, follower=after, det=det)
    item.part, item.late, item.is_plural = head.part, made[0], head.person == "3p"
    item.rank = 6 if head.is_definite else 10
    return item


def _late_phrase(random: Random) -> Part:
    preposition, classes = random.choice([("über", "a"), ("über", "po"), ("für", "po"), ("gegen", "a")])
    return prepositional(random, preposition, "a", classes)


def _bracketed(random: Random) -> Clause:
    """A clause with an object whose last word is a verb or a particle, so that something can be said after it.

    No other noun stands between the object and the verb, which what is said later could be about.
    """
    while True:
        frame = choose_frame(random, "a", without=("P", *_SIMPLE_FRAMES))
        tense = random.choice(tenses(frame))
        if frame.verb.particle or tense not in ("present", "preterite"):
            clause = make_clause(random, frame, tense, adverbials=random.choice([0, 1]), negated=False)
            clause.items = [item for item in clause.items if item.role != "location"]
            return clause


def extraposed_relative(random: Random) -> Lesson:
    """A relative clause of an object after the verbs: Er hat ein Buch gekauft, das ihm gefällt."""
    return _extraposed(random, "relative")


def extraposed_phrase(random: Random) -> Lesson:
    """A prepositional phrase after the verbs: Er hat ein Buch gelesen über die Krise."""
    return _extraposed(random, "phrase")


def extraposed_subject_relative(random: Random) -> Lesson:
    """The relative clause of a subject after the verb: Eine Frau kam, die …; Ein Gesetz wurde beschlossen, das …"""
    if random.random() < 0.4:
        frame = choose_frame(random, "a", without=("d", "P", *_SIMPLE_FRAMES), passive=True)
        classes = next(one.classes for one in frame.complements if one.kind == "a")
        tense = random.choice(PASSIVE)
    else:
        frame = choose_frame(random, without=("a", "d", "P", "r", "loc", "dir", *_SIMPLE_FRAMES))
        classes, tense = frame.subjects, random.choice(tenses(frame))
    made: list[Part] = []

    def after(random: Random, gender: Gender) -> Part:
        made.append(relative(random, gender))
        return made[-1]

    head = noun_phrase(random, "n", classes, follower=after, det=random.choice(["ein", "ein", "der", "viel", "mehrer"]))
    clause = make_clause(random, frame, tense, by=head, adverbials=random.choice([0, 0, 1]), negated=False)
    assert clause.subject is not None
    clause.subject.late = made[0]
    clause.items = [item for item in clause.items if item.role not in ("agent", "location")]
    return finish(random, build(clause, "second"), gap=clause.subject.part)


#: nouns with the preposition of their attribute, and verbs that say that such a thing is there
_ABOUT = (
    *(("Debatte", "f", "über", "a"), ("Diskussion", "f", "über", "a"), ("Buch", "n", "über", "a")),
    *(("Film", "m", "über", "a"), ("Bericht", "m", "über", "a"), ("Artikel", "m", "über", "a")),
    *(("Streit", "m", "über", "a"), ("Streit", "m", "um", "a"), ("Angst", "f", "vor", "d"), ("Kritik", "f", "an", "d")),
    *(("Forderung", "f", "nach", "d"), ("Suche", "f", "nach", "d"), ("Protest", "m", "gegen", "a")),
    *(("Hoffnung", "f", "auf", "a"), ("Interesse", "n", "an", "d"), ("Zweifel", "m", "an", "d")),
)
_APPEARING = (
    Verb("entbrennen", "", "entbrennt", "entbrannte", "entbrannt", "sein"),
    Verb("brechen", "aus", "bricht", "brach", "ausgebrochen", "sein"),
    Verb("wachsen", "", "wächst", "wuchs", "gewachsen", "sein"),
    Verb("nehmen", "zu", "nimmt", "nahm", "zugenommen", "haben"),
    Verb("erscheinen", "", "erscheint", "erschien", "erschienen", "sein"),
    Verb("beginnen", "", "beginnt", "begann", "begonnen", "haben"),
    Verb("entstehen", "", "entsteht", "entstand", "entstanden", "sein"),
    Verb("kommen", "auf", "kommt", "kam", "aufgekommen", "sein"),
)


def _about(random: Random, case: Case) -> tuple[Part, Part, Part]:
    """A noun with a prepositional phrase that is said later: all of it, what is said at once, the phrase."""
    lemma, gender, preposition, governed = random.choice(_ABOUT)
    article = word("ART", determiner(random.choice(["der", "ein"]), gender, case))  # type: ignore[arg-type]
    late = prepositional(random, preposition, governed, random.choice(["a", "po"]))  # type: ignore[arg-type]
    head = word("NN", lemma)
    return part("NP", article, head, late, order=[article, head]), head, late


def extraposed_subject_phrase(random: Random) -> Lesson:
    """The prepositional phrase of a subject after the verb: Eine Debatte ist entbrannt über die neue Steuer."""
    node, _, late = _about(random, "n")
    verb = random.choice(_APPEARING)
    finite, verbs, particle = conjugate(verb, random.choice(["present", "preterite", "perfect"]), "3s", random)
    doer = Item(node, False, 3, "subject", late=late)
    clause = Clause(finite, verbs, particle, doer, [])
    if random.random() < 0.3 and (verbs or particle):
        first = Item(time(random), True, 4, "time", in_vp_first=False)
        clause.items.append(first)
        return finish(random, build(clause, "second", first=first), gap=node)
    return finish(random, build(clause, "second"), gap=node)


_EMERGING = (
    Verb("kommen", "auf", "kommt", "kam", "aufgekommen", "sein"),
    Verb("stellen", "", "stellt", "stellte", "gestellt", "haben"),
    Verb("verbreiten", "", "verbreitet", "verbreitete", "verbreitet", "haben"),
    Verb("bestehen", "", "besteht", "bestand", "bestanden", "haben"),
    Verb("wachsen", "", "wächst", "wuchs", "gewachsen", "sein"),
)


def extraposed_subject_clause(random: Random) -> Lesson:
    """The clause of a subject after the verb: Der Verdacht kam auf, dass … Die Frage stellt sich, ob …"""
    node, late, _ = _clause_noun(random, "n", random.choice(["dass", "dass", "ob", "zu"]))
    verb = random.choice(_EMERGING)
    finite, verbs, particle = conjugate(verb, random.choice(["present", "preterite", "perfect"]), "3s", random)
    clause = Clause(finite, verbs, particle, Item(node, False, 3, "subject", late=late), [])
    if verb.infinitive in ("stellen", "verbreiten"):
        clause.items.append(Item(part("NP", word("PRF", "sich")), True, 1, "reflexive"))
    return finish(random, build(clause, "second"), gap=node)


def _extraposed(random: Random, follow: str) -> Lesson:
    clause = _bracketed(random)
    item = _late(random, clause, follow)
    chance = random.random()
    if chance < 0.25:
        conjunction = word("KOUS", random.choice(["dass", "weil", "obwohl"]))
        inner = around(build(clause, "last", opening=[conjunction]))
        matrix = reporting(random) if conjunction.text == "dass" else copula_clause(random)
        matrix.after.append(Item(inner, conjunction.text == "dass", 20, "clause"))
        return finish(random, build(matrix, "second"), gap=item.part)
    if chance < 0.4 and clause.is_clear(item):
        return finish(random, build(clause, "second", first=item), gap=item.part)
    firsts = [None, *(one for one in clause.items if one.role in ("time", "connector"))]
    return finish(random, build(clause, "second", first=random.choice(firsts), opening=opener(random)), gap=item.part)


#: nouns with a clause or an infinitive: its gender
_CLAUSE_NOUNS = {
    "dass": (
        ("Tatsache", "f"),
        ("Behauptung", "f"),
        ("Hoffnung", "f"),
        ("Eindruck", "m"),
        ("Verdacht", "m"),
        ("Meinung", "f"),
        ("Angst", "f"),
        ("Beweis", "m"),
    ),
    "ob": (("Frage", "f"), ("Zweifel", "m")),
    "zu": (
        ("Möglichkeit", "f"),
        ("Chance", "f"),
        ("Versuch", "m"),
        ("Absicht", "f"),
        ("Plan", "m"),
        ("Recht", "n"),
        ("Idee", "f"),
        ("Pflicht", "f"),
    ),
}


def _clause_of(random: Random, kind: str) -> Part:
    """A dass- or ob-clause or an infinitive, between commas."""
    if kind == "zu":
        return infinitive(random, choose_frame(random), adverbials=random.choice([0, 0, 1]))
    return around(build(any_clause(random), "last", opening=[word("KOUS", kind)]))


def _clause_noun(random: Random, case: Case, kind: str) -> tuple[Part, Part, Gender]:
    lemma, gender = random.choice(_CLAUSE_NOUNS[kind])
    article = word("ART", determiner(random.choice(["der", "der", "ein"]), gender, case))  # type: ignore[arg-type]
    clause = _clause_of(random, kind)
    head = word("NN", lemma)
    return part("NP", article, head, clause, order=[article, head]), clause, gender  # type: ignore[return-value]


def noun_clause(random: Random) -> Lesson:
    """A noun with its clause beside it: Die Tatsache, dass er lügt, ärgert alle."""
    kind = random.choice(["dass", "dass", "ob", "zu"])
    node, _, gender = _clause_noun(random, "n", kind)
    whole = part("NP", *node.children)
    frame = random.choice(list(_affair_frames()))
    clause = make_clause(random, frame, random.choice(tenses(frame)), by=Nominal(whole, "3s", gender))
    return finish(random, build(clause, "second"))


def _affair_frames() -> list[Frame]:
    return [
        frame
        for frame in frames()
        if "a" in frame.subjects and not any(frame.has(kind) for kind in _SIMPLE_FRAMES) and not frame.has("r")
    ]


_CLAUSE_VERBS = (
    "bekommen",
    "haben",
    "erhalten",
    "zurückweisen",
    "ablehnen",
    "aufgeben",
    "verteidigen",
    "akzeptieren",
    "betonen",
    "fürchten",
)


def extraposed_clause(random: Random) -> Lesson:
    """A noun whose clause is said after the verbs: Er hat die Hoffnung aufgegeben, dass sie kommt."""
    while True:
        frame = random.choice(
            [one for one in frames() if one.verb.whole in _CLAUSE_VERBS and [c.kind for c in one.complements] == ["a"]]
        )
        tense = random.choice([*tenses(frame), *(PASSIVE if frame.has_passive else ())])
        if frame.verb.particle or tense not in ("present", "preterite"):
            break
    passive = "passive" in tense
    node, late, gender = _clause_noun(random, "n" if passive else "a", random.choice(["dass", "dass", "zu", "ob"]))
    by = Nominal(node, "3s", gender) if passive else subject(random, "po")
    clause = make_clause(random, frame, tense, by=by, adverbials=random.choice([0, 1]), negated=False)
    item = clause.subject if passive else clause.find("object")
    assert item is not None
    item.part, item.late, item.rank = node, late, 6
    firsts = [None, *(one for one in clause.items if one.role in ("time", "connector"))]
    return finish(random, build(clause, "second", first=random.choice(firsts), opening=opener(random)), gap=node)


def complement_clause(random: Random) -> Lesson:
    """A dass-clause after its verb, or before it: Er sagt, dass sie kommt. Dass sie kommt, hat er gesagt."""
    clause = reporting(random)
    inner = any_clause(random)
    if random.random() < 0.2:
        made = around(build(inner, "second"))
    else:
        made = around(build(inner, "last", opening=[word("KOUS", "dass")]))
    item = Item(made, True, 20, "clause", in_vp_first=False)
    if random.random() < 0.2 and made.children[0].label == "KOUS":
        clause.items.append(item)
        return finish(random, build(clause, "second", first=item))
    clause.after.append(item)
    order = "last" if random.random() < 0.2 else "second"
    if order == "last":
        outer = copula_clause(random)
        outer.after.append(Item(around(build(clause, "last", opening=[word("KOUS", "weil")])), False, 20, "clause"))
        return finish(random, build(outer, "second"))
    return finish(random, build(clause, "second", opening=opener(random)))


def es_clause(random: Random) -> Lesson:
    """Es and the clause that it stands for: Es ist wichtig, dass er kommt. Wichtig ist, dass er kommt."""
    kind = random.choice(["dass", "dass", "zu"])
    inner = _clause_of(random, kind)
    es = word("PPER", "es")
    predicate = part(
        "AP",
        word("ADV", random.choice(["sehr", "so", "ganz"])) if random.random() < 0.2 else None,
        word("ADJD", random.choice(predicates()[:30])),
    )
    finite = word("VAFIN", random.choice(["ist", "war", "wäre", "bleibt"]))
    if finite.text == "bleibt":
        finite = word("VVFIN", "bleibt")
    shape = random.choice(["es", "es", "es-after", "without", "verb", "question", "fun", "when"])
    if shape == "when":
        clause, asked = question_clause(random)
        asked.rank = -1
        inner = around(build(clause, "last"))
        predicate = part("AP", word("ADJD", random.choice(["unklar", "offen", "klar", "egal", "bekannt", "ungewiss"])))
        shape = "es"
    if shape == "without":
        return finish(random, part("S", predicate, finite, inner))
    whole = part("NP", es, inner, order=[es])
    if shape == "question":
        order = [finite, es, predicate, *inner.words]
        return finish(random, part("S", finite, whole, predicate, order=order), end="?", gap=whole)
    if shape == "fun":
        verb_word = word("VVFIN", random.choice(["macht", "machte"]))
        fun = part("NP", word("NN", random.choice(["Spaß", "Mut", "Freude", "Hoffnung", "Sinn", "Mühe"])))
        return finish(random, part("S", whole, verb_word, fun, order=[es, verb_word, fun, *inner.words]), gap=whole)
    if shape == "es":
        return finish(
            random, part("S", whole, finite, predicate, order=[es, finite, predicate, *inner.words]), gap=whole
        )
    if shape == "es-after":
        first = random.choice(
            [part("AVP", word("ADV", one)) for one in ("heute", "vielleicht", "natürlich", "allerdings", "nun")]
        )
        return finish(
            random,
            part("S", first, finite, whole, predicate, order=[first, finite, es, predicate, *inner.words]),
            gap=whole,
        )
    who = pronoun(random.choice(["ich", "du", "er", "sie", "wir"]), "a").part
    verb = random.choice(
        [frame.verb for frame in _affair_frames() if frame.verb.whole in ("ärgern", "freuen", "stören", "überraschen")]
    )
    main, others, particle = conjugate(verb, random.choice(["present", "preterite", "perfect"]), "3s", random)
    top: list[Part] = [part("VP", who, others[0])] if others else [who]
    return finish(
        random, part("S", whole, main, *top, particle, order=[es, main, who, *others, *inner.words]), gap=whole
    )


def correlate(random: Random) -> Lesson:
    """A pronominal adverb and its clause: Er hat darauf hingewiesen, dass … Sie wartet darauf, dass …"""
    while True:
        frame = choose_frame(random, "P")
        complement = next(one for one in frame.complements if one.kind == "P")
        if complement.preposition in PRONOMINAL and "a" in complement.classes:
            break
    clause = make_clause(random, frame, random.choice(tenses(frame)), negated=False, adverbials=random.choice([0, 1]))
    item = clause.find("prepositional")
    assert item is not None
    inner = _clause_of(random, random.choice(["dass", "dass", "zu"]))
    there = word("PROAV", PRONOMINAL[complement.preposition])
    item.part, item.late = part("PP", there, inner, order=[there]), inner
    firsts = [None, None, item, *(one for one in clause.items if one.role in ("time", "connector"))]
    first = random.choice(firsts)
    apart = first is item or bool(clause.verbs) or clause.particle is not None
    return finish(
        random, build(clause, "second", first=first, opening=opener(random)), gap=item.part if apart else None
    )


def control(random: Random) -> Lesson:
    """An infinitive after its verb: Er hat versucht, das Buch zu lesen. Sie begann zu weinen."""
    frame = random.choice([choose_frame(random, "zu"), choose_frame(random, "zudat")])
    clause = make_clause(
        random, frame, random.choice(tenses(frame)), adverbials=random.choice([0, 0, 1]), negated=False
    )
    inner = infinitive(random, choose_frame(random), adverbials=random.choice([0, 0, 1]))
    clause.after.append(Item(inner, True, 20, "clause"))
    if random.random() < 0.3:
        outer = reporting(random)
        outer.after.append(Item(around(build(clause, "last", opening=[word("KOUS", "dass")])), True, 20, "clause"))
        return finish(random, build(outer, "second"))
    return finish(random, build(clause, "second", opening=opener(random)))


_SPLITTING = ("versuchen", "beschließen", "planen", "vergessen", "versprechen", "hoffen", "beginnen")


def split_infinitive(random: Random) -> Lesson:
    """The object of an infinitive comes first: Das Buch versuchte er zu lesen. Ihm hat sie zu helfen versucht."""
    while True:
        frame = choose_frame(random, random.choice(["a", "d"]), without=("r", "P", *_SIMPLE_FRAMES))
        if len(frame.complements) == 1:
            break
    outer = random.choice([one for one in frames() if one.has("zu") and one.verb.whole in _SPLITTING])
    doer = subject(random, "po")
    inner = make_clause(random, frame, "present", by=doer, adverbials=0, negated=False)
    target = inner.items[0]
    ending = with_zu(frame.verb)
    whole = part("VP", target.part, ending)
    tense = random.choice(["present", "preterite", "perfect"])
    finite, others, particle = conjugate(outer.verb, tense, doer.person, random)
    if others:
        top = part("VP", whole, others[0])
        order = [target.part, finite, doer.part, ending, others[0]]
        return finish(random, part("S", top, finite, doer.part, order=order), gap=whole)
    order = [target.part, finite, doer.part, *([particle] if particle else []), ending]
    return finish(random, part("S", whole, finite, doer.part, particle, order=order), gap=whole)


def raised(random: Random) -> Lesson:
    """scheinen, pflegen, brauchen and haben with zu: Er scheint das Buch zu kennen. Das Buch ist zu lesen."""
    frame = choose_frame(random)
    doer = subject(random, frame.subjects)
    clause = make_clause(random, frame, "present", by=doer, adverbials=random.choice([0, 1]), negated=False)
    text = random.choice(["scheinen", "scheinen", "pflegen", "drohen", "haben"])
    if text == "haben":
        clause.finite = word("VAFIN", AUXILIARIES["haben"][random.choice(["present", "preterite"])][doer.person])
    else:
        verb = (
            Verb("scheinen", "", "scheint", "schien", "geschienen", "haben")
            if text == "scheinen"
            else Verb.weak(text, "", "haben", False)
        )
        clause.finite = word("VVFIN", random.choice([verb.present, verb.past])(doer.person))
    clause.particle = None
    items = [item for item in clause.items if item.in_vp]
    said = [item.part for item in sorted(items, key=lambda item: item.rank)]
    whole = part("VP", *said, with_zu(frame.verb))
    targets = [item for item in items if item.role in ("object", "dative", "prepositional")]
    if targets and random.random() < 0.35:
        first = random.choice(targets).part
        rest = [one for one in whole.words if one not in first.words]
        return finish(
            random,
            part("S", whole, clause.finite, doer.part, order=[first, clause.finite, doer.part, *rest]),
            gap=whole,
        )
    return finish(random, part("S", doer.part, clause.finite, whole))


def purpose(random: Random) -> Lesson:
    """um, ohne or statt with an infinitive, after the clause or before it: Er kam, um das Buch zu lesen."""
    inner = infinitive(
        random,
        choose_frame(random),
        opening=random.choice(["um", "um", "um", "ohne", "statt", "anstatt"]),
        adverbials=random.choice([0, 0, 1]),
    )
    clause = any_clause(random)
    item = Item(inner, False, 20, "clause", in_vp_first=False)
    if random.random() < 0.3:
        clause.items.append(item)
        return finish(random, build(clause, "second", first=item))
    clause.after.append(item)
    return finish(random, build(clause, "second"))


def comparative(random: Random) -> Lesson:
    """Something compared, apart or not: Er ist älter als sein Bruder. Sie hat mehr Bücher gelesen als ich."""
    other = named(random).part if random.random() < 0.3 else noun_phrase(random, "n", "po", light=True, det="der").part
    children = other.children
    kind = random.choice(["predicate", "predicate-last", "more", "bigger", "as-as", "faster", "more-come"])
    than = part("NP", word("KOKOM", "als"), *children)
    if random.random() < 0.25 and kind != "as-as":
        than = _than_clause(random)
    adjective = random.choice(
        [
            one
            for one in adjectives()["p"] + adjectives()["a"]
            if one.lemma
            not in (
                "deutsch",
                "ehemalig",
                "erst",
                "damalig",
                "künftig",
                "eigen",
                "national",
                "geplant",
                "katholisch",
                "finanziell",
                "kommunal",
                "heutig",
                "gemeinsam",
                "zuständig",
                "rechtlich",
                "ganz",
                "jüngst",
                "besonder",
                "international",
                "regional",
                "lokal",
                "verschwunden",
                "europäisch",
                "russisch",
                "französisch",
            )
        ]
    )
    doer = subject(random, "p")
    if kind in ("predicate", "predicate-last", "as-as"):
        finite = word("VAFIN", AUXILIARIES["sein"][random.choice(["present", "preterite"])][doer.person])
        if kind == "as-as":
            like = part("NP", word("KOKOM", "wie"), *children)
            so = part("AVP", word("ADV", random.choice(["so", "genauso", "ebenso"])), like)
            head = word("ADJD", adjective.lemma)
            whole = part("AP", so, head)
            order = [doer.part, finite, so.children[0], head, *like.words]
            return finish(random, part("S", doer.part, finite, whole, order=order), gap=so)
        head = word("ADJD", adjective.comparative)
        degree = word("ADV", random.choice(["viel", "noch", "etwas"])) if random.random() < 0.3 else None
        whole = part("AP", degree, head, than)
        if kind == "predicate":
            return finish(random, part("S", doer.part, finite, whole))
        conjunction = word("KOUS", random.choice(["dass", "weil", "obwohl"]))
        order = [comma(), conjunction, doer.part, *([degree] if degree else []), head, finite, *than.words]
        inner = part("S", conjunction, doer.part, whole, finite, order=order)
        matrix = reporting(random) if conjunction.text == "dass" else copula_clause(random)
        matrix.after.append(Item(inner, conjunction.text == "dass", 20, "clause"))
        return finish(random, build(matrix, "second"), gap=whole)
    if kind == "more-come":
        many = noun_phrase(random, "n", "p", det="-", plural=True, light=True).part
        more = word("PIAT", random.choice(["mehr", "weniger"]))
        degree_part = part("AP", more, than)
        whole = part("NP", degree_part, *many.children, order=[more, *many.children])
        alone = ("a", "d", "P", "r", *_SIMPLE_FRAMES)
        frame = next(one for one in iter(lambda: choose_frame(random, without=alone), None) if "p" in one.subjects)
        clause = make_clause(random, frame, "perfect", by=Nominal(whole, "3p", "p"), adverbials=0, negated=False)
        assert clause.subject is not None
        clause.subject.late = than
        return finish(random, build(clause, "second"), gap=degree_part)
    if kind == "faster":
        frame = choose_frame(random)
        clause = make_clause(random, frame, random.choice(["perfect", "modal"]), adverbials=0, negated=False)
        head = word("ADJD", random.choice(["schneller", "besser", "lauter", "länger", "gründlicher", "schlechter"]))
        whole = part("AP", head, than, order=[head])
        clause.items.append(Item(whole, True, 9, "manner", late=than))
        return finish(random, build(clause, "second"), gap=whole)
    frame = choose_frame(random, "a")
    clause = make_clause(random, frame, random.choice(tenses(frame)), adverbials=0, negated=False)
    classes = next(one.classes for one in frame.complements if one.kind == "a")
    target = clause.find("object")
    assert target is not None
    if kind == "more":
        inner_np = noun_phrase(random, "a", classes, det="-", plural=True, light=True)
        degree_part = part("AP", word("PIAT", random.choice(["mehr", "weniger"])), than, order=[])
        whole = part(
            "NP", degree_part, *inner_np.part.children, order=[degree_part.children[0], *inner_np.part.children]
        )
    else:
        bare = noun_phrase(random, "a", classes, det="ein", light=True, plural=False)
        head = bare.part.children[-1]
        article = next((child for child in bare.part.children if child.label == "ART"), None)
        ending = adjective_ending("mixed" if article else "strong", bare.gender, "a")
        described = word(
            "ADJA",
            random.choice(["größer", "besser", "schöner", "kleiner", "wichtiger", "neuer", "älter", "teurer"]) + ending,
        )
        degree_part = part("AP", described, than, order=[described])
        whole = part("NP", article, degree_part, head, order=[article, described, head])
    target.part, target.late, target.rank = whole, than, 10
    return finish(random, build(clause, "second"), gap=degree_part)


def _than_clause(random: Random) -> Part:
    """What a comparative is compared with, as a clause: als erwartet, als ich dachte, als man geglaubt hatte."""
    than = word("KOKOM", "als")
    kind = random.randrange(3)
    if kind == 0:
        return part(
            "VP", than, word("VVPP", random.choice(["erwartet", "geplant", "gedacht", "vermutet", "befürchtet"]))
        )
    who = part("NP", word("PPER", random.choice(["ich", "er", "sie"])))
    if kind == 1:
        return around(part("S", than, who, word("VVFIN", random.choice(["dachte", "glaubte", "hoffte", "meinte"]))))
    thought = word("VVPP", random.choice(["geglaubt", "gedacht", "erwartet", "gehofft"]))
    who = part("NP", word("PIS", "man"))
    return around(part("S", than, who, thought, word("VAFIN", "hatte")))


def so_that(random: Random) -> Lesson:
    """So … dass: Er war so müde, dass er einschlief. Sie hat so viel gelesen, dass …"""
    inner = around(build(any_clause(random), "last", opening=[word("KOUS", "dass")]))
    so = word("ADV", random.choice(["so", "so", "derart"]))
    degree = part("AVP", so, inner, order=[so])
    head = word("ADJD", random.choice(predicates()))
    if random.random() < 0.5:
        doer = subject(random, random.choice(["p", "a", "d"]))
        finite = word("VAFIN", AUXILIARIES["sein"][random.choice(["present", "preterite"])][doer.person])
        whole = part("AP", degree, head)
        order = [doer.part, finite, so, head, *inner.words]
        return finish(random, part("S", doer.part, finite, whole, order=order), gap=degree)
    frame = choose_frame(random)
    clause = make_clause(random, frame, random.choice(tenses(frame)), adverbials=0, negated=False)
    manner = word("ADJD", random.choice(["laut", "schnell", "gut", "schlecht", "stark", "hart", "genau"]))
    whole = part("AP", degree, manner, order=[so, manner])
    clause.items.append(Item(whole, True, 9, "manner", late=inner))
    return finish(random, build(clause, "second"), gap=degree)


def the_more(random: Random) -> Lesson:
    """Je … desto: Je älter er wird, desto klüger wird er."""
    words = [
        one.comparative
        for one in adjectives()["p"]
        if one.lemma in ("alt", "jung", "klug", "müde", "stark", "reich", "arm", "bekannt", "faul", "groß", "streng")
    ]
    doer = noun_phrase(random, "n", "p", plural=False, light=True)
    low = part(
        "S",
        part("AP", word("ADV", "je"), word("ADJD", random.choice(words))),
        doer.part,
        word("VAFIN", random.choice(["ist", "wird"])),
    )
    advance = part("AVP", low, word("ADV", random.choice(["desto", "umso"])), order=None)
    advance = part("AVP", low, advance.children[1], order=[*low.words, comma(), advance.children[1]])
    top = part("AP", advance, word("ADJD", random.choice(words)))
    clause = copula_clause(random)
    return finish(random, part("S", top, clause.finite, clause.subject.part if clause.subject else None))


_CONJUNCTIONS = (
    "wenn",
    "weil",
    "obwohl",
    "als",
    "nachdem",
    "während",
    "bevor",
    "da",
    "sobald",
    "falls",
    "solange",
    "seit",
    "bis",
)


def adverbial_clause(random: Random) -> Lesson:
    """A clause with a conjunction, before or after: Wenn er kommt, gehe ich. Kommt er nicht, gehe ich."""
    clause, inner = any_clause(random), any_clause(random)
    chance = random.random()
    if chance < 0.15:
        made = around(build(inner, "first"))
        start = Item(made, False, 20, "clause")
        clause.items.append(start)
        return finish(random, build(clause, "second", first=start))
    made = around(build(inner, "last", opening=[word("KOUS", random.choice(_CONJUNCTIONS))]))
    item = Item(made, False, 20, "clause")
    if chance < 0.6:
        clause.items.append(item)
        return finish(random, build(clause, "second", first=item))
    clause.after.append(item)
    return finish(random, build(clause, "second", opening=opener(random)))
