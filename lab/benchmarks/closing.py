"""Scores of the bundled models with closing words and without them.

    python lab/benchmarks/closing.py [MODEL …] [--treebanks FOLDER]

F1 / discontinuous F1 from words without tags on dev and test sets, which by default are in ``shared/treebanks`` beside
the checkout.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from permutree import Parser, read
from scoring import both_scores

TREEBANKS = Path(__file__).resolve().parents[3] / "shared" / "treebanks"
SCORED = {"nl": ["alpino"], "en": ["masc", "craft"], "de": ["squoia_de"], "is": ["icepahc"]}


def main() -> None:
    """Print a table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("models", nargs="*", default=[*SCORED])
    options.add_argument("--treebanks", type=Path, default=TREEBANKS)
    given = options.parse_args()
    print("| | dev, without | dev, with | test, without | test, with |")
    print("|---|---|---|---|---|")
    for model in given.models:
        parser = Parser.load(model)
        assert parser.model.codec is not None
        closing = parser.model.codec.closing
        for treebank in SCORED[model]:
            figures = []
            for split in ("dev", "test"):
                gold = list(read(sorted(given.treebanks.glob(f"{treebank}/{split}.discbracket*"))))
                for known in (frozenset[str](), closing):
                    parser.model.codec.closing = known
                    figures.append(both_scores(parser, gold))
            print(f"| {treebank} | {' | '.join(figures)} |", flush=True)


if __name__ == "__main__":
    main()
