from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from permutree import Tree
from permutree.errors import ConfigError, TreeError
from permutree.trees.tree import Constituent
from permutree_lab.teaching.lessons import Language, Lesson, check, lesson
from permutree_lab.teaching.making import generate, read_texts, rewrite, spread
from permutree_lab.teaching.parts import Part, part, word

PLAIN = "(S (NP (DT 0=the) (NN 1=cat)) (VP (VBZ 2=sleeps)))"
GAP = "(S (NP (DT 0=the) (NN 2=cat)) (VP (VBZ 1=sleeps)))"


def swap(root: Part, random: Random) -> Iterator[Lesson]:
    """The noun after the verb, twice."""
    noun_phrase, verb_phrase = root.children
    order = [noun_phrase.children[0], verb_phrase, noun_phrase.children[1]]
    for _ in range(2):
        yield lesson(part("S", noun_phrase, verb_phrase, order=order), noun_phrase)


def count_to(random: Random) -> Lesson:
    return lesson(part("S", word("CD", str(random.randrange(50))), word("CD", str(random.randrange(50)))))


TOY = Language("xx", {"swap": swap}, {"one": count_to, "two": count_to}, {"two": 3})


def test_promises_are_checked() -> None:
    check(Lesson(Tree.parse(GAP), Constituent("NP", (0, 2))))
    check(Lesson(Tree.parse(PLAIN)))
    with pytest.raises(TreeError, match="should be continuous"):
        check(Lesson(Tree.parse(GAP)))
    with pytest.raises(TreeError, match="no NP with a gap"):
        check(Lesson(Tree.parse(PLAIN), Constituent("NP", (0, 1))))
    with pytest.raises(TreeError, match="no VP with a gap"):
        check(Lesson(Tree.parse(GAP), Constituent("VP", (0, 2))))


def test_rewritten_sentences_come_once_and_none_that_is_avoided() -> None:
    tree = Tree.parse(PLAIN)
    made = [*rewrite(TOY, [tree, tree], seed=1)]
    assert [(kind, tree.discbracket()) for kind, tree in made] == [("swap", GAP)]
    assert not [*rewrite(TOY, [tree], seed=1, avoid={"thesleepscat"})]


def test_the_seed_decides_and_kinds_take_turns_by_their_shares() -> None:
    made = [*generate(TOY, 40, seed=1)]
    assert made == [*generate(TOY, 40, seed=1)]
    assert made != [*generate(TOY, 40, seed=2)]
    assert len({tree.words for _, tree in made}) == 40
    assert 5 < sum(kind == "one" for kind, _ in made) < 15


def test_a_grammar_with_nothing_new_to_say_ends() -> None:
    one_word = Language("xx", {}, {"one": lambda random: lesson(part("S", word("X", "a")))}, {})
    assert len([*generate(one_word, 5, seed=1)]) == 1


def test_unknown_kinds_name_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="no kind 'three'; there are one, two"):
        next(generate(TOY, 1, 1, ["three"]))


def test_spread_takes_as_many_of_each_kind() -> None:
    tree = Tree.parse(PLAIN)
    made = [("a", tree)] * 10 + [("b", tree)] * 3
    kinds = sorted(kind for kind, _ in spread(made, 8, seed=1))
    assert kinds == ["a"] * 5 + ["b"] * 3


def test_texts_of_suites_and_treebanks(tmp_path: Path) -> None:
    suite = tmp_path / "dev.txt"
    suite.write_text("# note\n== question\n{a=WHNP|NP Which {?b book}} did {c n't} he {a read} ?\n\n", encoding="utf-8")
    treebank = tmp_path / "some.discbracket"
    treebank.write_text(PLAIN + "\n", encoding="utf-8")
    assert read_texts([suite, treebank]) == {"whichbookdidntheread", "thecatsleeps"}
