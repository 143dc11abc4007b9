"""Drawings of trees: for the terminal, as SVG and PNG, as a page of HTML and for LaTeX.

Where the nodes stand is computed once, in :mod:`permutree.drawing.layout`; each format is a module that draws it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from permutree.trees.tree import Tree

__all__ = ["draw_html", "draw_latex", "draw_latex_document", "draw_png", "draw_svg", "draw_text"]


def draw_text(
    tree: Tree,
    *,
    ascii: bool = False,  # noqa: A002 - the word that users expect
    width: int | None = None,
    colour: bool = False,
    functions: bool = False,
    marks: Mapping[int, str] | None = None,
) -> str:
    """A tree for the terminal, without a line feed at the end.

    Words stand in sentence order at the bottom; a vertical line that interrupts a horizontal one crosses it. The lines
    below a discontinuous constituent are double (``=`` and ``:`` in ASCII), in colour too if asked for.

    Args:
        tree: what to draw.
        ascii: draw lines with ASCII characters only; words and labels stay as they are.
        width: the columns there are; a drawing that needs more gives way to an indented outline.
        colour: write ANSI escape codes.
        functions: append function labels to labels and tags, as in ``NP-SB``.
        marks: node → ``wrong``, ``missing`` or ``found``; these have a star, and colours are for them alone. Nodes are
            numbered: words from 0, then constituents in preorder.

    """
    from permutree.drawing.text import ASCII, UNICODE, draw

    return draw(tree, ASCII if ascii else UNICODE, width=width, colour=colour, functions=functions, marks=marks)


def draw_svg(
    tree: Tree,
    *,
    functions: bool = False,
    background: bool = True,
    marks: Mapping[int, str] | None = None,
    language: str | None = None,
) -> str:
    """A tree as a standalone SVG picture, dark where the reader prefers dark.

    Args:
        tree: what to draw.
        functions: write function labels on the branches.
        background: paint a background, so that the picture is legible on a page of any colour.
        marks: node → ``wrong``, ``missing`` or ``found``; colours are then for these alone. Nodes are numbered: words
            from 0, then constituents in preorder.
        language: the code of the language; browsers then show what a label means where the pointer rests on it.

    """
    from permutree.drawing.svg import draw

    return draw(tree, functions=functions, background=background, marks=marks, language=language)


def draw_png(
    tree: Tree,
    *,
    functions: bool = False,
    background: bool = True,
    marks: Mapping[int, str] | None = None,
    zoom: float = 2.0,
) -> bytes:
    """Draw a tree as PNG, with ``zoom`` pixels for one of the SVG. Needs ``pip install 'permutree[png]'``."""
    from permutree.drawing.png import as_png

    return as_png(draw_svg(tree, functions=functions, background=background, marks=marks), zoom=zoom)


def draw_html(
    trees: Iterable[Tree], *, title: str = "Trees", functions: bool = False, language: str | None = None
) -> str:
    """A standalone page with the pictures of many trees, each with its number, id and sentence.

    If the code of their language is given, labels are explained where the pointer rests on them.
    """
    from permutree.drawing.html import page

    return "".join(page(enumerate(trees, 1), title=title, functions=functions, language=language))


def draw_latex(tree: Tree, *, standalone: bool = False, functions: bool = False) -> str:
    r"""A tree as a TikZ picture, or with ``standalone`` as a document of one page that fits it.

    A picture needs ``\\usepackage{tikz}`` in the document that it is put into.
    """
    from permutree.drawing.latex import document, picture

    return "".join(document([tree], functions=functions)) if standalone else picture(tree, functions=functions)


def draw_latex_document(trees: Iterable[Tree], *, functions: bool = False) -> str:
    """A LaTeX document of many trees, each on a page that fits it."""
    from permutree.drawing.latex import document

    return "".join(document(trees, functions=functions))
