"""The memory that `permutree parse` takes while it reads a large file; on Linux.

    python lab/benchmarks/streaming.py FILE [--lang nl] [--jobs 2] [--seconds 5]

FILE has a sentence a line, blanks between words, such as those that ``lab/models/sentences.py`` writes. Prints, every
few seconds, the memory of all processes together in megabytes (of 2^20 bytes), and in the end how long it took.
"""

from __future__ import annotations

import argparse
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--lang", default="nl")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=5.0)
    options = parser.parse_args()
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
