"""The table of speeds of several runs of `permutree bench`.

    python lab/benchmarks/medians.py [lab/benchmarks/results/bench-cpu.json]

Of each model and dev set, over all runs: the median of sentences a second on one and on two threads, the best in
brackets; on one thread, medians of how long one sentence takes, how long it takes to start, and of the memory.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from statistics import median
from typing import Any

RESULTS = Path(__file__).resolve().parent / "results" / "bench-cpu.json"


def speed(runs: list[dict[str, Any]]) -> str:
    """The median of runs, and the best."""
    speeds = [run["sentences_per_second"] for run in runs]
    return f"{median(speeds):,.0f} ({max(speeds):,.0f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?", default=RESULTS)
    found: dict[tuple[str, str], dict[str, list[dict[str, Any]]]] = {}
    for run in json.loads(parser.parse_args().file.read_text("utf-8"))["measurements"]:
        found.setdefault((run["model"], run["input"]), {}).setdefault(run["place"], []).append(run)
    print("| model | dev set | runs | 1 thread | 2 threads | one sentence, p50 / p95 ms | start | memory |")
    print("|---|---|---|---|---|---|---|---|")
    for (model, sentences), places in found.items():
        one, two = places["1 thread"], places["2 threads"]
        p50, p95, start, memory = (
            median(run[figure] for run in one) for figure in ("latency_p50", "latency_p95", "start", "peak_memory")
        )
        print(
            f"| `{model}` | {sentences} | {len(one)} | {speed(one)} | {speed(two)} | {p50:.1f} / {p95:.1f} | "
            f"{start:.1f} s | {memory:.0f} MB |"
        )


if __name__ == "__main__":
    main()
