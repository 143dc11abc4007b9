import copy
import pickle
from xml.etree import ElementTree

import pytest

from permutree import Client, Parser, Tree, Trees
from permutree.integrations.notebook import OPEN, SHOWN
from permutree.trees.displays import DISPLAYS

TREE = Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")


def test_it_is_a_list() -> None:
    trees = Trees([TREE, TREE], language="en")
    assert trees == [TREE, TREE]
    assert trees != [TREE]
    assert [*trees, TREE] == trees + [TREE] == [TREE] * 3  # noqa: RUF005 - this is what is tried
    assert isinstance(trees, list)
    assert trees[0] is trees[-1] is TREE
    assert repr(trees) == repr([TREE, TREE])
    trees.append(TREE)
    assert len(trees) == 3


@pytest.mark.parametrize("again", [lambda one: one[:], copy.copy, copy.deepcopy, lambda one: one.copy()])
def test_copies_keep_the_language(again) -> None:  # type: ignore[no-untyped-def]
    trees = again(Trees([TREE], language="en"))
    assert (type(trees), trees, trees.language) == (Trees, [TREE], "en")


def test_pickle() -> None:
    trees = pickle.loads(pickle.dumps(Trees([TREE], language="en")))
    assert (type(trees), trees, trees.language) == (Trees, [TREE], "en")


def test_a_notebook_shows_the_first_of_many() -> None:
    found = ElementTree.fromstring(Trees([TREE] * (SHOWN + 7))._repr_html_())
    assert len(list(found.iter("details"))) == SHOWN
    assert len([one for one in found.iter("details") if "open" in one.attrib]) == OPEN
    assert "7 more" in "".join(found.itertext())
    assert "more" not in Trees([TREE] * SHOWN)._repr_html_()


def test_the_table_says_how_they_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DISPLAYS, "html", "builtins:repr")
    assert Trees([TREE])._repr_html_() == repr([TREE])


def test_parsers_know_the_language() -> None:
    trees = Parser.load("en").parse("It works. How?")
    assert isinstance(trees, Trees)
    assert trees.language == "en"
    assert len(trees) == 2
    assert "<title>VBZ: " in trees._repr_html_()
    assert Client.parse.__annotations__["return"] == "Trees"


def test_texts_without_sentences() -> None:
    assert [(one, type(one)) for one in Parser.load("en").parse_texts(["", " "])] == [([], Trees)] * 2
