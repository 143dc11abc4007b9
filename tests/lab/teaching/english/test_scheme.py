"""Shapes are those that trace resolution makes of Penn brackets, written as newspaper text is annotated."""

from pathlib import Path
from random import Random

import pytest

from permutree import Tree, read
from permutree_lab.teaching.english.phrases import noun_phrase
from permutree_lab.teaching.english.rewriting import REWRITINGS
from permutree_lab.teaching.english.shapes import Marks, Saying, front, interrupt, spots
from permutree_lab.teaching.parts import Part, part_of, word

PLAN = "(S (NP (DT 0=The) (NN 1=plan)) (VP (VBD 2=failed)))"
SENTENCE = "(S (NP (DT 0=The) (NN 1=plan)) (VP (VBD 2=failed)) (. 3=.))"


@pytest.fixture
def resolve(tmp_path: Path) -> "Resolve":
    return Resolve(tmp_path)


class Resolve:
    """Reads a tree with traces."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "tree.mrg"

    def __call__(self, text: str) -> Tree:
        self.path.write_text(text + "\n", encoding="utf-8")
        (tree,) = read(self.path, "ptb-traces")
        return tree


def clause(text: str = PLAN) -> Part:
    return part_of(Tree.parse(text))


HE_SAID = Saying(noun_phrase("PRP:he"), word("VBD", "said"))
SAID_SMITH = Saying(noun_phrase("NNP:Smith"), word("VBD", "said"), is_inverted=True)


def test_fronted_clause(resolve: Resolve) -> None:
    gold = resolve(
        "(ROOT (S (S-TPC-1 (NP-SBJ (DT The) (NN plan)) (VP (VBD failed))) (, ,) (NP-SBJ (PRP he)) "
        "(VP (VBD said) (SBAR (-NONE- 0) (S (-NONE- *T*-1)))) (. .)))"
    )
    assert front(clause(), HE_SAID, None).tree == gold


def test_fronted_quotation(resolve: Resolve) -> None:
    gold = resolve(
        "(ROOT (SINV (`` ``) (S-TPC-1 (NP-SBJ (DT The) (NN plan)) (VP (VBD failed))) (, ,) ('' '') "
        "(VP (VBD said) (S (-NONE- *T*-1))) (NP-SBJ (NNP Smith)) (. .)))"
    )
    assert front(clause(), SAID_SMITH, Marks("``", "''")).tree == gold


def test_parenthetical(resolve: Resolve) -> None:
    gold = resolve(
        "(ROOT (S-1 (NP-SBJ (DT The) (NN plan)) (, ,) (PRN (S (NP-SBJ (PRP he)) "
        "(VP (VBD said) (SBAR (-NONE- 0) (S (-NONE- *T*-1)))))) (, ,) (VP (VBD failed)) (. .)))"
    )
    whole = clause(SENTENCE)
    assert interrupt(whole, spots(whole)[0], HE_SAID, None).tree == gold


def test_split_quotation(resolve: Resolve) -> None:
    gold = resolve(
        "(ROOT (S-1 (`` ``) (NP-SBJ (DT The) (NN plan)) (, ,) ('' '') (PRN (SINV (VP (VBD said) (S (-NONE- *T*-1))) "
        "(NP-SBJ (NNP Smith)))) (, ,) (`` ``) (VP (VBD failed)) (. .) ('' '')))"
    )
    whole = clause(SENTENCE)
    assert interrupt(whole, spots(whole)[0], SAID_SMITH, Marks("``", "''")).tree == gold


REJECTS = "(ROOT (S (NP (DT 0=The) (NN 1=bank)) (VP (VBZ 2=rejects) (NP (DT 3=the) (NN 4=offer))) (. 5=.)))"
ARRIVED = (
    "(ROOT (S (NP (NP (DT 0=A) (NN 1=man)) (SBAR (S (WHNP (WP 2=who)) (VP (VBD 3=knew) (NP (PRP 4=her)))))) "
    "(VP (VBD 5=arrived)) (. 6=.)))"
)


@pytest.mark.parametrize(
    ("kind", "source", "gold"),
    [
        (
            "question",
            REJECTS,
            "(ROOT (SBARQ (WHNP-1 (WP What)) (SQ (VBZ does) (NP-SBJ (DT the) (NN bank)) "
            "(VP (VB reject) (NP (-NONE- *T*-1)))) (. ?)))",
        ),
        (
            "topicalised",
            REJECTS,
            "(ROOT (S (NP-TPC-1 (DT The) (NN offer)) (, ,) (NP-SBJ (DT the) (NN bank)) "
            "(VP (VBZ rejects) (NP (-NONE- *T*-1))) (. .)))",
        ),
        (
            "extraposed-subject",
            ARRIVED,
            "(ROOT (S (NP-SBJ (NP (DT A) (NN man)) (SBAR (-NONE- *ICH*-1))) (VP (VBD arrived)) "
            "(SBAR-1 (WHNP-2 (WP who)) (S (NP-SBJ (-NONE- *T*-2)) (VP (VBD knew) (NP (PRP her))))) (. .)))",
        ),
        (
            "it-clause",
            REJECTS,
            "(ROOT (S (NP-SBJ (NP (PRP It)) (SBAR (-NONE- *EXP*-1))) (VP (VBZ is) (ADJP-PRD (JJ clear))) "
            "(SBAR-1 (IN that) (S (NP-SBJ (DT the) (NN bank)) (VP (VBZ rejects) (NP (DT the) (NN offer))))) (. .)))",
        ),
    ],
)
def test_rewritten_trees(kind: str, source: str, gold: str, resolve: Resolve) -> None:
    root = part_of(Tree.parse(source))
    made = (one.tree for seed in range(3000) for one in REWRITINGS[kind](root, Random(seed)))
    wanted = resolve(gold)
    assert next(tree for tree in made if tree.words == wanted.words) == wanted
