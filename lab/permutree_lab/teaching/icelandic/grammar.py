"""The kinds of sentences that the Icelandic grammar writes, and how often."""

from __future__ import annotations

from random import Random

from permutree_lab.teaching.composing import part
from permutree_lab.teaching.icelandic.clauses import STATES, Clause, finish, make, mark
from permutree_lab.teaching.icelandic.lexicon import verbs
from permutree_lab.teaching.icelandic.phrases import Nominal, adverbial, named, noun_phrase, pronoun, subject, which
from permutree_lab.teaching.lessons import Lesson, Production
from permutree_lab.teaching.parts import Part, word

__all__ = ["GRAMMAR", "SHARES", "says_who"]


def _statement(clause: Clause, label: str = "IP-MAT", end: str = ".") -> Part:
    closing = mark(end) if end else None
    return part(label, clause.doer.part, clause.finite, *clause.rest, closing)


def plain(random: Random) -> Lesson:
    """Konan hefur lesið bókina."""
    return finish(_statement(make(random)))


def _first(clause: Clause, moved: Part, label: str = "IP-MAT", end: str = ".") -> tuple[Part, Part | None]:
    """The clause with a part before the finite verb, and the infinitive that has the gap, if there is one."""
    closing = mark(end) if end else None
    out = set(moved.words)
    rest = [said for one in clause.rest for said in one.words if said not in out]
    children = [clause.doer.part, clause.finite, *clause.rest, closing]
    order = [moved, clause.finite, clause.doer.part, *rest, closing]
    return part(label, *children, order=order), clause.infinitive


def topicalisation(random: Random) -> Lesson:
    """Þessa bók ætla ég að lesa: the object of the infinitive comes first."""
    clause = make(random, random.choice(["intend", "try", "progressive"]))
    made, gap = _first(clause, clause.target)
    return finish(made, gap)


def fronted_flat(random: Random) -> Lesson:
    """Þessa bók las ég í gær: nothing has a gap."""
    clause = make(random, random.choice(["plain", "past", "perfect", "will"]))
    return finish(_first(clause, clause.target)[0])


def fronted_adverbial(random: Random) -> Lesson:
    """Í gær las konan bókina."""
    clause = make(random, random.choice(["past", "perfect", "will"]), adverbs=False)
    when = adverbial(random, clause.finite.label == "VBDI")
    made = part("IP-MAT", when, clause.finite, clause.doer.part, *clause.rest, mark("."))
    return finish(made)


def polar_question(random: Random) -> Lesson:
    """Hefur þú lesið bókina?"""
    clause = make(random)
    inner = part("IP-SUB", clause.finite, clause.doer.part, *clause.rest)
    return finish(part("CP-QUE", inner, mark("?")))


def wh_question(random: Random) -> Lesson:
    """Hvaða bók las konan? Hvað ætlar þú að lesa? The infinitive has a gap."""
    verb = random.choice([one for one in verbs() if not one.preposition])
    asked = which(random, verb.case, random.choice(verb.objects))
    shape = "" if verb.infinitive not in STATES else random.choice(["plain", "past", "perfect"])
    clause = make(random, shape, verb=verb, target=asked, adverbs=False)
    inner, gap = _first(clause, asked, "IP-SUB", "")
    return finish(part("CP-QUE", inner, mark("?")), gap)


def stranded_question(random: Random) -> Lesson:
    """Hvern talaði systirin við? The preposition and what is asked for are one phrase."""
    verb = random.choice([one for one in verbs() if one.preposition])
    asked = which(random, verb.case, random.choice(verb.objects))
    clause = make(random, verb=verb, target=asked, adverbs=False)
    inner, _ = _first(clause, asked, "IP-SUB", "")
    return finish(part("CP-QUE", inner, mark("?")), clause.target)


def subject_question(random: Random) -> Lesson:
    """Hver hefur lesið bókina? No gap."""
    asked = Nominal(part("WNP", word("WPRO-N", "hver")))
    clause = make(random, random.choice(["past", "perfect", "will", "plain"]), doer=asked)
    return finish(part("CP-QUE", _statement(clause, "IP-SUB", ""), mark("?")))


def adverb_question(random: Random) -> Lesson:
    """Hvar keypti konan bókina? Hvenær ætlar þú að lesa hana? No gap."""
    clause = make(random, random.choice(["past", "perfect", "will", "plain"]), adverbs=False)
    asked = part("WADVP", word("WADV", random.choice(["hvar", "hvenær", "hvernig"])))
    inner = part("IP-SUB", asked, clause.finite, clause.doer.part, *clause.rest)
    return finish(part("CP-QUE", inner, mark("?")))


_THINKING = ("heldur", "telur", "segir")


def long_question(random: Random) -> Lesson:
    """Hvað heldur þú að hann hafi sagt? The clause with að has a gap."""
    verb = random.choice(verbs())
    asked = which(random, verb.case, random.choice(verb.objects))
    clause = make(random, "hafi", verb=verb, target=asked, adverbs=False)
    who = Nominal(pronoun("þú").part, 1) if random.random() < 0.6 else subject(random, light=True)
    while who.person == 0:
        who = subject(random, light=True)
    thinks = word("VBPI", random.choice(_THINKING))
    inner = _statement(clause, "IP-SUB", "")
    that = word("C", "að")
    below = part("CP-THT", that, inner)
    rest = [said for said in inner.words if said not in asked.words]
    outer = part("IP-SUB", below, thinks, who.part, order=[asked, thinks, who.part, that, *rest])
    return finish(part("CP-QUE", outer, mark("?")), below)


def embedded_question(random: Random) -> Lesson:
    """Ég veit ekki hvað hún las; Hann spyr hvort þú hafir lesið bókina."""
    know = random.random() < 0.5
    if random.random() < 0.5:
        clause = make(random, "hafi")
        made = part("CP-QUE", word("WQ", "hvort"), _statement(clause, "IP-SUB", ""))
        head = [part("NP", word("PRO-N", random.choice(["hann", "hún"]))), word("VBPI", "spyr")]
    else:
        verb = random.choice([one for one in verbs() if not one.preposition])
        asked = which(random, verb.case, random.choice(verb.objects))
        shape = random.choice(["past", "perfect"]) if know else "hafi"
        clause = make(random, shape, verb=verb, target=asked, adverbs=False)
        inner = _statement(clause, "IP-SUB", "")
        rest = [said for said in inner.words if said not in asked.words]
        made = part("CP-QUE", part("IP-SUB", *inner.children, order=[asked, *rest]))
        head = [part("NP", word("PRO-N", "ég")), word("VBPI", "veit"), word("NEG", "ekki")]
        if not know:
            head = [part("NP", word("PRO-N", random.choice(["hann", "hún"]))), word("VBPI", "spyr")]
    return finish(part("IP-MAT", *head, made, mark(".")))


def _relative(random: Random, kind: str) -> Part:
    """A relative clause with sem, on a person or a text: sem ég sá, sem las bókina."""
    if kind == "p" and random.random() < 0.5:
        clause = make(random, random.choice(["past", "perfect", "plain"]), doer=Nominal(part("NP", word("X", "x"))))
        return part("CP-REL", word("C", "sem"), part("IP-SUB", clause.finite, *clause.rest))
    fitting = [one for one in verbs() if kind in one.objects and not one.preposition]
    clause = make(random, random.choice(["past", "perfect", "plain"]), verb=random.choice(fitting))
    rest = [one for one in clause.rest if one is not clause.target]
    return part("CP-REL", word("C", "sem"), part("IP-SUB", clause.doer.part, clause.finite, *rest))


def attached_relative(random: Random) -> Lesson:
    """Maðurinn sem ég sá hefur lesið bókina: the clause beside its noun."""
    head = noun_phrase(random, "N", "p", kind="definite", after=_relative(random, "p"))
    return finish(_statement(make(random, doer=Nominal(head))))


def extraposed_subject_relative(random: Random) -> Lesson:
    """Maður kom inn sem konan þekkti."""
    after = _relative(random, "p")
    head = noun_phrase(random, "N", "p", kind=random.choice(["bare", "definite"]), after=after)
    verb, particle = random.choice([("kom", "inn"), ("kom", "heim"), ("fór", "út"), ("gekk", "inn"), ("hringdi", "")])
    late = word("ADV", "heim") if particle == "heim" else word("RP", particle) if particle else None
    if late is not None and late.label == "ADV":
        late = part("ADVP", late)
    when = adverbial(random, True) if random.random() < 0.5 or late is None else None
    finite, closing = word("VBDI", verb), mark(".")
    said = [one for one in head.words if one not in after.words]
    order = [*said, finite, *([late] if late else []), *([when] if when else []), after, closing]
    return finish(part("IP-MAT", head, finite, late, when, closing, order=order), head)


def extraposed_relative(random: Random) -> Lesson:
    """Konan hefur lesið bók í dag sem enginn þekkti: out of an object, over an adverbial."""
    verb = random.choice([one for one in verbs() if not one.preposition and one.case == "A"])
    kind = random.choice([one for one in verb.objects if one in "ptdz"])
    after = _relative(random, kind)
    head = noun_phrase(random, "A", kind, kind=random.choice(["bare", "definite"]), after=after)
    clause = make(random, random.choice(["past", "perfect", "will"]), verb=verb, target=head, adverbs=False)
    when = adverbial(random, clause.finite.label == "VBDI")
    closing = mark(".")
    rest = [said for one in clause.rest for said in one.words if said not in after.words]
    made = part(
        "IP-MAT",
        clause.doer.part,
        clause.finite,
        *clause.rest,
        when,
        closing,
        order=[clause.doer.part, clause.finite, *rest, when, after, closing],
    )
    return finish(made, head)


_CLEAR = ("ljóst", "augljóst", "satt", "rétt")
_EASY = ("erfitt", "gaman", "gott", "hægt", "mikilvægt")


def expletive(random: Random) -> Lesson:
    """Það er ljóst að konan hefur lesið bókina; Það er erfitt að lesa bókina."""
    head = [part("NP", word("ES", "það")), word("BEPI", "er")]
    if random.random() < 0.5:
        clause = _statement(make(random, random.choice(["perfect", "will", "past"])), "IP-SUB", "")
        text = random.choice(_CLEAR)
        after = part("CP-THT", word("C", "að"), clause)
    else:
        low = make(random, "intend").infinitive
        assert low is not None
        text, after = random.choice(_EASY), low
    predicate = part("NP", word("N-N", text)) if text == "gaman" else part("ADJP", word("ADJ-N", text))
    return finish(part("IP-MAT", *head, predicate, after, mark(".")))


def that_clause(random: Random) -> Lesson:
    """Hann segir að konan hafi lesið bókina; Ég veit að hún las bókina."""
    if random.random() < 0.5:
        head = [random.choice([named(random), pronoun("hann").part, pronoun("hún").part]), word("VBPI", "segir")]
        shape = "hafi"
    else:
        head, shape = [pronoun("ég").part, word("VBPI", "veit")], random.choice(["past", "perfect", "plain"])
    inner = _statement(make(random, shape), "IP-SUB", "")
    return finish(part("IP-MAT", *head, part("CP-THT", word("C", "að"), inner), mark(".")))


#: adjectives that agree with masculine subjects: plain and comparative
_GREAT = (("stór", "stærri"), ("gamall", "eldri"), ("ungur", "yngri"), ("góður", "betri"), ("sterkur", "sterkari"))


def comparison(random: Random) -> Lesson:
    """Hann er stærri en Jón; Hann var svo þreyttur að hann las ekki bókina."""
    head = [part("NP", word("PRO-N", "hann")), word(*random.choice([("BEPI", "er"), ("BEDI", "var")]))]
    plain_form, more = random.choice(_GREAT)
    if random.random() < 0.5:
        other = part("CP-CMP", part("IP-SUB", named(random)))
        made = part("ADJP", word("ADJR-N", more), part("PP", word("P", "en"), other))
    else:
        inner = _statement(make(random, random.choice(["past", "perfect"])), "IP-SUB", "")
        made = part("ADJP", word("ADVR", "svo"), word("ADJ-N", plain_form), part("CP-DEG", word("C", "að"), inner))
    return finish(part("IP-MAT", *head, made, mark(".")))


def says_who(random: Random) -> Part:
    """Who says it: sagði Anna, segir hann."""
    who = random.choice([named(random), pronoun("hann").part, pronoun("hún").part, noun_phrase(random, "N", "p")])
    return part("IP-MAT", word(*random.choice([("VBDI", "sagði"), ("VBPI", "segir"), ("VBDI", "sagði")])), who)


def quotation(random: Random) -> Lesson:
    """„Ég hef lesið bókina,“ sagði Anna: who says it is part of the clause."""
    clause = make(random)
    opening, closing = random.choice([("„", "“"), ('"', '"'), ("", "")])
    marks = [mark(","), mark(closing)] if closing else [mark(",")]
    start = mark(opening) if opening else None
    made = part("IP-MAT", start, clause.doer.part, clause.finite, *clause.rest, *marks, says_who(random), mark("."))
    return finish(made)


def parenthetical(random: Random) -> Lesson:
    """Húsið, sagði hann, er gamalt: no gap, as who says it is part of the clause."""
    clause = make(random, doer=Nominal(random.choice([named(random), noun_phrase(random, "N", "p", kind="definite")])))
    made = part(
        "IP-MAT", clause.doer.part, mark(","), says_who(random), mark(","), clause.finite, *clause.rest, mark(".")
    )
    return finish(made)


def imperative(random: Random) -> Lesson:
    """Lesið þessa bók!"""
    verb = random.choice([one for one in verbs() if one.imperative])
    clause = make(random, "plain", verb=verb)
    closing = mark(random.choice(["!", "."]))
    return finish(part("IP-IMP", word("VBPI", verb.imperative.lower()), *clause.rest, closing))


def coordination(random: Random) -> Lesson:
    """Konan las bókina og maðurinn málaði húsið."""
    first, second = _statement(make(random), end=""), _statement(make(random), end="")
    joint = part("CONJP", word("CONJ", random.choice(["og", "en"])), second)
    return finish(part("IP-MAT", first, joint, mark(".")))


#: the productions by kind
GRAMMAR: dict[str, Production] = {
    "plain": plain,
    "topicalisation": topicalisation,
    "fronted-flat": fronted_flat,
    "fronted-adverbial": fronted_adverbial,
    "polar-question": polar_question,
    "wh-question": wh_question,
    "stranded-question": stranded_question,
    "subject-question": subject_question,
    "adverb-question": adverb_question,
    "long-question": long_question,
    "embedded-question": embedded_question,
    "attached-relative": attached_relative,
    "extraposed-subject-relative": extraposed_subject_relative,
    "extraposed-relative": extraposed_relative,
    "expletive": expletive,
    "that-clause": that_clause,
    "comparison": comparison,
    "quotation": quotation,
    "parenthetical": parenthetical,
    "imperative": imperative,
    "coordination": coordination,
}

#: kinds that are written more than once a turn
SHARES: dict[str, int] = {
    "plain": 2,
    "topicalisation": 2,
    "wh-question": 2,
    "stranded-question": 2,
    "long-question": 2,
    "extraposed-subject-relative": 2,
    "imperative": 2,
    "quotation": 2,
}
