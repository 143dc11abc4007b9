"""Training sets get the annotations of the same trees."""

import importlib
from types import ModuleType

import pytest

from permutree import Tree
from permutree_lab.folders import LAB


@pytest.fixture
def annotated(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    monkeypatch.syspath_prepend(str(LAB / "models"))
    return importlib.import_module("annotated")


def test_annotations_are_those_of_the_same_tree(annotated: ModuleType) -> None:
    # The reference conversion writes some tags in another way.
    plain = [
        Tree.parse("(S (VP (V 0=a) ($[ 2=c)) (Y 1=b))"),
        Tree.parse("(S (Y 0=a) (Z 1=b))"),
        Tree.parse("(S (Y 0=d))"),
    ]
    known = [
        Tree.parse("(S (Y 0=a) (NP (Z 1=b)))").annotated(functions=("HD", None, None, "SB")),
        Tree.parse("(S (VP (V 0=a) ($LRB 2=c)) (Y 1=b))").annotated(
            functions=("HD", "SB", "--", None, "OC"), morphology=("inf", None, None), lemmas=("a", "b", "c")
        ),
    ]
    found = annotated.annotate(plain, known)
    assert found == plain
    assert [tree.annotations.functions for tree in found] == [("HD", "SB", "--", None, "OC"), None, None]
    assert found[0].annotations.morphology == ("inf", None, None)
    assert found[0].annotations.lemmas is None
