"""permutree: discontinuous constituent trees, as a library and as commands.

The public names are imported when they are first used, so that ``import permutree`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0.dev0"

if TYPE_CHECKING:
    from permutree.encoding import decode, encode
    from permutree.evaluation import evaluate
    from permutree.inference.parser import Parser
    from permutree.training import train
    from permutree.tree import Annotations, Constituent, SecondaryEdge, Tree, TreeError
    from permutree.treebanks import read, write
    from permutree.treebanks.errors import TreebankError

_HOMES = {
    "Annotations": "permutree.tree",
    "Constituent": "permutree.tree",
    "Parser": "permutree.inference.parser",
    "SecondaryEdge": "permutree.tree",
    "Tree": "permutree.tree",
    "TreeError": "permutree.tree",
    "TreebankError": "permutree.treebanks.errors",
    "decode": "permutree.encoding",
    "encode": "permutree.encoding",
    "evaluate": "permutree.evaluation",
    "read": "permutree.treebanks",
    "train": "permutree.training",
    "write": "permutree.treebanks",
}

__all__ = [
    "Annotations",
    "Constituent",
    "Parser",
    "SecondaryEdge",
    "Tree",
    "TreeError",
    "TreebankError",
    "decode",
    "encode",
    "evaluate",
    "read",
    "train",
    "write",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'permutree' has no attribute {name!r}; it has {', '.join(sorted(_HOMES))}")


def __dir__() -> list[str]:
    return [*globals(), *_HOMES]
