import pytest

from permutree_lab.teaching.dutch.lexicon import frames, nouns
from permutree_lab.teaching.dutch.morphology import AUXILIARIES
from permutree_lab.teaching.dutch.sentences import capital

VERBS = {frame.verb.whole_infinitive: frame.verb for frame in frames()}


@pytest.mark.parametrize(
    ("infinitive", "first", "second", "before_je", "plural", "past"),
    [
        ("lezen", "lees", "leest", "lees", "lezen", "las"),
        ("vinden", "vind", "vindt", "vind", "vinden", "vond"),
        ("wachten", "wacht", "wacht", "wacht", "wachten", "wachtte"),
        ("gaan", "ga", "gaat", "ga", "gaan", "ging"),
        ("zien", "zie", "ziet", "zie", "zien", "zag"),
    ],
)
def test_finite_forms(infinitive: str, first: str, second: str, before_je: str, plural: str, past: str) -> None:
    verb = VERBS[infinitive]
    assert verb.finite("1s") == first
    assert verb.finite("2s") == verb.finite("3s") == verb.finite("2u", inverted=True) == second
    assert verb.finite("2s", inverted=True) == before_je
    assert verb.finite("3p") == plural
    assert verb.finite("2s", "past") == past


def test_auxiliaries_are_irregular() -> None:
    assert [AUXILIARIES["zijn"].finite(person) for person in ("1s", "2s", "3s", "1p")] == ["ben", "bent", "is", "zijn"]
    assert AUXILIARIES["kunnen"].finite("2s", inverted=True) == "kun"
    assert AUXILIARIES["hebben"].finite("3s") == "heeft"


def test_particles_join_infinitives_and_participles() -> None:
    verb = VERBS["opbellen"]
    assert (verb.whole_infinitive, verb.whole_participle, verb.finite("3s")) == ("opbellen", "opgebeld", "belt")


def test_ij_is_one_letter() -> None:
    assert capital("ijs") == "IJs"


def test_every_class_that_a_verb_asks_for_has_nouns() -> None:
    wanted = {one for frame in frames() for each in frame.complements for one in each.classes}
    assert wanted | {one for frame in frames() for one in frame.subjects} <= set(nouns())
