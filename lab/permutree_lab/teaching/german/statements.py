"""Statements: what comes before the finite verb, verb brackets, coordination, short sentences of newspapers."""

from __future__ import annotations

from random import Random

from permutree_lab.teaching.composing import part
from permutree_lab.teaching.german.clauses import (
    PASSIVE,
    Clause,
    Item,
    around,
    build,
    choose_frame,
    comma,
    conjugate,
    make_clause,
    tenses,
)
from permutree_lab.teaching.german.lexicon import names, nouns, predicates
from permutree_lab.teaching.german.morphology import AUXILIARIES, MODALS, OBLIQUE, adjective_ending
from permutree_lab.teaching.german.phrases import (
    Nominal,
    adverb,
    named,
    noun_phrase,
    numeral_phrase,
    place,
    prepositional,
    pronoun,
    sentence_adverb,
    subject,
    time,
    wh_phrase,
)
from permutree_lab.teaching.german.sentences import finish
from permutree_lab.teaching.lessons import Lesson
from permutree_lab.teaching.parts import Part, copy, word

__all__ = [
    "all_caps",
    "any_clause",
    "aside",
    "both_and",
    "coordination",
    "copula",
    "copula_clause",
    "double_infinitive",
    "floating",
    "fragment",
    "fronted_adverb",
    "fronted_complement",
    "fronted_flat",
    "fronted_verb",
    "fronted_verb_phrase",
    "gapped_place",
    "gapping",
    "headline",
    "impersonal_passive",
    "listing",
    "object_first",
    "opener",
    "particle_verb",
    "passive",
    "plain",
    "reporting",
    "shared_verbs",
    "split_noun_phrase",
]

#: conjunctions before a main clause that stands alone, as commentaries like them
_OPENERS = ("Doch", "Denn", "Und", "Aber", "Oder")


def opener(random: Random) -> list[Part]:
    """Sometimes a conjunction at the start of the sentence."""
    return [word("KON", random.choice(_OPENERS))] if random.random() < 0.12 else []


def any_clause(random: Random, compound: bool | None = None) -> Clause:
    """A clause of any verb that asks for no clause itself; copulas and passives as well."""
    chance = random.random()
    if chance < 0.15 and not compound:
        return copula_clause(random)
    if chance < 0.3 and compound is not False:
        frame = choose_frame(random, "a", passive=True)
        return make_clause(random, frame, random.choice(PASSIVE))
    frame = choose_frame(random)
    return make_clause(random, frame, random.choice(tenses(frame, compound)))


def copula_clause(random: Random, by: Nominal | None = None) -> Clause:
    """A clause with sein, bleiben or werden and a predicate."""
    classes = random.choice(["p", "a", "d", "o"])
    doer = by or subject(random, classes)
    predicate: Part
    if random.random() < 0.7 or doer.is_pronoun or doer.person == "3p":
        degree = (
            word("ADV", random.choice(["sehr", "zu", "so", "ganz", "besonders"])) if random.random() < 0.3 else None
        )
        if degree is not None and degree.text == "zu":
            degree = word("PTKA", "zu")
        predicate = part("AP", degree, word("ADJD", random.choice(predicates(of_people=classes == "p"))))
    else:
        predicate = noun_phrase(random, "n", "a", det=random.choice(["ein", "kein", "der"]), plural=False).part
    tense = random.choice(["present", "present", "preterite", "subjunctive"])
    finite = word("VAFIN", AUXILIARIES["sein"][tense][doer.person])
    verbs: list[Part] = []
    if random.random() < 0.2:
        if tense == "present":
            finite = word("VAFIN", AUXILIARIES["werden"][tense][doer.person])
            verbs = [word("VAINF", "sein")]
        elif tense == "subjunctive":
            finite = word("VMFIN", MODALS[random.choice(["können", "müssen", "sollen", "dürfen"])][tense][doer.person])
            verbs = [word("VAINF", "sein")]
        else:
            verbs = [word("VAPP", "gewesen")]
    items = [Item(predicate, True, 12, "predicate")]
    if random.random() < 0.5:
        items.append(
            random.choice(
                [
                    Item(sentence_adverb(random), False, 4, "connector"),
                    Item(sentence_adverb(random, middle=True), False, 4, "particle"),
                    Item(time(random, "past" if tense == "preterite" else "now"), False, 4, "time"),
                ]
            )
        )
    return Clause(
        finite, verbs, None, Item(doer.part, False, 0 if doer.is_pronoun else 3, "subject"), items, person=doer.person
    )


def plain(random: Random) -> Lesson:
    """Subject first, everything else in its usual place: Er hat das Buch gelesen."""
    clause = any_clause(random)
    clause.items = [item for item in clause.items if item.in_vp or item.rank > 4]
    return finish(random, build(clause, "second", opening=opener(random)))


def fronted_complement(random: Random) -> Lesson:
    """An object or prepositional phrase first, more than one verb: Den Hund hat der Mann gesehen."""
    kind = random.choice(["a", "a", "a", "d", "P"])
    frame = choose_frame(random, kind)
    clause = make_clause(random, frame, random.choice(tenses(frame, True)))
    first = clause.find({"a": "object", "d": "dative", "P": "prepositional"}[kind])
    if first not in clause.firsts():
        return fronted_complement(random)
    return finish(random, build(clause, "second", first=first, opening=opener(random)))


def object_first(random: Random) -> Lesson:
    """A thing first whose form may be a subject's, and somebody who acts: Das Haus hat mein Großvater gebaut.

    Some are questions, and some look alike with the subject first: Mein Großvater hat das Haus gebaut.
    """
    while True:
        frame = choose_frame(random, "a", without=("d", "P", "r", "dass", "ob", "zu", "zudat", "zuinf"))
        target = next(one for one in frame.complements if one.kind == "a")
        if "p" not in frame.subjects or "p" in target.classes:
            continue
        doer = subject(random, "p")
        adverbials = random.choice([0, 0, 1])
        clause = make_clause(random, frame, random.choice(tenses(frame, True)), by=doer, adverbials=adverbials)
        thing = clause.find("object")
        if thing is not None and thing.part.words[0].label != "PPER" and thing.part.texts[0].lower() not in OBLIQUE:
            break
    if random.random() < 0.25:
        return finish(random, build(clause, "second"))
    is_question = random.random() < 0.3
    if is_question:
        thing.part = wh_phrase(random, "a", target.classes).part
    return finish(random, build(clause, "second", first=thing), end="?" if is_question else ".")


def fronted_flat(random: Random) -> Lesson:
    """An object, adverb or prepositional phrase first, a single verb: Den Hund sah der Mann."""
    frame = choose_frame(random, random.choice(["a", "d", "P", "a"]))
    clause = make_clause(random, frame, random.choice(tenses(frame, False)))
    firsts = clause.firsts()
    if not firsts:
        return fronted_flat(random)
    return finish(random, build(clause, "second", first=random.choice(firsts), opening=opener(random)))


def fronted_adverb(random: Random) -> Lesson:
    """An adverb first: Noch nie habe ich so viel gewählt. Gestern hat er angerufen."""
    frame = choose_frame(random)
    clause = make_clause(random, frame, random.choice(tenses(frame)), adverbials=random.choice([0, 1]))
    target = clause.find("object")
    if target is not None and random.random() < 0.3:
        degree = word("ADV", random.choice(["so", "sehr"]))
        target.part, target.rank = part("NP", degree, word("PIS", random.choice(["viel", "wenig"]))), 10
    first = random.choice(
        [
            Item(adverb(random), True, 7, "adverb", in_vp_first=True),
            Item(time(random, random.choice(["past", "now"])), True, 4, "time", in_vp_first=False),
            Item(sentence_adverb(random), False, 4, "connector"),
            Item(place(random), True, 8, "location"),
        ]
    )
    clause.items.append(first)
    return finish(random, build(clause, "second", first=first, opening=opener(random)))


def fronted_verb_phrase(random: Random) -> Lesson:
    """All of the VP first: Das Fenster geöffnet hat niemand. Ein Auto kaufen will er nicht."""
    frame = choose_frame(random, random.choice(["a", "d", "P"]))
    clause = make_clause(random, frame, random.choice(["perfect", "modal"]), adverbials=0, negated=False)
    phrase = build(clause, "second")
    top = next(one for one in phrase.children if one.label == "VP")
    doer = clause.subject.part if clause.subject else None
    negation = word("PTKNEG", "nicht") if random.random() < 0.4 else None
    said = [item.part for item in sorted(clause.items, key=lambda item: item.rank)]
    whole = part("VP", *top.children, order=[*said, *clause.verbs])
    return finish(random, part("S", whole, clause.finite, doer, negation))


def impersonal_passive(random: Random) -> Lesson:
    """A passive without a subject: Dem Kranken konnte geholfen werden. Darüber muss gesprochen werden."""
    kind = random.choice(["d", "P"])
    while True:
        frame = choose_frame(random, kind, without=("a", "r", "dass", "ob", "zu", "zudat", "zuinf"))
        if "p" in frame.subjects and frame.verb.auxiliary == "haben":
            break
    doer = pronoun("er", "n")
    clause = make_clause(random, frame, "perfect", by=doer, adverbials=random.choice([0, 1]), negated=False)
    clause.subject = None
    tense = random.choice(PASSIVE)
    clause.finite, clause.verbs, _ = conjugate(frame.verb, tense, "3s", random)
    first = clause.find("dative", "prepositional")
    return finish(random, build(clause, "second", first=first), gap=None)


def fronted_verb(random: Random) -> Lesson:
    """The main verb first, its object later: Gelesen hat er das Buch nicht. Helfen will ihm niemand."""
    frame = choose_frame(random, random.choice(["a", "d", "P", "r"]))
    clause = make_clause(
        random, frame, random.choice(["perfect", "perfect", "modal", "future"]), negated=random.random() < 0.5
    )
    made = build(clause, "second")
    main = clause.verbs[0]
    doer = list(clause.subject.part.words) if clause.subject else []
    rest = [one for one in made.words if one is not main and one is not clause.finite and one not in doer]
    middle = [item for item in clause.items if item.rank < 3]
    pronouns = [one for item in middle for one in item.part.words]
    before = [] if clause.subject is None or clause.subject.rank == 0 else pronouns
    order = [main, clause.finite, *before, *doer, *(one for one in rest if one not in before)]
    return finish(
        random, part("S", *made.children, order=order), gap=next(one for one in made.children if one.label == "VP")
    )


def particle_verb(random: Random) -> Lesson:
    """A separable verb with its particle at the end of the clause: Er ruft seine Mutter an."""
    while True:
        frame = choose_frame(random)
        if frame.verb.particle:
            break
    clause = make_clause(random, frame, random.choice(["present", "preterite"]))
    firsts = [None, None, *clause.firsts()]
    return finish(random, build(clause, "second", first=random.choice(firsts), opening=opener(random)))


def passive(random: Random) -> Lesson:
    """A passive: Das Gesetz ist gestern beschlossen worden. Darüber muss gesprochen werden."""
    frame = choose_frame(random, "a", passive=True)
    clause = make_clause(random, frame, random.choice(PASSIVE))
    firsts = [None, None, *clause.firsts()]
    return finish(random, build(clause, "second", first=random.choice(firsts), opening=opener(random)))


def double_infinitive(random: Random) -> Lesson:
    """A perfect of a modal verb: Er hat das Buch lesen müssen. …, dass er das Buch hätte lesen müssen."""
    frame = choose_frame(random, random.choice(["a", "d", "P"]))
    clause = make_clause(random, frame, "future")
    form = random.choice(["present", "subjunctive"])
    clause.finite = word("VAFIN", AUXILIARIES["haben"][form][clause.person])
    modal = random.choice([name for name in MODALS if name != "mögen"])
    kind = random.choice(["perfect", "perfect", "future", "causative"])
    if kind == "causative":
        clause.verbs.append(word("VVINF", "lassen"))
        clause.finite = word("VMFIN", MODALS[modal]["present"][clause.person])
    else:
        clause.verbs.append(word("VMINF", modal))
    if kind != "perfect":
        if kind == "future":
            clause.finite = word("VAFIN", AUXILIARIES["werden"]["present"][clause.person])
        inner = around(build(clause, "last", opening=[word("KOUS", "dass")]))
        matrix = reporting(random)
        matrix.after.append(Item(inner, True, 20, "clause"))
        return finish(random, build(matrix, "second"))
    if random.random() < 0.5:
        firsts = [None, *clause.firsts()]
        return finish(random, build(clause, "second", first=random.choice(firsts)))
    made = build(clause, "last", opening=[word("KOUS", random.choice(["dass", "weil", "obwohl"]))])
    verbs = clause.verbs
    order = [one for one in made.words if one is not clause.finite and one not in verbs]
    cluster = [clause.finite, *verbs]
    inner = part("S", *made.children, order=[comma(), *order, *cluster])
    matrix = reporting(random) if made.words[0].text == "dass" else copula_clause(random)
    matrix.after.append(Item(inner, False, 20, "clause"))
    return finish(random, build(matrix, "second"), gap=next(one for one in made.children if one.label == "VP"))


def reporting(random: Random) -> Clause:
    """A clause that a dass-clause completes: Der Minister behauptet, Ich weiß."""
    frame = choose_frame(random, "dass")
    clause = make_clause(
        random, frame, random.choice(["present", "preterite", "perfect"]), adverbials=random.choice([0, 0, 1])
    )
    clause.items = [item for item in clause.items if item.role != "location"]
    return clause


def copula(random: Random) -> Lesson:
    """A predicate with sein: Das Gesetz ist sehr umstritten. Wichtig ist der Plan. Es gibt viele Gründe."""
    if random.random() < 0.2:
        thing = noun_phrase(
            random,
            "a",
            "apo",
            det=random.choice(["kein", "ein", "viel", "viel"]),
            plural=True if random.random() < 0.5 else None,
        )
        there = Item(pronoun("es", "n").part, False, 0, "subject")
        where = [Item(place(random), False, 8, "location")] if random.random() < 0.5 else []
        finite = word("VVFIN", random.choice(["gibt", "gab"]))
        clause = Clause(finite, [], None, there, [Item(thing.part, True, 10, "object"), *where])
    else:
        clause = copula_clause(random)
    firsts = [None, None, *clause.firsts()]
    return finish(random, build(clause, "second", first=random.choice(firsts), opening=opener(random)))


def coordination(random: Random) -> Lesson:
    """Two clauses with a conjunction; the second may share the subject: Er kam und kaufte ein Buch."""
    first, second = any_clause(random), any_clause(random)
    kind = random.choice(["shared", "shared", "full", "full", "but", "not-but"])
    one = build(first, "second", opening=opener(random))
    if kind == "shared":
        person = first.person
        while True:
            frame = choose_frame(random)
            by = Nominal(part("NP", word("PPER", "er")), person, "m", True)
            second = make_clause(random, frame, random.choice(tenses(frame)), by=by)
            if set("po") & set(frame.subjects):
                break
        second.subject = None
        two = build(second, "first")
        return finish(random, part("CS", one, word("KON", random.choice(["und", "oder"])), two))
    conjunction = {"full": "und", "but": random.choice(["aber", "denn", "doch"]), "not-but": "sondern"}[kind]
    firsts = [None, None, *second.firsts()]
    two = build(second, "second", first=random.choice(firsts))
    if kind == "not-but":
        conjunction = "und"
    link = word("KON", conjunction)
    mid = [comma()] if conjunction not in ("und", "oder") else []
    return finish(random, part("CS", one, link, two, order=[one, *mid, link, two]))


def shared_verbs(random: Random) -> Lesson:
    """Two verbs of one auxiliary: Er hat das Buch gelesen und einen Brief geschrieben."""
    frames = [
        choose_frame(random, "a", without=("d", "r", "P", "dass", "ob", "zu", "zudat", "zuinf")) for _ in range(2)
    ]
    tense = random.choice(["perfect", "modal", "future"])
    clause = make_clause(random, frames[0], tense, adverbials=0)
    other = make_clause(random, frames[1], tense, adverbials=0)
    target, second = clause.find("object"), other.find("object")
    if target is None or second is None or frames[0].verb.auxiliary != frames[1].verb.auxiliary:
        return shared_verbs(random)
    both = part(
        "CVP",
        part("VP", target.part, clause.verbs[0]),
        word("KON", random.choice(["und", "oder"])),
        part("VP", second.part, other.verbs[0]),
    )
    doer = clause.subject.part if clause.subject else None
    if random.random() < 0.3 and target.rank > 1:
        # the first object comes first: the coordination has the gap
        order = [target.part, clause.finite, doer, clause.verbs[0], both.children[1], both.children[2]]
        return finish(random, part("S", both, clause.finite, doer, order=order), gap=both)
    return finish(random, part("S", doer, clause.finite, both))


def gapping(random: Random) -> Lesson:
    """The verb is said once: Anna las einen Roman und Peter eine Zeitung."""
    frame = choose_frame(random, "a", without=("d", "r", "P", "dass", "ob", "zu", "zudat", "zuinf"))
    classes = next(one.classes for one in frame.complements if one.kind == "a")
    people = [noun_phrase(random, "n", frame.subjects, plural=False, light=True) for _ in range(2)]
    things = [noun_phrase(random, "a", classes, light=True) for _ in range(2)]
    tense = random.choice(["present", "preterite", "perfect"])
    clause = make_clause(random, frame, tense, by=people[0], adverbials=0, negated=False)
    target = clause.find("object")
    assert target is not None
    target.part, target.rank = things[0].part, 6
    one = build(clause, "second")
    two = part("S", people[1].part, things[1].part)
    if random.random() < 0.25:
        return finish(random, part("CS", one, two, order=[one, comma(), two]))
    link = word("KON", random.choice(["und", "und", "aber"]))
    mid = [comma()] if link.text == "aber" or random.random() < 0.3 else []
    return finish(random, part("CS", one, link, two, order=[one, *mid, link, two]))


def gapped_place(random: Random) -> Lesson:
    """The verb is said once, with places or prepositional objects: Anna wohnt in Rom, Peter in Paris."""
    kind = random.choice(["loc", "dir", "P"])
    frame = choose_frame(random, kind, without=("a", "d", "r", "dass", "ob", "zu", "zudat", "zuinf"))
    first, second = (
        make_clause(random, frame, random.choice(["present", "preterite"]), by=by, adverbials=0, negated=False)
        for by in (named(random) if "p" in frame.subjects else noun_phrase(random, "n", frame.subjects), named(random))
    )
    if first.particle is not None or first.person != "3s" or second.subject is None:
        return gapped_place(random)
    one = build(first, "second")
    two = part("S", second.subject.part, *(item.part for item in second.items))
    link = word("KON", "und") if random.random() < 0.6 else None
    return finish(random, part("CS", one, link, two, order=[one, link or comma(), two]))


def floating(random: Random) -> Lesson:
    """A quantifier apart from its noun: Die Kinder haben alle gelacht. Das kann ich alles nicht lesen."""
    frame = choose_frame(random, without=("r", "dass", "ob", "zu", "zudat", "zuinf"))
    clause = make_clause(
        random,
        frame,
        random.choice(tenses(frame)),
        by=noun_phrase(random, "n", frame.subjects, det="der", plural=True, light=True),
        adverbials=random.choice([0, 1]),
        negated=False,
    )
    assert clause.subject is not None
    quantifier = word("PIS", random.choice(["alle", "beide"]))
    whole = part("NP", *clause.subject.part.children, quantifier)
    early = list(clause.subject.part.words)
    clause.subject.part = whole
    clause.items.append(Item(quantifier, False, 4, "quantifier"))
    made = build(clause, "second")
    children = [one for one in made.children if one is not quantifier]
    order = [*early, clause.finite, *(one for one in made.words[len(early) + 1 :] if one is not clause.finite)]
    seen: list[Part] = []
    for one in order:
        if one not in seen:
            seen.append(one)
    return finish(random, part("S", *children, order=seen), gap=whole)


def split_noun_phrase(random: Random) -> Lesson:
    """A noun apart from its determiner: Bücher hat er keine gelesen. Geld habe ich keins."""
    noun = random.choice([noun for noun in nouns()[random.choice("tdaz")] if noun.plural])
    frame = choose_frame(random, "a", without=("d", "r", "P", "dass", "ob", "zu", "zudat", "zuinf"))
    clause = make_clause(random, frame, random.choice(tenses(frame)), adverbials=random.choice([0, 1]), negated=False)
    target = clause.find("object")
    assert target is not None
    head = word("NN", noun.form("a", True))
    rest = word("PIS", random.choice(["keine", "keine", "viele", "wenige", "einige"]))
    whole = part("NP", head, rest, order=[head])
    target.part = whole
    made = build(clause, "second", first=target)
    tail = [rest, *clause.verbs] if clause.verbs else [rest, *([clause.particle] if clause.particle else [])]
    start = [one for one in made.words if one not in tail]
    return finish(random, part("S", *made.children, order=[*start, *tail]), gap=whole)


def headline(random: Random) -> Lesson:
    """A headline: no full stop, no article: Streit um Haushalt. Neue Regeln für Mieter. TÄTER GEFASST."""
    head = random.choice(nouns()[random.choice("aep")])
    plural = bool(head.plural) and random.random() < 0.5
    gender = "p" if plural or head.gender == "p" else head.gender
    kind = random.choice(["attribute", "attribute", "participle", "pair", "place", "sentence"])
    described = None
    if random.random() < 0.5:
        stem = random.choice(["neu", "groß", "deutsch", "alt", "wichtig", "klein"])
        described = part("AP", word("ADJA", stem + adjective_ending("strong", gender, "n")))
    top = [described, word("NN", head.form("n", plural, "strong"))]
    made: Part
    if kind == "attribute":
        preposition, case, classes = random.choice(
            [("für", "a", "po"), ("über", "a", "a"), ("mit", "d", "p"), ("in", "d", "l"), ("bei", "d", "o")]
        )
        inner = noun_phrase(random, case, classes, det="-", plural=True, light=True)  # type: ignore[arg-type]
        made = part("NP", *top, part("PP", word("APPR", preposition), inner.part))
    elif kind == "participle":
        frame = choose_frame(random, "a", passive=True)
        participle = word("VVPP", frame.verb.participle)
        more = random.choice([None, place(random), prepositional(random, "von", "d", "po")])
        made = part("S", part("NP", *top), part("VP", more, participle) if more else participle)
    elif kind == "pair":
        second = random.choice(nouns()["a"])
        made = part("CNP", part("NP", *top), word("KON", "und"), part("NP", word("NN", second.lemma)))
    elif kind == "place":
        name = part("NP", word("NE", random.choice(names()["place"])))
        made = part("S", part("NP", *top), part("PP", word("APPR", "in"), name))
    else:
        frame = choose_frame(random, "a", without=("d", "r", "P", "dass", "ob", "zu", "zudat", "zuinf"))
        classes = next(one.classes for one in frame.complements if one.kind == "a")
        doer = noun_phrase(random, "n", frame.subjects, det="-", light=True)
        clause = make_clause(random, frame, "present", by=doer, adverbials=0, negated=False)
        clause.items = [Item(noun_phrase(random, "a", classes, det="-", light=True).part, True, 10, "object")]
        made = build(clause, "second")
    loud = random.random() < 0.25
    return finish(random, _shout(made) if loud else made, end="")


def _shout(made: Part) -> Part:
    """The part in capitals."""
    return copy(made, lambda old: word(old.label, old.text.upper().replace("ß", "SS")))


def all_caps(random: Random) -> Lesson:
    """A sentence in capitals: DEN SCHLÜSSEL HABE ICH VERLOREN!"""
    clause = any_clause(random)
    made = build(clause, "second", first=random.choice([None, *clause.firsts()]))
    return finish(random, _shout(made), end=random.choice([".", "!"]), respelt=False)


def fragment(random: Random) -> Lesson:
    """Less than a sentence: Warum auch nicht? Und jetzt? Keine Frage. Nein, das Gesetz ist falsch."""
    kind = random.choice(["noun", "noun", "why", "answer", "date", "vocative", "adverb"])
    if kind == "noun":
        found = noun_phrase(random, "n", random.choice("aped"))
        return finish(random, found.part, end=random.choice([".", "!", "?", ""]))
    if kind == "why":
        asked = part("AVP", word("PWAV", random.choice(["warum", "wieso", "wann", "wo", "wie"])))
        more = random.choice(
            [None, noun_phrase(random, "n", "pao").part, part("AVP", word("ADV", "auch"), word("PTKNEG", "nicht"))]
        )
        return finish(random, part("S", *opener(random), asked, more), end="?")
    if kind == "answer":
        made = build(any_clause(random), "second")
        answer = word("PTKANT", random.choice(["ja", "nein"]))
        return finish(random, part("S", answer, *made.children, order=[answer, comma(), *made.words]))
    if kind == "date":
        found = numeral_phrase(random, "n", "pt")
        return finish(random, part("S", found.part, place(random)), end=".")
    if kind == "vocative":
        name = part("NP", word("NE", random.choice(names()["female"])))
        made = build(any_clause(random, False), "second")
        return finish(random, part("S", name, *made.children, order=[name, comma(), *made.words]))
    return finish(random, part("S", sentence_adverb(random), word("PTKNEG", "nicht")), end=random.choice([".", "!"]))


def aside(random: Random) -> Lesson:
    """A person with an apposition between commas: Hans Müller, der neue Leiter der Schule, lobte den Plan."""
    first = word("NE", random.choice(names()["male"]))
    last = word("NE", random.choice(names()["family"]))
    office = noun_phrase(random, "n", "p", det=random.choice(["der", "ein"]), plural=False)
    if office.gender != "m":
        return aside(random)
    name = part("PN", first, last)
    person = part("NP", name, office.part, order=[name, comma(), office.part, comma()])
    frame = choose_frame(random)
    clause = make_clause(random, frame, random.choice(tenses(frame)), by=Nominal(person, "3s", "m"))
    assert clause.subject is not None
    clause.subject.rank = 3
    firsts = [None, None, *clause.firsts()]
    return finish(random, build(clause, "second", first=random.choice(firsts)))


def listing(random: Random) -> Lesson:
    """Three noun phrases in a row: Bücher, Zeitungen und ein Brief lagen im Keller."""
    frame = choose_frame(random)
    people = [noun_phrase(random, "n", frame.subjects[0], light=True) for _ in range(3)]
    link = word("KON", "und")
    all_ = part(
        "CNP",
        *(one.part for one in people),
        link,
        order=[people[0].part, comma(), people[1].part, link, people[2].part],
    )
    clause = make_clause(random, frame, random.choice(tenses(frame)), by=Nominal(all_, "3p", "p"))
    return finish(random, build(clause, "second"))


def both_and(random: Random) -> Lesson:
    """Conjunctions in two parts: nicht nur … sondern auch, sowohl … als auch, weder … noch, entweder … oder."""
    kind = random.choice(["not-only", "as-well", "neither", "either"])
    frame = choose_frame(random)
    one, two = (noun_phrase(random, "n", frame.subjects[0], light=True, det="der") for _ in range(2))
    if kind == "not-only":
        first = part("NP", part("AVP", word("PTKNEG", "nicht"), word("ADV", "nur")), *one.part.children)
        second = part("NP", word("ADV", "auch"), *two.part.children)
        link = word("KON", "sondern")
        made = part("CNP", first, link, second, order=[first, comma(), link, second])
    elif kind == "as-well":
        second = part("NP", word("ADV", "auch"), *two.part.children)
        made = part("CNP", word("KON", "sowohl"), one.part, word("KON", "als"), second)
    else:
        opening, link_text = ("weder", "noch") if kind == "neither" else ("entweder", "oder")
        made = part("CNP", word("KON", opening), one.part, word("KON", link_text), two.part)
    clause = make_clause(random, frame, random.choice(tenses(frame)), by=Nominal(made, "3p", "p"), negated=False)
    return finish(random, build(clause, "second"))
