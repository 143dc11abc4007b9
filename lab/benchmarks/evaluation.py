"""How fast predictions are scored: gold trees against damaged copies, all figures and discontinuous ones.

    python lab/benchmarks/evaluation.py TREEBANK_FOLDER [--repeat 5] [--rate 0.1]

The folder holds icepahc and other treebanks, each with dev.discbracket.xz. Times are seconds of processor time on one
core, after reading: from trees (which become arrays first) and from arrays, as a training loop has them. Each is the
best of some rounds, as everything that disturbs a measurement makes it slower.
"""

from __future__ import annotations

import argparse
import platform
import time
from collections.abc import Callable
from pathlib import Path

from damage import damage
from permutree import evaluate, read
from permutree.evaluation import Evaluation
from permutree.evaluation.reports import REPORTS
from permutree.evaluation.significance import METHODS, compare
from permutree.trees.batch import TreeBatch
from permutree.trees.tree import Tree

TREEBANKS = ("icepahc", "craft", "alpino", "masc", "squoia_de")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--rate", type=float, default=0.1)
    options = parser.parse_args()
    print(f"Python {platform.python_version()}, one core, seconds\n")
    print(f"{'dev set':<11}{'pairs':>7}{'words':>9}{'F1':>8}{'disc. F1':>10}{'from trees':>12}{'from arrays':>13}")
    for name in TREEBANKS:
        gold = list(read(options.folder / name / "dev.discbracket.xz"))
        first, second = (list(damage(gold, seed, options.rate)) for seed in (1, 2))
        report(name, gold, first, options.repeat)
        if name == TREEBANKS[0]:
            evaluations = evaluate(gold, first), evaluate(gold, second)
    print(f"\n{TREEBANKS[0]}: reports and tests of 10,000 samples")
    for name, make in REPORTS.items():
        print(f"{name:<16}{best(options.repeat, lambda: make(evaluations[0]).text()):>8.3f}")  # noqa: B023
    for method in METHODS:
        seconds = best(1, lambda: compare(*evaluations, method=method))  # type: ignore[arg-type]  # noqa: B023
        print(f"{method:<16}{seconds:>8.3f}")


def report(name: str, gold: list[Tree], predicted: list[Tree], repeat: int) -> None:
    def score(left: list[Tree] | TreeBatch, right: list[Tree] | TreeBatch) -> Evaluation:
        evaluation = evaluate(left, right)
        assert evaluation.overall.sentences == len(gold)
        assert evaluation.discontinuous.f1 is not None
        return evaluation

    found = score(gold, predicted)
    arrays = TreeBatch.from_trees(gold), TreeBatch.from_trees(predicted)
    from_trees = best(repeat, lambda: score(gold, predicted))
    from_arrays = best(repeat, lambda: score(*arrays))
    words = sum(map(len, gold))
    print(
        f"{name:<11}{len(gold):>7,}{words:>9,}{found.f1:>8.2f}{found.discontinuous.f1:>10.2f}"
        f"{from_trees:>12.3f}{from_arrays:>13.3f}"
    )


def best(repeat: int, run: Callable[[], object]) -> float:
    """The processor time of the quickest round."""
    times = []
    for _ in range(repeat):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


if __name__ == "__main__":
    main()
