"""How long one sentence takes in a parser that is loaded: milliseconds on one thread, words in, discbracket out.

    python lab/benchmarks/latency.py [MODEL …] [--words 20] [--times 500] [--old build/old/src]

The sentence of the dev set that is nearest to the length is parsed alone, again and again. With ``--old``, another
commit has its turns between, in a process of its own. ``network`` is the time in ONNX Runtime, at the median.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from typing import Any

HERE = Path(__file__).resolve()
TREEBANKS = HERE.parents[3] / "shared" / "treebanks"
DEV = {"en": "masc", "nl": "alpino", "de": "squoia_de", "is": "icepahc"}
TURNS = 5


def work(given: dict[str, Any]) -> dict[str, list[float]]:
    """Milliseconds of each time, and of those the milliseconds in graphs."""
    from permutree import Parser, read
    from permutree.parsing import graph

    parser = Parser.load(given["model"], threads=1)
    path = next(Path(given["treebanks"]).glob(f"{DEV[given['model']]}/dev.discbracket*"))
    words = min((list(tree.words) for tree in read(path)), key=lambda one: abs(len(one) - given["words"]))
    graphs = 0.0
    run: Callable[..., Any] = graph.Graph.run

    def timed(*options: Any) -> Any:
        nonlocal graphs
        start = time.perf_counter()
        found = run(*options)
        graphs += time.perf_counter() - start
        return found

    graph.Graph.run = timed  # type: ignore[method-assign, assignment]
    found: dict[str, list[float]] = {"all": [], "network": []}
    for _ in range(given["times"] + 20):
        graphs = 0.0
        start = time.perf_counter()
        for batch in parser.batches([words]):
            batch.text()
        found["all"].append(1e3 * (time.perf_counter() - start))
        found["network"].append(1e3 * graphs)
    return {name: times[20:] for name, times in found.items()}


def main() -> None:
    """Print a table, or do the work of a process."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("models", nargs="*", default=[*DEV])
    options.add_argument("--words", type=int, default=20)
    options.add_argument("--times", type=int, default=500)
    options.add_argument("--treebanks", default=str(TREEBANKS))
    options.add_argument("--old", help="the folder src of the commit to compare with")
    options.add_argument("--work", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.work:
        print(json.dumps(work(json.loads(given.work))))
        return
    sources = {"new": str(HERE.parents[2] / "src")} | ({"old": given.old} if given.old else {})
    print("| ms a sentence | p50 | p95 | network |\n|---|---|---|---|")
    for model in given.models:
        rows: dict[str, dict[str, list[float]]] = {name: {"all": [], "network": []} for name in sources}
        task = {"model": model, "words": given.words, "times": given.times // TURNS, "treebanks": given.treebanks}
        for _ in range(TURNS):
            for name, source in sources.items():
                command = [sys.executable, str(HERE), "--work", json.dumps(task)]
                environment = os.environ | {"PYTHONPATH": source}
                done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
                for part, times in json.loads(done.stdout).items():
                    rows[name][part] += times
        for name, row in sorted(rows.items(), reverse=True):
            p95 = quantiles(row["all"], n=20)[-1]
            print(f"| {model}, {name} | {median(row['all']):.2f} | {p95:.2f} | {median(row['network']):.2f} |")


if __name__ == "__main__":
    main()
