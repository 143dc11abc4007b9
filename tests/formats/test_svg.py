"""SVG pictures as a format."""

from pathlib import Path

import pytest

from permutree.drawing import draw_svg
from permutree.errors import TreeError
from permutree.formats import write
from permutree.formats.svg import files
from permutree.trees.tree import Tree

TREE = Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")


def test_options(tmp_path: Path) -> None:
    write([TREE], tmp_path / "tree.svg", transparent=True)
    assert (tmp_path / "tree.svg").read_text("utf-8") == draw_svg(TREE, background=False)
    named = TREE.annotated(functions=("MO", "HD", None, "SB", None, "OC"))
    write([named], tmp_path / "tree.svg", functions=True)
    assert (tmp_path / "tree.svg").read_text("utf-8") == draw_svg(named, functions=True)


def test_files_are_called_after_the_numbers_of_trees() -> None:
    assert [name for name, _ in files([TREE, TREE])] == ["1.svg", "2.svg"]
    assert list(files([TREE], numbers=[7])) == [("7.svg", draw_svg(TREE))]


def test_a_tree_that_cannot_be_drawn_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(tree: Tree, **options: object) -> str:
        raise TreeError("too wide")

    monkeypatch.setattr("permutree.formats.svg.draw_svg", fail)
    with pytest.raises(ValueError, match="sentence 7: too wide"):
        list(files([TREE], numbers=[7]))
