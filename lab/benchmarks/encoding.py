"""Sentences per second, on one core: encoding trees, decoding labels to arrays, and decoding them to text.

    python lab/benchmarks/encoding.py FOLDER [FOLDER...]

Each folder holds the discbracket files of a treebank; by default alpino and craft in ``shared/treebanks`` beside the
checkout. Reading is not timed. The best of several runs counts, in processor time, so that what else the machine does
matters little. Encoding goes from trees to arrays of label numbers, decoding from those to trees as arrays, with the
search for labels in need of repair; the third figure adds writing discbracket. Gold labels need no repair, so decoding
is also timed with some values of each component exchanged for values of other words: two more rows for each encoding,
with the number of repairs that a sentence needs.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from permutree import read
from permutree.encoding import ENCODINGS, Codec, Decoded, Labels
from permutree.encoding.codec import BATCH
from permutree.encoding.labels import COMPONENTS
from timing import best_of

#: how many of the values of each component are exchanged
SHARES = (0.01, 0.05)
TREEBANKS = Path(__file__).resolve().parents[3] / "shared" / "treebanks"


def spoil(labels: Labels, share: float) -> Labels:
    """The same labels with a share of the values of each component exchanged for others."""
    rng = np.random.default_rng(1)
    changes = {}
    for component in COMPONENTS:
        values = getattr(labels, component).copy()
        chosen = rng.random(len(values)) < share
        values[chosen] = rng.permutation(values)[chosen]
        changes[component] = values
    return replace(labels, **changes)


def main() -> None:
    """Time all encodings."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="*", default=[TREEBANKS / "alpino", TREEBANKS / "craft"])
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    trees = list(read([file for folder in options.folders for file in sorted(folder.glob("*.discbracket*"))]))
    words, tags = [tree.words for tree in trees], [tree.tags for tree in trees]
    length = sum(map(len, trees)) / len(trees)
    discontinuous = sum(tree.is_discontinuous for tree in trees)
    print(f"{len(trees):,} sentences of {length:.1f} words, {discontinuous:,} discontinuous")
    print(f"{'sentences/s':20} {'encode':>10} {'decode':>10} {'to text':>10} {'repairs/sentence':>17}")
    for encoding in ENCODINGS:
        codec = Codec.fit(trees, encoding)
        labels = codec.encode(trees)

        def to_text(codec: Codec = codec, labels: Labels = labels) -> None:
            offsets = labels.word_offsets
            for first in range(0, len(trees), BATCH):
                last = min(first + BATCH, len(trees))
                begin, end = offsets[first], offsets[last]
                columns = (getattr(labels, component)[begin:end] for component in COMPONENTS)
                part = Labels(offsets[first : last + 1] - begin, *columns)
                for _ in codec.decode(part, words[first:last], tags[first:last]).forest.discbracket():
                    pass

        def to_arrays(labels: Labels, codec: Codec = codec) -> Decoded:
            return codec.decode(labels, words, tags)

        times = [
            best_of(options.times, partial(codec.encode, trees)),
            best_of(options.times, partial(to_arrays, labels)),
            best_of(options.times, to_text),
        ]
        speeds = " ".join(f"{len(trees) / took:10,.0f}" for took in times)
        print(f"{encoding:20} {speeds} {len(to_arrays(labels).repairs) / len(trees):17.2f}", flush=True)
        for share in SHARES:
            spoilt = spoil(labels, share)
            speed = len(trees) / best_of(options.times, partial(to_arrays, spoilt))
            name, repairs = f"  {share:.0%} exchanged", len(to_arrays(spoilt).repairs) / len(trees)
            print(f"{name:20} {'':10} {speed:10,.0f} {'':10} {repairs:17.2f}", flush=True)


if __name__ == "__main__":
    main()
