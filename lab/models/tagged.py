"""Sentences with tags and without trees, with the tags of a treebank.

    python lab/models/tagged.py de_gsd.tagged.xz --treebanks TRAIN DEV TEST -o de.tagged.xz

Tags that differ in name only are renamed; sentences of the dev and test sets are left out. Prints how many these are,
and which tags the training set does not have.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from permutree.formats import read
from permutree.formats.sinks import open_output
from permutree.parsing.inputs import write_tagged
from permutree_lab.teaching.files import retag
from permutree_lab.teaching.making import read_texts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tagged", nargs="+", type=Path)
    parser.add_argument("--treebanks", nargs="+", type=Path, required=True, help="training set, then dev and test sets")
    parser.add_argument("-o", "--output", required=True)
    arguments = parser.parse_args()
    train, *held_out = arguments.treebanks
    kept, dropped, unknown = retag(arguments.tagged, read(train), read_texts(held_out))
    with open_output(arguments.output) as stream:
        write_tagged(kept, stream)
    words = sum(len(tags) for _, tags in kept)
    print(f"{len(kept):,} sentences with {words:,} words; {dropped} left out, as they are in held-out sets")
    print(
        "tags that the treebank does not have:", ", ".join(f"{tag} {n}" for tag, n in unknown.most_common()) or "none"
    )


if __name__ == "__main__":
    main()
