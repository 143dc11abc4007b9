from random import Random

import pytest

from permutree import Tree
from permutree_lab.teaching.english.rewriting import REWRITINGS
from permutree_lab.teaching.lessons import Lesson, check
from permutree_lab.teaching.parts import part_of

READ = (
    "(ROOT (S (NP (NNP 0=Ann)) (VP (VBD 1=read) (NP (DT 2=the) (NN 3=book)) (PP (IN 4=in) (NP (NNP 5=May)))) (. 6=.)))"
)
TALKED = "(ROOT (S (NP (PRP 0=We)) (VP (MD 1=will) (VP (VB 2=talk) (PP (TO 3=to) (NP (DT 4=a) (NN 5=man))))) (. 6=.)))"
SAID = (
    "(ROOT (S (NP (DT 0=The) (NN 1=judge)) (VP (VBD 2=said) (SBAR (IN 3=that) "
    "(S (NP (DT 4=the) (NN 5=plan)) (VP (VBD 6=failed) (PP (IN 7=in) (NP (NNP 8=May))))))) (. 9=.)))"
)
CAME = (
    "(ROOT (S (NP (NP (DT 0=A) (NN 1=man)) (SBAR (S (WHNP (WP 2=who)) (VP (VBD 3=knew) (NP (PRP 4=her)))))) "
    "(VP (VBD 5=arrived)) (. 6=.)))"
)
FOUND = (
    "(ROOT (S (NP (PRP 0=She)) (VP (VBD 1=found) (NP (NP (DT 2=the) (NNS 3=letters)) (SBAR (S (VP (WHNP (WDT 4=that)) "
    "(VBD 6=wrote)) (NP (PRP 5=he))))) (ADVP (RB 7=again))) (. 8=.)))"
)
WORKS = "(ROOT (S (NP (DT 0=The) (NN 1=bank)) (VP (VBZ 2=rejects) (NP (DT 3=the) (NN 4=offer))) (. 5=.)))"
TREES = [READ, TALKED, SAID, CAME, FOUND, WORKS]


def rewrite(kind: str, text: str, count: int = 40) -> list[Lesson]:
    """What a rewriting makes of a tree with different seeds."""
    root = part_of(Tree.parse(text))
    return [made for seed in range(count) for made in REWRITINGS[kind](root, Random(seed))]


def sentences(kind: str, text: str, count: int = 40) -> set[str]:
    return {" ".join(made.tree.words) for made in rewrite(kind, text, count)}


@pytest.mark.parametrize("kind", REWRITINGS)
def test_every_rewriting_makes_trees_that_keep_their_promises(kind: str) -> None:
    made = [one for text in TREES for one in rewrite(kind, text, 300)]
    assert made
    for one in made:
        check(one)
        assert one.tree.root_label == "ROOT"


def test_who_said_it_goes_behind_or_into_what_was_said() -> None:
    assert "The plan failed in May , the judge said ." in sentences("own-quotation", SAID)
    assert "“ The plan failed in May , ” said the judge ." in sentences("own-quotation", SAID, 200)
    assert {"The plan , the judge said , failed in May .", "The plan failed , the judge said , in May ."} <= sentences(
        "own-parenthetical", SAID
    )


def test_relative_clauses_go_behind_the_verb_phrase() -> None:
    made = rewrite("extraposed-subject", CAME)
    assert "A man arrived who knew her ." in {" ".join(one.tree.words) for one in made}
    for one in made:
        assert one.gap is not None
        assert one.gap.label == "NP"
        assert [one.tree.words[index] for index in one.gap.words] == ["A", "man", "who", "knew", "her"]
    assert sentences("extraposed-object", FOUND) == {"She found the letters again that he wrote ."}


def test_questions_take_do_and_the_right_form() -> None:
    made = sentences("question", READ)
    assert {"Which book did Ann read in May ?", "What did Ann read in May ?", "When did Ann read the book ?"} <= made
    made = sentences("question", TALKED)
    assert {"Which man will we talk to ?", "What man will we talk to ?"} <= made
    assert "Does the bank reject the offer ?" in sentences("question-yes-no", WORKS)


def test_long_distance_questions_hang_in_the_innermost_verb_phrase() -> None:
    for one in rewrite("question-long", WORKS):
        assert one.gap is not None
        assert one.gap.label == "VP"
        assert "reject" in one.tree.words[one.gap.words[-1]] or one.tree.words[one.gap.words[-1]] == "offer"
        assert one.tree.labels[:4] == ("ROOT", "SBARQ", "SQ", "VP")


def test_objects_are_fronted() -> None:
    trees = {one.tree.discbracket() for one in rewrite("topicalised", WORKS)}
    assert trees == {
        "(ROOT (S (VP (NP (DT 0=The) (NN 1=offer)) (VBZ 5=rejects)) (, 2=,) (NP (DT 3=the) (NN 4=bank)) (. 6=.)))",
        "(ROOT (S (VP (NP (DT 0=The) (NN 1=offer)) (VBZ 4=rejects)) (NP (DT 2=the) (NN 3=bank)) (. 5=.)))",
    }


def test_commands_and_the_second_person_change_the_verb() -> None:
    assert {"Reject the offer .", "Please reject the offer ."} <= sentences("imperative", WORKS, 100)
    assert sentences("second-person", WORKS, 100) == {"You reject the offer ."}
    assert sentences("headline", WORKS, 100) == {"Bank rejects offer", "Bank Rejects Offer"}
    assert sentences("capitals", WORKS, 100) == {"THE BANK REJECTS THE OFFER ."}


def test_what_is_not_a_statement_is_left_alone() -> None:
    question = "(ROOT (SBARQ (SQ (WHNP (WP 0=Who)) (VP (VBD 1=left))) (. 2=?)))"
    assert not [one for kind in REWRITINGS for one in rewrite(kind, question, 5)]
