"""How far two trainings with the same settings and seeds are apart, where a GPU does not add in the same order twice.

    python lab/benchmarks/repeats.py [lab/results] [lab/results/again]

Of all cells that both folders have results of: means over seeds in the first folder, and what is added in the second.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import fmean

from permutree_lab.folders import LAB
from permutree_lab.results import Result, Results, figure

RESULTS = LAB / "results"
FIGURES = ("dev f1", "dev disc f1", "test f1", "test disc f1")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=Path, nargs="?", default=RESULTS)
    parser.add_argument("second", type=Path, nargs="?", default=RESULTS / "again")
    given = parser.parse_args()
    first, second = Results(given.first).rows, Results(given.second).rows
    places: dict[str, list[tuple[Result, Result]]] = {}
    for key, row in second.items():
        if key in first:
            name = ", ".join(value for axis, value in row["cell"].items() if axis != "seed")
            places.setdefault(name, []).append((first[key], row))
    print(f"| | seeds | {' | '.join(FIGURES)} |")
    print(f"|---|---:|{'---:|' * len(FIGURES)}")
    furthest = dict.fromkeys(FIGURES, 0.0)
    for name, pairs in sorted(places.items()):
        said = []
        for wanted in FIGURES:
            once, again = (fmean(figure(pair[side], wanted) or 0.0 for pair in pairs) for side in (0, 1))
            furthest[wanted] = max(furthest[wanted], abs(again - once))
            said.append(f"{once:.1f} {again - once:+.1f}")
        print(f"| {name} | {len(pairs)} | {' | '.join(said)} |")
    print(f"| at most | | {' | '.join(f'{most:.1f}' for most in furthest.values())} |")


if __name__ == "__main__":
    main()
