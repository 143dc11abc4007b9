"""The bundled models on a GPU: scores on dev sets, and sentences a second of one process, from words to discbracket.

    python lab/benchmarks/bundled_gpu.py [--treebanks FOLDER] [--rounds 5]

Every dev set is read three times over; the best of some rounds counts. Treebanks are by default in
``shared/treebanks`` beside the checkout.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from permutree import Parser, evaluate, read

TREEBANKS = Path(__file__).resolve().parents[3] / "shared" / "treebanks"
DEV = (("nl", "alpino"), ("en", "masc"), ("de", "squoia_de"), ("en", "craft"), ("is", "icepahc"))
TIMES = 3


def seconds(parser: Parser, words: list[list[str]]) -> float:
    """How long it takes to parse and write sentences."""
    start = time.perf_counter()
    for batch in parser.batches(words):
        batch.text()
    return time.perf_counter() - start


def main() -> None:
    """Print a table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--treebanks", type=Path, default=TREEBANKS)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--device", default="cuda")
    given = options.parse_args()
    print("| model | dev set | F1 | disc. F1 | sentences/s |")
    print("|---|---|---|---|---|")
    for model, treebank in DEV:
        paths = sorted(given.treebanks.glob(f"{treebank}/dev.discbracket*"))
        if not paths:
            continue
        gold = list(read(paths))
        words = [list(tree.words) for tree in gold]
        parser = Parser.load(model, device=given.device)
        scores = evaluate(gold, list(parser.pipe(words)))
        best = min(seconds(parser, TIMES * words) for _ in range(given.rounds))
        rate = TIMES * len(gold) / best
        print(f"| {model} | {treebank} | {scores.f1:.2f} | {scores.discontinuous.f1:.2f} | {rate:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
