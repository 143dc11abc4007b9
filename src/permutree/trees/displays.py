"""What a tree can do that comes after trees in the flow of data: show itself, and turn into trees of other libraries.

Trees do not import what comes after them. So each is a plug-in: the table says by name which function does it, and the
function is loaded when it is called for the first time. To show trees another way, put another function into the table.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from permutree.trees.tree import Tree

__all__ = ["DISPLAYS", "plugged_in", "show"]

#: name → ``module:function``; ``text``, ``svg`` and ``to_…`` take a tree, ``from_…`` gives one, ``html`` takes whatever
#: notebooks show, ``explain`` a label and the code of a language
DISPLAYS = {
    "text": "permutree.drawing:draw_text",
    "svg": "permutree.drawing:draw_svg",
    "html": "permutree.integrations.notebook:shown_as_html",
    "explain": "permutree.languages:explain",
    "to_nltk": "permutree.integrations.nltk:to_nltk",
    "from_nltk": "permutree.integrations.nltk:from_nltk",
    "to_networkx": "permutree.integrations.networkx:to_networkx",
}


def show(tree: Tree, kind: str) -> str:
    """A tree as ``text`` or ``svg``."""
    shown: str = plugged_in(kind)(tree)
    return shown


def plugged_in(name: str) -> Callable[..., Any]:
    """The function of this name in the table."""
    return _load(DISPLAYS[name])


@cache
def _load(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found
