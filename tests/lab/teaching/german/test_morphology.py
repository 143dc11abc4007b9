import pytest

from permutree_lab.teaching.german.lexicon import adjectives, frames, names, nouns, predicates
from permutree_lab.teaching.german.morphology import Noun, Person, Verb, adjective_ending, determiner


def verb(whole: str) -> Verb:
    return next(frame.verb for frame in frames() if frame.verb.whole == whole)


def noun(lemma: str) -> Noun:
    return next(noun for found in nouns().values() for noun in found if noun.lemma == lemma)


@pytest.mark.parametrize(
    ("whole", "person", "present", "past"),
    [
        ("arbeiten", "2s", "arbeitest", "arbeitetest"),
        ("halten", "2s", "hältst", "hieltest"),
        ("zurücktreten", "2s", "trittst", "tratest"),
        ("essen", "2s", "isst", "aßest"),
        ("spielen", "1s", "spiele", "spielte"),
        ("streicheln", "1s", "streichle", "streichelte"),
        ("wissen", "3s", "weiß", "wusste"),
        ("einladen", "2p", "ladet", "ludet"),
        ("öffnen", "3s", "öffnet", "öffnete"),
    ],
)
def test_verbs(whole: str, person: Person, present: str, past: str) -> None:
    assert (verb(whole).present(person), verb(whole).past(person)) == (present, past)


def test_imperatives() -> None:
    words = ["geben", "lesen", "zurücktreten", "kommen", "warten", "fahren", "streicheln", "öffnen"]
    assert [verb(one).imperative("2s") for one in words] == [
        "gib",
        "lies",
        "tritt",
        "komm",
        "warte",
        "fahr",
        "streichle",
        "öffne",
    ]
    assert verb("geben").imperative("2p") == "gebt"


def test_participles() -> None:
    words = ["besuchen", "anrufen", "kritisieren", "vorbereiten", "arbeiten"]
    assert [verb(one).participle for one in words] == [
        "besucht",
        "angerufen",
        "kritisiert",
        "vorbereitet",
        "gearbeitet",
    ]


def test_nouns_and_what_agrees_with_them() -> None:
    assert [noun("Student").form(case) for case in ("n", "a", "d", "g")] == [
        "Student",
        "Studenten",
        "Studenten",
        "Studenten",
    ]
    assert noun("Kind").form("d", plural=True) == "Kindern"
    assert noun("Auto").form("d", plural=True) == "Autos"
    assert noun("Abgeordnet").form("n", kind="mixed") == "Abgeordneter"
    assert determiner("kein", "m", "a") + " " + "alt" + adjective_ending("mixed", "m", "a") == "keinen alten"
    assert determiner("euer", "f", "n") == "eure"


def test_the_lexicon_has_some_hundred_words() -> None:
    verbs = {frame.verb.whole for frame in frames()}
    things = {noun.lemma for found in nouns().values() for noun in found}
    described = {adjective.lemma for found in adjectives().values() for adjective in found} | set(predicates())
    named = {name for found in names().values() for name in found}
    assert len(verbs) + len(things) + len(described) + len(named) >= 800
