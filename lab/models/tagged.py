"""Sentences with tags and without trees, with the tags of a treebank.

    python lab/models/tagged.py de_gsd.tagged.xz --treebanks TRAIN DEV TEST -o de.tagged.xz

Tags that differ in name only are renamed; sentences of the dev and test sets are left out. Prints how many these are,
and which tags the training set does not have.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence

from permutree.formats import read
from permutree.formats.sinks import open_output
from permutree.parsing.inputs import read_sentences, write_tagged

#: tags with two names
RENAMED = {"PAV": "PROAV", "$(": "$["}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tagged", nargs="+")
    parser.add_argument("--treebanks", nargs="+", required=True, help="training set, then dev and test sets")
    parser.add_argument("-o", "--output", required=True)
    arguments = parser.parse_args()
    train, *held_out = arguments.treebanks
    known = {tag for tree in read(train) for tag in tree.tags}
    renamed = {old: new for old, new in RENAMED.items() if old not in known and new in known}
    unseen = {_text(tree.words) for path in held_out for tree in read(path)}
    kept, dropped, unknown = [], 0, Counter[str]()
    for sentence in read_sentences(arguments.tagged, "tagged"):
        if _text(sentence.words) in unseen:
            dropped += 1
            continue
        tags = [renamed.get(tag, tag) for tag in sentence.tags or ()]
        unknown.update(tag for tag in tags if tag not in known)
        kept.append((sentence.words, tags))
    with open_output(arguments.output) as stream:
        write_tagged(kept, stream)
    words = sum(len(tags) for _, tags in kept)
    print(f"{len(kept):,} sentences with {words:,} words; {dropped} left out, as they are in held-out sets")
    print(
        "tags that the treebank does not have:", ", ".join(f"{tag} {n}" for tag, n in unknown.most_common()) or "none"
    )


def _text(words: Sequence[str]) -> str:
    return " ".join(words).lower()


if __name__ == "__main__":
    main()
