"""A page of HTML with the pictures of all trees."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from permutree.formats.format import Format
from permutree.formats.sinks import numbered
from permutree.trees.tree import Tree

__all__ = ["FORMAT", "write"]


def write(
    trees: Iterable[Tree],
    stream: TextIO,
    *,
    functions: bool = False,
    title: str = "Trees",
    numbers: Iterable[int] | None = None,
    language: str | None = None,
) -> None:
    """Draw trees on a page with this title, each with its number, id and sentence.

    If the code of their language is given, such as ``de``, the page says so, and labels are explained where the pointer
    rests on them.
    """
    from permutree.drawing.html import page

    stream.writelines(page(numbered(trees, numbers), title=title, functions=functions, language=language))


FORMAT = Format(
    name="html",
    description="a page with a picture of every tree",
    suffixes=(".html", ".htm"),
    write=write,
    rank=130,
    is_utf8=True,
)
