"""How fast treebanks are read and written, and whether memory stays flat while they stream.

    python lab/benchmarks/treebanks.py TREEBANK_FOLDER [--repeat 3] [--formats discbracket export …]

The folder holds alpino, craft and icepahc, each with train.discbracket.xz; ``--formats`` measures these formats on
alpino dev and nothing else. With ``PYTHONPATH``, another version of permutree is measured. Rates are sentences a second
of processor time on one core, at 15 words a sentence: words a second, divided by 15. Each is the best of some rounds,
as everything that disturbs a measurement makes it slower.
"""

from __future__ import annotations

import argparse
import gc
import io
import lzma
import platform
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

from permutree.formats import discbracket, read
from permutree.formats.registry import READABLE
from permutree.formats.sources import Source
from permutree.trees.tree import Tree

WORDS = 15


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--formats", nargs="+", choices=list(READABLE))
    options = parser.parse_args()
    print(f"Python {platform.python_version()} on {processor()}, one core\n")
    if options.formats:
        formats(options.formats, options.folder, options.repeat)
        return
    print(f"{'discbracket':<12}{'sentences':>10}{'words':>8}{'read/s':>10}{'write/s':>10}{'bytes/word':>12}")
    for name in ("alpino", "craft", "icepahc"):
        text = lzma.decompress((options.folder / name / "train.discbracket.xz").read_bytes()).decode()
        report(name, text, options.repeat)
    print()
    held = [name for name, entry in READABLE.items() if entry.is_discontinuous and not entry.is_binary]
    formats(held, options.folder, options.repeat)
    streaming(options.folder / "icepahc" / "train.discbracket.xz")


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []:
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()


def report(name: str, text: str, repeat: int) -> None:
    lines = text.splitlines()
    words = sum(len(tree) for tree in trees_of(text))
    reading = best(repeat, lambda: sum(1 for _ in trees_of(text)))
    memory, trees = kept(text)
    writing = best(repeat, lambda: discbracket.write(trees, io.StringIO()))
    rate = words / WORDS
    print(
        f"{name:<12}{len(lines):>10,}{words / len(lines):>8.1f}{rate / reading:>10,.0f}{rate / writing:>10,.0f}"
        f"{memory / words:>12,.0f}"
    )


def trees_of(text: str) -> Iterator[Tree]:
    return discbracket.read(Source.of_text(text))


def best(repeat: int, function: Callable[[], object]) -> float:
    """The shortest time of some rounds, in seconds."""
    times = []
    for _ in range(repeat):
        gc.collect()
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return min(times)


def kept(text: str) -> tuple[int, list[Tree]]:
    """The trees in memory, and how many bytes they take."""
    source = trees_of(text)
    tracemalloc.start()
    trees = list(source)
    memory, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return memory, trees


def formats(names: list[str], folder: Path, repeat: int) -> None:
    """The rates of some formats."""
    print(f"{'alpino dev':<12}{'read/s':>10}{'write/s':>10}")
    some = list(read(folder / "alpino" / "dev.discbracket.xz"))
    for name in names:
        other_format(name, some, repeat)


def other_format(name: str, trees: list[Tree], repeat: int) -> None:
    """The rates of a format, at the same 15 words a sentence."""
    entry = READABLE[name]
    stream = io.StringIO()
    entry.writer(trees, stream)
    rate = sum(map(len, trees)) / WORDS
    reading = best(repeat, lambda: sum(1 for _ in entry.reader(Source.of_text(stream.getvalue()))))
    writing = best(repeat, lambda: entry.writer(trees, io.StringIO()))
    print(f"{name:<12}{rate / reading:>10,.0f}{rate / writing:>10,.0f}")


def streaming(path: Path) -> None:
    """Peak memory while a treebank streams through once, and twice."""
    print("\nstreaming icepahc train: peak memory in MB")
    for rounds in (1, 2):
        tracemalloc.start()
        count = sum(1 for _ in read([path] * rounds))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        print(f"  {rounds} × ({count:,} trees): {peak / 1e6:.1f}")


if __name__ == "__main__":
    main()
