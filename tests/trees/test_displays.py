import pytest

from permutree.trees.displays import DISPLAYS, show
from permutree.trees.tree import Tree

TREE = Tree.parse("(S (NP (PRP 0=it)) (VBZ 1=works))")


def test_trees_show_themselves_by_the_functions_in_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    assert show(TREE, "svg") == TREE._repr_svg_()
    monkeypatch.setitem(DISPLAYS, "text", "builtins:repr")
    assert str(TREE) == repr(TREE)
