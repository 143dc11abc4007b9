"""permutree: discontinuous constituent parsing by sequence labelling, as a library and as commands.

>>> import permutree
>>> parser = permutree.Parser.load("en")
>>> (tree,) = parser.parse("What do you want to eat?")
>>> [node.span_text for node in tree.find(label="VP") if node.is_discontinuous]
['What … want to eat', 'What … to eat', 'What … eat']

Parsing
    Parser      a model that parses text and sentences
    Client      the same methods, parsed by a server
    train       trains a model on a treebank

Trees
    Tree        a sentence with its constituents, immutable
    Node, Word  places in a tree, to walk over
    Constituent a label and the indexes of words
    Trees       a list of trees, which notebooks show
    TreeBuilder nodes that can be changed, to make a tree of
    TreeBatch   many trees as arrays
    Annotations, SecondaryEdge
                what treebanks say beside the tree: ids, lemmas, morphology, functions, secondary edges

Treebanks
    read, write files in any format
    Corpus      treebanks to search
    evaluate    compares predicted trees with gold trees
    encode, decode
                a tree as one label per word, and back

Showing
    draw        trees as text, SVG, PNG, HTML or LaTeX
    display     trees and more in notebooks
    explain     what a label or tag means

Errors
    PermutreeError, and below it TreeError, DataError, FileError, ConfigError

Integrations with spaCy, NLTK, pandas and others are in ``permutree.integrations``. docs/reference/api.md says how long
public names stay. They are imported when they are first used, so that ``import permutree`` costs nothing.
"""

from __future__ import annotations

import os
import warnings
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
    from permutree.formats.drawings import draw
    from permutree.integrations.notebook import display
    from permutree.languages import explain
    from permutree.parsing.parser import Parser
    from permutree.search.corpus import Corpus
    from permutree.serving.client import Client
    from permutree.training import train
    from permutree.trees.annotations import Annotations, SecondaryEdge
    from permutree.trees.batch import TreeBatch
    from permutree.trees.builder import TreeBuilder
    from permutree.trees.nodes import Node, Word
    from permutree.trees.tree import Constituent, Tree
    from permutree.trees.treelist import Trees

_HOMES = {
    "Annotations": "permutree.trees.annotations",
    "Client": "permutree.serving.client",
    "ConfigError": "permutree.errors",
    "Constituent": "permutree.trees.tree",
    "Corpus": "permutree.search.corpus",
    "DataError": "permutree.errors",
    "FileError": "permutree.errors",
    "Node": "permutree.trees.nodes",
    "Parser": "permutree.parsing.parser",
    "PermutreeError": "permutree.errors",
    "SecondaryEdge": "permutree.trees.annotations",
    "Tree": "permutree.trees.tree",
    "TreeBatch": "permutree.trees.batch",
    "TreeBuilder": "permutree.trees.builder",
    "TreeError": "permutree.errors",
    "Trees": "permutree.trees.treelist",
    "Word": "permutree.trees.nodes",
    "decode": "permutree.encoding",
    "display": "permutree.integrations.notebook",
    "draw": "permutree.formats.drawings",
    "encode": "permutree.encoding",
    "evaluate": "permutree.evaluation",
    "explain": "permutree.languages",
    "read": "permutree.formats",
    "train": "permutree.training",
    "write": "permutree.formats",
}

#: old name → new name, and the version in which the old one goes
_DEPRECATED = {"TreeNode": ("Node", "0.3")}

__all__ = [
    "Annotations",
    "Client",
    "ConfigError",
    "Constituent",
    "Corpus",
    "DataError",
    "FileError",
    "Node",
    "Parser",
    "PermutreeError",
    "SecondaryEdge",
    "Tree",
    "TreeBatch",
    "TreeBuilder",
    "TreeError",
    "Trees",
    "Word",
    "decode",
    "display",
    "draw",
    "encode",
    "evaluate",
    "explain",
    "read",
    "train",
    "write",
]


def __getattr__(name: str) -> object:
    if name in _DEPRECATED:
        new, version = _DEPRECATED[name]
        said = f"permutree.{name} is now permutree.{new}; the old name goes in version {version}"
        warnings.warn(said, DeprecationWarning, stacklevel=2)
        name = new
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'permutree' has no attribute {name!r}; it has {', '.join(sorted(_HOMES))}")


def __dir__() -> list[str]:
    return [*globals(), *_HOMES]
