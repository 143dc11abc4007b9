from random import Random

import pytest

from permutree_lab.teaching.icelandic import LANGUAGE
from permutree_lab.teaching.icelandic.lexicon import nouns, verbs
from permutree_lab.teaching.lessons import check
from permutree_lab.teaching.making import generate

#: kinds whose sentences always have the gap that they are named for, and the label of it
GAPS = {
    "topicalisation": "IP-INF",
    "stranded-question": "PP",
    "long-question": "CP-THT",
    "extraposed-subject-relative": "NP",
    "extraposed-relative": "NP",
}
#: kinds in which a gap may be: the object of an infinitive is asked for
SOMETIMES = ("wh-question",)


@pytest.mark.parametrize("kind", LANGUAGE.grammar)
def test_every_kind_keeps_its_promise(kind: str) -> None:
    random = Random(7)
    for _ in range(12):
        made = LANGUAGE.grammar[kind](random)
        check(made)
        assert made.tree.labels[0] == "ROOT"
        if kind in GAPS:
            assert made.gap is not None
            assert made.gap.label == GAPS[kind]
        elif kind not in SOMETIMES:
            assert made.gap is None


def test_the_seed_decides() -> None:
    made = [tree.discbracket() for _, tree in generate(LANGUAGE, 60, seed=3)]
    assert made == [tree.discbracket() for _, tree in generate(LANGUAGE, 60, seed=3)]
    assert made != [tree.discbracket() for _, tree in generate(LANGUAGE, 60, seed=4)]


def test_forms_come_from_the_lexicon() -> None:
    woman = next(noun for noun in nouns()["p"] if noun.bare[0] == "kona")
    assert [woman.form("N", True), woman.form("A", False), woman.form("D", True)] == ["konan", "konu", "konunni"]
    wait = next(verb for verb in verbs() if verb.infinitive == "bíða")
    assert (wait.preposition, wait.case, wait.present[1], wait.supine) == ("eftir", "D", "bíður", "beðið")


def test_every_class_that_a_verb_asks_for_has_nouns() -> None:
    assert {one for verb in verbs() for one in verb.objects} <= set(nouns())


def test_a_long_question_is_as_trace_resolution_makes_it() -> None:
    random = Random(2)
    made = LANGUAGE.grammar["long-question"](random)
    labels = [constituent.label for constituent in made.tree if constituent.is_discontinuous]
    assert labels[:2] == ["CP-THT", "IP-SUB"]
    assert made.tree.tags[-1] == "."
    assert made.tree.words[-1] == "?"
