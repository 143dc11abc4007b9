"""The forms of German words: nouns and adjectives by gender, number and case, verbs by person, tense and mood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = [
    "ARTICLES",
    "AUXILIARIES",
    "MODALS",
    "NOMINATIVE",
    "OBLIQUE",
    "PRONOUNS",
    "REFLEXIVES",
    "RELATIVES",
    "Case",
    "Gender",
    "Noun",
    "Person",
    "Verb",
    "adjective_ending",
    "determiner",
]

Case: TypeAlias = Literal["n", "a", "d", "g"]
#: masculine, feminine, neuter, and the plural of all of them
Gender: TypeAlias = Literal["m", "f", "n", "p"]
#: first, second or third person, singular or plural: 1s … 3p
Person: TypeAlias = Literal["1s", "2s", "3s", "1p", "2p", "3p"]

_CASES = "nadg"

#: endings of dieser by gender, in the order of the cases: nominative, accusative, dative, genitive
_STRONG = {"m": "er en em es", "f": "e e er er", "n": "es es em es", "p": "e e en er"}
#: endings of adjectives after der, after ein, and without article
_ENDINGS = {
    "weak": {"m": "e en en en", "f": "e e en en", "n": "e e en en", "p": "en en en en"},
    "mixed": {"m": "er en en en", "f": "e e en en", "n": "es es en en", "p": "en en en en"},
    "strong": {"m": "er en em en", "f": "e e er er", "n": "es es em en", "p": "e e en er"},
}
_DEFINITE = {"m": "der den dem des", "f": "die die der der", "n": "das das dem des", "p": "die die den der"}

#: der, by gender and case
ARTICLES = {
    (gender, case): form for gender, row in _DEFINITE.items() for case, form in zip(_CASES, row.split(), strict=True)
}
#: the relative pronoun, by gender and case
RELATIVES = ARTICLES | {
    ("m", "g"): "dessen",
    ("n", "g"): "dessen",
    ("f", "g"): "deren",
    ("p", "g"): "deren",
    ("p", "d"): "denen",
}


def determiner(stem: str, gender: Gender, case: Case) -> str:
    """A form of a determiner: ein, kein and possessives have no ending where der ein does not.

    >>> determiner("dies", "m", "a"), determiner("mein", "n", "n"), determiner("euer", "f", "d")
    ('diesen', 'mein', 'eurer')
    """
    if stem == "der":
        return ARTICLES[gender, case]
    bare = stem.endswith(("ein", "unser", "euer", "ihr", "Ihr"))
    if bare and (gender, case) in (("m", "n"), ("n", "n"), ("n", "a")):
        return stem
    ending = _STRONG[gender].split()[_CASES.index(case)]
    return ("eur" if stem == "euer" else stem) + ending


def adjective_ending(kind: str, gender: Gender, case: Case) -> str:
    """The ending of an adjective after der (weak), after ein (mixed) or without either (strong)."""
    return _ENDINGS[kind][gender].split()[_CASES.index(case)]


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun: its gender, how the genitive ends, and the plural, if there is one."""

    lemma: str
    gender: Gender
    genitive: str
    plural: str
    classes: str

    @property
    def is_adjectival(self) -> bool:
        """Whether the noun takes the endings of adjectives: der Abgeordnete, ein Abgeordneter."""
        return self.genitive == "a"

    def form(self, case: Case, plural: bool = False, kind: str = "weak") -> str:
        """A form of the noun; ``kind`` is the kind of ending that an adjectival noun takes."""
        if self.is_adjectival:
            return self.lemma + adjective_ending(kind, "p" if plural else self.gender, case)
        if plural or self.gender == "p":
            return self.plural + "n" if case == "d" and not self.plural.endswith(("n", "s")) else self.plural
        if self.genitive == "w":
            return self.lemma if case == "n" else self.plural
        if case == "g" and self.genitive != "-":
            return self.lemma + self.genitive
        return self.lemma


#: personal pronouns: nominative, accusative, dative
PRONOUNS: dict[str, tuple[str, str, str]] = {
    "ich": ("ich", "mich", "mir"),
    "du": ("du", "dich", "dir"),
    "er": ("er", "ihn", "ihm"),
    "sie": ("sie", "sie", "ihr"),
    "es": ("es", "es", "ihm"),
    "wir": ("wir", "uns", "uns"),
    "ihr": ("ihr", "euch", "euch"),
    "sie+": ("sie", "sie", "ihnen"),
    "Sie": ("Sie", "Sie", "Ihnen"),
}
#: reflexive pronouns in the accusative
REFLEXIVES: dict[Person, str] = {"1s": "mich", "2s": "dich", "3s": "sich", "1p": "uns", "2p": "euch", "3p": "sich"}

#: forms that are no nominative, and forms that are nothing else
OBLIQUE = frozenset(
    (
        *("den", "dem", "einen", "einem", "einer", "mich", "mir", "dich", "dir", "ihn", "ihm", "uns", "euch", "ihnen"),
        *("diesen", "diesem", "meinen", "meinem", "deinen", "deinem", "seinen", "seinem", "ihren", "ihrem", "ihrer"),
        *("unseren", "unserem", "euren", "eurem", "keinen", "keinem", "welchen", "welchem", "jeden", "jedem"),
        *("allen", "vielen", "einigen", "mehreren", "wen", "wem", "herrn"),
    )
)
NOMINATIVE = frozenset(
    ["ich", "du", "er", "wir", "man", "der", "dieser", "jeder", "welcher", "wer", "niemand", "jemand"]
)

_PERSONS: tuple[Person, ...] = ("1s", "2s", "3s", "1p", "2p", "3p")


def _forms(row: str) -> dict[Person, str]:
    return dict(zip(_PERSONS, row.split(), strict=True))


#: auxiliaries: present, preterite, second subjunctive (würde, hätte, wäre)
AUXILIARIES: dict[str, dict[str, dict[Person, str]]] = {
    "haben": {
        "present": _forms("habe hast hat haben habt haben"),
        "preterite": _forms("hatte hattest hatte hatten hattet hatten"),
        "subjunctive": _forms("hätte hättest hätte hätten hättet hätten"),
    },
    "sein": {
        "present": _forms("bin bist ist sind seid sind"),
        "preterite": _forms("war warst war waren wart waren"),
        "subjunctive": _forms("wäre wärst wäre wären wärt wären"),
    },
    "werden": {
        "present": _forms("werde wirst wird werden werdet werden"),
        "preterite": _forms("wurde wurdest wurde wurden wurdet wurden"),
        "subjunctive": _forms("würde würdest würde würden würdet würden"),
    },
}


def _modal(present: str, preterite: str, subjunctive: str) -> dict[str, dict[Person, str]]:
    first, second, many = present.split()
    stem = many.removesuffix("en")
    return {
        "present": _forms(f"{first} {second} {first} {many} {stem}t {many}"),
        "preterite": _past(preterite),
        "subjunctive": _past(subjunctive),
    }


def _past(form: str) -> dict[Person, str]:
    return _forms(f"{form} {form}st {form} {form}n {form}t {form}n")


#: modal verbs, as the auxiliaries
MODALS: dict[str, dict[str, dict[Person, str]]] = {
    "können": _modal("kann kannst können", "konnte", "könnte"),
    "müssen": _modal("muss musst müssen", "musste", "müsste"),
    "sollen": _modal("soll sollst sollen", "sollte", "sollte"),
    "wollen": _modal("will willst wollen", "wollte", "wollte"),
    "dürfen": _modal("darf darfst dürfen", "durfte", "dürfte"),
    "mögen": _modal("mag magst mögen", "mochte", "möchte"),
}


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb: the infinitive without its separable particle, and its principal parts."""

    infinitive: str
    particle: str
    #: third person singular of the present
    third: str
    #: first person singular of the preterite
    preterite: str
    #: with ge- and, before it, the particle
    participle: str
    auxiliary: str

    @classmethod
    def weak(cls, infinitive: str, particle: str, auxiliary: str, prefixed: bool) -> Verb:
        """A weak verb, all of whose forms follow from the infinitive; ``prefixed`` ones have no ge-.

        >>> Verb.weak("arbeiten", "", "haben", False).participle, Verb.weak("stellen", "vor", "haben", False).participle
        ('gearbeitet', 'vorgestellt')
        """
        stem = _stem(infinitive)
        linked = stem + _link(stem)
        participle = particle + ("" if prefixed else "ge") + linked + "t"
        return cls(infinitive, particle, linked + "t", linked + "te", participle, auxiliary)

    @property
    def whole(self) -> str:
        """The infinitive with its particle."""
        return self.particle + self.infinitive

    def present(self, person: Person) -> str:
        """A form of the present, without the particle.

        >>> read = Verb("lesen", "", "liest", "las", "gelesen", "haben")
        >>> [read.present(person) for person in ("1s", "2s", "3s", "1p", "2p")]
        ['lese', 'liest', 'liest', 'lesen', 'lest']
        """
        if self.infinitive == "wissen":
            return _forms("weiß weißt weiß wissen wisst wissen")[person]
        if self.infinitive in AUXILIARIES:
            return AUXILIARIES[self.infinitive]["present"][person]
        stem = _stem(self.infinitive)
        if person == "1s":
            return stem.removesuffix("el") + "le" if self.infinitive.endswith("eln") else stem + "e"
        if person == "2s":
            return self._second(stem)
        if person == "3s":
            return self.third
        return stem + _link(stem) + "t" if person == "2p" else self.infinitive

    def _second(self, stem: str) -> str:
        base = self.third.removesuffix("t")
        if stem.endswith("t") and not base.endswith("e"):
            return base + "tst"
        return base + ("t" if base.endswith(("s", "ß", "z", "x")) else "st")

    def past(self, person: Person) -> str:
        """A form of the preterite, without the particle.

        >>> find = Verb("finden", "", "findet", "fand", "gefunden", "haben")
        >>> [find.past(person) for person in ("1s", "2s", "3s", "1p", "2p")]
        ['fand', 'fandest', 'fand', 'fanden', 'fandet']
        """
        form = self.preterite
        if form.endswith("te"):
            return _past(form)[person]
        link = "e" if form.endswith(("t", "d", "s", "ß")) else ""
        return _forms(f"{form} {form}{link}st {form} {form}en {form}{_link(form)}t {form}en")[person]

    def imperative(self, person: Person) -> str:
        """The imperative for du (2s), ihr (2p) or Sie (3p), without the particle.

        >>> Verb("geben", "", "gibt", "gab", "gegeben", "haben").imperative("2s")
        'gib'
        """
        stem = _stem(self.infinitive)
        if person == "2p":
            return stem + _link(stem) + "t"
        if person == "3p":
            return self.infinitive
        changed = self.third.removesuffix("t")
        if "e" in stem and "i" in changed and changed != stem and not changed.startswith(stem):
            return changed + "t" if stem.endswith("t") else changed
        if self.infinitive.endswith("eln"):
            return stem.removesuffix("el") + "le"
        return stem + "e" if _link(stem) or stem.endswith(("ig", "er")) else stem


def _stem(infinitive: str) -> str:
    return infinitive.removesuffix("n") if infinitive.endswith(("eln", "ern")) else infinitive.removesuffix("en")


def _link(stem: str) -> str:
    """The e between a stem and an ending that starts with t: arbeit-e-t, öffn-e-t, rechn-e-t."""
    if stem.endswith(("t", "d")):
        return "e"
    return "e" if stem.endswith(("fn", "chn", "gn", "dn", "tm")) else ""
