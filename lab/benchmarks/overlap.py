"""How many sentences of treebanks occur in text that a model has read as well.

    python lab/benchmarks/overlap.py TEXT TREEBANK…

TEXT and the treebanks are files of any treebank format, such as the trees that large models gave to open text, and dev
and test sets. Sentences are the same if their words are, whatever the case. Prints the size of the text, and for each
treebank its sentences, those that are found in the text, and those of them that are long.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from permutree import Tree, read

#: words of a sentence that is not likely to be in two places by chance
LONG = 6


def sentence(tree: Tree) -> tuple[str, ...]:
    """The words of a tree, in lower case."""
    return tuple(word.lower() for word in tree.words)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", type=Path)
    parser.add_argument("treebanks", type=Path, nargs="+")
    options = parser.parse_args()
    treebanks = {file: [sentence(tree) for tree in read(file)] for file in options.treebanks}
    sought = {words for sentences in treebanks.values() for words in sentences}
    found = set()
    sentences = words = 0
    for tree in read(options.text):
        sentences, words = sentences + 1, words + len(tree)
        if (these := sentence(tree)) in sought:
            found.add(these)
    print(f"{options.text}: {sentences:,} sentences, {words:,} words")
    print("| | sentences | found | of these, long |")
    print("|---|---:|---:|---:|")
    for file, given in treebanks.items():
        same = [one for one in given if one in found]
        print(f"| {file} | {len(given):,} | {len(same):,} | {sum(len(one) >= LONG for one in same):,} |")


if __name__ == "__main__":
    main()
