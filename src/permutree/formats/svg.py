"""SVG pictures, one tree a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from permutree.drawing import draw_svg
from permutree.formats.format import Format
from permutree.formats.sinks import files_of, numbered
from permutree.trees.tree import Tree

__all__ = ["FORMAT", "files"]


def files(
    trees: Iterable[Tree],
    *,
    functions: bool = False,
    transparent: bool = False,
    numbers: Iterable[int] | None = None,
    language: str | None = None,
) -> Iterator[tuple[str, str | bytes]]:
    """A picture of each tree, named after its number; ``transparent`` ones have no background.

    If the code of their language is given, such as ``de``, labels are explained where the pointer rests on them.
    """
    draw = partial(draw_svg, functions=functions, background=not transparent, language=language)
    return files_of(numbered(trees, numbers), draw, ".svg")


FORMAT = Format(
    name="svg",
    description="pictures, one tree a file",
    suffixes=(".svg",),
    files=files,
    rank=110,
    is_utf8=True,
)
