"""decode(encode(t)) = t, without repairs, for every tree of the treebanks in a folder and every encoding.

    python lab/benchmarks/roundtrip.py FOLDER

The folder holds one folder per treebank, each with discbracket files; by default ``shared/treebanks`` beside the
checkout. Trees are encoded with vocabularies that grow, then once more with vocabularies fixed by ``Codec.fit``.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import islice
from pathlib import Path
from typing import get_args

from permutree import read
from permutree.encoding import ENCODINGS, Codec, decode, encode
from permutree.encoding.levels import LevelScale

DEFAULT = Path(__file__).resolve().parents[3] / "shared" / "treebanks"


def main() -> None:
    """Print failures and repairs for each treebank and encoding; exit with 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=DEFAULT)
    options = parser.parse_args()
    total = failures = repairs = 0
    for treebank in sorted(path for path in options.folder.iterdir() if path.is_dir()):
        files = sorted(treebank.glob("*.discbracket*"))
        trees = list(read(files)) if files else []
        total += len(trees)
        started = time.perf_counter()
        words, tags = [tree.words for tree in trees], [tree.tags for tree in trees]
        for encoding in ENCODINGS:
            codecs = [Codec(encoding, level_scale=scale) for scale in get_args(LevelScale)]
            for codec in (*codecs, Codec.fit(trees, encoding), Codec.fit(trees, encoding, level_scale="mixed")):
                forest, repaired = codec.decode(codec.encode(trees), words, tags)
                wrong = sum(tree != other for tree, other in zip(trees, forest.trees(), strict=True))
                lines = zip(forest.discbracket(), trees, strict=True)
                wrong += sum(line != tree.discbracket() for line, tree in islice(lines, 0, None, 50))
                for tree in trees[::500]:
                    wrong += decode(tree.words, tree.tags, encode(tree, encoding), encoding) != (tree, [])
                failures += wrong
                repairs += len(repaired)
        print(f"{treebank.name:12} {len(trees):7,} trees  {time.perf_counter() - started:5.0f} s", flush=True)
    print(f"{total:,} trees, {len(ENCODINGS)} encodings: {failures} failures, {repairs} repairs")
    sys.exit(1 if failures or repairs or not total else 0)


if __name__ == "__main__":
    main()
