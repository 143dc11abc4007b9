"""permutree: discontinuous constituent parsing by sequence labelling, as a library and as commands.

The public names are imported when they are first used, so that ``import permutree`` costs nothing.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0.dev0"

# Nothing is sent anywhere: ONNX Runtime reads this when it is imported, by whichever module.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

if TYPE_CHECKING:
    from permutree.encoding import decode, encode
    from permutree.errors import ConfigError, DataError, FileError, PermutreeError, TreeError
    from permutree.evaluation import evaluate
    from permutree.formats import read, write
    from permutree.integrations.notebook import display
    from permutree.languages import explain
    from permutree.parsing.parser import Parser
    from permutree.search.corpus import Corpus
    from permutree.serving.client import Client
    from permutree.training import train
    from permutree.trees.annotations import Annotations, SecondaryEdge
    from permutree.trees.batch import TreeBatch
    from permutree.trees.builder import TreeBuilder
    from permutree.trees.nodes import TreeNode, Word
    from permutree.trees.tree import Constituent, Tree

_HOMES = {
    "Annotations": "permutree.trees.annotations",
    "Client": "permutree.serving.client",
    "ConfigError": "permutree.errors",
    "Constituent": "permutree.trees.tree",
    "Corpus": "permutree.search.corpus",
    "DataError": "permutree.errors",
    "FileError": "permutree.errors",
    "Parser": "permutree.parsing.parser",
    "PermutreeError": "permutree.errors",
    "SecondaryEdge": "permutree.trees.annotations",
    "Tree": "permutree.trees.tree",
    "TreeBatch": "permutree.trees.batch",
    "TreeBuilder": "permutree.trees.builder",
    "TreeError": "permutree.errors",
    "TreeNode": "permutree.trees.nodes",
    "Word": "permutree.trees.nodes",
    "decode": "permutree.encoding",
    "display": "permutree.integrations.notebook",
    "encode": "permutree.encoding",
    "evaluate": "permutree.evaluation",
    "explain": "permutree.languages",
    "read": "permutree.formats",
    "train": "permutree.training",
    "write": "permutree.formats",
}

__all__ = [
    "Annotations",
    "Client",
    "ConfigError",
    "Constituent",
    "Corpus",
    "DataError",
    "FileError",
    "Parser",
    "PermutreeError",
    "SecondaryEdge",
    "Tree",
    "TreeBatch",
    "TreeBuilder",
    "TreeError",
    "TreeNode",
    "Word",
    "decode",
    "display",
    "encode",
    "evaluate",
    "explain",
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
