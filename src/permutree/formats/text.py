"""Drawings for the terminal, in Unicode or in ASCII, with an empty line between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from permutree.drawing import draw_text
from permutree.formats.format import Format
from permutree.sanitising import visible
from permutree.trees.tree import Tree

__all__ = ["ASCII", "DRAWING", "FORMATS", "write", "write_ascii"]


def write(
    trees: Iterable[Tree],
    stream: TextIO,
    *,
    functions: bool = False,
    width: int | None = None,
    colour: bool = False,
    numbers: Iterable[int] | None = None,
) -> None:
    """Draw trees, each below its id if it has one, as soon as it is there.

    With ``numbers``, each drawing stands below the number of its tree. Other options as in
    :func:`permutree.drawing.draw_text`.
    """
    _write(trees, stream, numbers, functions=functions, width=width, colour=colour)


def write_ascii(
    trees: Iterable[Tree],
    stream: TextIO,
    *,
    functions: bool = False,
    width: int | None = None,
    colour: bool = False,
    numbers: Iterable[int] | None = None,
) -> None:
    """Draw trees with ASCII lines; options as in :func:`write`."""
    _write(trees, stream, numbers, ascii=True, functions=functions, width=width, colour=colour)


def _write(trees: Iterable[Tree], stream: TextIO, numbers: Iterable[int] | None, **options: Any) -> None:
    for heading, tree in _with_headings(trees, numbers):
        stream.write(f"{heading}{draw_text(tree, **options)}\n")
        stream.flush()


def _with_headings(trees: Iterable[Tree], numbers: Iterable[int] | None) -> Iterator[tuple[str, Tree]]:
    """Trees after what stands above their drawings."""
    between = ""
    names = None if numbers is None else iter(numbers)
    for tree in trees:
        name = visible(tree.id) if tree.id else ""
        heading = name if names is None else f"#{next(names)} {name}".rstrip()
        yield f"{between}{heading}\n" if heading else between, tree
        between = "\n"


DRAWING = Format(
    name="drawing",
    description="drawings for the terminal, in Unicode",
    suffixes=(".txt",),
    write=write,
    aliases=("text",),
    rank=100,
)
ASCII = Format(
    name="ascii",
    description="drawings for the terminal, with ASCII lines",
    suffixes=(".txt",),
    write=write_ascii,
    rank=101,
)
FORMATS = (DRAWING, ASCII)
