"""A million damaged files for all readers: no foreign exception, no hang, no loss that is not reported.

Files of known sentences, in every format that is read and in label files and text, are damaged inside sentences,
anywhere, in their compressed bytes or archives, or written in other charsets; then they are read as ``--skip-bad``
reads. What is damaged and what must hold is in ``tests/damaging.py``. A table has a row for each format; the same
seed gives the same files, whatever the number of processes.

    python lab/reliability/fuzz.py
    python lab/reliability/fuzz.py --count 20000 --seed 7 --output none
    python lab/reliability/fuzz.py --count 900000 --seed 8 --output none --format ptb --format psd
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import platform
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from functools import partial
from multiprocessing import get_context
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
RESULTS = CHECKOUT / "lab" / "benchmarks" / "results" / "fuzz-readers.json"
sys.path.insert(0, str(CHECKOUT / "tests"))

from damaging import KINDS, LAYOUTS, attack  # noqa: E402 - it is beside the tests

#: files that a process reads before it says what came of them
BATCH = 2_000
COUNTS = ("inputs", "trees", "skipped", "parts", "collateral", "foreign", "hangs", "unreported")
HEADINGS = {"skipped": "sentences reported", "parts": "parts reported", "collateral": "untouched, reported"}
#: failures that are printed
SHOWN = 20


def run_batch(
    start: int, seed: int, end: int, formats: Collection[str] = ()
) -> tuple[dict[str, Counter[str]], Counter[str], list[tuple[int, str]]]:
    """Read the files with these numbers: counts by format, files by kind of damage, and failures."""
    logging.disable(logging.CRITICAL)
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    kinds: Counter[str] = Counter()
    failures: list[tuple[int, str]] = []
    for number in range(start, min(start + BATCH, end)):
        if formats and LAYOUTS[number % len(LAYOUTS)][0] not in formats:
            continue
        found = attack(seed, number)
        row = rows[found.format]
        row.update(inputs=1, trees=found.trees, skipped=found.skipped, parts=found.parts, collateral=found.collateral)
        kinds[found.kind] += 1
        if found.failure is not None:
            is_hang = found.failure == "foreign: hang"
            row["hangs" if is_hang else found.failure.partition(":")[0]] += 1
            failures.append((number, f"{found.format}, {found.kind}: {found.failure}"))
    return dict(rows), kinds, failures


def table(rows: dict[str, Counter[str]]) -> Iterator[str]:
    """A row for each format, and one for all."""
    names = [HEADINGS.get(name, name) for name in COUNTS]
    yield f"{'format':20}" + "".join(f"{name:>21}" for name in names)
    for name, row in [*sorted(rows.items()), ("all", sum(rows.values(), Counter()))]:
        yield f"{name:20}" + "".join(f"{row[count]:>21,}" for count in COUNTS)


def main() -> None:
    """Fuzz all readers, print a table, and end with 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1_000_000, help="damaged files")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--format", action="append", default=[], choices=sorted({name for name, _ in LAYOUTS}), dest="formats",
        help="of all these files, only those of a format; may be given several times",
    )  # fmt: skip
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--output", default=str(RESULTS), help="file for the figures, or none")
    options = parser.parse_args()
    started = time.perf_counter()
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    kinds: Counter[str] = Counter()
    failures: list[tuple[int, str]] = []
    work = partial(run_batch, seed=options.seed, end=options.count, formats=options.formats)
    with get_context("spawn").Pool(options.jobs) as pool:
        for found, some, failed in pool.imap_unordered(work, range(0, options.count, BATCH)):
            for name, row in found.items():
                rows[name].update(row)
            kinds.update(some)
            failures += failed
            for number, failure in failed[: max(0, SHOWN - len(failures) + len(failed))]:
                print(f"number {number}: {failure}", flush=True)
    took = time.perf_counter() - started
    print("\n".join(table(rows)))
    damaged = ", ".join(f"{kind} {kinds[kind]:,}" for kind in KINDS)
    count = sum(kinds.values())
    print(f"{count:,} files ({damaged}), {len(failures)} failures, {took:.0f} s, {count / took:,.0f}/s")
    if options.output != "none":
        record = {
            "command": " ".join(
                [f"python lab/reliability/fuzz.py --count {options.count} --seed {options.seed}"]
                + [f"--format {name}" for name in options.formats]
            ),
            "inputs": count,
            "seed": options.seed,
            "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
            "seconds": round(took),
            "kinds": {kind: kinds[kind] for kind in KINDS},
            "formats": {name: {count: row[count] for count in COUNTS} for name, row in sorted(rows.items())},
            "failures": [f"number {number}: {failure}" for number, failure in sorted(failures)[:1000]],
        }
        Path(options.output).write_text(json.dumps(record, indent=2) + "\n", "utf-8")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
