"""SVG pictures as PNG, for slides and word processors; resvg draws them, without a browser."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from permutree.errors import ConfigError, TreeError

__all__ = ["as_png"]

_EMPTY = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'
_LETTER = _EMPTY.format('<text y="9" font-family="sans-serif">x</text>')
_SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
#: fonts without serifs that systems come with; resvg itself knows the first one only
_FONTS = ("Arial", "Liberation Sans", "DejaVu Sans", "Noto Sans", "FreeSans", "Nimbus Sans", "Open Sans", "Ubuntu Sans")
#: pixels that take a gigabyte
_MOST = 1 << 28


def as_png(svg: str, *, zoom: float = 2.0) -> bytes:
    """Turn an SVG picture into PNG, ``zoom`` pixels to one of the SVG, with fonts of the system."""
    try:
        from resvg_py import svg_to_bytes
    except ModuleNotFoundError:
        raise ConfigError("PNG pictures need the package resvg_py: pip install 'permutree[png]'") from None
    font = _find_font(svg_to_bytes, _FONTS)
    found = _SIZE.search(svg)
    assert found is not None
    width, height = (zoom * float(number) for number in found.groups())
    if width * height > _MOST:
        raise TreeError(f"{width:,.0f} × {height:,.0f} pixels are too many for a PNG; draw an SVG")
    return svg_to_bytes(svg_string=svg, zoom=zoom, sans_serif_family=font)


@cache
def _find_font(draw: Callable[..., bytes], known: Sequence[str]) -> str:
    """A font that there is: with one that there is not, resvg leaves out all words, and says nothing."""
    nothing = draw(svg_string=_EMPTY.format(""))
    for font in _fonts(known):
        if draw(svg_string=_LETTER, sans_serif_family=font) != nothing:
            return font
    raise ConfigError("the system has no font to write a PNG with: install one, such as DejaVu, or draw an SVG")


def _fonts(known: Sequence[str]) -> Iterator[str]:
    """Names of fonts that there may be: those that are known, and what the system takes for sans-serif."""
    yield from known
    if program := shutil.which("fc-match"):
        said = subprocess.run([program, "--format=%{family[0]}", "sans-serif"], capture_output=True, text=True)
        yield said.stdout.strip()
