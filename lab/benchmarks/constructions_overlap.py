"""Whether sentences of the suite of constructions are in treebanks or other text.

    python lab/benchmarks/constructions_overlap.py TREEBANK…

Sentences are the same if their words are, whatever the case and without punctuation. Prints, for each file of the
suite, how many sentences it has and how many of them were found, and each sentence that was found; the exit status is
1 if there is one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from permutree import read
from permutree_lab.constructions import is_punctuation, read_constructions
from permutree_lab.folders import CONSTRUCTIONS


def key(words: Sequence[str]) -> tuple[str, ...]:
    """What is compared of a sentence."""
    return tuple(word.lower() for word in words if not is_punctuation(word))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", type=Path, nargs="+")
    options = parser.parse_args()
    suite = {path: read_constructions(path) for path in sorted(CONSTRUCTIONS.glob("*/*.txt"))}
    sought = {key(one.words) for sentences in suite.values() for one in sentences}
    found: dict[tuple[str, ...], Path] = {}
    count = 0
    for path in options.treebanks:
        for tree in read(path):
            count += 1
            if (these := key(tree.words)) in sought:
                found[these] = path
    print(f"{len(options.treebanks):,} files, {count:,} sentences")
    print("| | sentences | found |")
    print("|---|---:|---:|")
    for path, sentences in suite.items():
        same = [one for one in sentences if key(one.words) in found]
        print(f"| {path.relative_to(CONSTRUCTIONS)} | {len(sentences):,} | {len(same):,} |")
    for words, path in found.items():
        print(f"{path}: {' '.join(words)}")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
