"""A million random and mutated label sequences per encoding: decoding is total, and its list of repairs is true.

For every sequence it is checked that decoding gives one well-formed canonical tree over the same words; that labels
which describe a tree as they stand (by a slow and strict decoder that shares no code with the package) give that tree
without repairs, and others some; that every repair tells what really stood there; that putting the repairs into the
labels gives labels of the same tree which need no repair but a last word's move; and that the tree's own encoding
decodes to it without repairs.

    python lab/reliability/fuzz_labels.py --count 1000000
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from pathlib import Path

from permutree.encoding import ENCODINGS

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from fuzzing import check


def main() -> None:
    """Fuzz all encodings and print what was repaired."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1_000_000, help="label sequences per encoding")
    parser.add_argument("--longest", type=int, default=9, help="words in the longest sentence")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--encoding", action="append", choices=ENCODINGS, help="only this one (repeatable)")
    options = parser.parse_args()
    for encoding in options.encoding or ENCODINGS:
        rng = random.Random(f"{options.seed} {encoding}")
        started = time.perf_counter()
        kinds: Counter[str] = Counter()
        done = 0
        while done < options.count:
            batch = min(2000, options.count - done)
            kinds += check(rng, encoding, batch, options.longest)
            done += batch
        took = time.perf_counter() - started
        print(f"{encoding}: {done:,} sequences, {sum(kinds.values()):,} repairs, no failure ({took:.0f} s)", flush=True)
        for kind, number in sorted(kinds.items()):
            print(f"    {kind:22} {number:,}")


if __name__ == "__main__":
    main()
