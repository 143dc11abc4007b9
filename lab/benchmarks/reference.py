"""Compare the five open treebanks, as our recipes make them, with the reference conversion, tree for tree.

    python lab/benchmarks/reference.py TREEBANK_FOLDER [--known docs/results/differences.tsv] [--show 5]

The folder holds a folder for each treebank with raw.tar.xz and the reference: train|dev|test.discbracket.xz with their
ids. Prints how many trees differ, and fails if one of them is not in the list of known differences, or if sentences
are missing or in another order.
"""

from __future__ import annotations

import argparse
import lzma
import sys
from collections import Counter, defaultdict
from pathlib import Path

from permutree.formats import read
from permutree.treebanks.recipes import RECIPES
from permutree.trees.tree import Tree

TREEBANKS = ("alpino", "icepahc", "craft", "masc", "squoia-de")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--known", type=Path, default=Path(__file__).resolve().parents[2] / "docs" / "results" / "differences.tsv"
    )
    parser.add_argument("--show", type=int, default=0, help="print this many differing trees of each split")
    options = parser.parse_args()
    reasons = {}
    for line in options.known.read_text("utf-8").splitlines()[1:]:
        treebank, _, identity, reason = line.split("\t")
        reasons[treebank, identity] = reason
    is_good = True
    for name in TREEBANKS:
        is_good &= compare(name, options.folder / name.replace("-", "_"), reasons, options.show)
    sys.exit(not is_good)


def compare(name: str, folder: Path, reasons: dict[tuple[str, str], str], show: int) -> bool:
    ours: dict[str, list[Tree]] = defaultdict(list)
    for split, tree in RECIPES[name].splits(folder / "raw.tar.xz", print):
        ours[split].append(tree)
    is_good = True
    for split, trees in ours.items():
        ids = lzma.decompress((folder / f"{split}.ids.xz").read_bytes()).decode().split()
        reference = list(read(folder / f"{split}.discbracket.xz"))
        same_order = ids == [tree.id for tree in trees]
        pairs = zip(trees, reference, strict=False)
        different = [(mine, theirs) for mine, theirs in pairs if mine.discbracket() != theirs.discbracket()]
        found = Counter(reasons.get((name, mine.id or ""), "not known") for mine, _ in different)
        said = ", ".join(f"{count} {reason}" for reason, count in found.most_common()) or "none"
        print(f"{name:<10} {split:<12} {len(trees):>7,} of {len(reference):>7,} trees, ", end="")
        print(f"{'same order' if same_order else 'OTHER ORDER'}, differing: {said}")
        for mine, theirs in different[:show]:
            print(f"  {mine.id}\n    ours       {mine.discbracket()}\n    reference  {theirs.discbracket()}")
        is_good &= same_order and len(trees) == len(reference) and not found["not known"]
    return is_good


if __name__ == "__main__":
    main()
