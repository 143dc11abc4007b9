"""The training sets of the open treebanks with functions and morphology, which auxiliary tasks learn from.

    python lab/models/annotated.py ../shared/treebanks lab/work/training

DATA is the folder of `prepare_teaching.py`, whose training sets are the reference conversions, without annotations.
The recipes of `permutree prepare` keep these, so the raw files are converted once more, and every tree of DATA that
has the same words and constituents there gets its annotations. Writes `annotated/alpino.jsonl.xz` … into DATA, and says
how many trees have none. Dev and test sets are not read.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from permutree import Tree, read, write
from permutree.treebanks.recipes import prepare
from permutree.trees.annotations import Annotations

#: the recipe of each treebank, and what its training sets are called here
TREEBANKS = {
    "alpino": ("alpino", {"train": "alpino", "extra-train": "alpino-extra"}),
    "squoia_de": ("squoia-de", {"train": "squoia_de"}),
    "masc": ("masc", {"train": "masc"}),
    "craft": ("craft", {"train": "craft"}),
}


def structure(tree: Tree) -> tuple[Any, ...]:
    """What two trees must share, so that one can have the annotations of the other: not their tags."""
    return tree.words, tuple(tree.order), tree.labels, tree.starts, tree.ends


def annotate(plain: list[Tree], annotated: list[Tree]) -> list[Tree]:
    """Trees with the functions and the morphology of those that are the same."""
    known: dict[tuple[Any, ...], Annotations] = {structure(tree): tree.annotations for tree in annotated}
    found = []
    for tree in plain:
        other = known.get(structure(tree))
        changes = {} if other is None else {"functions": other.functions, "morphology": other.morphology}
        found.append(tree.annotated(**changes))
    return found


def main() -> None:
    """Write the training sets of all treebanks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", type=Path)
    parser.add_argument("data", type=Path)
    given = parser.parse_args()
    out = given.data / "annotated"
    out.mkdir(exist_ok=True)
    for treebank, (recipe, splits) in TREEBANKS.items():
        with tempfile.TemporaryDirectory() as temporary:
            prepare(recipe, given.treebanks / treebank / "raw.tar.xz", temporary, format="jsonl")
            for split, name in splits.items():
                plain = list(read(given.data / treebank / f"{split}.discbracket.xz"))
                trees = annotate(plain, list(read(Path(temporary) / f"{split}.jsonl")))
                path = out / f"{name}.jsonl.xz"
                write(trees, path)
                without = sum(tree.annotations.functions is None for tree in trees)
                print(f"{path}: {len(trees):,} trees, {without:,} without functions", flush=True)


if __name__ == "__main__":
    main()
