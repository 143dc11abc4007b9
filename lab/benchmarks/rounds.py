"""Speeds of models on a CPU, in several runs that take turns: `permutree bench` of one model after the other.

    python lab/benchmarks/rounds.py TREEBANKS OUT [--runs 5] [--models en,nl-fast,…] [--machine WORDS]

TREEBANKS has a folder for each treebank. OUT is what `medians.py` makes a table of; with --models, what it has of other
models stays. Run it on a quiet machine: a run of a model takes about 15 seconds.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parents[2]
#: models and the dev sets that they parse
MODELS = {
    "en": "masc",
    "nl": "alpino",
    "de": "squoia_de",
    "is": "icepahc",
    "en-fast": "masc",
    "nl-fast": "alpino",
    "de-fast": "squoia_de",
    "is-fast": "icepahc",
    "en-large": "masc",
}
#: what says how steady the runs of one call are: there is one
LEFT_OUT = frozenset(("model", "runs", "slowest", "fastest"))
MACHINE = "two virtual cores of an AMD EPYC with AVX-512, shared"
COMMAND = "permutree bench MODEL --input DEV --device cpu --seconds 2 --json"


def measure(model: str, treebanks: Path) -> list[dict[str, Any]]:
    """What `bench` says of a model, on one thread and on all cores."""
    dev = next(treebanks.glob(f"{MODELS[model]}/dev.discbracket*"))
    place = str(CHECKOUT / "packages" / model) if "-" in model else model
    options = ["--input", str(dev), "--device", "cpu", "--seconds", "2", "--json"]
    said = subprocess.run(
        [sys.executable, "-m", "permutree", "bench", place, *options], check=True, stdout=subprocess.PIPE
    ).stdout
    rows: list[dict[str, Any]] = json.loads(said)
    return [{"model": model} | kept(row) | {"input": f"{MODELS[model]} dev"} for row in rows]


def kept(row: dict[str, Any]) -> dict[str, Any]:
    """What is written down of a measurement, with two decimals."""
    return {
        name: round(value, 2) if isinstance(value, float) else value
        for name, value in row.items()
        if name not in LEFT_OUT
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--models", default=",".join(MODELS), help="names, separated by commas")
    parser.add_argument("--machine", default=MACHINE)
    options = parser.parse_args()
    models = options.models.split(",")
    old = json.loads(options.out.read_text("utf-8"))["measurements"] if options.out.exists() else []
    rows = [row for row in old if row["model"] not in models]
    for run in range(1, options.runs + 1):
        for model in models:
            found = [row | {"run": run} for row in measure(model, options.treebanks)]
            print(model, *(round(row["sentences_per_second"]) for row in found), flush=True)
            rows += found
    rows.sort(key=lambda row: list(MODELS).index(row["model"]) if row["model"] in MODELS else len(MODELS))
    options.out.write_text(written(options.machine, rows), "utf-8")


def written(machine: str, rows: list[dict[str, Any]]) -> str:
    """Measurements as JSON, a line each."""
    head = json.dumps({"machine": machine, "command": COMMAND}, indent=1).removesuffix("\n}")
    lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    return f'{head},\n "measurements": [\n{lines}\n ]\n}}\n'


if __name__ == "__main__":
    main()
