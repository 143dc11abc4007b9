from random import Random

import pytest

from permutree import Tree
from permutree_lab.teaching.german import LANGUAGE
from permutree_lab.teaching.german.analysis import analyse
from permutree_lab.teaching.lessons import check
from permutree_lab.teaching.making import rewrite
from permutree_lab.teaching.parts import part_of

READ = (
    "(VROOT (S (NP (ART 0=Die) (NN 1=Kammer)) (VAFIN 2=hat) (VP (NP (ART 3=den) (NN 4=Bericht)) "
    "(AVP (ADV 5=gestern)) (VVPP 6=gelesen))) ($. 7=.))"
)
RELATIVE = (
    "(VROOT (S (NP (ART 0=Die) (NN 1=Kammer)) (VAFIN 2=hat) (VP (NP (ART 3=einen) (NN 4=Bericht) ($, 5=,) "
    "(S (NP (PRELS 6=der)) (AP (ADJD 7=gut)) (VAFIN 8=ist))) ($, 9=,) (VVPP 10=gelesen))) ($. 11=.))"
)
FLAT = "(VROOT (S (NP (PPER 0=Er)) (VVFIN 1=stellt) (NP (ART 2=den) (NN 3=Bericht)) (PTKVZ 4=vor)) ($. 5=.))"
ZU = (
    "(VROOT (S (NP (PPER 0=Er)) (VVFIN 1=versucht) ($, 2=,) (VP (NP (ART 3=den) (NN 4=Bericht)) "
    "(VVIZU 5=vorzustellen))) ($. 6=.))"
)


def made(kind: str, tree: str, seed: int = 1) -> list[str]:
    """What a rewriting makes of a tree, with any of some seeds."""
    found: dict[str, None] = {}
    for number in range(seed, seed + 12):
        for lesson in LANGUAGE.rewritings[kind](part_of(Tree.parse(tree)), Random(number)):
            check(lesson)
            found[" ".join(lesson.tree.words)] = None
    return list(found)


def test_a_clause_is_taken_apart() -> None:
    main = analyse(part_of(Tree.parse(READ)))
    assert main is not None
    assert main.subject.texts == ("die", "Kammer")
    assert main.subject_first
    assert main.vp is not None
    assert {one.texts for one in main.movable()} == {("den", "Bericht"), ("gestern",)}


def test_a_doubtful_subject_is_left_alone() -> None:
    tree = "(VROOT (S (NP (ART 0=Die) (NN 1=Kammer)) (VVFIN 2=sieht) (NP (ART 3=die) (NN 4=Stadt))) ($. 5=.))"
    assert analyse(part_of(Tree.parse(tree))) is None


def test_phrases_come_first() -> None:
    assert set(made("fronted-complement", READ)) == {
        "Den Bericht hat die Kammer gestern gelesen .",
        "Gestern hat die Kammer den Bericht gelesen .",
    }
    assert made("fronted-flat", FLAT) == ["Den Bericht stellt er vor ."]
    assert made("fronted-verb", READ) == ["Gelesen hat die Kammer den Bericht gestern ."]


def test_questions() -> None:
    assert made("polar-question", READ) == ["Hat die Kammer den Bericht gestern gelesen ?"]
    assert set(made("which-question", READ)) == {
        "Welche Kammer hat den Bericht gestern gelesen ?",
        "Welchen Bericht hat die Kammer gestern gelesen ?",
    }
    assert all("dass" in text and text.endswith("gelesen hat ?") for text in made("long-question", READ))


def test_extraposition_and_back() -> None:
    apart = made("extraposed", RELATIVE)
    assert apart == ["Die Kammer hat einen Bericht gelesen , der gut ist ."]
    lesson = next(LANGUAGE.rewritings["extraposed"](part_of(Tree.parse(RELATIVE)), Random(1)))
    assert made("attached", lesson.tree.discbracket()) == [" ".join(Tree.parse(RELATIVE).words)]


def test_dependent_clauses_join_the_particle() -> None:
    assert any("er den Bericht vorstellt" in text for text in made("dass-clause", FLAT))


def test_requests() -> None:
    texts = set(made("imperative", ZU))
    assert {text.rstrip(" !.") for text in texts} == {
        "Stellen Sie den Bericht vor",
        "Stell den Bericht vor",
        "Stellt den Bericht vor",
    }


def test_second_persons() -> None:
    tree = READ.replace("(NP (ART 0=Die) (NN 1=Kammer))", "(NP (PPER 0=Ich) (ADV 1=selbst))")
    assert made("second-person", tree) == []
    texts = made("second-person", FLAT)
    assert "Du stellst den Bericht vor ." in texts
    assert "Stellst du den Bericht vor ?" in texts


@pytest.mark.parametrize("kind", ["fronted-quotation", "split-quotation", "according-to", "introduced-quotation"])
def test_quotations_keep_the_clause(kind: str) -> None:
    for text in made(kind, READ):
        found = [text.index(one) for one in ("Kammer", "Bericht", "gelesen")]
        assert found == sorted(found)
    assert made(kind, READ)


def test_the_seed_decides() -> None:
    trees = [Tree.parse(READ), Tree.parse(RELATIVE), Tree.parse(FLAT), Tree.parse(ZU)]
    once = [(kind, tree.discbracket()) for kind, tree in rewrite(LANGUAGE, trees, seed=1)]
    assert once == [(kind, tree.discbracket()) for kind, tree in rewrite(LANGUAGE, trees, seed=1)]
    assert len(once) > 10
