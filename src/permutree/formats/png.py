"""PNG pictures, one tree a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from permutree.drawing import draw_png
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
) -> Iterator[tuple[str, str | bytes]]:
    """A picture of each tree, named after its number; ``transparent`` ones have no background."""
    draw = partial(draw_png, functions=functions, background=not transparent)
    return files_of(numbered(trees, numbers), draw, ".png")


FORMAT = Format(
    name="png",
    description="pictures in pixels, one tree a file; needs permutree[png]",
    suffixes=(".png",),
    files=files,
    rank=120,
    is_utf8=True,
    is_binary=True,
)
