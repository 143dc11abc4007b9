"""The words of the grammar, read from the text files beside this module."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

from permutree_lab.teaching.german.morphology import Case, Gender, Noun, Verb

__all__ = ["Adjective", "Complement", "Frame", "adjectives", "frames", "names", "nouns", "predicates"]


@dataclass(frozen=True, slots=True)
class Adjective:
    """An adjective, the classes of the nouns that it goes with, and its comparative."""

    lemma: str
    classes: str
    comparative: str

    @property
    def stem(self) -> str:
        """What endings are put to: teur-er."""
        return "teur" if self.lemma == "teuer" else self.lemma.removesuffix("e")


@dataclass(frozen=True, slots=True)
class Complement:
    """What a verb asks for: a, d, r, P, dass, ob, zu, zudat, zuinf, ap, dir or loc, as verbs.txt explains."""

    kind: str
    classes: str = ""
    preposition: str = ""
    case: Case = "a"


@dataclass(frozen=True, slots=True)
class Frame:
    """A verb with the classes of its subjects and its complements."""

    verb: Verb
    subjects: str
    complements: tuple[Complement, ...]
    has_passive: bool

    def has(self, kind: str) -> bool:
        """Whether the verb asks for such a complement."""
        return any(complement.kind == kind for complement in self.complements)


def _lines(name: str) -> Iterator[str]:
    for line in (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line


@cache
def nouns() -> dict[str, list[Noun]]:
    """The nouns by class."""
    found: dict[str, list[Noun]] = {}
    for line in _lines("nouns.txt"):
        lemma, gender, genitive, plural, classes = line.split()
        noun = Noun(lemma, cast("Gender", gender), genitive, "" if plural == "-" else plural, classes)
        for one in classes:
            found.setdefault(one, []).append(noun)
    return found


@cache
def adjectives() -> dict[str, list[Adjective]]:
    """The adjectives by the class of the nouns that they go with."""
    found: dict[str, list[Adjective]] = {}
    for line in _lines("adjectives.txt"):
        lemma, classes, *irregular = line.split()
        comparative = irregular[0] if irregular else lemma.removesuffix("e") + "er"
        for one in "ptdoalezfm" if classes == "*" else classes:
            found.setdefault(one, []).append(Adjective(lemma, classes, comparative))
    return found


@cache
def predicates(of_people: bool = False) -> tuple[str, ...]:
    """Adjectives that stand alone after sein: of affairs and things, or of people."""
    lines = [line.split() for line in _lines("predicates.txt")]
    return tuple(word for first, *words in lines for word in words if (first == "people") == of_people)


@cache
def names() -> dict[str, tuple[str, ...]]:
    """Names by what they name: female, male, family, place, country, party, company; and titles."""
    return {kind: tuple(rest) for kind, *rest in (line.split() for line in _lines("names.txt"))}


@cache
def frames() -> tuple[Frame, ...]:
    """The verbs, once for each frame."""
    found: list[Frame] = []
    for line in _lines("verbs.txt"):
        before, *others = line.split(";")
        head, rest = before.split(">")
        *forms, subjects = head.split()
        passive = forms[-1] != "!"
        verb = _verb([form for form in forms if form != "!"])
        found.append(Frame(verb, subjects, _complements(rest), passive))
        for other in others:
            left, right = other.split(">")
            fields = left.split()
            found.append(Frame(verb, fields[-1], _complements(right), fields[0] != "!"))
    return tuple(found)


def _verb(fields: list[str]) -> Verb:
    infinitive, *forms, auxiliary = fields
    helper = "haben" if auxiliary == "h" else "sein"
    prefixed = infinitive.endswith("~")
    particle, _, rest = infinitive.rstrip("~").rpartition("|")
    if forms == ["w"]:
        return Verb.weak(rest, particle, helper, prefixed)
    third, preterite, participle = forms
    return Verb(rest, particle, third, preterite, particle + participle, helper)


def _complements(text: str) -> tuple[Complement, ...]:
    found: list[Complement] = []
    for field in text.split():
        kind, _, classes = field.partition(":")
        if kind.startswith("P="):
            preposition, case = kind[2:].split("+")
            found.append(Complement("P", classes, preposition, cast("Case", case)))
        else:
            found.append(Complement(kind, classes))
    return tuple(found)
