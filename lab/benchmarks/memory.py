"""The memory that `permutree parse` takes: while it reads a large file, or by the length of one sentence; on Linux.

    python lab/benchmarks/memory.py FILE [--lang nl] [--jobs 2] [--seconds 5]
    python lab/benchmarks/memory.py FILE --lengths [--lang nl] [--json RESULT]

With ``--lengths``, words of FILE make one sentence of 100, 500, 1,000, 5,000, 20,000 and 100,000 words, and a table has
the most memory of a process that parses it, and how long that takes.

FILE has a sentence a line, blanks between words, such as those that ``lab/models/sentences.py`` writes. Prints, every
few seconds, the memory of all processes together in megabytes (of 2^20 bytes), and in the end how long it took.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def resident(process: int) -> int:
    """The memory of a process and those that it has started, in megabytes."""
    folder = Path("/proc") / str(process)
    try:
        status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
        started = (folder / "task" / str(process) / "children").read_text().split()
    except FileNotFoundError:
        return 0
    return int(status.get("VmRSS", "0 kB").split()[0]) // 1024 + sum(resident(int(one)) for one in started)


#: words of sentences
LENGTHS = (100, 500, 1_000, 5_000, 20_000, 100_000)


def by_length(file: Path, lang: str) -> list[dict[str, float]]:
    """The most memory, in megabytes, and the seconds for sentences of all lengths; a row each."""
    words = file.read_text("utf-8").split()
    rows = []
    print("| words | peak memory | seconds |\n|---:|---:|---:|")
    for length in LENGTHS:
        with tempfile.TemporaryDirectory() as folder:
            text = Path(folder) / "sentence.tokens"
            text.write_text(" ".join(words[place % len(words)] for place in range(length)) + "\n", "utf-8")
            command = [sys.executable, "-m", "permutree", "parse", "--lang", lang, str(text)]
            start = time.monotonic()
            process = subprocess.Popen([*command, "-o", str(Path(folder) / "tree.discbracket")])
            _, status, used = os.wait4(process.pid, 0)
            seconds = time.monotonic() - start
            if status:
                sys.exit(f"a sentence of {length} words: exit status {status}")
        rows.append({"words": length, "megabytes": used.ru_maxrss / 1024, "seconds": round(seconds, 2)})
        print(f"| {length:,} | {used.ru_maxrss / 1024:,.0f} MB | {seconds:.1f} |", flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--lang", default="nl")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--lengths", action="store_true", help="one sentence of each of several lengths")
    parser.add_argument("--json", type=Path, help="file for the figures of --lengths")
    options = parser.parse_args()
    if options.lengths:
        rows = by_length(options.file, options.lang)
        if options.json:
            machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
            found = {"machine": machine, "lang": options.lang, "rows": rows}
            options.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
        return
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "permutree", "parse", "--from", "tokens", "--lang", options.lang]
        command += ["--jobs", str(options.jobs), str(options.file), "-o", str(Path(folder) / "trees.discbracket")]
        start = time.monotonic()
        process = subprocess.Popen(command)
        while process.poll() is None:
            time.sleep(options.seconds)
            if (megabytes := resident(process.pid)) > 0:
                print(f"{time.monotonic() - start:6.0f} s  {megabytes:6,} MB", flush=True)
        print(f"exit status {process.returncode} after {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
