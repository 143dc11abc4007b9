"""Phrases of the English grammar: noun phrases, adjuncts and clauses, in the Penn scheme with resolved traces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple, TypeVar

from permutree_lab.teaching.english import lexicon
from permutree_lab.teaching.english.morphology import article, gerund, participle, past, plural, present
from permutree_lab.teaching.parts import Part, extend, part, word

__all__ = ["Clause", "Nominal", "Writer", "capitalise", "noun_phrase", "preposition", "split_name", "wrap"]

T = TypeVar("T")


class Nominal(NamedTuple):
    """A noun phrase and how the verb agrees with it."""

    part: Part
    is_plural: bool = False
    person: int = 3


@dataclass(slots=True)
class Clause:
    """A clause before anything moves: what stands around the verb."""

    subject: Nominal
    #: the words of each VP of the verb group, auxiliaries with their negation first; the last is the main verb
    groups: list[list[Part]]
    particle: Part | None = None
    object: Part | None = None
    #: the preposition that the verb takes; its object is ``object``
    preposition: Part | None = None
    rest: list[Part] = field(default_factory=list)
    #: the class of nouns that the object is of
    wants: str = "thing"
    #: an adverb before the verb, after the first auxiliary
    adverb: Part | None = None

    def predicate(self, groups: Sequence[list[Part]] | None = None, moved: Part | None = None, role: str = "") -> Part:
        """The VP; ``moved`` is said first and takes the place of the object or stands beside the verb."""
        groups = self.groups if groups is None else groups
        thing = moved if role == "object" else self.object
        if self.preposition is not None and thing is not None:
            thing = part("PP", self.preposition, thing, first=[moved] if role == "object" else [])
        beside = moved if role == "adjunct" else None
        inner = part("VP", beside, *groups[-1], self.particle, thing, *self.rest, first=[moved])
        return wrap(inner, groups[:-1], moved)

    def statement(self, moved: Part | None = None, role: str = "") -> Part:
        """The S, without final punctuation; as the subject, ``moved`` stands where it is."""
        if role == "subject" and moved is not None:
            return part("S", moved, self.predicate())
        groups, adverb = self.groups, self.adverb
        if adverb is not None and len(groups) > 1:
            groups, adverb = [[*groups[0], adverb], *groups[1:]], None
        return part("S", self.subject.part, adverb, self.predicate(groups, moved, role), first=[moved])

    def inverted(self, moved: Part | None = None, role: str = "") -> Part:
        """The SQ: the first auxiliary before the subject."""
        if role == "subject" and moved is not None:
            return part("SQ", moved, self.predicate())
        groups = self.groups
        predicate = self.predicate(groups[1:], moved, role)
        return part("SQ", *groups[0], self.subject.part, self.adverb, predicate, first=[moved])


def wrap(inner: Part, groups: Sequence[list[Part]], moved: Part | None) -> Part:
    """A VP inside those of its auxiliaries."""
    for group in reversed(groups):
        inner = part("VP", *group, inner, first=[moved])
    return inner


def preposition(text: str) -> Part:
    """A preposition; *to* has a tag of its own."""
    return word("TO" if text.lower() == "to" else "IN", text)


def noun_phrase(*tagged: str) -> Part:
    """A flat NP from words written ``TAG:word``.

    >>> noun_phrase("DT:the", "NN:cat")
    Part('NP', 'the cat')
    """
    return part("NP", *(word(*one.split(":", 1)) for one in tagged))


def _tense_of(groups: Sequence[list[Part]]) -> str:
    """What times a verb group goes with."""
    finite = groups[0][0]
    if finite.text in ("has", "have", "had") and len(groups) > 1:
        return "perfect"
    return "past" if finite.label == "VBD" else "present"


def split_name(name: str) -> list[Part]:
    """The words of a name."""
    return [word("NNP", text) for text in name.split()]


def capitalise(root: Part) -> dict[Part, Part]:
    """What to exchange so that the sentence begins with a capital letter: its first word of letters."""
    for one in root.words:
        if one.text[0].isalpha():
            return {one: word(one.label, one.text[0].upper() + one.text[1:])} if one.text[0].islower() else {}
    return {}


class Writer:
    """Writes phrases by chance; without ``gaps``, only continuous ones."""

    def __init__(self, random: Random, *, gaps: bool = True) -> None:
        self.random = random
        self.gaps = gaps
        self._deeper = random.choices([0, 1, 2], [5, 3, 2])[0]

    def pick(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.random.randrange(len(items))]

    def chance(self, share: float) -> bool:
        """True as often as the share says."""
        return self.random.random() < share

    def deep(self, depth: int) -> int:
        """The depth of recursion, more in some sentences than in others, so that lengths vary."""
        return depth + self._deeper

    # noun phrases

    def name(self) -> Part:
        """The name of a person, maybe with a title."""
        chosen = self.random.random()
        last = self.pick(lexicon.LAST_NAMES)
        first = self.pick(lexicon.FIRST_NAMES)
        if chosen < 0.35:
            return part("NP", *split_name(f"{self.pick(lexicon.TITLES)} {last}"))
        if chosen < 0.75:
            middle = f" {self.pick('ABCDEFGHJKLMRSTW')}." if self.chance(0.2) else ""
            return part("NP", *split_name(f"{first}{middle} {last}"))
        return part("NP", word("NNP", first if chosen < 0.9 else last))

    def company(self) -> Part:
        """The name of a company."""
        ending = self.pick(["", "", " Corp.", " Inc.", " Co."])
        return part("NP", *split_name(self.pick(lexicon.COMPANIES) + ending))

    def institution(self) -> Part:
        """An institution with its article."""
        return part("NP", word("DT", "the"), *split_name(self.pick(lexicon.ORGANISATIONS)))

    def apposition(self) -> Part:
        """What follows a name: *an analyst at Acme Corp.*"""
        noun = self.pick(lexicon.NOUNS["person"])
        before = self.pick(lexicon.ADJECTIVES) if self.chance(0.3) else None
        start = [word("JJ", before)] if before else []
        if self.chance(0.3):
            head = part("NP", word("DT", "the"), *start, word("NN", noun))
        else:
            head = part("NP", word("DT", article(before or noun)), *start, word("NN", noun))
        link = self.pick(["at", "with", "for", "of", "in"])
        place = part("NP", *split_name(self.pick(lexicon.CITIES))) if link == "in" else self.company()
        return part("NP", head, part("PP", preposition(link), place))

    def speaker(self) -> Nominal:
        """Somebody who says something; an apposition has no comma after it yet."""
        chosen = self.random.random()
        if chosen < 0.17:
            text = self.pick(["he", "she", "he", "she", "they", "it", "I", "we"])
            return Nominal(part("NP", word("PRP", text)), text in ("they", "we"), 1 if text in ("I", "we") else 3)
        if chosen < 0.4:
            return Nominal(self.name())
        if chosen < 0.48:
            clause = self.subject_relative("person", False)
            return Nominal(part("NP", self.name(), word(",", ","), clause))
        if chosen < 0.64:
            return Nominal(part("NP", self.name(), word(",", ","), self.apposition()))
        if chosen < 0.74:
            return Nominal(self.pick([self.company, self.institution])())
        if chosen < 0.84:
            noun = self.pick(["spokesman", "spokeswoman", "lawyer", "official", "executive", "analyst"])
            head = part("NP", word("DT", article(noun)), word("NN", noun))
            whom = self.pick([self.company, self.institution])()
            return Nominal(part("NP", head, part("PP", preposition(self.pick(["for", "at", "of"])), whom)))
        if chosen < 0.9:
            return self.noun(self.pick(["person", "organisation", "text"]), depth=0, is_plural=False, is_definite=True)
        if chosen < 0.95:
            people = self.pick(["analysts", "officials", "critics", "economists", "experts", "lawyers", "executives"])
            return Nominal(part("NP", word("NNS", people)), is_plural=True)
        return self.noun("person", depth=1, is_plural=True)

    def subject(self, depth: int = 1) -> Nominal:
        """Somebody who does something."""
        chosen = self.random.random()
        if chosen < 0.35:
            text = self.pick(["I", "you", "he", "she", "we", "they"])
            person = {"I": 1, "we": 1, "you": 2}.get(text, 3)
            return Nominal(part("NP", word("PRP", text)), text in ("we", "you", "they"), person)
        if chosen < 0.55:
            return Nominal(self.name())
        if chosen < 0.65:
            return Nominal(self.company())
        return self.noun(self.pick(["person", "person", "organisation"]), depth)

    def noun(
        self, kind: str, depth: int = 1, *, is_plural: bool | None = None, is_definite: bool | None = None
    ) -> Nominal:
        """A noun phrase with a noun of a class; with some depth, it may have modifiers."""
        head = self.head(kind, is_plural=is_plural, is_definite=is_definite)
        if depth <= 0 or self.chance(0.5):
            return head
        return Nominal(part("NP", head.part, self.modifier(kind, head, depth - 1)), head.is_plural)

    def head(self, kind: str, *, is_plural: bool | None = None, is_definite: bool | None = None) -> Nominal:
        """A noun phrase with a determiner and maybe an adjective; sometimes a pronoun, an owner or a part of many."""
        noun = self.pick(lexicon.NOUNS[kind])
        many = self.chance(0.3) if is_plural is None else is_plural
        definite = self.chance(0.5) if is_definite is None else is_definite
        chosen = self.random.random()
        if chosen < 0.05 and not many and not definite:
            texts = ["someone", "somebody", "everyone", "nobody"] if kind == "person" else ["something", "nothing"]
            return Nominal(part("NP", word("NN", self.pick(texts))))
        if chosen < 0.1 and definite:
            owner = extend(self.name(), word("POS", "'s"))
            return Nominal(part("NP", owner, word("NNS", plural(noun)) if many else word("NN", noun)), many)
        if chosen < 0.14 and not definite:
            some = word("DT", self.pick(["some", "most"])) if many else word("CD", "one")
            rest = part("NP", self._determiner(True, True, noun), word("NNS", plural(noun)))
            return Nominal(part("NP", part("NP", some), part("PP", word("IN", "of"), rest)), many)
        adjective = word("JJ", self.pick(lexicon.ADJECTIVES)) if self.chance(0.3) else None
        text = plural(noun) if many else noun
        return Nominal(
            part(
                "NP",
                self._determiner(definite, many, adjective.text if adjective else text),
                adjective,
                word("NNS" if many else "NN", text),
            ),
            many,
        )

    def _determiner(self, is_definite: bool, is_plural: bool, following: str) -> Part | None:
        if is_definite:
            if self.chance(0.25):
                return word("PRP$", self.pick(["my", "your", "his", "her", "our", "their", "its"]))
            return word("DT", self.pick(["the", "the", "the", "these" if is_plural else "this"]))
        if not is_plural:
            return word("DT", article(following))
        chosen = self.random.random()
        if chosen < 0.4:
            return None
        if chosen < 0.7:
            return word("JJ", self.pick(["many", "several", "few"]))
        return word("DT", "some") if chosen < 0.85 else word("CD", self.pick(["two", "three", "four", "five", "ten"]))

    def modifier(self, kind: str, head: Nominal, depth: int) -> Part:
        """What follows a noun: a place, a relative clause."""
        chosen = self.random.random()
        if chosen < 0.15:
            other = self.head(self.pick(["plan", "place", "organisation"])).part
            return part("PP", word("IN", "of"), other)
        if chosen < 0.4:
            return self.where(["in", "from", "near"])
        if chosen < 0.7 or not self.gaps:
            return self.subject_relative(kind, head.is_plural, depth)
        return self.object_relative(kind, depth)

    def subject_relative(self, kind: str, is_plural: bool, depth: int = 0) -> Part:
        """A relative clause whose pronoun is the subject: it has no gap."""
        pronoun = word("WP", "who") if kind == "person" else word("WDT", self.pick(["that", "which"]))
        if kind in ("person", "organisation"):
            done = self.clause(depth, subject=Nominal(noun_phrase("NN:x"), is_plural))
        else:
            done = self.passive(Nominal(noun_phrase("NN:x"), is_plural), kind)
        return part("SBAR", done.statement(part("WHNP", pronoun), "subject"))

    def object_relative(self, kind: str, depth: int = 0) -> Part:
        """A relative clause whose pronoun is the object, or *where* for a place: it is discontinuous."""
        if kind == "place" and self.chance(0.5):
            done = self.clause(depth, adjuncts=0)
            return part("SBAR", done.statement(part("WHADVP", word("WRB", "where")), "adjunct"))
        done = self.clause(depth, frame="object", wants=kind)
        tag, text = ("WP", self.pick(["who", "whom"])) if kind == "person" else ("WDT", self.pick(["that", "which"]))
        return part("SBAR", done.statement(part("WHNP", word(tag, text)), "object"))

    def place(self) -> Part:
        """Where something is."""
        if self.chance(0.5):
            return part("NP", *split_name(self.pick(lexicon.CITIES)))
        return self.head("place", is_plural=False, is_definite=True).part

    def where(self, links: Sequence[str] = ("in", "near", "at")) -> Part:
        """A phrase of place; nothing is *at* a city."""
        place = self.place()
        link = self.pick(links)
        is_name = place.children[0].label == "NNP"
        return part("PP", preposition("in" if link == "at" and is_name else link), place)

    def city(self) -> Part:
        """*in Boston*: a place that no relative clause can be about."""
        return part("PP", preposition("in"), part("NP", *split_name(self.pick(lexicon.CITIES))))

    # adjuncts

    def time(self) -> Part:
        """A temporal phrase of the past."""
        chosen = self.random.randrange(8)
        if chosen == 0:
            return noun_phrase("NN:yesterday")
        if chosen == 1:
            return noun_phrase("JJ:last", f"NN:{self.pick(['week', 'year', 'month', 'night', 'summer'])}")
        if chosen == 2:
            return noun_phrase(f"NNP:{self.pick(lexicon.WEEKDAYS)}")
        if chosen == 3:
            return part("PP", preposition("on"), noun_phrase(f"NNP:{self.pick(lexicon.WEEKDAYS)}"))
        if chosen == 4:
            return part("PP", preposition("in"), noun_phrase(f"NNP:{self.pick(lexicon.MONTHS)}"))
        if chosen == 5:
            length = noun_phrase(
                f"CD:{self.pick(['two', 'three', 'four', 'five', 'six'])}",
                "NNS:" + self.pick(["days", "weeks", "months", "years"]),
            )
            return part("ADVP", length, word("RB", "ago"))
        if chosen == 6:
            return noun_phrase("DT:this", f"NN:{self.pick(['morning', 'week', 'year', 'afternoon'])}")
        return part("PP", preposition("in"), noun_phrase(f"CD:{self.random.randrange(1965, 2024)}"))

    def later(self) -> Part:
        """A temporal phrase that is not of the past."""
        chosen = self.random.randrange(5)
        if chosen == 0:
            return noun_phrase("NN:tomorrow")
        if chosen == 1:
            return noun_phrase("JJ:next", f"NN:{self.pick(['week', 'year', 'month', 'summer'])}")
        if chosen == 2:
            return noun_phrase("DT:every", f"NN:{self.pick(['day', 'week', 'year', 'morning'])}")
        if chosen == 3:
            return part("ADVP", word("RB", self.pick(["soon", "now", "often", "sometimes"])))
        return part("PP", preposition("on"), noun_phrase(f"NNP:{self.pick(lexicon.WEEKDAYS)}"))

    def adjunct(self, depth: int = 0, tense: str = "past") -> Part:
        """A place, a time that goes with the tense, a manner, or a clause."""
        chosen = self.random.random()
        if chosen < 0.35 and tense != "perfect":
            return self.time() if tense == "past" else self.later()
        if chosen < 0.65:
            return self.where()
        if chosen < 0.85 or depth <= 0:
            return part("ADVP", word("RB", self.pick(lexicon.MANNER_ADVERBS)))
        if chosen < 0.93 or not self.gaps:
            link = word("IN", self.pick(["because", "although", "if", "before", "after", "while", "since"]))
            return part("SBAR", link, self.clause(depth - 1).statement())
        return self.when(depth - 1)

    def when(self, depth: int = 0) -> Part:
        """A clause with *when*, which belongs to the VP: the VP is discontinuous."""
        clause = self.clause(depth, tense="past", adjuncts=0.2)
        return part("SBAR", clause.statement(part("WHADVP", word("WRB", "when")), "adjunct"))

    # clauses

    def groups(self, base: str, subject: Nominal, tense: str | None = None) -> list[list[Part]]:
        """The verb group: a finite form, or auxiliaries and a form without tense."""
        chosen = tense or self.pick(["past"] * 5 + ["present"] * 2 + ["modal"] * 2 + ["perfect", "progressive", "not"])
        third = not subject.is_plural and subject.person == 3
        if chosen == "base":
            return [[word("VB", base)]]
        if chosen == "past":
            return [[word("VBD", self._were(subject) if base == "be" else past(base))]]
        if chosen == "present":
            if base == "be":
                return [[self._be_now(subject)]]
            return [[word("VBZ", present(base)) if third else word("VBP", base)]]
        if chosen == "modal":
            text = self.pick(["will", "would", "can", "could", "may", "might", "should", "must"])
            negation = [word("RB", "not")] if self.chance(0.15) else []
            return [[word("MD", text), *negation], [word("VB", base)]]
        if chosen == "perfect":
            now = word("VBZ", "has") if third else word("VBP", "have")
            return [[now if self.chance(0.6) else word("VBD", "had")], [word("VBN", participle(base))]]
        if chosen == "progressive":
            now = self._be_now(subject) if self.chance(0.5) else word("VBD", self._were(subject))
            return [[now], [word("VBG", gerund(base))]]
        return self.with_do(base, subject, is_past=self.chance(0.6), is_negated=True)

    def with_do(self, base: str, subject: Nominal, *, is_past: bool, is_negated: bool = False) -> list[list[Part]]:
        """The verb group with *do*, as questions and negation need it."""
        third = not subject.is_plural and subject.person == 3
        does = word("VBD", "did") if is_past else word("VBZ", "does") if third else word("VBP", "do")
        negation = [word("RB", self.pick(["n't", "not"]))] if is_negated else []
        return [[does, *negation], [word("VB", base)]]

    def question_groups(self, base: str, subject: Nominal) -> list[list[Part]]:
        """A verb group that begins with an auxiliary."""
        if self.chance(0.55):
            return self.with_do(base, subject, is_past=self.chance(0.6))
        groups = self.groups(base, subject, self.pick(["modal", "perfect", "progressive"]))
        # "may not she": no negation before the subject
        return [groups[0][:1], *groups[1:]]

    @staticmethod
    def _were(subject: Nominal) -> str:
        return "were" if subject.is_plural or subject.person == 2 else "was"

    @staticmethod
    def _be_now(subject: Nominal) -> Part:
        if subject.is_plural or subject.person == 2:
            return word("VBP", "are")
        return word("VBP", "am") if subject.person == 1 else word("VBZ", "is")

    def clause(
        self,
        depth: int = 1,
        *,
        subject: Nominal | None = None,
        frame: str | None = None,
        wants: str | None = None,
        tense: str | None = None,
        is_question: bool = False,
        adjuncts: float = 0.4,
    ) -> Clause:
        """A clause: a subject, a verb of a frame, and what the verb takes."""
        subject = subject or self.subject(depth - 1)
        frame = frame or self.pick(
            ["object"] * 4 + ["intransitive", "preposition", "particle"] + ["clause"] * (depth > 0)
        )
        wants = wants or self.pick(["person", "thing", "thing", "text", "plan", "place", "organisation"])
        particle = link = thing = inner = None
        if frame == "object":
            base = self.pick(lexicon.TRANSITIVES[wants])
            thing = self.noun(wants, depth - 1).part
        elif frame == "particle":
            base, text = self.pick(lexicon.PARTICLE_VERBS).split("-")
            particle = part("PRT", word("RP", text))
            thing = self.noun(self.pick(["text", "plan", "thing"]), depth - 1).part
        elif frame == "preposition":
            base, text = self.pick(lexicon.PREPOSITIONAL_VERBS).split("-")
            link = preposition(text)
            thing = self.noun(wants, depth - 1).part
        elif frame == "clause":
            base = self.pick([*lexicon.SAYING_VERBS, *lexicon.THINKING_VERBS])
            inner = self.that_clause(depth - 1, can_drop=base in ("say", "think", "believe", "know", "hope"))
        else:
            base = self.pick(lexicon.INTRANSITIVES)
        groups = self.question_groups(base, subject) if is_question else self.groups(base, subject, tense)
        rest = [inner] if inner else [self.adjunct(depth - 1, _tense_of(groups))] if self.chance(adjuncts) else []
        if rest and depth > 1 and self.chance(0.4):
            rest.insert(0, self.where())
        adverb = None
        if tense != "base" and len(groups[0]) == 1 and self.chance(0.08):
            adverb = part("ADVP", word("RB", self.pick(lexicon.FREQUENCY_ADVERBS)))
        return Clause(subject, groups, particle, thing, link, rest, wants, adverb)

    def passive(self, subject: Nominal, kind: str) -> Clause:
        """A clause in the passive about a noun of a class."""
        base = self.pick(lexicon.TRANSITIVES[kind])
        groups = [*self.groups("be", subject, self.pick(["past", "past", "perfect", "modal"]))]
        rest = [self.time()] if self.chance(0.4) and groups[0][0].label == "VBD" else []
        if self.chance(0.25):
            rest = [part("PP", preposition("by"), self.head("person").part), *rest]
        return Clause(subject, [*groups, [word("VBN", participle(base))]], rest=rest, wants=kind)

    def that_clause(self, depth: int = 0, *, can_drop: bool = False) -> Part:
        """A clause after *that*, which may be left out where it can."""
        that = None if can_drop and self.chance(0.5) else word("IN", "that")
        return part("SBAR", that, self.clause(depth).statement())

    def transfer(self, depth: int = 1) -> Clause:
        """A clause with a thing and somebody who gets it: *she gave him a book*, *she gave a book to him*."""
        subject = self.subject(0)
        base = self.pick(["give", "send", "show", "offer", "sell", "bring", "lend", "teach"])
        thing = self.noun(self.pick(["thing", "text"]), depth - 1).part
        whom = self.head("person").part
        if self.chance(0.4):
            whom = part("NP", word("PRP", self.pick(["me", "you", "him", "her", "us", "them"])))
        if self.chance(0.4):
            return Clause(subject, self.groups(base, subject), object=thing, rest=[part("PP", word("TO", "to"), whom)])
        return Clause(subject, self.groups(base, subject), object=whom, rest=[thing])

    def infinitive(self, depth: int = 0) -> Part:
        """An infinitive with *to*."""
        return part("S", part("VP", word("TO", "to"), self.bare(depth)))

    def bare(self, depth: int = 0) -> Part:
        """A VP with a base form."""
        frame = self.pick(["object", "object", "particle", "preposition"])
        return self.clause(depth, subject=Nominal(noun_phrase("NN:x")), frame=frame, tense="base").predicate()
