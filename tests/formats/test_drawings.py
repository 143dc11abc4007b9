from pathlib import Path

import pytest

import permutree
from permutree import ConfigError, Tree, draw
from permutree.drawing import draw_html, draw_latex, draw_latex_document, draw_png, draw_svg, draw_text

TREE = Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")


def test_every_kind() -> None:
    assert permutree.draw(TREE) == draw(TREE, "text") == draw_text(TREE) == str(TREE)
    assert draw(TREE, "svg", language="en") == draw_svg(TREE, language="en")
    assert draw(TREE, "png", zoom=1) == draw_png(TREE, zoom=1)
    assert draw(TREE, "html", title="One") == draw_html([TREE], title="One")
    assert draw(TREE, "latex") == draw_latex(TREE)


def test_several() -> None:
    assert draw([TREE, TREE], ascii=True) == "\n\n".join([draw_text(TREE, ascii=True)] * 2)
    assert draw(iter([TREE, TREE]), to="html") == draw_html([TREE, TREE])
    assert draw([TREE, TREE], to="latex") == draw_latex_document([TREE, TREE])
    for kind in ("svg", "png"):
        with pytest.raises(ConfigError, match="holds one tree, and these are 2: use "):
            draw([TREE, TREE], to=kind)


@pytest.mark.parametrize("name", ["t.txt", "t.svg", "t.PNG", "t.html", "t.tex"])
def test_the_name_says_the_kind(name: str, tmp_path: Path) -> None:
    made = draw(TREE, path=tmp_path / name)
    written = (tmp_path / name).read_bytes()
    assert written.rstrip(b"\n") == (made if isinstance(made, bytes) else made.encode()).rstrip(b"\n")


def test_a_kind_goes_before_the_name(tmp_path: Path) -> None:
    draw(TREE, "svg", tmp_path / "picture")
    assert (tmp_path / "picture").read_text("utf-8") == draw_svg(TREE)


def test_wrong_names(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no drawing 'jpeg': there are text, svg, png, html, latex"):
        draw(TREE, to="jpeg")  # type: ignore[call-overload]
    with pytest.raises(ConfigError, match="does not say what to draw"):
        draw(TREE, path=tmp_path / "tree.jpeg")
    assert not list(tmp_path.iterdir())
