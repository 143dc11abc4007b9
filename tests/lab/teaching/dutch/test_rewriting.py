from random import Random

import pytest

from permutree import Tree
from permutree_lab.teaching.dutch import LANGUAGE
from permutree_lab.teaching.dutch.analysis import analyse
from permutree_lab.teaching.lessons import check
from permutree_lab.teaching.making import rewrite
from permutree_lab.teaching.parts import part_of

READ = (
    "(ROOT (smain (np (lid 0=De) (n 1=commissie)) (ww 2=heeft) (ppart (bw 3=gisteren) (np (lid 4=het) (n 5=rapport)) "
    "(ww 6=besproken))) (let 7=.))"
)
RELATIVE = (
    "(ROOT (smain (np (lid 0=De) (n 1=commissie)) (ww 2=heeft) (ppart (np (lid 3=een) (n 4=rapport) "
    "(rel (vnw 5=dat) (ssub (vnw 6=niemand) (ww 7=kende)))) (ww 8=besproken))) (let 9=.))"
)
WANTS = "(ROOT (smain (vnw 0=Hij) (ww 1=wil) (inf (np (lid 2=het) (n 3=boek)) (adj 4=rustig) (ww 5=lezen))) (let 6=.))"
FLAT = "(ROOT (smain (vnw 0=Hij) (ww 1=las) (np (lid 2=het) (n 3=boek)) (adj 4=rustig)) (let 5=.))"


def made(kind: str, tree: str, seed: int = 1) -> list[str]:
    """What a rewriting makes of a tree, with any of some seeds."""
    found: dict[str, None] = {}
    for number in range(seed, seed + 15):
        for lesson in LANGUAGE.rewritings[kind](part_of(Tree.parse(tree)), Random(number)):
            check(lesson)
            found[" ".join(lesson.tree.words)] = None
    return list(found)


def test_a_clause_is_taken_apart() -> None:
    main = analyse(part_of(Tree.parse(READ)))
    assert main is not None
    assert main.subject.texts == ("de", "commissie")
    assert main.inner.label == "ppart"
    assert main.subject_first


def test_a_clause_with_one_verb_has_no_sure_subject() -> None:
    assert analyse(part_of(Tree.parse(FLAT))) is None


@pytest.mark.parametrize(
    ("kind", "tree", "text"),
    [
        ("fronted", READ, "Het rapport heeft de commissie gisteren besproken ."),
        ("fronted", READ, "Gisteren heeft de commissie het rapport besproken ."),
        ("polar-question", READ, "Heeft de commissie gisteren het rapport besproken ?"),
        ("subject-question", READ, "Wie heeft gisteren het rapport besproken ?"),
        ("object-question", READ, "Welk rapport heeft de commissie gisteren besproken ?"),
        ("second-person", READ, "U hebt gisteren het rapport besproken ."),
        ("extraposed", RELATIVE, "De commissie heeft een rapport besproken dat niemand kende ."),
        ("imperative", WANTS, "Lees het boek rustig !"),
    ],
)
def test_rewritings(kind: str, tree: str, text: str) -> None:
    assert text in made(kind, tree)


def test_extraposition_comes_and_goes() -> None:
    (out,) = LANGUAGE.rewritings["extraposed"](part_of(Tree.parse(RELATIVE)), Random(1))
    assert out.gap is not None
    assert out.gap.label == "np"
    (back,) = LANGUAGE.rewritings["attached"](part_of(out.tree), Random(1))
    assert back.tree == Tree.parse(RELATIVE)


def test_verbs_are_last_after_dat() -> None:
    texts = made("dat-clause", READ)
    assert any(text.endswith("dat de commissie gisteren het rapport heeft besproken .") for text in texts)
    assert any(text.endswith("dat de commissie gisteren het rapport besproken heeft .") for text in texts)


def test_an_interrupted_clause_has_the_gap() -> None:
    for seed in range(20):
        for lesson in LANGUAGE.rewritings["interrupted"](part_of(Tree.parse(READ)), Random(seed)):
            check(lesson)
            assert lesson.gap is not None
            assert lesson.gap.label == "smain"


def test_what_is_made_of_a_tree_depends_on_it_alone() -> None:
    trees = [Tree.parse(READ), Tree.parse(RELATIVE), Tree.parse(WANTS)]
    both = [tree.discbracket() for _, tree in rewrite(LANGUAGE, trees, seed=2)]
    alone = [tree.discbracket() for _, tree in rewrite(LANGUAGE, trees[1:2], seed=2)]
    assert set(alone) <= set(both)
