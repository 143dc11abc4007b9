"""What a GPU does: speed before and after a change, by batch size and processes, by length, and step by step.

    git archive OLD src | tar x -C build/old           # the commit to compare with, carried along
    python lab/benchmarks/gpu_speed.py --old build/old/src -o gpu.json [--seconds 330]
    python lab/benchmarks/gpu_speed.py --plot gpu.json -o plots

Everything is measured in processes of its own, one after the other, and one JSON is written. What the time does not
suffice for is left out, and the JSON says so. Parts, in the order of importance:

speed      files → files in one process: lines of words are read, trees are written; seconds of each round, old and new
trees      in single precision, how many trees of the dev set are others than those of the old commit
profile    steps from words to trees (``profile_parsing.py``), old and new
batches    speed by the places of a batch
chunks     speed by the words that are sorted by length together
alone      speed if trees are made in the thread that hands sentences over, not in one of their own
lengths    milliseconds a sentence by its length, up to 500 words
processes  speed of several processes at once, as ``permutree parse --jobs`` runs them

The dev set of a model is by default in ``shared/treebanks`` beside the checkout; that of a folder is named by
``--treebank``, and ``--parts speed`` leaves the rest out. On a CPU with small settings (``--device cpu --sentences 50
--rounds 1 --lengths 5,50``), this shows that the script works.
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
from contextlib import closing
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from types import SimpleNamespace
from typing import Any

HERE = Path(__file__).resolve()
TREEBANKS = HERE.parents[3] / "shared" / "treebanks"
DEV = {"en": "masc", "nl": "alpino", "de": "squoia_de", "is": "icepahc"}


def numbers(text: str) -> list[int]:
    """Numbers with commas between them."""
    return [int(number) for number in text.split(",") if number]


# What runs in processes of their own, with the package of one commit or the other.


def load(given: dict[str, Any], **options: Any) -> Any:
    """The parser that is measured, with another batch size if one is given."""
    from profile_parsing import load as load_profiled

    if options:
        from permutree import Parser

        return Parser.load(given["model"], given["device"], **options)
    parser: Any = load_profiled(given["model"], given["device"], "torch")
    if given.get("chunk"):
        parser.engine.chunk, parser.engine.chunk_words = sys.maxsize, given["chunk"]
    if given.get("alone"):
        from permutree.parsing import parser as parser_module

        module: Any = parser_module
        module._thread = Alone
    if given.get("batch"):
        if hasattr(parser.engine, "batch"):
            parser.engine.batch = given["batch"]
            # What is sorted by length is cut into batches: there must be several of them.
            enough = max(parser.engine.chunk_words, 4 * given["batch"])
            parser.engine.chunk, parser.engine.chunk_words = sys.maxsize, enough
        else:
            from permutree.parsing import torch_engine

            torch_engine.BATCH = dict.fromkeys(torch_engine.BATCH, given["batch"])
    return parser


class Alone:
    """In the place of another thread: work is done when its result is asked for."""

    def __enter__(self) -> Alone:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def submit(self, work: Callable[[], Any]) -> Any:
        """The work, to be done later."""
        return SimpleNamespace(result=work)


def work_speed(given: dict[str, Any]) -> list[float]:
    """Seconds of each round from a file of words to a file of trees."""
    from permutree.parsing import inputs

    parser = load(given)
    module: Any = inputs

    def sentences() -> Any:
        if hasattr(module, "blocks_of"):
            return module.blocks_of(module.read_parts(given["file"], "tokens"))
        return module.read_sentences(given["file"], "tokens")

    found = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(given["rounds"] + 1):
            start = time.perf_counter()
            with (Path(folder) / "trees").open("w", encoding="utf-8") as stream:
                if hasattr(parser, "texts"):
                    stream.writelines(one.text for one in parser.texts(sentences()))
                else:
                    stream.writelines(batch.text() for batch in parser.batches(sentences()))
            found.append(time.perf_counter() - start)
    # The first round warms up.
    return found[1:]


def work_trees(given: dict[str, Any]) -> list[str]:
    """The lines of all trees, in single precision."""
    from permutree.parsing.inputs import read_sentences

    parser = load(given, precise=True)
    return [
        line for batch in parser.batches(read_sentences(given["file"], "tokens")) for line in batch.text().split("\n")
    ]


def work_profile(given: dict[str, Any]) -> dict[str, float]:
    """Microseconds a sentence of each step."""
    from permutree.parsing.inputs import read_sentences
    from profile_parsing import profile

    words = [list(one.words) for one in read_sentences(given["file"], "tokens")]
    return profile(load(given), words, given["rounds"])


def work_lengths(given: dict[str, Any]) -> dict[int, float]:
    """Milliseconds a sentence, by length."""
    from permutree.parsing.inputs import read_sentences

    parser = load(given)
    words = [word for one in read_sentences(given["file"], "tokens") for word in one.words]
    found = {}
    for length in given["lengths"]:
        count = max(1, given["words"] // length)
        endless = cycle(words)
        sentences = [list(islice(endless, length)) for _ in range(count)]
        rounds = []
        for _ in range(given["rounds"] + 1):
            start = time.perf_counter()
            for batch in parser.batches(sentences):
                batch.text()
            rounds.append(time.perf_counter() - start)
        found[length] = 1e3 * median(rounds[1:]) / count
    return found


def work_processes(given: dict[str, Any]) -> list[float]:
    """Sentences a second of several processes, in several rounds."""
    from permutree.models import folder
    from permutree.parsing.benchmark import speeds_together
    from permutree.parsing.inputs import Sentence, read_sentences

    place = "1 thread" if given["device"] == "cpu" else given["device"]
    sentences = [Sentence(list(one.words)) for one in read_sentences(given["file"], "tokens")]
    with closing(speeds_together(folder(given["model"]), place, sentences, given["each"], given["processes"])) as found:
        return [rate for rate, _ in islice(found, given["rounds"])]


WORK: dict[str, Callable[[dict[str, Any]], Any]] = {
    "speed": work_speed,
    "trees": work_trees,
    "profile": work_profile,
    "lengths": work_lengths,
    "processes": work_processes,
}

PARTS = ["speed", "trees", "profile", "batches", "chunks", "alone", "lengths", "processes"]

# What gives out this work.


class Runner:
    """Runs parts in processes of their own, as long as there is time."""

    def __init__(self, seconds: float, parts: list[str]) -> None:
        self.end = time.monotonic() + seconds
        self.parts = parts
        self.left_out: list[str] = []

    def run(self, what: str, source: str | None, given: dict[str, Any], part: str | None = None) -> Any:
        """What came of the work for a part, or None if it is not wanted, failed or there was no time."""
        if (part or what) not in self.parts:
            return None
        left = self.end - time.monotonic()
        name = (
            f"{what} { ({key: value for key, value in given.items() if key != 'file'}) } with {source or 'this commit'}"
        )
        if left < 10:
            self.left_out.append(f"{name}: no time")
            return None
        paths = [source or str(HERE.parents[2] / "src"), str(HERE.parent)]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
        command = [sys.executable, str(HERE), "--work", what, json.dumps(given)]
        try:
            done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=left, check=False)
        except subprocess.TimeoutExpired:
            self.left_out.append(f"{name}: took too long")
            return None
        if done.returncode:
            self.left_out.append(f"{name}: {done.stderr.strip().splitlines()[-1:]}")
            return None
        print(f"{name}: done, {self.end - time.monotonic():.0f} s left", file=sys.stderr, flush=True)
        return json.loads(done.stdout.splitlines()[-1])


def rates(seconds: list[float] | None, sentences: int) -> dict[str, Any] | None:
    """Sentences a second: the median, the least and the most of all rounds."""
    if not seconds:
        return None
    found = sorted(sentences / one for one in seconds)
    return {"median": median(found), "least": found[0], "most": found[-1], "rounds": len(found)}


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """All parts."""
    from permutree import read

    treebank = options.treebank or DEV[options.model]
    path = next(options.treebanks.glob(f"{treebank}/dev.discbracket*"))
    lines = [" ".join(tree.words) for tree in read(path)]
    runner = Runner(options.seconds, options.parts)
    found: dict[str, Any] = {
        "model": Path(options.model).name,
        "dev set": path.parent.name,
        "machine": machine(options.device),
    }
    sources = {"new": None} | ({"old": options.old} if options.old else {})
    with tempfile.TemporaryDirectory() as folder:
        many, dev = Path(folder) / "many.txt", Path(folder) / "dev.txt"
        many.write_text("".join(f"{line}\n" for line in islice(cycle(lines), options.sentences)), "utf-8")
        dev.write_text("".join(f"{line}\n" for line in lines[: options.sentences]), "utf-8")
        base = {"model": options.model, "device": options.device, "rounds": options.rounds, "file": str(many)}
        found["sentences"] = options.sentences
        found["speed"] = {
            name: rates(runner.run("speed", source, base), options.sentences) for name, source in sources.items()
        }
        trees = {name: runner.run("trees", source, base | {"file": str(dev)}) for name, source in sources.items()}
        if all(trees.values()) and len(trees) == 2:
            found["other trees"] = sum(map(str.__ne__, trees["new"], trees["old"]))
            found["trees"] = len(trees["new"]) - trees["new"].count("")
        found["profile"] = {name: runner.run("profile", source, base) for name, source in sources.items()}
        found["batches"] = {
            size: rates(runner.run("speed", None, base | {"batch": size}, "batches"), options.sentences)
            for size in options.batches
        }
        found["chunks"] = {
            size: rates(runner.run("speed", None, base | {"chunk": size}, "chunks"), options.sentences)
            for size in options.chunks
        }
        found["alone"] = rates(runner.run("speed", None, base | {"alone": True}, "alone"), options.sentences)
        given = base | {"lengths": options.lengths, "words": options.words, "rounds": min(3, options.rounds)}
        found["lengths"] = {name: runner.run("lengths", source, given) for name, source in sources.items()}
        with multi_process_service(options.device):
            found["processes"] = {
                count: {
                    name: rates_of(runner.run("processes", source, base | {"processes": count, "each": options.each}))
                    for name, source in sources.items()
                }
                for count in options.processes
            }
    return found | {"left out": runner.left_out}


def rates_of(found: list[float] | None) -> dict[str, Any] | None:
    """The median, the least and the most of some rates."""
    return None if not found else {"median": median(found), "least": min(found), "most": max(found)}


class multi_process_service:  # noqa: N801 - used like a function
    """NVIDIA's MPS while it is needed, if it is installed."""

    def __init__(self, device: str) -> None:
        self.is_wanted = device == "cuda"

    def __enter__(self) -> None:
        self._control("-d")

    def __exit__(self, *error: object) -> None:
        self._control(text="quit\n")

    def _control(self, *arguments: str, text: str | None = None) -> None:
        if self.is_wanted:
            try:
                command = ["nvidia-cuda-mps-control", *arguments]
                subprocess.run(command, input=text, text=True, capture_output=True, check=False, timeout=30)
            except (OSError, subprocess.TimeoutExpired):
                print("NVIDIA's MPS is not to be had", file=sys.stderr)


def machine(device: str) -> dict[str, Any]:
    """What it was measured on."""
    found: dict[str, Any] = {"cores": os.cpu_count(), "system": platform.platform(), "device": device}
    if device == "cuda":
        import torch

        found |= {"gpu": torch.cuda.get_device_name(), "torch": torch.__version__}
    return found


def plot(found: dict[str, Any], folder: Path) -> Iterator[Path]:
    """Pictures: speed by processes, speed by batch size, time by length."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt

    def lines_of(part: str) -> dict[str, dict[int, float]]:
        if part == "batches":
            return {"one process": {int(at): one["median"] for at, one in found[part].items() if one}}
        if part == "lengths":
            return {name: {int(at): one for at, one in row.items()} for name, row in found[part].items() if row}
        names = dict.fromkeys(name for row in found[part].values() for name in row)
        return {
            name: {int(at): row[name]["median"] for at, row in found[part].items() if row.get(name)} for name in names
        }

    axes_of = {
        "processes": ("processes", "sentences/s"),
        "batches": ("places of a batch", "sentences/s"),
        "lengths": ("words", "ms a sentence"),
    }
    for part, (across, up) in axes_of.items():
        figure, axes = plt.subplots(figsize=(5, 3.2))
        for name, points in lines_of(part).items():
            axes.plot([*points], [*points.values()], marker="o", label=name)
        axes.set_xlabel(across)
        axes.set_ylabel(up)
        if part == "processes":
            axes.set_xticks([*next(iter(lines_of(part).values()), {})])
        else:
            axes.set_xscale("log", base=2)
        axes.set_yscale("log") if part == "lengths" else axes.set_ylim(bottom=0)
        if axes.lines:
            axes.legend()
        figure.tight_layout()
        path = folder / f"gpu-{part}.svg"
        figure.savefig(path)
        plt.close(figure)
        yield path


def main() -> None:
    """Measure, plot, or do the work of one process."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--model", default="nl", help="name of a bundled model, or a folder")
    options.add_argument("--treebank", help="the treebank whose dev set is parsed")
    options.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    options.add_argument("--treebanks", type=Path, default=TREEBANKS)
    options.add_argument("--device", default="cuda")
    options.add_argument("--old", help="the folder src of the commit to compare with")
    options.add_argument("--sentences", type=int, default=60_000)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--batches", type=numbers, default=[1 << 13, 1 << 14, 1 << 15, 1 << 16, 1 << 17])
    options.add_argument("--chunks", type=numbers, default=[1 << 16, 1 << 17, 1 << 18, 1 << 19])
    options.add_argument("--processes", type=numbers, default=[1, 2, 4, 8, 14])
    options.add_argument("--each", type=float, default=2.0, help="seconds of each round of several processes")
    options.add_argument("--lengths", type=numbers, default=[5, 10, 20, 50, 100, 200, 500])
    options.add_argument("--words", type=int, default=65_536, help="words of all sentences of a length")
    options.add_argument("--seconds", type=float, default=330.0, help="how long everything may take")
    options.add_argument("-o", "--out", type=Path, default=Path("gpu.json"), help="a file, or the folder of pictures")
    options.add_argument("--plot", type=Path, metavar="JSON")
    options.add_argument("--work", nargs=2, metavar=("PART", "JSON"), help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.work:
        print(json.dumps(WORK[given.work[0]](json.loads(given.work[1]))))
    elif given.plot:
        given.out.mkdir(parents=True, exist_ok=True)
        for path in plot(json.loads(given.plot.read_text("utf-8")), given.out):
            print(path)
    else:
        given.out.write_text(json.dumps(measure(given), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
