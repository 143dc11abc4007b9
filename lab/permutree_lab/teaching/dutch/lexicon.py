"""The words of the grammar, read from the text files beside this module."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from permutree_lab.teaching.dutch.morphology import Adjective, Noun, Verb

__all__ = ["Complement", "Frame", "adjectives", "frames", "names", "nouns"]


@dataclass(frozen=True, slots=True)
class Complement:
    """What a verb asks for: o, i, z, P, dat, of, ti, loc or dir, as verbs.txt explains."""

    kind: str
    classes: str = ""
    preposition: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """A verb with the classes of its subjects and its complements."""

    verb: Verb
    subjects: str
    complements: tuple[Complement, ...]

    def has(self, kind: str) -> bool:
        """Whether the verb asks for such a complement."""
        return any(complement.kind == kind for complement in self.complements)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the complements."""
        return tuple(complement.kind for complement in self.complements)


def _lines(name: str) -> Iterator[str]:
    for line in (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line


@cache
def nouns() -> dict[str, list[Noun]]:
    """The nouns by class."""
    found: dict[str, list[Noun]] = {}
    for line in _lines("nouns.txt"):
        lemma, article, plural, classes = line.split()
        for one in classes:
            found.setdefault(one, []).append(Noun(lemma, article, "" if plural == "-" else plural, classes))
    return found


@cache
def adjectives() -> dict[str, list[Adjective]]:
    """The adjectives by the class of the nouns that they go with."""
    found: dict[str, list[Adjective]] = {}
    for line in _lines("adjectives.txt"):
        *forms, classes = line.split()
        for one in classes:
            found.setdefault(one, []).append(Adjective(*forms))
    return found


@cache
def names() -> dict[str, tuple[tuple[str, ...], ...]]:
    """Names by what they name, each as its words."""
    lines = (line.split() for line in _lines("names.txt"))
    return {kind: tuple(tuple(name.split("_")) for name in rest) for kind, *rest in lines}


@cache
def frames() -> tuple[Frame, ...]:
    """The verbs, once for each frame."""
    found: list[Frame] = []
    for line in _lines("verbs.txt"):
        before, *others = line.split(";")
        head, rest = before.split(">")
        infinitive, first, past, pasts, participle, auxiliary, subjects = head.split()
        particle, _, stem = infinitive.rpartition("|")
        verb = Verb(stem, particle, first, past, pasts, participle, auxiliary)
        found.append(Frame(verb, subjects, _complements(rest)))
        for other in others:
            left, right = other.split(">")
            found.append(Frame(verb, left.strip(), _complements(right)))
    return tuple(found)


def _complements(text: str) -> tuple[Complement, ...]:
    found: list[Complement] = []
    for field in text.split():
        kind, _, classes = field.partition(":")
        if kind.startswith("P="):
            found.append(Complement("P", classes, kind[2:]))
        else:
            found.append(Complement(kind, classes))
    return tuple(found)
