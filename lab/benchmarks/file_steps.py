"""What parsing costs beside the network: ``permutree parse`` from file to file, with predictions that are known before.

    python lab/benchmarks/file_steps.py [--model nl] [--from tokens lines discbracket] [--sentences 30000]
        [--rounds 5] [--old build/old/src] [-o steps.json]

The network of a bundled model reads its dev set once, chooses constituents as on a GPU, and what came of it is kept. An
engine that hands this out at once takes its place, with the chunks of a GPU; then the command itself parses a file of
so many sentences, the dev set over and over. Steps are in microseconds of processor time a sentence, the median of all
rounds; ``read`` is what is not one of the others: lines, words, chunks. With ``--old``, another commit is measured in
turn, in processes of its own, and the files that both write must be the same. PyTorch is needed.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import Any
from unittest import mock

import numpy as np

from permutree import Parser, read

HERE = Path(__file__).resolve()
TREEBANKS = HERE.parents[3] / "shared" / "treebanks"
DEV = {"en": "masc", "nl": "alpino", "de": "squoia_de", "is": "icepahc"}
STEPS = ("read", "check", "look up words", "decode", "write", "all")
#: sentences that an engine gets at once, as on a GPU
CHUNK = 1 << 14


def record(model: str, words: list[list[str]]) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """What an engine says of the words of sentences, in the order in which they stand; and where sentences begin."""
    import torch

    from permutree.models import folder
    from permutree.networks.model import Model
    from permutree.parsing.torch_engine import TorchEngine

    torch.set_num_threads(1)
    loaded = Model.load(folder(model), torch.device("cpu"))
    engine = TorchEngine(loaded.labeller, "cpu")
    engine.chooses = True
    parser = Parser(loaded.outline, engine)
    arrays = loaded.features.arrays(words, None)
    closed = parser.closed_sentences(words)
    found = engine.launch(arrays, parser.scored, closed, parser._labels_of_constituents())()
    return found, np.asarray(arrays.offsets)


class Recorded:
    """An engine that knows what it is asked: the sentences of a file that is a dev set over and over, in this order."""

    name, room = "recorded", 1 << 26
    chunk, chunk_words = CHUNK, 1 << 18
    overlaps = chooses = True

    def __init__(self, values: dict[str, np.ndarray], offsets: np.ndarray) -> None:
        self.count = len(offsets) - 1
        times = 2 + CHUNK // self.count
        sizes = np.tile(np.diff(offsets), times)
        self.offsets = np.append(0, np.cumsum(sizes))
        self.values = {name: np.concatenate([value] * times) for name, value in values.items()}
        self.next = 0

    def launch(self, arrays: Any, *_: Any) -> Callable[[], dict[str, np.ndarray]]:
        """What is known of the next sentences."""
        count = len(arrays.lengths)
        first, last = self.offsets[self.next], self.offsets[self.next + count]
        self.next = (self.next + count) % self.count
        return lambda: {name: value[first:last] for name, value in self.values.items()}

    predict = launch


@contextmanager
def timed(parser: Any, spent: dict[str, float]) -> Iterator[None]:
    """Meanwhile, what steps take is added up."""
    from permutree.parsing import parser as parser_module
    from permutree.parsing.parsed import Parsed

    module: Any = parser_module
    check = "checked" if hasattr(module, "checked") else "_check"

    def wrapped(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def run(*given: Any, **options: Any) -> Any:
            start = time.thread_time()
            found = work(*given, **options)
            spent[name] += time.thread_time() - start
            return found

        return run

    features = parser.model.features
    with (
        mock.patch.object(module, check, wrapped("check", getattr(module, check))),
        mock.patch.object(features, "arrays", wrapped("look up words", features.arrays)),
        mock.patch.object(parser, "decode", wrapped("decode", parser.decode)),
        mock.patch.object(Parsed, "text", wrapped("write", Parsed.text)),
        mock.patch.object(Parser, "load", return_value=parser),
    ):
        yield


def work(given: dict[str, Any]) -> list[dict[str, float]]:
    """Parse a file several times, and say what steps took each time."""
    from permutree.cli.parse import command
    from permutree.model.folder import Outline
    from permutree.models import folder

    saved = dict(np.load(given["values"]))
    engine: Any = Recorded(saved, saved.pop("offsets"))
    parser: Any = Parser(Outline.read(folder(given["model"])), engine)
    found = []
    for _ in range(given["rounds"] + 1):
        engine.next = 0
        spent: dict[str, float] = dict.fromkeys(STEPS, 0.0)
        arguments = [given["input"], "--from", given["from"], "--lang", given["model"], "-o", given["output"]]
        with timed(parser, spent):
            start = time.process_time()
            command.main([*arguments, "--to", "discbracket"], standalone_mode=False)
            spent["all"] = time.process_time() - start
        spent["read"] = 2 * spent["all"] - sum(spent.values())
        found.append({step: 1e6 * spent[step] / given["sentences"] for step in STEPS})
    # The first round warms up.
    return found[1:]


def run(source: str | None, given: dict[str, Any]) -> list[dict[str, float]]:
    """Have another process do the work, with the package of a commit."""
    paths = [source or str(HERE.parents[2] / "src"), str(HERE.parent)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, str(HERE), "--work", json.dumps(given)]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    rows: list[dict[str, float]] = json.loads(done.stdout.splitlines()[-1])
    return rows


def write_inputs(trees: list[Any], formats: list[str], count: int, folder: Path) -> dict[str, Path]:
    """The same sentences in several formats, so many of them."""
    lines = {
        "tokens": [" ".join(tree.words) for tree in trees],
        # A paragraph each, so that sentences of raw text are those of the treebank.
        "lines": [" ".join(tree.words) for tree in trees],
        "discbracket": [tree.discbracket() for tree in trees],
    }
    found = {}
    for name in formats:
        found[name] = folder / f"input.{name}"
        with found[name].open("w", encoding="utf-8") as stream:
            stream.writelines(f"{line}\n" for line in islice(cycle(lines[name]), count))
    return found


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Medians of all steps, by format and commit."""
    path = next(options.treebanks.glob(f"{DEV[options.model]}/dev.discbracket*"))
    trees = list(read(path))
    found: dict[str, Any] = {"model": options.model, "sentences": options.sentences, "machine": platform.platform()}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for format_name, file in write_inputs(trees, options.formats, options.sentences, folder).items():
            values = folder / "values.npz"
            np.savez(values, allow_pickle=False, **_recorded(options.model, trees, format_name))
            sources = {"new": None} | ({"old": options.old} if options.old else {})
            rows: dict[str, list[dict[str, float]]] = {one: [] for one in sources}
            for _ in range(options.turns):
                for one, source in sources.items():
                    given = {"model": options.model, "from": format_name, "sentences": options.sentences}
                    given |= {"rounds": options.rounds, "values": str(values), "input": str(file)}
                    rows[one] += run(source, given | {"output": str(folder / one)})
            if options.old and (folder / "new").read_bytes() != (folder / "old").read_bytes():
                raise SystemExit(f"from {format_name}, the trees are not the same")
            found[format_name] = {
                one: {step: round(median(row[step] for row in some), 2) for step in STEPS} for one, some in rows.items()
            }
    return found


def _recorded(model: str, trees: list[Any], format_name: str) -> dict[str, np.ndarray]:
    """Predictions for the dev set as it is read from a format."""
    words = [list(tree.words) for tree in trees]
    if format_name == "lines":
        from permutree.languages import tokenise

        words = [list(tokenise(" ".join(one), model)[0]) for one in words]
    values, offsets = record(model, words)
    return {**values, "offsets": offsets}


def main() -> None:
    """Measure and print a table, or do the work of one process."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--model", default="nl", choices=[*DEV])
    options.add_argument("--treebanks", type=Path, default=TREEBANKS)
    options.add_argument("--from", dest="formats", nargs="+", default=["tokens", "lines", "discbracket"])
    options.add_argument("--sentences", type=int, default=30_000)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--turns", type=int, default=2, help="so many times each commit has its turn")
    options.add_argument("--old", help="the folder src of the commit to compare with")
    options.add_argument("-o", "--out", type=Path)
    options.add_argument("--work", metavar="JSON", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.work:
        print(json.dumps(work(json.loads(given.work))))
        return
    found = measure(given)
    if given.out:
        given.out.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    print(f"| µs a sentence, {given.model} | {' | '.join(STEPS)} |")
    print(f"|---|{'---|' * len(STEPS)}")
    for name in given.formats:
        for one, row in sorted(found[name].items(), reverse=True):
            print(f"| {name}, {one} | {' | '.join(f'{row[step]:.1f}' for step in STEPS)} |")


if __name__ == "__main__":
    main()
