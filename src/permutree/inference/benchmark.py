"""How fast a model parses: from words to discbracket, with all that lies between.

Each measurement has a process of its own, so that the memory it takes is its own, too; or several that parse at once.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from permutree.inference.sentences import Sentence
from permutree.labeling.folder import GRAPHS, WEIGHTS, Outline

if TYPE_CHECKING:
    from multiprocessing.synchronize import Barrier

    from permutree.inference.parser import Parser

__all__ = ["Measurement", "measure", "places", "sample"]

#: the length of a sentence whose latency is measured, and of those of a sample on average
LENGTH = 20
#: seconds that processes wait for each other
_PATIENCE = 300.0


@dataclass(frozen=True, slots=True)
class Measurement:
    """What was measured of a model at one place."""

    model: str
    #: such as "1 thread", "2 threads", "cuda", each of so many processes at once
    place: str
    processes: int
    engine: str
    sentences_per_second: float
    words_per_second: float
    #: milliseconds for one sentence of about twenty words
    latency_p50: float
    latency_p95: float
    #: seconds from the start of a new process to its first tree
    start: float
    #: megabytes, of each process
    peak_memory: float

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return asdict(self)


def places(folder: Path, threads: Sequence[int]) -> list[str]:
    """Where a model can be measured: on so many threads, and on a GPU if there is one."""
    named = [f"{count} thread{'s' if count != 1 else ''}" for count in dict.fromkeys(threads)]
    if (folder / WEIGHTS).exists() and importlib.util.find_spec("torch") is not None:
        import torch

        named += ["cuda"] if torch.cuda.is_available() else []
    return named


def measure(
    model: str | Path,
    place: str,
    sentences: Sequence[Sentence] | None = None,
    *,
    seconds: float = 3.0,
    processes: int = 1,
) -> Measurement:
    """Parse sentences again and again for so many seconds; without any, those of a sample.

    Of several processes at once, speeds are added, and of the rest the worst is kept.
    """
    context = get_context("spawn")
    begin = (time.time(), context.Barrier(processes))
    with context.Pool(processes, initializer=_begin, initargs=begin) as pool:
        found = pool.starmap(_measure, [(str(model), place, sentences, seconds)] * processes, chunksize=1)
    return replace(
        found[0],
        processes=processes,
        sentences_per_second=sum(one.sentences_per_second for one in found),
        words_per_second=sum(one.words_per_second for one in found),
        latency_p50=max(one.latency_p50 for one in found),
        latency_p95=max(one.latency_p95 for one in found),
        start=max(one.start for one in found),
        peak_memory=max(one.peak_memory for one in found),
    )


def sample(outline: Outline, count: int = 1000) -> list[Sentence]:
    """Sentences of random words that the model knows, frequent ones more often, as long as sentences are."""
    random = np.random.default_rng(1)
    words = [word for word in outline.features.known() if word.isalpha()] or ["word"]
    weights = 1 / np.arange(3, len(words) + 3)
    lengths = np.clip(random.gamma(3, LENGTH / 3, count).astype(int), 2, 4 * LENGTH)
    chosen = random.choice(len(words), int(lengths.sum()), p=weights / weights.sum())
    parts = np.split(chosen, np.cumsum(lengths)[:-1])
    return [Sentence([words[number] for number in part.tolist()]) for part in parts]


_begun = 0.0
_together: Barrier | None = None


def _begin(moment: float, together: Barrier) -> None:
    """Note when this process was asked for, by a clock that processes share, and where it meets the others."""
    global _begun, _together
    _begun, _together = moment, together


def _wait() -> None:
    """Wait for the other processes; if one of them fails, so do all."""
    if _together is not None:
        _together.wait(_PATIENCE)


def _measure(model: str, place: str, sentences: Sequence[Sentence] | None, seconds: float) -> Measurement:
    from permutree.inference.parser import Parser

    is_cpu = place.endswith(("thread", "threads"))
    threads = int(place.split()[0]) if is_cpu else None
    if is_cpu and not (Path(model) / GRAPHS[1]).exists():
        import torch

        torch.set_num_threads(threads or 1)
    parser = Parser.load(model, "cpu" if is_cpu else place, threads=threads)
    given = list(sample(parser.model) if sentences is None else sentences)
    if parser.needs_tags:
        given = [one if one.tags is not None else Sentence(one.words, ["_"] * len(one.words)) for one in given]
    one = min(given, key=lambda sentence: abs(len(sentence.words) - LENGTH))
    _parse(parser, [one])
    started = time.time() - _begun

    _parse(parser, given)
    _wait()
    rounds, begin = 0, time.perf_counter()
    while not rounds or time.perf_counter() - begin < seconds:
        _parse(parser, given)
        rounds += 1
    rate = rounds * len(given) / (time.perf_counter() - begin)

    _wait()
    latencies: list[float] = []
    begin = time.perf_counter()
    while len(latencies) < 20 or (len(latencies) < 1000 and time.perf_counter() - begin < seconds):
        before = time.perf_counter()
        _parse(parser, [one])
        latencies.append(1000 * (time.perf_counter() - before))
    p50, p95 = np.percentile(latencies, [50, 95]).tolist()
    words = sum(len(sentence.words) for sentence in given) / len(given)
    return Measurement(model, place, 1, parser.engine.name, rate, rate * words, p50, p95, started, _peak_memory())


def _parse(parser: Parser, sentences: Sequence[Sentence]) -> None:
    """From words to discbracket."""
    for batch in parser.batches(sentences):
        for _ in batch.forest.discbracket():
            pass


def _peak_memory() -> float:
    """The most memory that this process has had, in megabytes; 0 where the system does not say."""
    try:
        import resource
        import sys
    except ImportError:
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)
