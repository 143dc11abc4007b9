"""What spaCy's pipeline costs beside the parser itself, in one run.

    python lab/benchmarks/spacy_overhead.py [--sentences 10000] [--batch 1000] [--runs 5]

Sentences of masc and craft, as text, go through ``nlp.pipe`` with the component, and the very words that it parses go
through ``parser.pipe``, in batches of the same size. Both take turns, and so does spaCy's tokeniser alone. Medians are
printed, and how many times the time of ``parser.pipe`` each takes: by processor time, which other work on the machine
hardly changes, and by the clock. Treebanks are by default in ``shared/treebanks`` beside the checkout.
"""

from __future__ import annotations

import argparse
import os
import platform
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib.metadata import version
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, NamedTuple

import spacy

from permutree import Parser, read

TREEBANKS = Path(__file__).resolve().parents[3] / "shared" / "treebanks"


class Took(NamedTuple):
    """Seconds of a run."""

    processor: float
    clock: float


def main() -> None:
    """Print times and their ratios."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sentences", type=int, default=10_000)
    options.add_argument("--batch", type=int, default=1000, help="texts and sentences at once; spaCy's own is 1000")
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--treebanks", type=Path, default=TREEBANKS)
    given = options.parse_args()
    paths = [given.treebanks / name / "train.discbracket.xz" for name in ("masc", "craft")]
    texts = list(islice(cycle([" ".join(tree.words) for tree in read(paths)]), given.sentences))
    nlp: Any
    plain: Any
    nlp, plain = spacy.blank("en"), spacy.blank("en")
    parser = nlp.add_pipe("permutree", config={"model": "en"}).parser
    words = words_parsed(parser, nlp, texts)
    streams: dict[str, Callable[[], Iterable[Any]]] = {
        "parser.pipe": partial(parser.pipe, words, chunk=given.batch, confidence=True),
        "nlp.pipe": partial(nlp.pipe, texts, batch_size=given.batch),
        "spaCy's tokeniser": partial(plain.pipe, texts, batch_size=given.batch),
    }
    runs = [{name: time_of(stream) for name, stream in streams.items()} for _ in range(given.runs)]
    print(f"{len(texts):,} texts, {len(words):,} sentences, {given.runs} runs; spaCy {version('spacy')}, ", end="")
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores of {processor()}\n")
    print(f"{'':<18}{'processor':>11}{'texts/s':>9}{'ratio':>7}{'clock':>11}{'texts/s':>9}{'ratio':>7}")
    base: Took | None = None
    for name in streams:
        took = Took(*(median(column) for column in zip(*(run[name] for run in runs), strict=True)))
        base = base or took
        ratios = zip(took, base, strict=True)
        cells = (f"{time:>9.2f} s{len(texts) / time:>9,.0f}{time / of:>7.2f}" for time, of in ratios)
        print(f"{name:<18}{''.join(cells)}")


def words_parsed(parser: Parser, nlp: Any, texts: list[str]) -> list[list[str]]:
    """The words of all sentences that the component gives to its parser."""
    found: list[list[str]] = []
    pipe = parser.pipe

    def recording(sentences: Iterable[list[str]], **options: Any) -> Iterator[Any]:
        some = list(sentences)
        found.extend(some)
        return pipe(some, **options)

    parser.pipe = recording  # type: ignore[method-assign, assignment]
    try:
        deque(nlp.pipe(texts), 0)
    finally:
        parser.pipe = pipe  # type: ignore[method-assign]
    return found


def time_of(stream: Callable[[], Iterable[Any]]) -> Took:
    """How long it takes to read a stream to its end."""
    processor, clock = process_time(), perf_counter()
    deque(stream(), 0)
    return Took(process_time() - processor, perf_counter() - clock)


def processor() -> str:
    """The name of the processor, if the system tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


if __name__ == "__main__":
    main()
