"""Where models of an experiment say that words jump in the arrangement, and where these go.

    python lab/benchmarks/jumps.py EXPERIMENT --work FOLDER [--only AXIS=VALUE …] [--treebanks FOLDER]

A word jumps if it does not come right after the one before it; it is right if it comes after the same word as in the
arrangement of the gold tree. Mean over the seeds that have predictions of the dev set in the working folder of the
experiment; treebanks are by default in ``shared/treebanks`` beside the checkout.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import mean

from permutree import Tree
from permutree.encoding import encode
from permutree_lab.cell import Places
from permutree_lab.folders import GRIDS, LAB
from permutree_lab.grid import Cell, Experiment
from permutree_lab.results import Results
from permutree_lab.treebanks import read_parts

TREEBANKS = LAB.parents[1] / "shared" / "treebanks"


def jumps(trees: list[Tree]) -> set[tuple[int, int, str]]:
    """Sentences, words that jump, and what they come after."""
    return {
        (number, place, label.permutation)
        for number, tree in enumerate(trees)
        for place, label in enumerate(encode(tree, "predecessor"))
        if label.permutation != "NEXT"
    }


def main() -> None:
    """Print a table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("experiment")
    options.add_argument("--work", type=Path, required=True)
    options.add_argument("--only", action="append", default=[])
    options.add_argument("--treebanks", type=Path, default=TREEBANKS)
    given = options.parse_args()
    places = Places(given.treebanks, given.work, None)
    results = Results(LAB / "results")
    groups: dict[tuple[str, ...], list[Cell]] = {}
    for cell in Experiment.load(GRIDS / f"{given.experiment}.toml").select(given.only):
        if results.of(cell) is not None and places.prediction(results.key(cell), "dev").exists():
            name = tuple(value for axis, value in cell.coordinates.items() if axis != "seed")
            groups.setdefault(name, []).append(cell)
    if not groups:
        options.error(f"there are no predictions of its cells in {given.work / 'predictions'}")
    print("| | seeds | jumps, gold | said | % of these right | % of gold found |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, cells in groups.items():
        gold = jumps(read_parts(given.treebanks, cells[0].treebank.parts("dev")))
        said = [jumps(places.predicted(results.key(cell), "dev")) for cell in cells]
        precision = mean(100 * len(one & gold) / max(1, len(one)) for one in said)
        recall = mean(100 * len(one & gold) / len(gold) for one in said)
        number = mean(len(one) for one in said)
        print(f"| {', '.join(name)} | {len(cells)} | {len(gold)} | {number:.0f} | {precision:.0f} | {recall:.0f} |")


if __name__ == "__main__":
    main()
