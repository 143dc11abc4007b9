"""What spaCy's pipeline costs beside the parser itself, in one run.

    python lab/benchmarks/spacy_overhead.py [--sentences 10000] [--runs 3]

Sentences of masc and craft, as text, go through ``nlp.pipe`` with the component, and the words that it parses through
``parser.pipe``; the ratio of the best runs is printed. Treebanks are by default in ``shared/treebanks`` beside the
checkout.
"""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter
from typing import Any

import spacy

from permutree import Parser, read

TREEBANKS = Path(__file__).resolve().parents[3] / "shared" / "treebanks"


def main() -> None:
    """Print times and their ratio."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sentences", type=int, default=10_000)
    options.add_argument("--runs", type=int, default=3)
    options.add_argument("--treebanks", type=Path, default=TREEBANKS)
    given = options.parse_args()
    paths = [given.treebanks / name / "train.discbracket.xz" for name in ("masc", "craft")]
    texts = list(islice(cycle([" ".join(tree.words) for tree in read(paths)]), given.sentences))
    nlp: Any
    plain: Any
    nlp, plain = spacy.blank("en"), spacy.blank("en")
    nlp.add_pipe("permutree", config={"model": "en"})
    parser = Parser.load("en", threads=1)
    words = [[word for tree in doc._.trees for word in tree.words] for doc in nlp.pipe(texts)]
    times: dict[str, list[float]] = {"nlp.pipe": [], "tokeniser of spaCy alone": [], "parser.pipe": []}
    streams: dict[str, Callable[[], Iterable[Any]]] = {
        "nlp.pipe": partial(nlp.pipe, texts),
        "tokeniser of spaCy alone": partial(plain.pipe, texts),
        "parser.pipe": partial(parser.pipe, words, confidence=True),
    }
    for _ in range(given.runs):
        for name, stream in streams.items():
            start = perf_counter()
            deque(stream(), 0)
            times[name].append(perf_counter() - start)
    for name, found in times.items():
        print(f"{name}: {min(found):.1f} s, {given.sentences / min(found):,.0f} texts/s")
    print(f"ratio: {min(times['nlp.pipe']) / min(times['parser.pipe']):.2f}")


if __name__ == "__main__":
    main()
