"""How fast models are when nothing else runs: sentences a second on one CPU core, and on a GPU."""

from __future__ import annotations

import platform
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from permutree.encoding.labels import COMPONENTS, Labels
from permutree.formats import read
from permutree.model.batching import Arrays
from permutree.parsing.engines import Costs, Engine, Values
from permutree.trees.batch import TreeBatch
from permutree.trees.tree import Tree
from permutree_lab.cell import Places, placed_config
from permutree_lab.grid import Cell
from permutree_lab.results import Result
from permutree_lab.treebanks import read_parts

if TYPE_CHECKING:
    from permutree.parsing.parser import Parser

__all__ = ["measure_speed"]

#: the best of so many rounds counts, after one that warms up, and of more until so many seconds are full
_ROUNDS, _SECONDS = 3, 2.0
#: sentences that a CPU is measured on, at most
_ON_CPU = 500


def measure_speed(cell: Cell, places: Places, on: str, *, untrained: bool = False) -> Result:
    """Sentences of the test set that a model parses in a second, from words (and tags) to trees as arrays.

    On a CPU there is one thread, and the number of sentences is limited. Reading files, loading the model and tagging
    beforehand do not count, so that other processes with the same working folder may do so meanwhile, but not measure.
    A model that is untrained takes the same time as a trained one, if the labels of the gold trees are decoded in place
    of its own.
    """
    import torch

    from permutree.parsing.parser import Parser

    if on == "cpu":
        torch.set_num_threads(1)
    if cell.tagger is not None and not untrained:
        sentences = list(read(places.tags(cell.tagger.key) / "test.discbracket.xz"))
    else:
        sentences = read_parts(places.treebanks, cell.treebank.parts("test"))
    if on == "cpu" and len(sentences) > _ON_CPU:
        sentences = [sentences[number * len(sentences) // _ON_CPU] for number in range(_ON_CPU)]
    device = "cuda" if on == "gpu" else "cpu"
    if untrained:
        parser = _untrained(cell, places, device, sentences)
    else:
        parser = Parser.load(places.cell(cell.key) / "model", device, threads=1)
    with _alone(places.work):
        best = _best(parser, sentences)
    return {
        "key": cell.key,
        "cell": dict(cell.coordinates),
        "on": on,
        "device": torch.cuda.get_device_name() if on == "gpu" else _processor(),
        "weights": "random" if untrained else "trained",
        "sentences": len(sentences),
        "words": sum(map(len, sentences)),
        "sentences/s": round(len(sentences) / best, 1),
    }


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """While no other process measures that works in this folder, where the system has locks for that."""
    try:
        from fcntl import LOCK_EX, flock
    except ImportError:
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "measuring.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        yield


def _untrained(cell: Cell, places: Places, device: str, trees: Sequence[Tree]) -> Parser:
    """A parser with the vocabularies of the training set and random weights, which is told the labels of trees."""
    from permutree.parsing.parser import Parser
    from permutree.parsing.torch_engine import TorchEngine
    from permutree.training.building import build_model
    from permutree.training.data import read_trees

    config = placed_config(cell, places)
    forest = TreeBatch.from_trees(read_trees(config.data.train))
    model = build_model(config, forest, [tree.words for tree in read_trees(config.data.dev)])
    assert model.codec is not None
    engine = TorchEngine(model.labeller.to(device).eval(), device)
    return Parser(model.outline, _Told(engine, model.codec.encode(trees)))


class _Told(Engine):
    """An engine that works as another does, and says what it is told, one chunk of sentences after the other."""

    def __init__(self, engine: Engine, labels: Labels) -> None:
        self.name, self.room = engine.name, engine.room
        self.chunk, self.chunk_words, self.overlaps = engine.chunk, engine.chunk_words, False
        self.chooses = self.says_how_sure = False
        self._engine, self._labels, self._done = engine, labels, 0

    def predict(self, arrays: Arrays, scores: Collection[str] = (), closed: Costs | None = None) -> Values:
        """What the other predicts, but for the best values of the components of labels."""
        found = self._engine.predict(arrays, scores, closed)
        first = self._done % len(self._labels.levels)
        self._done = first + len(next(iter(found.values())))
        told = {name: getattr(self._labels, name)[first : self._done] for name in COMPONENTS}
        return found | {name: values for name, values in told.items() if name in found and name not in scores}


def _best(parser: Any, sentences: Any) -> float:
    """The seconds that the fastest round takes: a small test set is over so soon that few rounds say little."""
    _seconds(parser, sentences)
    rounds: list[float] = []
    while len(rounds) < _ROUNDS or sum(rounds) < _SECONDS:
        rounds.append(_seconds(parser, sentences))
    return min(rounds)


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
