"""How fast a model parses: from words to discbracket, with all that lies between.

Each measurement has a process of its own, so that the memory it takes is its own, too. Several that parse at once do so
as those of ``permutree parse --jobs`` do, so that what one process does for all of them is measured as well.
"""

from __future__ import annotations

import importlib.util
import re
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from permutree.model.folder import GRAPHS, Outline
from permutree.parsing.inputs import Part, RawText, Sentence, read_parts

if TYPE_CHECKING:
    from multiprocessing.synchronize import Barrier

    from permutree.parsing.parser import Parser

__all__ = ["Measurement", "measure", "median_of", "places", "sample", "speeds_together"]

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
    #: of several runs, whose medians the others are: how many, and the least and greatest speed
    runs: int = 1
    slowest: float = 0.0
    fastest: float = 0.0
    #: sentences a second from a file of words to a file of trees
    files_per_second: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """The measurements as plain data, ready for JSON."""
        return asdict(self)


def places(threads: Sequence[int]) -> list[str]:
    """Where a model can be measured: on so many threads, and on a GPU if there is one."""
    named = [f"{count} thread{'s' if count != 1 else ''}" for count in dict.fromkeys(threads)]
    if importlib.util.find_spec("torch") is not None:
        import torch

        named += ["cuda"] if torch.cuda.is_available() else []
    return named


def median_of(runs: Sequence[Measurement]) -> Measurement:
    """The medians of several measurements of the same, with the least and the greatest speed."""
    figures = [name for name, value in asdict(runs[0]).items() if isinstance(value, float)]
    speeds = [one.sentences_per_second for one in runs]
    medians: dict[str, Any] = {name: float(np.median([getattr(one, name) for one in runs])) for name in figures}
    return replace(runs[0], **medians | {"runs": len(runs), "slowest": min(speeds), "fastest": max(speeds)})


def measure(
    model: str | Path,
    place: str,
    sentences: Sequence[Sentence] | None = None,
    *,
    seconds: float = 3.0,
    processes: int = 1,
) -> Measurement:
    """Parse sentences again and again for so many seconds; without any, those of a sample.

    Of several processes at once, the speed is that of all together, and of the rest the worst is kept.
    """
    context = get_context("spawn")
    begin = (time.time(), context.Barrier(processes))
    with context.Pool(processes, initializer=_begin, initargs=begin) as pool:
        arguments = (str(model), place, sentences, seconds, processes == 1)
        found = pool.starmap(_measure, [arguments] * processes, chunksize=1)
    if processes == 1:
        return found[0]
    with closing(speeds_together(model, place, sentences, seconds, processes)) as speeds:
        rate, words = next(speeds)
    return replace(
        found[0],
        processes=processes,
        sentences_per_second=rate,
        words_per_second=words,
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


def _options(place: str) -> dict[str, Any]:
    """How a parser is loaded for a place."""
    is_cpu = place.endswith(("thread", "threads"))
    return {"device": "cpu" if is_cpu else place, "threads": int(place.split()[0]) if is_cpu else None}


def _given(outline: Outline, sentences: Sequence[Sentence] | None) -> list[Sentence]:
    """The sentences to parse, with tags if the model reads tags."""
    given = list(sample(outline) if sentences is None else sentences)
    if outline.config.reads_tags:
        given = [one if one.tags is not None else Sentence(one.words, ["_"] * len(one.words)) for one in given]
    return given


def speeds_together(
    model: str | Path, place: str, sentences: Sequence[Sentence] | None, seconds: float, processes: int
) -> Generator[tuple[float, float], None, None]:
    """Sentences and words a second in processes that have all begun, from lines of words to discbracket, endlessly."""
    from permutree.parsing.parser import Counts
    from permutree.parsing.processes import WAITING, write_in_processes

    parts = _endless(Path(model), sentences)
    with closing(write_in_processes(parts, processes, str(model), **_options(place))) as written:
        seen: set[int] = set()
        while len(seen) < processes:
            seen.add(next(written).process)
        # What waits for its turn by now was parsed before the clock starts.
        for _ in range(WAITING * processes):
            next(written)
        while True:
            counts, begin = Counts(), time.perf_counter()
            while not counts.sentences or time.perf_counter() - begin < seconds:
                counts += next(written).counts
            passed = time.perf_counter() - begin
            yield counts.sentences / passed, counts.words / passed


def _endless(model: Path, sentences: Sequence[Sentence] | None) -> Iterator[Part]:
    """Sentences again and again: as lines that are still to be read, unless they have tags."""
    outline = Outline.read(model)
    given = _given(outline, sentences)
    lines = RawText("".join(" ".join(one.words) + "\n" for one in given))
    while True:
        yield from given if outline.config.reads_tags else read_parts(lines, "tokens")


def _measure(
    model: str, place: str, sentences: Sequence[Sentence] | None, seconds: float, is_alone: bool
) -> Measurement:
    """What can be measured in one process; not the speed, if it is one of several."""
    from permutree.parsing.parser import Parser

    options = _options(place)
    if options["threads"] and not (Path(model) / GRAPHS[1]).exists():
        import torch

        torch.set_num_threads(options["threads"])
    parser = Parser.load(model, **options)
    given = _given(parser.model, sentences)
    one = min(given, key=lambda sentence: abs(len(sentence.words) - LENGTH))
    _parse(parser, [one])
    started = time.time() - _begun

    rate = _speed(parser, given, seconds) if is_alone else 0.0
    files = _file_speed(parser, given, seconds) if is_alone and not parser.needs_tags else 0.0
    _wait()
    latencies: list[float] = []
    begin = time.perf_counter()
    while len(latencies) < 20 or (len(latencies) < 1000 and time.perf_counter() - begin < seconds):
        before = time.perf_counter()
        _parse(parser, [one])
        latencies.append(1000 * (time.perf_counter() - before))
    p50, p95 = np.percentile(latencies, [50, 95]).tolist()
    words = sum(len(sentence.words) for sentence in given) / len(given)
    engine = parser.engine.name
    return Measurement(
        model, place, 1, engine, rate, rate * words, p50, p95, started, _peak_memory(), 1, rate, rate, files
    )


def _speed(parser: Parser, sentences: Sequence[Sentence], seconds: float) -> float:
    """Sentences a second."""
    _parse(parser, sentences)
    rounds, begin = 0, time.perf_counter()
    while not rounds or time.perf_counter() - begin < seconds:
        _parse(parser, sentences)
        rounds += 1
    return rounds * len(sentences) / (time.perf_counter() - begin)


def _file_speed(parser: Parser, sentences: Sequence[Sentence], seconds: float) -> float:
    """Sentences a second from a file with a sentence a line to a file of trees."""
    from permutree.parsing.inputs import blocks_of

    with TemporaryDirectory() as folder:
        words, trees = Path(folder) / "words.txt", Path(folder) / "trees.discbracket"
        words.write_text("".join(" ".join(one.words) + "\n" for one in sentences), "utf-8", "surrogatepass")
        rounds, begin = 0, time.perf_counter()
        while not rounds or time.perf_counter() - begin < seconds:
            with trees.open("w", encoding="utf-8") as stream:
                for written in parser.texts(blocks_of(read_parts(str(words), "tokens"))):
                    stream.write(written.text)
            rounds += 1
        return rounds * len(sentences) / (time.perf_counter() - begin)


def _parse(parser: Parser, sentences: Sequence[Sentence]) -> None:
    """From words to discbracket."""
    for batch in parser.batches(sentences):
        batch.text()


def _peak_memory() -> float:
    """The most memory that this process has had, in megabytes; 0 where the system does not say."""
    try:
        # What getrusage says includes the process that this one was forked from.
        status = Path("/proc/self/status").read_text("ascii", "replace")
        return int(re.findall(r"^VmHWM:\s*(\d+) kB", status, re.MULTILINE)[0]) / 1e3
    except (OSError, IndexError):
        pass
    try:
        import resource
        import sys
    except ImportError:
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)
