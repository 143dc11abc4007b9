"""Pages of HTML as a format."""

from pathlib import Path

from permutree.drawing import draw_html
from permutree.formats import write
from permutree.trees.tree import Tree

TREES = [Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))"), Tree.parse("(S (X 0=a))")]


def test_a_page(tmp_path: Path) -> None:
    path = tmp_path / "trees.html"
    write(TREES, path)
    assert path.read_text("utf-8") == draw_html(TREES)
    write(TREES, path, title="dev <1>", numbers=[4, 17])
    page = path.read_text("utf-8")
    assert "<h1>dev &lt;1&gt;</h1>" in page
    assert 'id="tree-17"' in page
    assert 'id="tree-1"' not in page


def test_a_page_names_the_language_of_its_trees(tmp_path: Path) -> None:
    path = tmp_path / "trees.html"
    write(TREES, path, language="de")
    assert '<html lang="de">' in path.read_text("utf-8")
    # An unknown one is not taken to be English.
    write(TREES, path)
    assert '<html lang="">' in path.read_text("utf-8")
