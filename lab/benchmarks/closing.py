"""What it is worth to know that final punctuation comes last: without it, with its exceptions, and without exceptions.

    python lab/benchmarks/closing.py MODEL --gold TREES… [--suite en]

Prints F1 / discontinuous F1 on each file of gold trees, from words without tags, and the marked constituents that are
found in the development half of the suite of constructions. ``never`` leaves arrangements as they come, ``always``
changes all that do not end with a mark the model knows; in between, marks with exceptions are changed only where that
is likely enough (:mod:`permutree.encoding.final_punctuation`).
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from permutree import Parser, evaluate, read
from permutree_lab.constructions import judge_all, read_constructions, records, tallies
from permutree_lab.folders import CONSTRUCTIONS


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("model")
    options.add_argument("--gold", nargs="+", type=Path, required=True)
    options.add_argument("--suite", help="the language of the suite")
    given = options.parse_args()
    parser = Parser.load(given.model)
    codec = parser.model.codec
    assert codec is not None
    learnt = codec.closing
    ways = {"never": {}, "with exceptions": learnt, "always": dict.fromkeys(learnt, math.inf)}
    treebanks = {f"{path.parent.name} {path.name.partition('.')[0]}": list(read(path)) for path in given.gold}
    for way, codec.closing in ways.items():
        row = [way]
        for name, gold in treebanks.items():
            scores = evaluate(gold, list(parser.pipe([list(tree.words) for tree in gold])))
            row.append(f"{name} {scores.f1:.1f} / {scores.discontinuous.f1 or 0:.1f}")
        if given.suite:
            sentences = read_constructions(CONSTRUCTIONS / given.suite / "dev.txt")
            trees = list(parser.pipe([one.words for one in sentences]))
            ((found,)) = records({given.suite: tallies(judge_all(sentences, trees, given.suite))}, "dev")
            row += [f"suite {found['all']['found']} of {found['all']['marked']}"]
            row += [f"with a gap {found['all']['gaps_found']} of {found['all']['gaps_marked']}"]
        print(" | ".join(row), flush=True)


if __name__ == "__main__":
    main()
