"""Write and read whole treebanks in every format: is every tree the same afterwards?

    python lab/benchmarks/formats.py TREEBANK_FOLDER [TREEBANK …]

Trees that a format cannot hold, such as discontinuous ones in plain brackets, are counted. Then alpino and icepahc go
through a chain of formats and must come back as the same bytes.
"""

from __future__ import annotations

import argparse
import io
import lzma
import sys
import tempfile
from pathlib import Path
from typing import Any

from permutree.errors import DataError
from permutree.formats import read, write
from permutree.formats.registry import READABLE
from permutree.formats.sources import Source
from permutree.trees.tree import Tree

TREEBANKS = ("alpino", "icepahc", "craft", "masc", "squoia_de")
CHAIN = ("export", "tigerxml", "jsonl", "discbracket")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("treebanks", nargs="*", default=TREEBANKS)
    options = parser.parse_args()
    is_good = True
    for treebank in options.treebanks:
        files = sorted((options.folder / treebank).glob("*.discbracket.xz"))
        trees = list(read(files))
        for name in READABLE:
            is_good &= compare(treebank, name, trees)
        if treebank in ("alpino", "icepahc"):
            for file in files:
                is_good &= chain(treebank, file)
    sys.exit(not is_good)


def compare(treebank: str, name: str, trees: list[Tree]) -> bool:
    """Print how many trees a format holds and how many of those come back changed."""
    entry = READABLE[name]
    options: dict[str, Any] = {"functions": False} if entry.splits_labels else {}
    held, stream = [], io.StringIO()
    for tree in trees:
        try:
            entry.writer([tree], io.StringIO(), **options)
            held.append(tree)
        except DataError:
            pass
    entry.writer(held, stream, **options)
    back = list(entry.reader(Source.of_text(stream.getvalue()), **options))
    changed = sum(before != after for before, after in zip(held, back, strict=False)) + abs(len(held) - len(back))
    print(f"{treebank:<10} {name:<12} {len(held):>7,} of {len(trees):>7,} trees held, {changed} changed", flush=True)
    return changed == 0


def chain(treebank: str, file: Path) -> bool:
    original = lzma.decompress(file.read_bytes())
    with tempfile.TemporaryDirectory() as folder:
        previous = file
        for number, suffix in enumerate(CHAIN):
            target = Path(folder) / f"{number}.{suffix}"
            write(read(previous), target)
            previous = target
        is_same = previous.read_bytes() == original
    print(
        f"{treebank:<10} {file.name}: discbracket → {' → '.join(CHAIN)}: {'same bytes' if is_same else 'OTHER BYTES'}"
    )
    return is_same


if __name__ == "__main__":
    main()
