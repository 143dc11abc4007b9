"""Rewritings of IcePaHC: statements become questions, quotations, dependent clauses; phrases come first or last.

Words keep their forms, but for auxiliaries, whose subjunctives are known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from permutree_lab.teaching.composing import part
from permutree_lab.teaching.icelandic.clauses import finish, mark
from permutree_lab.teaching.icelandic.grammar import says_who
from permutree_lab.teaching.icelandic.phrases import named, pronoun
from permutree_lab.teaching.lessons import Lesson, Rewriting
from permutree_lab.teaching.parts import Part, replace_words, word

__all__ = ["REWRITINGS"]

_FINITE = re.compile(r"(VB|BE|HV|MD|RD|DO)[PD][IS]")
_NOMINATIVE = re.compile(r"(PRO|NPRS?|NS?|D|Q|ADJ[RS]?|ONE|NUM|OTHER|MAN)-N")
_MARKS = frozenset('"„“”«»:;?!<>()/-–')
_SUBJUNCTIVES = {
    ("BEPI", "er"): ("BEPS", "sé"),
    ("BEPI", "eru"): ("BEPS", "séu"),
    ("HVPI", "hefur"): ("HVPS", "hafi"),
    ("HVPI", "hafa"): ("HVPS", "hafi"),
    ("MDPI", "mun"): ("MDPS", "muni"),
    ("MDPI", "munu"): ("MDPS", "muni"),
    ("MDPI", "getur"): ("MDPS", "geti"),
    ("MDPI", "geta"): ("MDPS", "geti"),
    ("RDPI", "verður"): ("RDPS", "verði"),
    ("RDPI", "verða"): ("RDPS", "verði"),
}


@dataclass(frozen=True, slots=True)
class Main:
    """A statement that begins with its subject: the subject, the finite verb, and what follows, full stop aside."""

    subject: Part
    finite: Part
    rest: tuple[Part, ...]

    @property
    def words(self) -> list[Part]:
        """All words in order."""
        return [said for one in (self.subject, self.finite, *self.rest) for said in one.words]


def analyse(root: Part) -> Main | None:
    """The statement, if its subject and its finite verb are the first things in it, and it has no marks but commas."""
    clause = root.children[0]
    if len(root.children) != 1 or clause.label != "IP-MAT" or not clause.is_straight:
        return None
    if not 5 <= len(root.words) <= 32 or clause.children[-1].text != ".":
        return None
    children = clause.children[:-1]
    texts = {one.text for one in root.words[:-1]}
    if len(children) < 3 or children[0].label != "NP" or not _FINITE.fullmatch(children[1].label):
        return None
    if any(set(text) & _MARKS or text == "." for text in texts) or any(one.label in (".", ",") for one in children):
        return None
    head = [one for one in children[0].children if one.is_word]
    if not head or not all(_NOMINATIVE.fullmatch(one.label) or one.label in ("ADV", "FP", "CONJ") for one in head):
        return None
    return Main(_lowered(children[0]), children[1], tuple(children[2:]))


def _lowered(subject: Part) -> Part:
    first = subject.words[0]
    if first.label.startswith("NPR") or first.text.isupper():
        return subject
    return replace_words(subject, {first: word(first.label, first.text[:1].lower() + first.text[1:])})


def _question(inner: Part, gap: Part | None = None) -> Lesson:
    return finish(part("CP-QUE", inner, mark("?")), gap)


def polar_question(root: Part, random: Random) -> Iterator[Lesson]:
    """The finite verb comes first: Hefur nefndin rætt málið?"""
    main = analyse(root)
    if main is not None and random.random() < 0.5:
        yield _question(part("IP-SUB", main.finite, main.subject, *main.rest))


def subject_question(root: Part, random: Random) -> Iterator[Lesson]:
    """The subject is asked for: Hver hefur rætt málið? Only where nothing agrees with it but a singular verb."""
    main = analyse(root)
    if main is None or random.random() < 0.4 or main.finite.label[:2] in ("BE", "RD"):
        return
    head = main.subject.words[0]
    singular = head.label in ("N-N", "NPR-N") or head.text in ("hann", "hún")
    agrees = {"VAN", "ADJP", "IP-PPL", "IP-SMC"} & {one.label for one in main.rest}
    if singular and len(main.subject.words) <= 2 and not agrees:
        asked = part("WNP", word("WPRO-N", "hver"))
        yield _question(part("IP-SUB", asked, main.finite, *main.rest))


_DEFINITE = re.compile(r".*(inn|in|ið|num|ins|inni|nnar|ina|una|inu|na|nar|nir|ann|ans|nni|nu|nna|nni)$")


#: nouns that make one meaning with their verb, and are not asked for
_IDIOMS = frozenset(["ráð", "þátt", "grein", "ljósi", "atkvæði", "máli", "mál", "rétt", "tök", "tillit", "dag", "ár"])


def which_question(root: Part, random: Random) -> Iterator[Lesson]:
    """An object without an article is asked for: Hvaða mál hefur nefndin rætt?"""
    main = analyse(root)
    if main is None:
        return
    for owner in main.rest:
        below = owner.children if owner.label == "IP-INF" and owner.is_straight else (owner,)
        for one in below:
            noun = one.children[0] if one.label == "NP" and len(one.children) == 1 else None
            if noun is None or noun.label not in ("N-A", "NS-A", "N-D", "NS-D") or _DEFINITE.fullmatch(noun.text):
                continue
            if noun.text in _IDIOMS:
                continue
            asked = part("WNP", word(f"WD-{noun.label[-1]}", "hvaða"), noun)
            inside = None
            if owner is not one:
                inside = part("IP-INF", *(asked if child is one else child for child in below))
            rest = [(inside or asked) if each is owner else each for each in main.rest]
            said = [each for child in rest for each in child.words if each not in asked.words]
            inner = part("IP-SUB", main.finite, main.subject, *rest, order=[asked, main.finite, main.subject, *said])
            yield _question(inner, inside)
            return


def fronted(root: Part, random: Random) -> Iterator[Lesson]:
    """A phrase of the clause comes first, and no gap arises: Í gær hefur nefndin rætt málið."""
    main = analyse(root)
    if main is None:
        return
    movable = [one for one in main.rest if one.label in ("PP", "ADVP", "NP") and len(one.words) <= 8]
    for one in random.sample(movable, min(1, len(movable))):
        rest = [each for each in main.rest if each is not one]
        if rest:
            yield finish(part("IP-MAT", one, main.finite, main.subject, *rest, mark(".")))


def fronted_complement(root: Part, random: Random) -> Iterator[Lesson]:
    """A phrase of an infinitive comes first: Málið ætlar nefndin að ræða."""
    main = analyse(root)
    if main is None:
        return
    for low in main.rest:
        if low.label != "IP-INF" or not low.is_straight or low.children[0].label != "TO":
            continue
        for one in low.children[1:]:
            if one.label in ("NP", "PP") and len(one.words) <= 8 and len(low.children) > 2:
                said = [each for child in main.rest for each in child.words if each not in one.words]
                closing = mark(".")
                children = [main.finite, main.subject, *main.rest, closing]
                made = part("IP-MAT", *children, order=[one, main.finite, main.subject, *said, closing])
                yield finish(made, low)
                return


def quotation(root: Part, random: Random) -> Iterator[Lesson]:
    """The clause is what somebody said: „Nefndin hefur rætt málið,“ sagði Anna. Who said it hangs in the clause."""
    main = analyse(root)
    if main is None or random.random() < 0.4:
        return
    opening, closing = random.choice([("„", "“"), ('"', '"'), ("", "")])
    marks = [mark(","), mark(closing)] if closing else [mark(",")]
    start = mark(opening) if opening else None
    yield finish(part("IP-MAT", start, main.subject, main.finite, *main.rest, *marks, says_who(random), mark(".")))


def parenthetical(root: Part, random: Random) -> Iterator[Lesson]:
    """Who said it is said inside: Nefndin, sagði Anna, hefur rætt málið."""
    main = analyse(root)
    if main is None or random.random() < 0.5 or main.subject.words[0].label == "PRO-N":
        return
    inside = [mark(","), says_who(random), mark(",")]
    yield finish(part("IP-MAT", main.subject, *inside, main.finite, *main.rest, mark(".")))


def that_clause(root: Part, random: Random) -> Iterator[Lesson]:
    """A clause with að: Anna segir að nefndin hafi rætt málið; Ég veit að nefndin hefur rætt málið."""
    main = analyse(root)
    if main is None or random.random() < 0.3:
        return
    changed = _SUBJUNCTIVES.get((main.finite.label, main.finite.text))
    if changed is not None and random.random() < 0.7:
        head = [random.choice([named(random), pronoun("hann").part]), word("VBPI", random.choice(["segir", "telur"]))]
        finite = word(*changed)
    else:
        head, finite = [pronoun("ég").part, word("VBPI", "veit")], main.finite
    inner = part("IP-SUB", main.subject, finite, *main.rest)
    yield finish(part("IP-MAT", *head, part("CP-THT", word("C", "að"), inner), mark(".")))


def extraposed_relative(root: Part, random: Random) -> Iterator[Lesson]:
    """The relative clause of the subject comes last: Maður kom inn sem enginn þekkti."""
    main = analyse(root)
    if main is None or main.subject.children[-1].label != "CP-REL" or not main.subject.is_straight:
        return
    after = main.subject.children[-1]
    rest = [said for one in main.rest for said in one.words]
    heavy = len(rest) > 8 or main.finite.label.startswith("BE")
    if heavy or len(main.subject.children) < 2 or main.subject.words[0].label.startswith("PRO"):
        return
    closing = mark(".")
    head = main.subject.words[: -len(after.words)]
    order = [*head, main.finite, *rest, after, closing]
    yield finish(part("IP-MAT", main.subject, main.finite, *main.rest, closing, order=order), main.subject)


def all_caps(root: Part, random: Random) -> Iterator[Lesson]:
    """The sentence in capitals."""
    main = analyse(root)
    if main is None or random.random() > 0.05:
        return
    upper = {one: word(one.label, one.text.upper()) for one in root.words}
    yield finish(replace_words(root.children[0], upper))


#: the rewritings by kind
REWRITINGS: dict[str, Rewriting] = {
    "polar-question": polar_question,
    "subject-question": subject_question,
    "which-question": which_question,
    "fronted": fronted,
    "fronted-complement": fronted_complement,
    "quotation": quotation,
    "parenthetical": parenthetical,
    "that-clause": that_clause,
    "extraposed-relative": extraposed_relative,
    "all-caps": all_caps,
}
