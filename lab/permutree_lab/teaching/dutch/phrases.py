"""Dutch phrases as alpino annotates them: flat, and a phrase of one word is that word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from permutree_lab.teaching.composing import part
from permutree_lab.teaching.dutch.lexicon import adjectives, names, nouns
from permutree_lab.teaching.dutch.morphology import OBJECTS, SUBJECTS, Noun, Person
from permutree_lab.teaching.dutch.sentences import capital
from permutree_lab.teaching.parts import Part, word

__all__ = [
    "Nominal",
    "adverb",
    "manner",
    "named",
    "negation",
    "noun_phrase",
    "numbered",
    "object_pronoun",
    "phrase",
    "place",
    "plain_noun",
    "prepositional",
    "pronoun",
    "subject",
    "time",
    "towards",
    "words",
]


@dataclass(frozen=True, slots=True)
class Nominal:
    """A noun phrase with what agrees with it."""

    part: Part
    person: Person
    #: the relative pronoun: die or dat
    relative: str = "die"
    is_pronoun: bool = False
    is_definite: bool = True
    is_person: bool = False


def words(tag: str, text: str) -> list[Part]:
    """Words of one tag."""
    return [word(tag, one) for one in text.split()]


def phrase(label: str, *children: Part | None) -> Part:
    """A constituent, or its only child."""
    there = [child for child in children if child is not None]
    return there[0] if len(there) == 1 else part(label, *there)


def pronoun(text: str) -> Nominal:
    """A personal pronoun as a subject; ze is singular here."""
    return Nominal(word("vnw", text), SUBJECTS.get(text, "3s"), is_pronoun=True, is_person=True)


def _name(texts: Sequence[str]) -> Part:
    if len(texts) == 1:
        return word("n", texts[0])
    return part("mwu", *(word("spec", text) for text in texts))


def named(random: Random, kind: str = "") -> Nominal:
    """A person by name: Anna, Jan de Vries, minister De Vries, de heer Bakker, Els Smit, de voorzitter van de bank."""
    first = random.choice(names()[random.choice(["female", "male"])])
    last = random.choice(names()["family"])
    alone = (capital(last[0]), *last[1:])
    kind = kind or random.choice(["first", "first", "full", "full", "last", "title", "title-full", "mrs", "apposed"])
    if kind == "first":
        made = _name(first)
    elif kind == "last":
        made = _name(alone)
    elif kind == "full":
        made = _name((*first, *last))
    elif kind == "title":
        made = part("np", word("n", random.choice(names()["title"])[0]), _name(alone))
    elif kind == "title-full":
        made = part("np", word("n", random.choice(names()["title"])[0]), _name((*first, *last)))
    elif kind == "mrs":
        title = random.choice(["mevrouw", "meneer", "de heer"])
        children = [word("lid", "de"), word("n", "heer")] if title == "de heer" else [word("n", title)]
        made = part("np", *children, _name(alone))
    else:
        role = noun_phrase(random, "p", det="de", plural=False, light=True, bare=True)
        office = part("np", *role.part.children, prepositional(random, "van", "ol"))
        full = _name((*first, *last))
        commas = (word("let", ","), word("let", ","))
        made = part("np", full, office, order=[full, commas[0], office, commas[1]])
    return Nominal(made, "3s", is_person=True)


def _institution(random: Random) -> Nominal:
    kind = random.choice(["company", "party", "country", "team", "place"])
    name = _name(random.choice(names()[kind]))
    return Nominal(part("np", word("lid", "de"), name) if kind == "party" else name, "3s", "dat")


def plain_noun(random: Random, classes: str, plural: bool = False) -> Noun:
    """A noun of one of the classes."""
    one = random.choice(classes)
    return random.choice([noun for noun in nouns()[one] if noun.plural or not plural])


_DEFINITE = ("de", "de", "de", "de", "de", "deze", "die", "mijn", "zijn", "haar", "onze", "hun", "je", "uw", "elke")
_INDEFINITE = ("een", "een", "een", "geen")
_PLURALS = ("de", "de", "de", "deze", "die", "mijn", "onze", "hun", "alle", "-", "-", "veel", "enkele", "geen", "beide")
_LOOSE = frozenset(["-", "veel", "enkele", "geen", "een"])


def _determiner(stem: str, is_neuter: bool) -> Part | None:
    """The determiner; before neuter nouns, de, deze, die, onze and elke become het, dit, dat, ons and elk."""
    if stem == "-":
        return None
    neuter = {"de": "het", "deze": "dit", "die": "dat", "onze": "ons", "elke": "elk", "welke": "welk"}
    text = neuter.get(stem, stem) if is_neuter else stem
    return word("lid" if stem in ("de", "een") else "vnw", text)


def _adjectives(random: Random, noun: Noun, inflected: bool, most: int) -> list[Part]:
    choice = adjectives().get(noun.classes[0], [])
    number = min(random.choice([0, 0, 0, 0, 1, 1, 1, 2]), most, len(choice))
    found: list[Part] = []
    for one in random.sample(choice, number):
        form = word("adj", one.inflected if inflected else one.lemma)
        degree = word(*random.choice([("bw", "zeer"), ("adj", "erg")])) if random.random() < 0.08 else None
        found.append(phrase("ap", degree, form))
    return found


def noun_phrase(
    random: Random,
    classes: str,
    *,
    det: str = "",
    plural: bool | None = None,
    light: bool = False,
    bare: bool = False,
    negative: bool = True,
    after: Part | None = None,
) -> Nominal:
    """A noun phrase of some class: determiner, adjectives, noun, prepositional phrase.

    ``det`` is a determiner for common gender, "-" none; ``light`` phrases have nothing after the noun, ``bare`` ones no
    adjectives either; ``after`` is what follows the noun.
    """
    if plural is None:
        plural = random.random() < 0.28
    noun = plain_noun(random, classes, plural)
    is_neuter = noun.article == "het" and not plural
    if not det:
        det = random.choice(_PLURALS if plural else _DEFINITE + _INDEFINITE)
        det = "de" if det == "geen" and not negative else det
    inflected = plural or not is_neuter or det not in ("een", "geen", "-", "elke")
    described = [] if bare else _adjectives(random, noun, inflected, 1 if light else 2)
    if after is None and not light and random.random() < 0.25:
        after = _attribute(random, noun)
    head = word("n", noun.plural if plural else noun.lemma)
    made = phrase("np", _determiner(det, is_neuter), *described, head, after)
    return Nominal(
        made,
        "3p" if plural else "3s",
        "dat" if is_neuter else "die",
        is_definite=det not in _LOOSE,
        is_person="p" in noun.classes,
    )


#: what follows nouns of a class: a preposition and the class of its noun
_ATTRIBUTES = {
    "p": (("uit", "l"), ("van", "o"), ("in", "l"), ("met", "t")),
    "o": (("uit", "l"), ("in", "l")),
    "t": (("van", "p"), ("van", "p"), ("in", "l"), ("uit", "l")),
    "d": (("van", "p"), ("over", "ae"), ("over", "p"), ("aan", "p")),
    "a": (("van", "po"), ("van", "po"), ("voor", "pol")),
    "l": (("in", "l"), ("van", "p"), ("van", "o")),
    "e": (("in", "l"), ("van", "o"), ("tegen", "a")),
    "z": (("van", "p"),),
    "f": (("van", "p"), ("uit", "l")),
    "c": (("van", "p"),),
}


def _attribute(random: Random, noun: Noun) -> Part:
    preposition, classes = random.choice(_ATTRIBUTES[noun.classes[0]])
    return prepositional(random, preposition, classes)


_COUNTS = ("twee", "drie", "vier", "vijf", "zes", "tien", "twaalf", "30", "150", "honderd", "duizend")


def numbered(random: Random, classes: str) -> Nominal:
    """A noun phrase with a number: twee boeken, ongeveer 30 gasten, ruim honderd bezoekers."""
    noun = plain_noun(random, classes, plural=True)
    number = word("tw", random.choice(_COUNTS))
    about = random.choice([("bw", "ongeveer"), ("bw", "bijna"), ("adj", "ruim"), None, None, None, None])
    described = _adjectives(random, noun, True, 1)
    made = part("np", word(*about) if about else None, number, *described, word("n", noun.plural))
    return Nominal(made, "3p", is_definite=False, is_person="p" in noun.classes)


def prepositional(random: Random, preposition: str, classes: str) -> Part:
    """A prepositional phrase with a noun of some class or, for people, places and organisations, a name."""
    if "l" in classes and preposition in ("in", "uit", "van", "naar") and random.random() < 0.4:
        inner = _name(random.choice(names()[random.choice(["place", "place", "country", "mwuplace"])]))
    elif "p" in classes and random.random() < 0.25:
        inner = named(random, random.choice(["first", "full", "title"])).part
    elif "p" in classes and random.random() < 0.15:
        inner = word("vnw", random.choice(["mij", "hem", "haar", "ons", "hen", "jou", "jullie", "u"]))
    else:
        inner = noun_phrase(random, classes, light=True, negative=False).part
    return part("pp", word("vz", preposition), inner)


def subject(random: Random, classes: str, *, light: bool = False) -> Nominal:
    """A subject: a pronoun, a name, an organisation or a noun phrase."""
    chance = random.random()
    if "p" in classes:
        if chance < 0.3:
            return pronoun(random.choice(["ik", "je", "u", "hij", "hij", "ze", "zij", "we", "wij", "jullie", "men"]))
        if chance < 0.36:
            return Nominal(word("vnw", random.choice(["niemand", "iedereen", "iemand"])), "3s", is_pronoun=True)
        if chance < 0.6:
            return named(random, random.choice(["first", "full", "title"]) if light else "")
    elif "o" in classes and chance < 0.35:
        return _institution(random)
    if chance > 0.93:
        return numbered(random, classes)
    return noun_phrase(random, classes, light=light)


def object_pronoun(random: Random, doer: Nominal) -> Part:
    """A pronoun as an object that is not the subject."""
    taken = {"ik": ("me", "mij"), "je": ("je", "jou"), "u": ("u",), "we": ("ons",), "wij": ("ons",)}
    out = taken.get(doer.part.texts[0].lower(), ())
    return word("vnw", random.choice([one for one in OBJECTS if one not in (*out, "je", "jullie")]))


_DAYS = ("maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag")
_TIMES = {
    "past": (("gisteren", "onlangs", "toen", "gisteravond", "vanmorgen"), ("vorige", "afgelopen")),
    "present": (("nu", "vandaag", "vanavond", "weer", "opnieuw"), ("deze",)),
    "future": (("morgen", "straks", "binnenkort", "vanavond"), ("volgende", "komende")),
}


def time(random: Random, era: str = "past") -> Part:
    """When: gisteren, vorige week, drie jaar geleden, in 1995, op maandag, om vier uur, na de vergadering."""
    adverbs, described = _TIMES[era]
    chance = random.randrange(9)
    if chance == 0:
        form = random.choice(described)
        tag = {"deze": "vnw", "afgelopen": "ww", "volgende": "ww", "komende": "ww"}.get(form, "adj")
        return part("np", word(tag, form), word("n", random.choice(["week", "maand", "zomer", "winter"])))
    if chance == 1 and era == "past":
        count = part(
            "np", word("tw", random.choice(["twee", "drie", "tien"])), word("n", random.choice(["jaar", "uur"]))
        )
        return part("ap", count, word("bw", "geleden"))
    if chance == 2:
        year = random.randint(1985, 2015) if era == "past" else random.randint(2026, 2040)
        return part("pp", word("vz", "in"), word("tw", str(year))) if era != "present" else word("bw", adverbs[0])
    if chance == 3:
        return part("pp", word("vz", "op"), word("n", random.choice(_DAYS)))
    if chance == 4:
        hour = part("mwu", word("tw", random.choice(["drie", "vier", "acht", "tien"])), word("n", "uur"))
        return part("pp", word("vz", "om"), hour)
    if chance == 5:
        return prepositional(random, random.choice(["na", "voor", "tijdens"]), "e")
    return word("bw", random.choice(adverbs))


_ADVERBS = (
    *("bw ook", "bw nog", "bw al", "bw nooit", "bw altijd", "bw misschien", "bw weer", "bw toch", "bw helaas"),
    *("adj waarschijnlijk", "adj natuurlijk", "adj zeker", "bw daarom", "bw soms", "adj eindelijk", "bw zelfs"),
)


def adverb(random: Random) -> Part:
    """An adverb that may come first: misschien, nooit, daarom."""
    return word(*random.choice(_ADVERBS).split())


def negation(random: Random) -> Part:
    """Niet, nog niet, niet meer."""
    chance = random.random()
    if chance < 0.7:
        return word("bw", "niet")
    if chance < 0.85:
        return part("advp", word("bw", "nog"), word("bw", "niet"))
    return part("advp", word("bw", "niet"), word("vnw", "meer"))


def manner(random: Random) -> Part:
    """How: snel, heel goed, met plezier."""
    chance = random.random()
    if chance < 0.5:
        return word("adj", random.choice(["snel", "goed", "rustig", "voorzichtig", "langzaam", "hard"]))
    if chance < 0.7:
        return part("ap", word("adj", "heel"), word("adj", random.choice(["snel", "goed", "rustig", "vaak"])))
    return part("pp", word("vz", "met"), word("n", random.choice(["plezier", "succes", "moeite", "opzet", "geduld"])))


def place(random: Random) -> Part:
    """Where: in Utrecht, in de keuken, hier, daar."""
    if random.random() < 0.12:
        return word("vnw", random.choice(["hier", "daar"]))
    preposition = random.choice(["in", "in", "in", "bij", "naast"])
    return prepositional(random, preposition, "l")


def towards(random: Random) -> Part:
    """Where to: naar huis, naar Brussel, naar de markt."""
    if random.random() < 0.25:
        return part("pp", word("vz", "naar"), word("n", random.choice(["huis", "school", "bed"])))
    return prepositional(random, "naar", "l")
