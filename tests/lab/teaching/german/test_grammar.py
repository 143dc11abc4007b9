from random import Random

import pytest

from permutree_lab.teaching.composing import part
from permutree_lab.teaching.german import LANGUAGE
from permutree_lab.teaching.german.clauses import Clause, Item, build
from permutree_lab.teaching.german.sentences import finish
from permutree_lab.teaching.lessons import check
from permutree_lab.teaching.making import generate
from permutree_lab.teaching.parts import word

#: kinds whose sentences always have the gap that they are named for, and the label of it
GAPS = {
    "fronted-verb": "VP",
    "floating": "NP",
    "split-noun-phrase": "NP",
    "long-question": "S",
    "long-question-second": "S",
    "extraposed-relative": "NP",
    "extraposed-phrase": "NP",
    "extraposed-clause": "NP",
    "extraposed-subject-relative": "NP",
    "extraposed-subject-phrase": "NP",
    "extraposed-subject-clause": "NP",
    "infinitive-question": "VP",
    "impersonal-passive": "VP",
    "split-infinitive": "VP",
    "so-that": "AVP",
    "split-quotation": "S CS",
    "parenthetical": "S CS",
}
#: kinds that look like others but have no gap
CONTINUOUS = (
    "gapping",
    "gapped-place",
    "fronted-verb-phrase",
    "subject-question",
    "headline",
    "fronted-flat",
    "the-more",
    "particle-verb",
)


@pytest.mark.parametrize("kind", LANGUAGE.grammar)
def test_every_kind_keeps_its_promise(kind: str) -> None:
    random = Random(7)
    for _ in range(8):
        made = LANGUAGE.grammar[kind](random)
        check(made)
        assert made.tree.labels[0] == "VROOT"
        assert made.tree.words[0][0] == made.tree.words[0][0].upper()
        if kind in GAPS:
            assert made.gap is not None
            assert made.gap.label in GAPS[kind].split()
        if kind in CONTINUOUS:
            assert made.gap is None


def test_the_seed_decides() -> None:
    made = [tree.discbracket() for _, tree in generate(LANGUAGE, 60, seed=3)]
    assert made == [tree.discbracket() for _, tree in generate(LANGUAGE, 60, seed=3)]
    assert made != [tree.discbracket() for _, tree in generate(LANGUAGE, 60, seed=4)]


def reading() -> Clause:
    """Er hat noch nie so viel gewählt."""
    often = Item(part("AVP", word("ADV", "noch"), word("ADV", "nie")), True, 7, "adverb", in_vp_first=True)
    much = Item(part("NP", word("ADV", "so"), word("PIS", "viel")), True, 10, "object")
    who = Item(part("NP", word("PPER", "ich")), False, 0, "subject")
    return Clause(word("VAFIN", "habe"), [word("VVPP", "gewählt")], None, who, [often, much])


def test_a_phrase_of_the_verb_comes_first() -> None:
    clause = reading()
    made = finish(Random(1), build(clause, "second", first=clause.items[0]), respelt=False)
    assert made.tree.discbracket() == (
        "(VROOT (S (VP (AVP (ADV 0=Noch) (ADV 1=nie)) (NP (ADV 4=so) (PIS 5=viel)) (VVPP 6=gewählt)) "
        "(VAFIN 2=habe) (NP (PPER 3=ich))) ($. 7=.))"
    )


def test_the_finite_verb_comes_first_or_last() -> None:
    asked = finish(Random(1), build(reading(), "first"), end="?", respelt=False)
    assert " ".join(asked.tree.words) == "Habe ich noch nie so viel gewählt ?"
    assert asked.gap is None
    last = build(reading(), "last", opening=[word("KOUS", "weil")])
    assert last.texts == ("weil", "ich", "noch", "nie", "so", "viel", "gewählt", "habe")


def test_objects_that_may_be_taken_for_subjects_do_not_come_first() -> None:
    clause = reading()
    book = Item(part("NP", word("ART", "die"), word("NN", "Frau")), True, 6, "object", is_plural=False)
    clause.items = [book]
    assert clause.firsts() == [book]
    clause.subject = Item(part("NP", word("ART", "das"), word("NN", "Kind")), False, 3, "subject")
    clause.person = "3s"
    assert clause.firsts() == []
    book.is_plural = True
    assert clause.firsts() == [book]


def test_a_thing_comes_first_that_may_be_taken_for_the_subject() -> None:
    trees = [tree for _, tree in generate(LANGUAGE, 200, 1, ["object-first"])]
    with_gap = [tree for tree in trees if tree.is_discontinuous]
    assert 0.6 < len(with_gap) / len(trees) < 0.9
    for tree in with_gap:
        assert tree.words[0].lower() not in ("den", "einen", "keinen", "welchen", "dem", "der")
        # Who acts and the finite verb are in the gap of the VP, which begins the sentence.
        assert any(one.label == "VP" and one.is_discontinuous and 0 in one.indices for one in tree.constituents)
    assert any(tree.words[-1] == "?" for tree in with_gap)


def test_particles_are_joined_to_the_last_verb() -> None:
    who = Item(part("NP", word("PPER", "er")), False, 0, "subject")
    clause = Clause(word("VVFIN", "ruft"), [], word("PTKVZ", "an"), who, [])
    assert build(clause, "second").texts == ("er", "ruft", "an")
    assert build(clause, "last").texts == ("er", "anruft")


def test_commas_and_quotation_marks() -> None:
    for kind in ("fronted-quotation", "split-quotation", "attached-relative", "es-clause", "according-to"):
        random = Random(5)
        for _ in range(25):
            text = " ".join(LANGUAGE.grammar[kind](random).tree.words)
            assert ", ," not in text
            assert ", ." not in text
            assert not text.startswith(",")


def test_a_comparative_of_a_noun_that_is_plural_only_has_no_article() -> None:
    made = LANGUAGE.grammar["comparative"](Random(745))
    check(made)
    assert "Schulden" in made.tree.words
