"""How a tree shows itself: with lines for ``print``, as SVG for a notebook.

Drawing comes after trees in the flow of data, so trees do not import it. A display is a plug-in: the table says by
name which function draws a tree, and the function is loaded when a tree is shown for the first time. To show trees
another way, put another function into the table.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from permutree.trees.tree import Tree

__all__ = ["DISPLAYS", "show"]

#: kind of display → ``module:function`` that takes a tree and gives a text
DISPLAYS = {"text": "permutree.drawing:draw_text", "svg": "permutree.drawing:draw_svg"}


def show(tree: Tree, kind: str) -> str:
    """A tree as ``text`` or ``svg``."""
    return _load(DISPLAYS[kind])(tree)


@cache
def _load(name: str) -> Callable[[Tree], str]:
    module, _, function = name.partition(":")
    draw: Callable[[Tree], str] = getattr(import_module(module), function)
    return draw
