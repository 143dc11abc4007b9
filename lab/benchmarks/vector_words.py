"""How many words of dev and test sets have a vector only because the file of vectors was made of these sets, too.

    python lab/benchmarks/vector_words.py VECTORS OTHERS... --of dev.discbracket.xz test.discbracket.xz [--least 3]

OTHERS are the other files that the vectors were made of: treebanks, tagged sentences, tokenised text. A word has a
vector if it stood in all files together at least LEAST times. Prints for each set how many of its words are in VECTORS,
but less often in OTHERS.
"""

from __future__ import annotations

import argparse
from collections import Counter
from itertools import chain
from pathlib import Path

from permutree import read
from permutree.networks.embeddings import read_vectors
from permutree.parsing.inputs import read_sentences


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("others", type=Path, nargs="+")
    parser.add_argument("--of", type=Path, nargs="+", required=True)
    parser.add_argument("--least", type=int, default=3)
    given = parser.parse_args()
    known = read_vectors(given.vectors)
    counts = Counter(word for path in given.others for one in read_sentences(path) for word in one.words)
    for path in given.of:
        words = list(chain.from_iterable(tree.words for tree in read(path)))
        found = sum(word in known and counts[word] < given.least for word in words)
        print(f"{path.parent.name}/{path.name}: {found:,} of {len(words):,} words ({100 * found / len(words):.1f} %)")


if __name__ == "__main__":
    main()
