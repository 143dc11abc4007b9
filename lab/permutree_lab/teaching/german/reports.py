"""What somebody says: quotations before, around and after the verb of saying, indirect speech, asides."""

from __future__ import annotations

from random import Random

from permutree_lab.teaching.composing import part
from permutree_lab.teaching.german.clauses import Clause, Item, around, build, choose_frame, comma, make_clause, tenses
from permutree_lab.teaching.german.lexicon import frames
from permutree_lab.teaching.german.phrases import (
    Nominal,
    named,
    noun_phrase,
    prepositional,
    pronoun,
    sentence_adverb,
    time,
)
from permutree_lab.teaching.german.questions import question_clause
from permutree_lab.teaching.german.sentences import QUOTES, finish, mark, quoted
from permutree_lab.teaching.german.statements import any_clause
from permutree_lab.teaching.lessons import Lesson
from permutree_lab.teaching.parts import Part, replace_words, word

__all__ = [
    "according_to",
    "fronted_quotation",
    "indirect_speech",
    "introduced_quotation",
    "parenthetical",
    "split_quotation",
]

_SAYING = (
    *("sagt", "sagte", "meint", "meinte", "erklärt", "erklärte", "betont", "betonte", "behauptet", "behauptete"),
    *("versichert", "ruft", "rief", "schreibt", "schrieb", "antwortet", "antwortete", "glaubt", "fordert", "forderte"),
    *("warnt", "warnte", "kritisiert", "lobt", "klagt", "schimpft", "berichtet", "berichtete"),
)
_SEPARABLE = (("teilte", "mit"), ("teilt", "mit"), ("fügte", "hinzu"), ("räumt", "ein"), ("gab", "zu"), ("gibt", "zu"))
#: the first subjunctive of indirect speech
_SUBJUNCTIVE = {
    "hat": "habe",
    "ist": "sei",
    "wird": "werde",
    "kann": "könne",
    "muss": "müsse",
    "soll": "solle",
    "will": "wolle",
    "darf": "dürfe",
    "sind": "seien",
    "gibt": "gebe",
}


def speaker_of(random: Random) -> Nominal:
    chance = random.random()
    if chance < 0.25:
        return pronoun(random.choice(["er", "sie"]), "n")
    if chance < 0.6:
        return named(random)
    if chance < 0.72:
        name = named(random, "full").part
        group = noun_phrase(random, "g", "o", det="der", light=True).part
        first = word("NN", random.choice(["Chef", "Chefin", "Mitglied", "Experte", "Kritiker", "Leiterin"]))
        office = Nominal(part("NP", first, group), "3s", "m")
        return Nominal(part("NP", *name.children, office.part, order=[name, comma(), office.part, comma()]), "3s", "m")
    return noun_phrase(random, "n", "po", plural=False)


def says_who(random: Random, verb: str = "") -> list[Part]:
    """The verb of saying, the speaker and sometimes more: sagte der Minister gestern."""
    more: Part | None = None
    if random.random() < 0.25:
        more = random.choice([time(random), prepositional(random, "zu", "d", "p"), sentence_adverb(random)])
        if more.label == "AVP" and more.children[0].text in ("dagegen", "freilich", "natürlich"):
            more = time(random)
    found = [word("VVFIN", verb or random.choice(_SAYING)), speaker_of(random).part]
    if not verb and random.random() < 0.15:
        saying, particle = random.choice(_SEPARABLE)
        return [word("VVFIN", saying), found[1], word("PTKVZ", particle)]
    return [*found, more] if more is not None else found


def _quotation(random: Random) -> Part:
    """A main clause that is quoted, or two."""
    clause = any_clause(random)
    firsts = [None, None, *clause.firsts()]
    made = build(clause, "second", first=random.choice(firsts))
    if random.random() < 0.15:
        second = build(any_clause(random), "second")
        link = word("KON", random.choice(["und", "aber", "denn"]))
        mid = [comma()] if link.text != "und" else []
        return part("CS", made, link, second, order=[made, *mid, link, second])
    return made


def fronted_quotation(random: Random) -> Lesson:
    """A quotation, then who says it: „Das Gesetz ist falsch“, sagte der Minister."""
    marks = random.choice(QUOTES)
    chance = random.random()
    if chance < 0.15:
        clause, asked = question_clause(random)
        inner = build(clause, "second", first=asked)
        says = says_who(random, random.choice(["fragt", "fragte"]))
        said = quoted([*inner.words, mark("?")], marks if marks[0] else QUOTES[0])
    elif chance < 0.2:
        inner = _quotation(random)
        says = says_who(random, random.choice(["ruft", "rief"]))
        said = quoted([*inner.words, mark("!")], marks if marks[0] else QUOTES[0])
    else:
        inner = _quotation(random) if marks[0] else _indirect(_quotation(random))
        says = says_who(random)
        said = quoted(inner, marks)
    return finish(random, part("S", inner, *says), said=[*said, comma(), *says])


def split_quotation(random: Random) -> Lesson:
    """A quotation around who says it: „Das Gesetz“, sagte der Minister, „ist falsch.“"""
    marks = random.choice(QUOTES)
    inner = _quotation(random)
    says = says_who(random)
    words = list(inner.words)
    cut = _cut(random, inner)
    first, rest = words[:cut], words[cut:]
    said = [*quoted(first, marks), comma(), *says, comma(), *quoted(rest, marks)]
    if marks[0] and random.random() < 0.5:
        return finish(random, part("S", inner, *says), said=[*said[:-1], mark("."), said[-1]], end="", gap=inner)
    return finish(random, part("S", inner, *says), said=said, gap=inner)


def _cut(random: Random, inner: Part) -> int:
    """Where to go apart: after a constituent of the clause, but neither at its start nor at its end."""
    words = list(inner.words)
    clause = next(one for one in inner if one.label == "S")
    ends: set[int] = set()
    for one in clause:
        if one.label in ("NP", "PP", "AVP", "AP", "CNP") or one.label.endswith("FIN"):
            places = sorted(words.index(each) for each in one if each.is_word)
            if places[-1] - places[0] + 1 == len(places) and one in clause.children:
                ends.add(places[-1] + 1)
    for one in clause.children:
        if one.label == "VP":
            for child in one.children:
                places = sorted(words.index(each) for each in child if each.is_word)
                if child.label in ("NP", "PP", "AVP", "AP", "CNP") and places[-1] - places[0] + 1 == len(places):
                    ends.add(places[-1] + 1)
    usable = sorted(end for end in ends if 0 < end < len(words) and words[end].label not in ("PPER", "PRF"))
    usable = usable or sorted(ends - {len(words)})
    return usable[0] if random.random() < 0.5 else random.choice(usable)


def parenthetical(random: Random) -> Lesson:
    """The same without quotation marks: Das Gesetz, glaube ich, ist falsch. Die Stadt sei, sagte er, pleite."""
    inner = _quotation(random)
    if random.random() < 0.5:
        who, verb = random.choice(
            [
                ("es", "heißt"),
                ("ich", "glaube"),
                ("ich", "fürchte"),
                ("wir", "hoffen"),
                ("ich", "meine"),
                ("ich", "denke"),
                ("man", "sagt"),
            ]
        )
        tag = "PIS" if who == "man" else "PPER"
        says = [word("VVFIN", verb), part("NP", word(tag, who))]
    else:
        inner = _indirect(inner)
        says = says_who(random)
    words = list(inner.words)
    cut = _cut(random, inner)
    return finish(
        random, part("S", inner, *says), said=[*words[:cut], comma(), *says, comma(), *words[cut:]], gap=inner
    )


def _indirect(inner: Part) -> Part:
    """The clause with its finite verbs in the first subjunctive, where that differs."""
    new = {
        one: word(one.label, _SUBJUNCTIVE[one.text])
        for one in inner.words
        if one.label.endswith("FIN") and one.text in _SUBJUNCTIVE
    }
    return replace_words(inner, new)


def according_to(random: Random) -> Lesson:
    """So and who says it: „Das Gesetz ist falsch“, so der Minister. Das Gesetz, so der Minister, sei falsch."""
    marks = random.choice(QUOTES)
    inner = _quotation(random)
    if not marks[0]:
        inner = _indirect(inner)
    so = word("ADV", "so")
    speaker = (
        named(random).part
        if random.random() < 0.5
        else noun_phrase(random, "n", "po", plural=False, light=True, det="der").part
    )
    manner = part("AVP", inner, so)
    if random.random() < 0.5:
        said = [*quoted(inner, marks), comma(), so, speaker]
        return finish(random, part("S", manner, speaker), said=said)
    cut = _cut(random, inner)
    words = list(inner.words)
    said = [*quoted(words[:cut], marks), comma(), so, speaker, comma(), *quoted(words[cut:], marks)]
    return finish(random, part("S", manner, speaker), said=said, gap=inner)


def introduced_quotation(random: Random) -> Lesson:
    """Who says it, then a colon and the quotation: Der Minister sagte: „Das Gesetz ist falsch.“"""
    marks = random.choice(QUOTES[:5])
    inner = _quotation(random)
    verb, speaker, *more = says_who(random)
    end = [mark("."), mark(marks[1])] if random.random() < 0.6 else [mark(marks[1]), mark(".")]
    said = [speaker, verb, *more, mark(":"), mark(marks[0]), *inner.words, *end]
    return finish(random, part("S", speaker, verb, *more, inner), said=said, end="")


def indirect_speech(random: Random) -> Lesson:
    """Indirect speech without dass: Der Minister sagte, das Gesetz sei falsch."""
    verb = random.choice(
        [
            frame.verb
            for frame in frames()
            if frame.verb.whole in ("sagen", "erklären", "behaupten", "meinen", "glauben", "betonen")
        ]
    )
    by = speaker_of(random)
    finite = word("VVFIN", random.choice([verb.present, verb.past])(by.person))
    inner = _indirect(_quotation(random))
    matrix = Clause(finite, [], None, Item(by.part, False, 0, "subject"), [], person=by.person)
    matrix.after.append(Item(around(inner), False, 20, "clause"))
    return finish(random, build(matrix, "second"))


def reported_aside(random: Random) -> Lesson:
    """A wie-clause between commas: Der Minister hat, wie er gestern sagte, das Gesetz abgelehnt."""
    frame = choose_frame(random)
    clause = make_clause(random, frame, random.choice(tenses(frame, True)), adverbials=0)
    verb = word("VVFIN", random.choice(["sagt", "sagte", "betont", "betonte", "glaubt", "meinte"]))
    inner = part("S", part("AVP", word("PWAV", "wie")), pronoun(random.choice(["er", "sie"]), "n").part, verb)
    clause.items.append(Item(around(inner), False, 4, "aside"))
    return finish(random, build(clause, "second"))
