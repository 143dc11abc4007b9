from random import Random

import pytest

from permutree_lab.teaching.english.grammar import GRAMMAR, SHARES
from permutree_lab.teaching.lessons import check
from permutree_lab.teaching.making import generate
from permutree_lab.teaching.registry import find_language

#: kinds that promise a tree without any gap
PLAIN = {
    "comment",
    "coordination",
    "fronted-adjunct",
    "headline",
    "imperative",
    "in-place",
    "it-plain",
    "list",
    "names",
    "passive",
    "plain",
    "question-be",
    "question-subject",
    "question-yes-no",
    "relative-plain",
    "reported-clause",
    "second-person",
    "comparison-plain",
}
#: the constituents that have the gap, by kind; every other kind has it in a VP
GAPS = {
    "parenthetical": {"S"},
    "question-stranded": {"PP"},
    "relative-stranded": {"PP"},
    "topicalised": {"VP", "PP"},
    "embedded-question": {"VP", "PP"},
    "question-infinitive": {"VP", "PP"},
    "question-long": {"VP", "PP", "S"},
    "comparison-degree": {"ADJP", "NP"},
}
NOUN_PHRASES = ("comparison", "extraposed", "it-")


@pytest.mark.parametrize("kind", GRAMMAR)
def test_sentences_keep_their_promises(kind: str) -> None:
    random = Random(3)
    for _ in range(60):
        made = GRAMMAR[kind](random)
        check(made)
        assert made.tree.root_label == "ROOT"
        assert made.tree.words[0][0].upper() == made.tree.words[0][0]
        if kind in PLAIN:
            assert made.gap is None
        elif kind != "capitals":
            assert made.gap is not None
            labels = GAPS.get(kind, {"NP"} if kind.startswith(NOUN_PHRASES) else {"VP"})
            assert made.gap.label in labels


def test_the_seed_decides() -> None:
    language = find_language("en")
    made = [*generate(language, 200, seed=5)]
    assert made == [*generate(language, 200, seed=5)]
    assert made != [*generate(language, 200, seed=6)]
    assert {kind for kind, _ in made} == {*GRAMMAR}
    assert {*SHARES} == {*GRAMMAR}
