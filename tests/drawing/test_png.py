"""Pictures in pixels."""

import re
import shutil
import struct
import sys

import pytest

from permutree.drawing import draw_png, draw_svg, png
from permutree.errors import ConfigError, TreeError
from permutree.trees.tree import Tree

TREE = Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")


def size(picture: bytes) -> tuple[int, int]:
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


@pytest.mark.usefixtures("fonts")
def test_as_large_as_wanted() -> None:
    found = re.search(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"', draw_svg(TREE))
    assert found is not None
    for zoom in (1, 2, 3.5):
        for pixels, wanted in zip(size(draw_png(TREE, zoom=zoom)), map(float, found.groups()), strict=True):
            assert abs(pixels - zoom * wanted) <= 1


@pytest.mark.usefixtures("fonts")
def test_words_and_background_are_there() -> None:
    other = Tree.parse("(S (VP (WRB 0=How) (VB 3=wonk)) (VBZ 1=does) (PRP 2=it))")
    assert draw_png(TREE) != draw_png(other)
    assert draw_png(TREE) != draw_png(TREE, background=False)


@pytest.mark.usefixtures("fonts")
def test_too_large() -> None:
    with pytest.raises(TreeError, match="pixels are too many for a PNG; draw an SVG"):
        draw_png(TREE, zoom=1e6)


@pytest.mark.usefixtures("fonts")
def test_any_font_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    as_usual = draw_png(TREE)
    monkeypatch.setattr(png, "_FONTS", ("Of No System", *png._FONTS))
    assert draw_png(TREE) == as_usual
    monkeypatch.setattr(png, "_FONTS", ())
    if shutil.which("fc-match"):
        assert size(draw_png(TREE)) == size(as_usual)
    else:
        with pytest.raises(ConfigError, match="has no font"):
            draw_png(TREE)


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ConfigError, match=r"pip install 'permutree\[png\]'"):
        draw_png(TREE)


def test_without_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    import resvg_py

    draw = resvg_py.svg_to_bytes
    monkeypatch.setattr(resvg_py, "svg_to_bytes", lambda **options: draw(**options, skip_system_fonts=True))
    with pytest.raises(ConfigError, match="has no font"):
        draw_png(TREE)
