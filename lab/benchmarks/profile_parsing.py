"""Where the time of parsing goes on a device: microseconds a sentence of each step from words to discbracket.

    python lab/benchmarks/profile_parsing.py [--model nl] [--device cpu|cuda] [--engine onnx|torch]
        [--repeat 1] [--rounds 5] [--json] [--operators 12]

The dev set of a bundled model (by default in ``shared/treebanks`` beside the checkout) is parsed as one chunk, step by
step, so that nothing overlaps; the median of several rounds counts, in processor time on a CPU, by the clock on a GPU.
``launch`` is making batches and handing them to the device, ``network`` what it still takes then, ``results`` copying
and sorting what came of it. Where an engine computes at once, all three are ``network``. It also measures earlier
commits: put their ``src`` in PYTHONPATH.

With ``--operators``, PyTorch's profiler says for how long a GPU is busy, how often something is launched there, and
which operators take most of the time of the processor that gives it work.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from permutree import Parser, read

TREEBANKS = Path(__file__).resolve().parents[3] / "shared" / "treebanks"
DEV = {"en": "masc", "nl": "alpino", "de": "squoia_de", "is": "icepahc"}
STEPS = ("check", "look up words", "launch", "network", "results", "decode", "write", "all")

__all__ = ["load", "profile"]


def load(model: str, device: str, engine: str) -> Parser:
    """A bundled model on a device; its graphs on a CPU, unless PyTorch is to run it."""
    if engine == "onnx" and device == "cpu":
        return Parser.load(model, threads=1)
    import torch

    from permutree.models import folder
    from permutree.networks.model import Model
    from permutree.parsing.torch_engine import TorchEngine

    if device == "cpu":
        torch.set_num_threads(1)
    loaded = Model.load(folder(model), torch.device(device))
    return Parser(loaded.outline, TorchEngine(loaded.labeller, device))


def profile(parser: Any, words: list[list[str]], rounds: int) -> dict[str, float]:
    """Microseconds a sentence of each step."""
    from permutree.parsing import parser as parser_module

    module: Any = parser_module

    found: dict[str, list[float]] = {step: [] for step in STEPS}
    wait = _waiting(parser.engine)
    device = getattr(parser.engine, "device", None)
    clock = time.thread_time if device is None or device.type == "cpu" else time.perf_counter
    for _ in range(rounds + 1):
        marks = [clock()]

        def mark(marks: list[float] = marks) -> None:
            marks.append(clock())

        if hasattr(module, "checked"):
            tags: Any = module.no_tags(words)
            given: Any = module.checked(words, tags)
        else:
            tags, given = [["_"] * len(one) for one in words], words
            module._check(words, tags)
        mark()
        arrays = parser.model.features.arrays(given, None)
        mark()
        closed = parser.closed_sentences(given)
        if hasattr(parser.engine, "launch"):
            receive = parser.engine.launch(arrays, parser.scored, closed, parser._labels_of_constituents())
            mark()
            wait()
            values = receive() if not parser.engine.overlaps else None
            mark()
            values = receive() if values is None else values
            mark()
            if given is words:
                from permutree.trees.numbered import Numbered

                given = Numbered(arrays.forms, arrays.types, arrays.offsets, words)
        else:
            mark()
            values = parser.engine.predict(arrays, parser.scored, closed)
            wait()
            mark()
            mark()
        forest = parser.decode(values, given, tags).forest
        mark()
        _ = forest.text() if hasattr(forest, "text") else "".join(line + "\n" for line in forest.discbracket())
        mark()
        for step, seconds in zip(STEPS[:-1], np.diff(marks).tolist(), strict=True):
            found[step].append(seconds)
        found["all"].append(marks[-1] - marks[0])
    # The first round warms up.
    return {step: round(1e6 * median(seconds[1:]) / len(words), 2) for step, seconds in found.items()}


def operators(parser: Any, words: list[list[str]], most: int) -> dict[str, float]:
    """Microseconds a sentence of the GPU, launches of a sentence, and microseconds of the dearest operators."""
    from torch.profiler import ProfilerActivity
    from torch.profiler import profile as torch_profile

    parser.parse_batch(words)
    activities = [ProfilerActivity.CPU]
    if getattr(parser.engine, "device", None) is not None and parser.engine.device.type == "cuda":
        activities.append(ProfilerActivity.CUDA)
    with torch_profile(activities=activities) as profiled:
        parser.parse_batch(words)
        _waiting(parser.engine)()
    events: Any = profiled.key_averages()
    count = len(words)
    launches = sum(event.count for event in events if event.key.startswith("cudaLaunch"))
    # Kernels count as themselves and as what launched them.
    busy = sum(event.self_device_time_total for event in events if not event.key.startswith("aten::"))
    found = {"GPU": busy / count, "launches": launches / count}
    dearest = sorted(events, key=lambda event: -event.self_cpu_time_total)[:most]
    return found | {event.key: event.self_cpu_time_total / count for event in dearest}


def _waiting(engine: Any) -> Any:
    """What waits until a device has done all that it was given."""
    device = getattr(engine, "device", None)
    if device is None or device.type != "cuda":
        return lambda: None
    import torch

    return torch.cuda.synchronize


def main() -> None:
    """Print a table, or JSON."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--model", default="nl", choices=[*DEV])
    options.add_argument("--treebanks", type=Path, default=TREEBANKS)
    options.add_argument("--device", default="cpu")
    options.add_argument("--engine", default="onnx", choices=["onnx", "torch"])
    options.add_argument("--repeat", type=int, default=1, help="so many times the dev set at once")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--json", action="store_true")
    options.add_argument("--operators", type=int, default=0, metavar="N", help="the N dearest operators of PyTorch")
    given = options.parse_args()
    path = next(given.treebanks.glob(f"{DEV[given.model]}/dev.discbracket*"))
    words = given.repeat * [list(tree.words) for tree in read(path)]
    parser = load(given.model, given.device, given.engine)
    if given.operators:
        for name, number in operators(parser, words, given.operators).items():
            print(f"{number:10.3f}  {name}")
        return
    found = profile(parser, words, given.rounds)
    if given.json:
        print(json.dumps(found))
        return
    print(f"| {given.model}, {given.device}, {given.engine} | {' | '.join(STEPS)} |")
    print(f"|---|{'---|' * len(STEPS)}")
    print(f"| {len(words):,} sentences | {' | '.join(f'{found[step]:,.1f}' for step in STEPS)} |")


if __name__ == "__main__":
    main()
