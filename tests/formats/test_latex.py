"""LaTeX as a format."""

from pathlib import Path

from permutree.drawing import draw_latex, draw_latex_document
from permutree.formats import write
from permutree.trees.tree import Tree

TREES = [Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))"), Tree.parse("(S (X 0=a))")]


def test_a_document_and_fragments(tmp_path: Path) -> None:
    path = tmp_path / "trees.tex"
    write(TREES, path)
    assert path.read_text("utf-8") == draw_latex_document(TREES)
    write([TREES[0].annotated(id="s7"), TREES[1]], path, fragment=True, numbers=[3, 8])
    assert path.read_text("utf-8") == f"% 3 s7\n{draw_latex(TREES[0])}% 8\n{draw_latex(TREES[1])}"
