"""The words of the Icelandic grammar, with all the forms that it uses, read from the text files beside this module."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias

__all__ = ["ADJECTIVES", "CASES", "Case", "Noun", "Verb", "names", "nouns", "verbs"]

Case: TypeAlias = Literal["N", "A", "D", "G"]
CASES: tuple[Case, ...] = ("N", "A", "D", "G")


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun in the singular, in four cases, without and with the article."""

    bare: tuple[str, ...]
    definite: tuple[str, ...]
    gender: str
    kind: str

    def form(self, case: Case, is_definite: bool) -> str:
        """The form of a case."""
        return (self.definite if is_definite else self.bare)[CASES.index(case)]


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb with its forms and what it governs: a case, or a preposition with a case."""

    infinitive: str
    #: of ég, þú and the third person
    present: tuple[str, str, str]
    past: str
    supine: str
    #: in the plural; empty if there is none that one would say
    imperative: str
    preposition: str
    case: Case
    objects: str


def _lines(name: str) -> Iterator[list[str]]:
    for line in (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line.split()


@cache
def nouns() -> dict[str, list[Noun]]:
    """The nouns by class."""
    found: dict[str, list[Noun]] = {}
    for *forms, gender, kind in _lines("nouns.txt"):
        found.setdefault(kind, []).append(Noun(tuple(forms[:4]), tuple(forms[4:]), gender, kind))
    return found


@cache
def verbs() -> tuple[Verb, ...]:
    """The verbs."""
    found: list[Verb] = []
    for infinitive, first, second, third, past, supine, imperative, governed, _, objects in _lines("verbs.txt"):
        preposition, _, case = governed.rpartition("+")
        known = next(one for one in CASES if one == case)
        imperative = "" if imperative == "-" else imperative
        found.append(Verb(infinitive, (first, second, third), past, supine, imperative, preposition, known, objects))
    return tuple(found)


@cache
def names() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """People: the forms of the first name and of the patronymic."""
    return tuple((tuple(line[:4]), tuple(line[5:])) for line in _lines("names.txt"))


#: weak adjectives, which go with nouns that have the article: masculine nominative, the other forms of masculines and
#: those of neuters and the feminine nominative, the other forms of feminines
ADJECTIVES = (
    ("gamli", "gamla", "gömlu"),
    ("ungi", "unga", "ungu"),
    ("litli", "litla", "litlu"),
    ("stóri", "stóra", "stóru"),
    ("nýi", "nýja", "nýju"),
    ("góði", "góða", "góðu"),
    ("fallegi", "fallega", "fallegu"),
)
