"""German phrases as squoia_de annotates them: noun phrases, prepositional phrases, adverbials.

One-word phrases are constituents, and a prepositional phrase has its noun phrase inside.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from permutree_lab.teaching.composing import part
from permutree_lab.teaching.german.lexicon import adjectives, names, nouns
from permutree_lab.teaching.german.morphology import PRONOUNS, Case, Gender, Noun, Person, adjective_ending, determiner
from permutree_lab.teaching.parts import Part, word

__all__ = [
    "Nominal",
    "adverb",
    "coordinated",
    "manner",
    "named",
    "noun_phrase",
    "numeral_phrase",
    "place",
    "prepositional",
    "pronoun",
    "sentence_adverb",
    "time",
    "wh_phrase",
]

_DETERMINERS = {
    "der": "ART",
    "ein": "ART",
    "kein": "PIAT",
    "dies": "PDAT",
    "jen": "PDAT",
    "jed": "PIAT",
    "manch": "PIAT",
    "all": "PIAT",
    "viel": "PIAT",
    "einig": "PIAT",
    "mehrer": "PIAT",
    "wenig": "PIAT",
    "welch": "PWAT",
}
_POSSESSIVES = ("mein", "dein", "sein", "ihr", "unser", "euer", "Ihr")
_CONTRACTED = {
    ("in", "m", "d"): "im",
    ("in", "n", "d"): "im",
    ("an", "m", "d"): "am",
    ("an", "n", "d"): "am",
    ("zu", "m", "d"): "zum",
    ("zu", "n", "d"): "zum",
    ("zu", "f", "d"): "zur",
    ("von", "m", "d"): "vom",
    ("von", "n", "d"): "vom",
    ("bei", "m", "d"): "beim",
    ("bei", "n", "d"): "beim",
    ("in", "n", "a"): "ins",
    ("an", "n", "a"): "ans",
}

#: makes a clause or phrase that follows a noun of a gender
Follower: TypeAlias = Callable[[Random, Gender], Part]


@dataclass(frozen=True, slots=True)
class Nominal:
    """A noun phrase with what agrees with it."""

    part: Part
    person: Person
    gender: Gender
    is_pronoun: bool = False
    is_definite: bool = True


def _np(*children: Part | None) -> Part:
    return part("NP", *children)


def pronoun(name: str, case: Case) -> Nominal:
    """A personal pronoun, by its name in :data:`~permutree_lab.teaching.german.morphology.PRONOUNS`."""
    persons: dict[str, Person] = {"ich": "1s", "du": "2s", "wir": "1p", "ihr": "2p", "sie+": "3p", "Sie": "3p"}
    genders: dict[str, Gender] = {"er": "m", "sie": "f", "es": "n"}
    text = PRONOUNS[name]["nad".index(case)]
    return Nominal(_np(word("PPER", text)), persons.get(name, "3s"), genders.get(name, "p"), is_pronoun=True)


def named(random: Random, kind: str = "", case: Case = "n") -> Nominal:
    """A person by name, with or without a title: Anna, Hans Müller, Herr Müller, Minister Hans Müller."""
    gender: Gender = random.choice(["m", "f"])
    first = word("NE", random.choice(names()["male" if gender == "m" else "female"]))
    last = word("NE", random.choice(names()["family"]))
    kind = kind or random.choice(
        ["first", "full", "full", "last", "title", "office", "doctor", "office-last", "article"]
    )
    if kind == "first":
        node = _np(first)
    elif kind == "last":
        node = _np(last)
    elif kind == "full":
        node = _np(part("PN", first, last))
    elif kind == "title":
        node = _np(word("NN", "Frau" if gender == "f" else "Herr" if case == "n" else "Herrn"), last)
    elif kind == "doctor":
        title = "Frau" if gender == "f" else "Herr" if case == "n" else "Herrn"
        node = _np(word("NN", title), word("NN", random.choice(["Dr.", "Doktor", "Professor"])), last)
    elif kind == "article":
        gender = "m"
        who = word("NN", random.choice(["Maler", "Sänger", "Architekt", "Trainer", "Politiker", "Richter", "Bäcker"]))
        given = word("NE", random.choice(names()["male"]))
        if case != "n" and who.text == "Architekt":
            who = word("NN", "Architekten")
        node = _np(word("ART", determiner("der", "m", case)), who, part("PN", given, last))
    else:
        gender = "m"
        given = word("NE", random.choice(names()["male"]))
        office = word("NN", random.choice([name for name in names()["title"] if name not in ("Herr", "Frau")]))
        node = _np(office, last) if kind == "office-last" else _np(office, part("PN", given, last))
    return Nominal(node, "3s", gender)


def _institution(random: Random, case: Case) -> Nominal:
    """A party, company or country."""
    kind = random.choice(["party", "company", "country"])
    name = word("NE", random.choice(names()[kind]))
    if kind != "party":
        return Nominal(_np(name), "3s", "n")
    return Nominal(_np(word("ART", determiner("der", "f", case)), name), "3s", "f")


def _pick(random: Random, classes: str, plural: bool) -> Noun:
    one = random.choice(classes)
    found = [noun for noun in nouns()[one] if noun.plural or noun.is_adjectival or not plural]
    return random.choice(found)


def noun_phrase(
    random: Random,
    case: Case,
    classes: str,
    *,
    det: str = "",
    plural: bool | None = None,
    light: bool = False,
    follower: Follower | None = None,
) -> Nominal:
    """A noun phrase of some class: determiner, adjectives, noun, genitive or prepositional attribute.

    ``det`` is the stem of the determiner, "-" for none. ``light`` ones have nothing after the noun; ``follower``
    makes what follows it, which the caller has to say.
    """
    if plural is None:
        plural = det in _PLURAL or random.random() < 0.25
    noun = _pick(random, classes, plural)
    plural = plural or noun.gender == "p"
    gender: Gender = "p" if plural else noun.gender
    stem = det or _determiner(random, plural)
    if stem == "-" or (plural and stem in ("ein", "jed")):
        stem = ""
    kind = (
        "mixed"
        if stem.endswith(("ein", "unser", "euer", "ihr", "Ihr"))
        else "strong"
        if stem in _STRONG_AFTER
        else "weak"
    )
    article = _determiner_word(stem, gender, case)
    described = _adjectives(random, noun.classes, kind, gender, case, most=1 if light else 2)
    head = word("NN", noun.form(case, plural, kind))
    after = None
    if follower is not None:
        after = follower(random, gender)
    elif not light and random.random() < 0.22:
        after = _attribute(random)
    children = [article, *described, head, after]
    node = part("NP", *children, order=[article, *described, head] if follower else None)
    return Nominal(node, "3p" if plural else "3s", gender, is_definite=stem not in ("ein", "", *_STRONG_AFTER))


#: determiners of noun phrases in prepositional phrases: no negation there
_BELOW_PREPOSITIONS = ("der", "der", "der", "der", "ein", "dies", "mein", "sein", "unser", "ihr")
#: determiners of plurals
_PLURAL = ("viel", "einig", "mehrer", "wenig", "all")
#: determiners after which adjectives have strong endings
_STRONG_AFTER = ("viel", "einig", "mehrer", "wenig", "")


def _determiner(random: Random, plural: bool) -> str:
    if plural:
        return random.choice(
            ["der"] * 6 + ["-", "-", "-", "viel", "einig", "mehrer", "all", "kein", "dies", *_POSSESSIVES[:5]]
        )
    return random.choice(["der"] * 9 + ["ein"] * 5 + ["dies", "dies", "jed", "kein", *_POSSESSIVES[:6]])


def _determiner_word(stem: str, gender: Gender, case: Case) -> Part | None:
    if not stem:
        return None
    return word(_DETERMINERS.get(stem, "PPOSAT"), determiner(stem, gender, case))


_GRADABLE = frozenset(
    (
        *("alt", "groß", "klein", "jung", "gut", "schlecht", "schön", "teuer", "wichtig", "schwierig", "stark", "lang"),
        *("kurz", "bekannt", "beliebt", "klug", "dumm", "fleißig", "faul", "müde", "reich", "arm", "glücklich", "nett"),
        *(
            "streng",
            "mächtig",
            "spannend",
            "langweilig",
            "interessant",
            "gefährlich",
            "modern",
            "ehrlich",
            "erfolgreich",
        ),
    )
)


def _adjectives(random: Random, classes: str, kind: str, gender: Gender, case: Case, most: int) -> list[Part]:
    number = random.choice([0, 0, 0, 1, 1, 2])
    choice = adjectives().get(classes[0], [])
    found: list[Part] = []
    for adjective in random.sample(choice, min(number, most, len(choice))):
        degree = (
            word("ADV", random.choice(["sehr", "ganz", "besonders", "ziemlich"])) if random.random() < 0.12 else None
        )
        if adjective.lemma not in _GRADABLE:
            degree = None
        form = word("ADJA", adjective.stem + adjective_ending(kind, gender, case))
        found.append(part("AP", degree, form))
    if len(found) == 2 and random.random() < 0.3:
        return [part("CAP", found[0], word("KON", "und"), found[1])]
    return found


def _attribute(random: Random) -> Part:
    """A genitive or a prepositional phrase after a noun."""
    if random.random() < 0.55:
        return noun_phrase(
            random, "g", "pola", light=True, det=random.choice(["der", "der", "dies", "mein", "unser"])
        ).part
    preposition, case, classes = random.choice(
        [
            ("aus", "d", "l"),
            ("mit", "d", "t"),
            ("für", "a", "po"),
            ("über", "a", "a"),
            ("in", "d", "l"),
            ("von", "d", "p"),
        ]
    )
    return prepositional(random, preposition, case, classes)  # type: ignore[arg-type]


def numeral_phrase(random: Random, case: Case, classes: str) -> Nominal:
    """A noun phrase with a number: zwei Bücher, rund 30 Gäste, mehr als hundert Besucher."""
    noun = _pick(random, classes, True)
    number = word("CARD", random.choice(["zwei", "drei", "vier", "fünf", "zehn", "12", "30", "150", "500", "1000"]))
    count: Part = number
    if random.random() < 0.3:
        count = part("AP", word("ADV", random.choice(["rund", "fast", "etwa", "über", "nur"])), number)
    elif random.random() < 0.2:
        count = part("AP", word("PIAT", "mehr"), part("AP", word("KOKOM", "als"), number))
    described = _adjectives(random, noun.classes, "strong", "p", case, most=1)
    head = word("NN", noun.form(case, True, "strong"))
    return Nominal(_np(count, *described, head), "3p", "p", is_definite=False)


def prepositional(random: Random, preposition: str, case: Case, classes: str, inner: Nominal | None = None) -> Part:
    """A prepositional phrase; im, zum and the like where the article allows it."""
    if inner is None:
        if "l" in classes and case == "d" and preposition in ("in", "aus") and random.random() < 0.35:
            return part("PP", word("APPR", preposition), _place_name(random))
        if "p" in classes and case != "g" and random.random() < 0.15:
            return part("PP", word("APPR", preposition), named(random, case=case).part)
        inner = noun_phrase(random, case, classes, light=True, det=random.choice(_BELOW_PREPOSITIONS))
    children = inner.part.children
    first = children[0]
    joined = _CONTRACTED.get((preposition, inner.gender, case))
    if first.label == "ART" and first.text in ("dem", "der", "das") and joined:
        return part("PP", word("APPRART", joined), _np(*children[1:]))
    return part("PP", word("APPR", preposition), inner.part)


def _place_name(random: Random) -> Part:
    """A place by name, of one word or two: Berlin, Bad Homburg."""
    if random.random() < 0.15:
        first, second = random.choice([("Bad", "Homburg"), ("New", "York"), ("San", "Francisco"), ("Los", "Angeles")])
        return _np(part("PN", word("NE", first), word("NE", second)))
    return _np(word("NE", random.choice(names()["place"])))


def place(random: Random, direction: bool = False) -> Part:
    """Where something is, or goes to: in Berlin, in der Schule, hier; nach Berlin, in die Schule."""
    chance = random.random()
    if direction:
        if chance < 0.35:
            name = random.choice(names()["place"] + names()["country"])
            return part("PP", word("APPR", "nach"), _np(word("NE", name)))
        if chance < 0.45:
            return part("PP", word("APPR", "nach"), _np(word("NN", "Hause")))
        return prepositional(random, "in", "a", "l", noun_phrase(random, "a", "l", light=True, plural=False))
    if chance < 0.12:
        return part("AVP", word("ADV", random.choice(["hier", "dort", "draußen", "überall"])))
    return prepositional(random, random.choice(["in", "in", "in", "vor", "neben"]), "d", "l")


_DAYS = ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag", "Abend", "Wochenende")
#: adverbs, adjectives with their nouns, and prepositions by what they speak of
_TIMES = {
    "past": (("gestern", "damals", "neulich", "vorgestern"), (("vergangenen", "Jahr"), ("letzten", "Sommer")), "vor"),
    "now": (("heute", "jetzt", "inzwischen", "derzeit"), (("laufenden", "Jahr"), ("gleichen", "Monat")), "seit"),
    "future": (("morgen", "bald", "heute", "demnächst"), (("kommenden", "Monat"), ("nächsten", "Jahr")), "in"),
}


def time(random: Random, era: str = "past") -> Part:
    """When something is: am Montag, im Jahr 1999, vor drei Jahren, jeden Tag, gestern, nach der Sitzung."""
    adverbs, described, preposition = _TIMES[era]
    chance = random.randrange(9)
    if chance == 0:
        return part("PP", word("APPRART", "am"), _np(word("NN", random.choice(_DAYS))))
    if chance == 1:
        year = random.randint(1985, 2015) if era == "past" else random.randint(2020, 2035)
        named_time = word("NN", random.choice(["Jahr", "Jahr", "Mai", "Herbst", "Dezember"]))
        return part("PP", word("APPRART", "im"), _np(named_time, word("CARD", str(year))))
    if chance == 2:
        number = word("CARD", random.choice(["zwei", "drei", "fünf", "zehn"]))
        head = word("NN", random.choice(["Jahren", "Wochen", "Monaten", "Tagen"]))
        return part("PP", word("APPR", preposition), _np(number, head))
    if chance == 3:
        first, noun = random.choice([("jeden", "Tag"), ("jeden", "Abend"), ("jedes", "Jahr"), ("jede", "Woche")])
        return _np(word("PIAT", first), word("NN", noun))
    if chance == 4:
        return prepositional(random, random.choice(["nach", "vor", "bei"]), "d", "e")
    if chance == 5:
        form, noun = random.choice(described)
        return part("PP", word("APPRART", "im"), _np(part("AP", word("ADJA", form)), word("NN", noun)))
    return part("AVP", word("ADV", random.choice(adverbs)))


_FREQUENCIES = (
    "nie",
    "noch nie",
    "oft",
    "immer",
    "immer wieder",
    "schon oft",
    "nur einmal",
    "gern",
    "sofort",
    "nie zuvor",
)
_LIGHT = (
    "kaum",
    "wieder",
    "noch",
    "bereits",
    "auch",
    "schon",
    "nur",
    "selbst",
    "nicht mehr",
    "noch nicht",
    "gar nicht",
)


def adverb(random: Random, light: bool = False) -> Part:
    """An adverb of the verb: nie, oft, immer wieder; or one that hardly comes first: noch, auch, nicht mehr."""
    chosen = random.choice(_LIGHT if light else _FREQUENCIES)
    return part("AVP", *(word("PTKNEG" if one == "nicht" else "ADV", one) for one in chosen.split()))


_CONNECTORS = {
    "deshalb": "PROAV",
    "daher": "PROAV",
    "deswegen": "PROAV",
    "trotzdem": "PROAV",
    "zudem": "PROAV",
    "dagegen": "PROAV",
    "dennoch": "ADV",
    "allerdings": "ADV",
    "jedoch": "ADV",
    "außerdem": "ADV",
    "leider": "ADV",
    "vielleicht": "ADV",
    "also": "ADV",
    "nun": "ADV",
    "schließlich": "ADV",
    "immerhin": "ADV",
    "natürlich": "ADV",
    "freilich": "ADV",
}
_PARTICLES = ("aber", "wohl", "doch", "ja", "eben", "halt")


def sentence_adverb(random: Random, middle: bool = False) -> Part:
    """An adverb of the clause: deshalb, leider; or one of those that never come first: aber, doch, ja."""
    if middle:
        return part("AVP", word("ADV", random.choice(_PARTICLES)))
    chosen = random.choice(list(_CONNECTORS))
    return part("AVP", word(_CONNECTORS[chosen], chosen))


_MANNERS = (
    *("schnell", "langsam", "laut", "leise", "gut", "schlecht", "genau", "gründlich"),
    *("heimlich", "freiwillig", "offen", "ehrlich", "hart", "deutlich", "klar", "still"),
)


def manner(random: Random) -> Part:
    """How something is done: schnell, sehr gut."""
    degree = word("ADV", random.choice(["sehr", "ganz", "so", "besonders"])) if random.random() < 0.3 else None
    return part("AP", degree, word("ADJD", random.choice(_MANNERS)))


def coordinated(random: Random, case: Case, classes: str) -> Nominal:
    """Two noun phrases with und: a plural."""
    first = noun_phrase(random, case, classes, light=True, det="der")
    second = named(random, "first") if "p" in classes and random.random() < 0.3 else None
    last = second or noun_phrase(random, case, classes, light=True, det="der")
    return Nominal(part("CNP", first.part, word("KON", "und"), last.part), "3p", "p")


def wh_phrase(random: Random, case: Case, classes: str) -> Nominal:
    """Wer, was, wen, wem, welches Buch, wie viele Bücher."""
    if random.random() < 0.5:
        person = classes[0] in "po"
        text = {"n": "wer", "a": "wen", "d": "wem"}[case] if person else "was"
        if person or case != "d":
            return Nominal(_np(word("PWS", text)), "3s", "m" if person else "n")
    if case in "na" and random.random() < 0.25:
        noun = _pick(random, classes, True)
        many = part("AP", word("PWAV", "wie"), word("PIAT", "viele"))
        return Nominal(_np(many, word("NN", noun.form(case, True, "strong"))), "3p", "p")
    return noun_phrase(random, case, classes, det="welch", light=True)


def subject(random: Random, classes: str) -> Nominal:
    """Any subject of some class."""
    chance = random.random()
    if "p" in classes and chance < 0.3:
        return pronoun(random.choice(["ich", "er", "sie", "wir", "sie+", "er", "sie", "du", "ihr", "Sie"]), "n")
    if "p" in classes and chance < 0.5:
        return named(random)
    if "o" in classes and chance < 0.57:
        return _institution(random, "n")
    if "p" in classes and chance < 0.62:
        return Nominal(
            _np(word("PIS", random.choice(["man", "jemand", "niemand", "jeder", "keiner"]))), "3s", "m", True
        )
    if chance < 0.67:
        return numeral_phrase(random, "n", classes[0])
    if chance < 0.72:
        return coordinated(random, "n", classes[0])
    return noun_phrase(random, "n", classes)


def object_(random: Random, case: Case, classes: str) -> Nominal:
    """Any object of some class."""
    chance = random.random()
    if chance < 0.12:
        person = classes[0] in "po"
        choices = ["ich", "du", "er", "sie", "wir", "ihr", "sie+"] if person else ["er", "sie", "es", "sie+"]
        return pronoun(random.choice(choices), case)
    if classes[0] == "p" and chance < 0.2:
        return named(random, case=case)
    if chance < 0.25:
        return numeral_phrase(random, case, classes)
    if chance < 0.29 and case == "a" and classes[0] not in "po":
        text, tag = random.choice(
            [("das", "PDS"), ("nichts", "PIS"), ("alles", "PIS"), ("viel", "PIS"), ("etwas", "PIS")]
        )
        return Nominal(_np(word(tag, text)), "3s", "n")
    return noun_phrase(random, case, classes)
