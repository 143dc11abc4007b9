"""Forms of Dutch words: verbs by person and tense, pronouns, adjectives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["AUXILIARIES", "OBJECTS", "REFLEXIVES", "SUBJECTS", "Adjective", "Noun", "Person", "Tense", "Verb"]

#: 2s is je and jij, 2u is u
Person: TypeAlias = Literal["1s", "2s", "2u", "3s", "1p", "2p", "3p"]
Tense: TypeAlias = Literal["present", "past"]


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb with its principal parts; a particle is not part of them."""

    infinitive: str
    particle: str
    first: str
    past: str
    pasts: str
    participle: str
    auxiliary: str
    #: present forms that do not follow from the first person: second person, second person before je, third person
    irregular: tuple[str, ...] = ()

    def finite(self, person: Person, tense: Tense = "present", inverted: bool = False) -> str:
        """The finite form; ``inverted`` where the subject follows, as je changes the form then: leest, lees je."""
        if tense == "past":
            return self.pasts if person in ("1p", "2p", "3p") else self.past
        if person in ("1p", "2p", "3p"):
            return self.infinitive
        if person == "1s":
            return self.first
        if self.irregular:
            second, before, third = self.irregular
            return third if person == "3s" else before if person == "2s" and inverted else second
        return self.first if person == "2s" and inverted else _with_t(self.first)

    @property
    def whole_infinitive(self) -> str:
        """The infinitive with its particle: opbellen."""
        return self.particle + self.infinitive

    @property
    def whole_participle(self) -> str:
        """The participle with its particle: opgebeld."""
        return self.particle + self.participle


def _with_t(stem: str) -> str:
    """The stem with -t: leest, vindt, gaat, wacht.

    >>> [_with_t(stem) for stem in ("lees", "vind", "ga", "wacht", "zie")]
    ['leest', 'vindt', 'gaat', 'wacht', 'ziet']
    """
    if stem.endswith("t"):
        return stem
    return f"{stem}at" if stem.endswith("a") else f"{stem}t"


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun with its article, de or het, its plural, if there is one, and its classes."""

    lemma: str
    article: str
    plural: str
    classes: str


@dataclass(frozen=True, slots=True)
class Adjective:
    """An adjective with its inflected form and its comparative."""

    lemma: str
    inflected: str
    comparative: str


AUXILIARIES = {
    "hebben": Verb("hebben", "", "heb", "had", "hadden", "gehad", "h", ("hebt", "heb", "heeft")),
    "zijn": Verb("zijn", "", "ben", "was", "waren", "geweest", "z", ("bent", "ben", "is")),
    "worden": Verb("worden", "", "word", "werd", "werden", "geworden", "z"),
    "willen": Verb("willen", "", "wil", "wilde", "wilden", "gewild", "h", ("wilt", "wil", "wil")),
    "kunnen": Verb("kunnen", "", "kan", "kon", "konden", "gekund", "h", ("kunt", "kun", "kan")),
    "moeten": Verb("moeten", "", "moet", "moest", "moesten", "gemoeten", "h"),
    "mogen": Verb("mogen", "", "mag", "mocht", "mochten", "gemogen", "h", ("mag", "mag", "mag")),
    "zullen": Verb("zullen", "", "zal", "zou", "zouden", "", "h", ("zult", "zul", "zal")),
    "laten": Verb("laten", "", "laat", "liet", "lieten", "gelaten", "h"),
    "gaan": Verb("gaan", "", "ga", "ging", "gingen", "gegaan", "z"),
    "blijven": Verb("blijven", "", "blijf", "bleef", "bleven", "gebleven", "z"),
    "lijken": Verb("lijken", "", "lijk", "leek", "leken", "geleken", "h"),
    "blijken": Verb("blijken", "", "blijk", "bleek", "bleken", "gebleken", "z"),
    "vinden": Verb("vinden", "", "vind", "vond", "vonden", "gevonden", "h"),
}

#: the pronoun as a subject → its person
SUBJECTS: dict[str, Person] = {
    "ik": "1s",
    "je": "2s",
    "jij": "2s",
    "u": "2u",
    "hij": "3s",
    "ze": "3s",
    "zij": "3s",
    "we": "1p",
    "wij": "1p",
    "jullie": "2p",
}
#: pronouns as objects
OBJECTS = ("me", "mij", "je", "jou", "u", "hem", "haar", "ons", "jullie", "hen", "ze")
REFLEXIVES: dict[Person, str] = {
    "1s": "me",
    "2s": "je",
    "2u": "zich",
    "3s": "zich",
    "1p": "ons",
    "2p": "je",
    "3p": "zich",
}
