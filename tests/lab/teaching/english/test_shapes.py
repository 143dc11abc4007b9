import pytest

from permutree import Tree
from permutree_lab.teaching.english.phrases import noun_phrase
from permutree_lab.teaching.english.shapes import Marks, Saying, front, interrupt, spots
from permutree_lab.teaching.lessons import check
from permutree_lab.teaching.parts import Part, part_of, word

MARKS = Marks("``", "''")


def clause() -> Part:
    return part_of(Tree.parse("(S (NP (DT 0=the) (NN 1=plan)) (VP (VBD 2=failed)))"))


def sentence() -> Part:
    text = "(S (NP (DT 0=The) (NN 1=plan)) (VP (VBD 2=failed) (PP (IN 3=in) (NP (NNP 4=May)))) (. 5=.))"
    return part_of(Tree.parse(text))


def he_said(*, is_inverted: bool = False) -> Saying:
    who = noun_phrase("NNP:Smith") if is_inverted else noun_phrase("PRP:he")
    return Saying(who, word("VBD", "said"), is_inverted)


def test_a_fronted_clause_is_an_sbar_without_quotation_marks() -> None:
    made = front(clause(), he_said(), None)
    check(made)
    assert made.tree.discbracket() == (
        "(ROOT (S (VP (SBAR (S (NP (DT 0=The) (NN 1=plan)) (VP (VBD 2=failed)))) (VBD 5=said)) "
        "(, 3=,) (NP (PRP 4=he)) (. 6=.)))"
    )


def test_a_fronted_quotation_stands_between_marks_that_hang_above() -> None:
    made = front(clause(), he_said(is_inverted=True), MARKS)
    check(made)
    assert made.tree.discbracket() == (
        "(ROOT (SINV (`` 0=``) (VP (S (NP (DT 1=The) (NN 2=plan)) (VP (VBD 3=failed))) (VBD 6=said)) "
        "(, 4=,) ('' 5='') (NP (NNP 7=Smith)) (. 8=.)))"
    )


def test_a_quoted_question_takes_no_comma() -> None:
    question = part_of(Tree.parse("(SQ (VBD 0=did) (NP (PRP 1=it)) (VP (VB 2=fail)) (. 3=?))"))
    made = front(question, he_said(), MARKS)
    check(made)
    assert made.tree.words == ("``", "Did", "it", "fail", "?", "''", "he", "said", ".")


def test_a_parenthetical_is_on_top_of_what_is_said() -> None:
    whole = sentence()
    made = interrupt(whole, spots(whole)[0], he_said(), None)
    check(made)
    assert made.tree.discbracket() == (
        "(ROOT (PRN (S (VP (SBAR (S (NP (DT 0=The) (NN 1=plan)) (, 2=,) (, 5=,) "
        "(VP (VBD 6=failed) (PP (IN 7=in) (NP (NNP 8=May)))) (. 9=.))) (VBD 4=said)) (NP (PRP 3=he)))))"
    )


def test_a_split_quotation_has_marks_on_both_sides() -> None:
    whole = sentence()
    made = interrupt(whole, spots(whole)[-1], he_said(is_inverted=True), MARKS)
    check(made)
    assert " ".join(made.tree.words) == "`` The plan failed , '' said Smith , `` in May . ''"
    # The spot is in the VP: all that is around it is discontinuous.
    assert {one.label for one in made.tree if one.is_discontinuous} == {"VP", "S"}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("(S (NP (PRP 0=He)) (VP (VBD 1=saw) (NP (PRP 2=her))) (. 3=.))", 0),
        ("(S (NP (NNP 0=Ann)) (VP (VBZ 1='s) (ADJP (JJ 2=here))) (. 3=.))", 1),
        ("(S (PP (IN 0=In) (NP (NNP 1=May))) (, 2=,) (NP (PRP 3=he)) (VP (VBD 4=left)) (. 5=.))", 1),
    ],
)
def test_nothing_stands_between_a_verb_and_its_object(text: str, count: int) -> None:
    assert len(spots(part_of(Tree.parse(text)))) == count
