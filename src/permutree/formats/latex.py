"""LaTeX with TikZ pictures, as a document or to be put into one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from permutree.drawing import draw_latex
from permutree.formats.format import Format
from permutree.formats.sinks import numbered
from permutree.trees.tree import Tree

__all__ = ["FORMAT", "write"]


def write(
    trees: Iterable[Tree],
    stream: TextIO,
    *,
    functions: bool = False,
    fragment: bool = False,
    numbers: Iterable[int] | None = None,
) -> None:
    """Draw trees in a document, each on a page that fits it.

    With ``fragment``, write the pictures alone, each below a comment with its number and id.
    """
    from permutree.drawing.latex import document, heading

    if fragment:
        for number, tree in numbered(trees, numbers):
            stream.write(heading(number, tree.id) + draw_latex(tree, functions=functions))
        return

    stream.writelines(document(trees, functions=functions))


FORMAT = Format(
    name="latex",
    description="a document with TikZ pictures, a page for each tree",
    suffixes=(".tex",),
    write=write,
    rank=140,
    is_utf8=True,
)
