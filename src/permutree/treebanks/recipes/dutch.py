"""Alpino: the cdb newspaper text is split by number; the other folders, mostly test suites, are extra training data."""

from __future__ import annotations

from pathlib import Path

from permutree.errors import OnError, raise_error
from permutree.formats import read
from permutree.formats.natural import natural_key
from permutree.treebanks.recipes import Splits
from permutree.treebanks.transforms import move_punctuation, rename_root, transform
from permutree.trees.tree import Tree

__all__ = ["alpino"]

#: the folders of extra training data, in the order in which they are read
EXTRA = (
    "eans",
    "extra",
    "g_suite",
    "h_suite",
    "i_suite",
    "j_suite",
    "m_suite",
    "leuven_yellow_pages",
    "lot_test_suite1",
    "ntv-suite",
    "cgn_exs",
    "qa",
    "wpspel",
    "medfail",
    "ovis",
    "Titaantjes",
)


def alpino(raw: Path, on_error: OnError = raise_error) -> Splits:
    """The cdb text: the first 80 % train, the next 10 % dev, the rest test; then what else is there, without repeats.

    An extra sentence is left out if the same words, in capitals or not, came before.
    """
    folders: dict[str, list[Tree]] = {}
    for tree in read(raw, "alpino", on_error=on_error):
        # An id is the path of the file: it ends in the folder of the collection and the name of the sentence.
        folder, name = (tree.id or "").rsplit("/", 2)[-2:]
        folders.setdefault(folder, []).append(tree.annotated(id=f"{folder}/{name}"))
    for trees in folders.values():
        trees.sort(key=lambda tree: natural_key(tree.id or ""))
    cdb = folders.get("cdb", [])
    seen: set[str] = set()
    for number, tree in enumerate(cdb):
        seen.add(_text(tree))
        yield _split(number, len(cdb)), _prepared(tree)
    for folder in EXTRA:
        for tree in folders.get(folder, []):
            if (text := _text(tree)) not in seen:
                seen.add(text)
                yield "extra-train", _prepared(tree)


def _split(number: int, total: int) -> str:
    return "train" if number < total * 8 // 10 else "dev" if number < total * 9 // 10 else "test"


def _text(tree: Tree) -> str:
    return " ".join(tree.words).lower()


def _prepared(tree: Tree) -> Tree:
    """Punctuation, which hangs from the root, moved in; the root called ROOT, so that it is not scored."""
    return transform(tree, move_punctuation, rename_root)
