from random import Random

import pytest

from permutree_lab.teaching.composing import part
from permutree_lab.teaching.dutch import LANGUAGE
from permutree_lab.teaching.dutch.clauses import FIRST, LAST, Clause, Item, Piece, build
from permutree_lab.teaching.dutch.morphology import AUXILIARIES
from permutree_lab.teaching.dutch.sentences import finish
from permutree_lab.teaching.lessons import check
from permutree_lab.teaching.making import generate
from permutree_lab.teaching.parts import word

#: kinds whose sentences always have the gap that they are named for, and the labels of it
GAPS = {
    "fronted-object": "ppart inf",
    "fronted-adverbial": "ppart inf",
    "passive-fronted": "ppart inf",
    "fronted-verb": "ppart inf",
    "extraposed-relative": "np",
    "extraposed-subject-relative": "np",
    "extraposed-phrase": "np",
    "extraposed-clause": "np",
    "extraposed-infinitive": "np",
    "cross-serial": "inf",
    "split-infinitive": "inf",
    "split-comparative": "np ap",
    "result": "advp",
    "split-quotation": "smain",
    "parenthetical": "smain",
}
#: kinds that look like others but have no gap
CONTINUOUS = (
    "fronted-flat",
    "fronted-verb-phrase",
    "particle-verb",
    "gapping",
    "shared-subject",
    "headline",
)


@pytest.mark.parametrize("kind", LANGUAGE.grammar)
def test_every_kind_keeps_its_promise(kind: str) -> None:
    random = Random(7)
    for _ in range(8):
        made = LANGUAGE.grammar[kind](random)
        check(made)
        assert made.tree.labels[0] == "ROOT"
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
    """Ik heb de film gisteren gezien."""
    film = Item.whole(part("np", word("vnw", "die"), word("n", "film")), 4, "o")
    when = Item.whole(word("bw", "gisteren"), 5, "time")
    who = Item.whole(word("vnw", "ik"), 0, "subject")
    seen = ("ppart", word("ww", "gezien"))
    return Clause(who, AUXILIARIES["hebben"], "1s", "present", [seen], [film, when])


def test_an_object_before_the_finite_verb_makes_a_gap() -> None:
    clause = reading()
    clause.items[0].move(FIRST)
    assert finish(build(clause, "second")).tree.discbracket() == (
        "(ROOT (smain (ppart (np (vnw 0=Die) (n 1=film)) (bw 4=gisteren) (ww 5=gezien)) (ww 2=heb) (vnw 3=ik)) "
        "(let 6=.))"
    )


def test_the_finite_verb_stands_before_or_after_the_participle() -> None:
    clause = reading()
    assert " ".join(build(clause, "last").texts) == "ik die film gisteren heb gezien"
    clause.participle_first = True
    assert " ".join(build(clause, "last").texts) == "ik die film gisteren gezien heb"


def test_a_piece_may_come_last() -> None:
    clause = reading()
    relative = part("rel", word("vnw", "die"), part("ssub", word("vnw", "jij"), word("ww", "kent")))
    noun = word("n", "iemand")
    whole = part("np", noun, relative)
    clause.items = [Item(whole, [Piece(noun, 4), Piece(relative, LAST)], "o")]
    assert clause.subject is not None
    clause.subject.move(FIRST)
    assert finish(build(clause, "second"), gap=whole).tree.discbracket() == (
        "(ROOT (smain (vnw 0=Ik) (ww 1=heb) (ppart (np (n 2=iemand) (rel (vnw 4=die) (ssub (vnw 5=jij) (ww 6=kent)))) "
        "(ww 3=gezien))) (let 7=.))"
    )
