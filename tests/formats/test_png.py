"""PNG pictures as a format."""

import sys
from pathlib import Path

import pytest

from permutree.drawing import draw_png
from permutree.errors import ConfigError
from permutree.formats import write
from permutree.trees.tree import Tree

TREE = Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")


@pytest.mark.usefixtures("fonts")
def test_pictures(tmp_path: Path) -> None:
    write([TREE], tmp_path / "tree.png", transparent=True)
    assert (tmp_path / "tree.png").read_bytes() == draw_png(TREE, background=False)
    write([TREE, TREE], f"{tmp_path}/trees/", "png", numbers=[4, 7])
    assert (tmp_path / "trees" / "7.png").read_bytes() == draw_png(TREE)


def test_nothing_is_written_without_what_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ConfigError, match=r"pip install 'permutree\[png\]'"):
        write([TREE], tmp_path / "tree.png")
    assert list(tmp_path.iterdir()) == []
