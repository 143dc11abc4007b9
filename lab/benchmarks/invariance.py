"""Whether the tree of a sentence depends on what it is parsed with: the bundled models on whole dev sets.

    python lab/benchmarks/invariance.py [MODEL …] [--treebanks FOLDER]

Counts the sentences of each dev set, and those whose tree is another one if the order is shuffled, if a chunk is of 1
or of 7 sentences, on two threads, in two processes, by ``parse_tokens``, and as lines of raw text. Treebanks are by
default in ``shared/treebanks`` beside the checkout.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable
from pathlib import Path

from permutree import Parser, Tree, read
from permutree.parsing.inputs import Sentence
from permutree.parsing.processes import parse_in_processes

TREEBANKS = Path(__file__).resolve().parents[3] / "shared" / "treebanks"
DEV = {"nl": ["alpino"], "en": ["masc", "craft"], "de": ["squoia_de"], "is": ["icepahc"]}
WAYS = ("shuffled", "chunks of 1", "chunks of 7", "2 threads", "2 processes", "parse_tokens", "parse_texts")


def differing(trees: list[Tree], others: Iterable[Tree]) -> int:
    """How many trees are others."""
    return sum(one != other for one, other in zip(trees, others, strict=True))


def count(model: str, words: list[list[str]]) -> list[int]:
    """How many trees of sentences differ in each way."""
    parser, threaded = Parser.load(model, threads=1), Parser.load(model, threads=2)
    trees = list(parser.pipe(words))
    order = list(range(len(words)))
    random.Random(1).shuffle(order)
    shuffled = dict(zip(order, parser.pipe(words[number] for number in order), strict=True))
    parts = parse_in_processes((Sentence(one) for one in words), 2, model, threads=1)
    # Text may be split into other words; so the same text is parsed alone and among others.
    texts = [" ".join(one) for one in words]
    together = [tree for found in parser.parse_texts(texts) for tree in found]
    alone = [tree for text in texts for tree in parser.parse(text)]
    return [
        differing(trees, (shuffled[number] for number in range(len(words)))),
        differing(trees, parser.pipe(words, chunk=1)),
        differing(trees, parser.pipe(words, chunk=7)),
        differing(trees, threaded.pipe(words)),
        differing(trees, (tree for part in parts for tree in part.trees())),
        differing(trees, map(parser.parse_tokens, words)),
        differing(together, alone),
    ]


def main() -> None:
    """Print a table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("models", nargs="*", default=[*DEV])
    options.add_argument("--treebanks", type=Path, default=TREEBANKS)
    given = options.parse_args()
    print(f"| model | dev set | sentences | {' | '.join(WAYS)} |")
    print(f"|---|---|---|{'---|' * len(WAYS)}")
    for model in given.models:
        for treebank in DEV[model]:
            words = [list(tree.words) for tree in read(sorted(given.treebanks.glob(f"{treebank}/dev.discbracket*")))]
            found = count(model, words)
            print(f"| {model} | {treebank} | {len(words):,} | {' | '.join(map(str, found))} |", flush=True)


if __name__ == "__main__":
    main()
