from random import Random

import pytest

from permutree import Tree
from permutree_lab.teaching.icelandic import LANGUAGE
from permutree_lab.teaching.icelandic.rewriting import analyse
from permutree_lab.teaching.lessons import check
from permutree_lab.teaching.parts import part_of

HAS = (
    "(ROOT (IP-MAT (NP (N-N 0=Nefndin)) (HVPI 1=hefur) (VBN 2=keypt) (NP (N-A 3=bók)) "
    "(PP (P 4=í) (NP (N-A 5=dag))) (. 6=.)))"
)
INTENDS = (
    "(ROOT (IP-MAT (NP (N-N 0=Nefndin)) (VBPI 1=ætlar) (IP-INF (TO 2=að) (VB 3=kaupa) (NP (N-A 4=húsið))) (. 5=.)))"
)
RELATIVE = (
    "(ROOT (IP-MAT (NP (N-N 0=Maður) (CP-REL (C 1=sem) (IP-SUB (NP (Q-N 2=enginn)) (VBDI 3=þekkti)))) "
    "(VBDI 4=kom) (RP 5=inn) (. 6=.)))"
)


def made(kind: str, tree: str) -> list[str]:
    """What a rewriting makes of a tree, with any of some seeds."""
    found: dict[str, None] = {}
    for number in range(12):
        for lesson in LANGUAGE.rewritings[kind](part_of(Tree.parse(tree)), Random(number)):
            check(lesson)
            found[" ".join(lesson.tree.words)] = None
    return list(found)


@pytest.mark.parametrize(
    ("kind", "tree", "text"),
    [
        ("polar-question", HAS, "Hefur nefndin keypt bók í dag ?"),
        ("subject-question", HAS, "Hver hefur keypt bók í dag ?"),
        ("which-question", HAS, "Hvaða bók hefur nefndin keypt í dag ?"),
        ("fronted", HAS, "Í dag hefur nefndin keypt bók ."),
        ("fronted-complement", INTENDS, "Húsið ætlar nefndin að kaupa ."),
        ("extraposed-relative", RELATIVE, "Maður kom inn sem enginn þekkti ."),
        ("that-clause", HAS, "Ég veit að nefndin hefur keypt bók í dag ."),
    ],
)
def test_rewritings(kind: str, tree: str, text: str) -> None:
    assert [one.lower() for one in made(kind, tree)].count(text.lower()) == 1


def test_what_somebody_says_has_a_subjunctive() -> None:
    assert any(text.endswith("að nefndin hafi keypt bók í dag .") for text in made("that-clause", HAS))


def test_the_infinitive_has_the_gap() -> None:
    (lesson,) = LANGUAGE.rewritings["fronted-complement"](part_of(Tree.parse(INTENDS)), Random(1))
    assert lesson.gap is not None
    assert (lesson.gap.label, lesson.gap.words) == ("IP-INF", (0, 3, 4))


def test_a_sentence_that_begins_otherwise_is_left_alone() -> None:
    other = "(ROOT (IP-MAT (ADVP (ADV 0=Nú)) (BEPI 1=er) (NP (PRO-N 2=hún)) (ADJP (ADJ-N 3=veik)) (. 4=.)))"
    assert analyse(part_of(Tree.parse(other))) is None
