"""How fast models are when nothing else runs: sentences a second on one CPU core, and on a GPU."""

from __future__ import annotations

import platform
import time
from pathlib import Path
from typing import Any

from permutree.experiments.cell import Places
from permutree.experiments.grid import Cell
from permutree.experiments.results import Result
from permutree.experiments.treebanks import read_parts
from permutree.treebanks import read

__all__ = ["measure_speed"]

#: the best of so many rounds counts, after one that warms up
_ROUNDS = 3
#: sentences that a CPU is measured on, at most
_ON_CPU = 500


def measure_speed(cell: Cell, places: Places, on: str) -> Result:
    """Sentences of the test set that a model parses in a second, from words (and tags) to trees as arrays.

    On a CPU there is one thread, and the number of sentences is limited. Reading files, loading the model and tagging
    beforehand do not count.
    """
    import torch

    from permutree.inference.parser import Parser

    if on == "cpu":
        torch.set_num_threads(1)
    parser = Parser.load(places.cell(cell.key) / "model", "cuda" if on == "gpu" else "cpu", threads=1)
    if cell.tagger is not None:
        sentences = list(read(places.tags(cell.tagger.key) / "test.discbracket.xz"))
    else:
        sentences = read_parts(places.treebanks, cell.treebank.parts("test"))
    if on == "cpu" and len(sentences) > _ON_CPU:
        sentences = [sentences[number * len(sentences) // _ON_CPU] for number in range(_ON_CPU)]
    best = min(_seconds(parser, sentences) for _ in range(_ROUNDS + 1))
    return {
        "key": cell.key,
        "cell": dict(cell.coordinates),
        "on": on,
        "device": torch.cuda.get_device_name() if on == "gpu" else _processor(),
        "sentences": len(sentences),
        "words": sum(map(len, sentences)),
        "sentences/s": round(len(sentences) / best, 1),
    }


def _seconds(parser: Any, sentences: Any) -> float:
    start = time.perf_counter()
    for _ in parser.batches(sentences):
        pass
    return time.perf_counter() - start


def _processor() -> str:
    """The name of the processor, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
