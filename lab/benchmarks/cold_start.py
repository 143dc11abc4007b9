"""How long a new process takes to parse one sentence, and how much memory.

    python lab/benchmarks/cold_start.py [MODEL …] [--old build/old/src] [--times 10] [-o start.json]

``permutree parse`` of a sentence as a user would call it, on one core, with compiled modules as pip leaves them. The
median of processor time and of time by the clock counts, and the least of both, which a busy machine disturbs least.
With ``--old``, another commit has its turn after each process.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).resolve()
MODELS = ("en", "nl", "de", "is")


def run(source: str, model: str, compiled: str) -> tuple[float, float, float]:
    """Seconds by the clock, seconds of processor time, and megabytes of a process."""
    environment = os.environ | {"PYTHONPATH": source, "PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
    command = [sys.executable, "-m", "permutree", "parse", "--lang", model, "--to", "discbracket", "What is that ?"]
    start = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e3


def measure(models: list[str], old: str | None, times: int) -> dict[str, Any]:
    """All figures, by model and commit."""
    sources = {"new": str(HERE.parents[2] / "src")} | ({"old": old} if old else {})
    # One core for all processes, as this one has.
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for model in models:
            rows: dict[str, list[tuple[float, float, float]]] = {name: [] for name in sources}
            for turn in range(times + 1):
                for name, source in sources.items():
                    row = run(source, model, str(Path(folder) / name))
                    # The first process compiles modules.
                    rows[name] += [row] if turn else []
            found[model] = {name: _summary(some) for name, some in rows.items()}
    return found


def _summary(rows: list[tuple[float, float, float]]) -> dict[str, float]:
    wall, cpu, memory = zip(*rows, strict=True)
    return {
        "wall": round(median(wall), 3),
        "least wall": round(min(wall), 3),
        "processor": round(median(cpu), 3),
        "least processor": round(min(cpu), 3),
        "MB": round(max(memory)),
    }


def main() -> None:
    """Measure and print a table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("models", nargs="*", default=[*MODELS])
    options.add_argument("--old", help="the folder src of the commit to compare with")
    options.add_argument("--times", type=int, default=10)
    options.add_argument("-o", "--out", type=Path)
    given = options.parse_args()
    found = measure(given.models, given.old, given.times)
    if given.out:
        given.out.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    columns = ("wall", "least wall", "processor", "least processor", "MB")
    print(f"| seconds | {' | '.join(columns)} |")
    print(f"|---|{'---|' * len(columns)}")
    for model, rows in found.items():
        for name, row in sorted(rows.items(), reverse=True):
            print(f"| {model}, {name} | {' | '.join(str(row[column]) for column in columns)} |")


if __name__ == "__main__":
    main()
