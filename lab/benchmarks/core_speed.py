"""How fast one thread parses, before and after a change: the bundled models, or folders, on dev sets.

    python lab/benchmarks/core_speed.py [MODEL …] [--old build/old/src] [--models FOLDER] [--old-models FOLDER]
        [--sentences 700] [--times 5] [--rounds 5] [-o speed.json]

From words to discbracket, in processor time. Each round is a process of its own, which parses several times, and the
fastest counts; of all rounds, the median and the best are shown. With ``--old``, another commit has its turn after each
round, so that both see the same machine; ratios are those of medians, and of best rounds in brackets. Also the latency
of single sentences of 20 words by the clock (``parse_tokens``), the most memory that the process took, and how many
trees are others. ``--models`` and ``--old-models`` are folders with the models to parse with, by language; without,
they are the bundled ones of each commit. Treebanks are by default in ``shared/treebanks`` beside the checkout.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from zlib import crc32

from timing import best_of

HERE = Path(__file__).resolve()
TREEBANKS = HERE.parents[3] / "shared" / "treebanks"
DEV = {"en": "masc", "nl": "alpino", "de": "squoia_de", "is": "icepahc"}
#: sentences whose latency is measured, and their words
SINGLE, LONG = 100, 20
TREES = "trees"


def measure(model: str, language: str, treebanks: Path, sentences: int, times: int) -> dict[str, Any]:
    """One round: microseconds a sentence, milliseconds of single sentences, megabytes, and a number for each tree."""
    from permutree import Parser, read

    path = next(treebanks.glob(f"{DEV[language]}/dev.discbracket*"))
    words = [list(tree.words) for tree in islice(read(path), sentences)]
    parser = Parser.load(model, threads=1)

    def parse() -> list[str]:
        return [line for parsed in parser.batches(words) for line in parsed.forest.discbracket()]

    trees = [crc32(line.encode()) for line in parse()]
    spent = best_of(times, parse)
    flat = [word for sentence in words for word in sentence]
    # Words of the dev set cut anew, as not every set has enough sentences of one length.
    single = [flat[first : first + LONG] for first in range(0, len(flat) - LONG, LONG)][:SINGLE]
    latencies = []
    for one in single:
        started = time.perf_counter()
        parser.parse_tokens(one)
        latencies.append(1e3 * (time.perf_counter() - started))
    return {
        "µs": 1e6 * spent / len(words),
        "p50 ms": median(latencies),
        "p95 ms": quantiles(latencies, n=20)[-1],
        "MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3,
        TREES: trees,
    }


def compare(options: argparse.Namespace) -> dict[str, Any]:
    """All figures, by language and commit: medians, and the best time of a sentence."""
    sources = {"new": (str(HERE.parents[2] / "src"), options.models)}
    if options.old:
        sources["old"] = (options.old, options.old_models)
    found: dict[str, Any] = {}
    for language in options.languages:
        rows: dict[str, list[dict[str, Any]]] = {name: [] for name in sources}
        for _ in range(options.rounds):
            for name, (source, folder) in sources.items():
                model = str(Path(folder) / language) if folder else language
                rows[name].append(_process(source, model, language, options))
        found[language] = {name: _summary(some) for name, some in rows.items()}
        if options.old:
            trees = [some[0][TREES] for some in rows.values()]
            found[language]["new"]["other trees"] = sum(one != other for one, other in zip(*trees, strict=True))
    return found


def _process(source: str, model: str, language: str, options: argparse.Namespace) -> dict[str, Any]:
    """One round in a process of its own, with the package of a commit."""
    command = [sys.executable, str(HERE), language, "--measure", model]
    for name in ("treebanks", "sentences", "times"):
        command += [f"--{name}", str(getattr(options, name))]
    environment = os.environ | {"PYTHONPATH": source}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _summary(rows: list[dict[str, Any]]) -> dict[str, float]:
    found = {name: round(median(row[name] for row in rows), 2) for name in rows[0] if name != TREES}
    return {"best µs": round(min(row["µs"] for row in rows), 2), **found}


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("languages", nargs="*", default=[*DEV])
    parser.add_argument("--old", help="the folder src of the commit to compare with")
    parser.add_argument("--models", help="models to parse with, by language")
    parser.add_argument("--old-models", help="those of the other commit")
    parser.add_argument("--treebanks", type=Path, default=TREEBANKS)
    parser.add_argument("--sentences", type=int, default=700)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("-o", "--out", type=Path)
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        given = (options.languages[0], options.treebanks, options.sentences, options.times)
        print(json.dumps(measure(options.measure, *given)))
        return
    found = compare(options)
    if options.out:
        options.out.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")
    columns = ("µs", "best µs", "p50 ms", "p95 ms", "MB")
    print(f"| model | {' | '.join(columns)} | times as fast (best) | other trees |")
    print(f"|---|{'---|' * (len(columns) + 2)}")
    for language, rows in found.items():
        for name, row in sorted(rows.items(), reverse=True):
            ratio = ""
            if name == "new" and "old" in rows:
                ratio = f"{rows['old']['µs'] / row['µs']:.2f} ({rows['old']['best µs'] / row['best µs']:.2f})"
            cells = " | ".join(f"{row[column]:,.1f}" for column in columns)
            print(f"| {language}, {name} | {cells} | {ratio} | {row.get('other trees', '')} |", flush=True)


if __name__ == "__main__":
    main()
