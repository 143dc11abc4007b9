"""Where the time of parsing goes: microseconds a sentence for each step from words to discbracket, on one thread.

    python lab/benchmarks/shares.py [MODEL …] [--models FOLDER] [--treebanks FOLDER] [--sentences 700] [--times 5]

The models are bundled ones, or those of a folder, by language. Each parses the first sentences of its dev set, which by
default is in ``shared/treebanks`` beside the checkout. Figures are in processor time, the best of several rounds; the
time in graphs is divided among layers by what ONNX Runtime's profiler says. Between graphs, batches are made, words put
into the order of the arrangement, and constituents and their labels chosen.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any
from unittest.mock import patch

import onnxruntime

from permutree import Parser, read
from permutree.parsing.graph import Graph
from permutree.parsing.onnx_engine import OnnxEngine
from timing import best_of

TREEBANKS = Path(__file__).resolve().parents[3] / "shared" / "treebanks"
DEV = {"en": "masc", "nl": "alpino", "de": "squoia_de", "is": "icepahc"}
STEPS = ("look up words", "vectors of words", "LSTMs", "other layers", "between graphs", "decode", "write", "all")


def kernels(engine: OnnxEngine, parse: Callable[[], object]) -> Counter[str]:
    """The shares of kinds of layers in the time of the graphs, measured while something is parsed."""
    graphs = {"words": engine.words, "model": engine.model, "second": engine.second, "labels": engine.labels}
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for name, graph in graphs.items():
            if graph is not None:
                options = onnxruntime.SessionOptions()
                options.intra_op_num_threads = options.inter_op_num_threads = 1
                options.enable_profiling = True
                options.profile_file_prefix = str(Path(folder) / name)
                graph._session = onnxruntime.InferenceSession(str(graph.path), options)
        parse()
        for name, graph in graphs.items():
            if graph is None:
                continue
            for event in json.loads(Path(graph._session.end_profiling()).read_text()):
                if event.get("cat") == "Node" and event["name"].endswith("kernel_time"):
                    kind = "LSTMs" if "LSTM" in event["args"]["op_name"] else "other layers"
                    kind = "vectors of words" if name == "words" else kind
                    found[kind] += event["dur"]
    total = found.total()
    return Counter({kind: share / total for kind, share in found.items()})


def best_with_graphs(times: int, parse: Callable[[], object]) -> tuple[float, float]:
    """The processor time of the fastest run, and how much of it graphs took."""
    run, spent = Graph.run, 0.0

    def timed(*given: Any) -> Any:
        nonlocal spent
        started = time.process_time()
        found = run(*given)
        spent += time.process_time() - started
        return found

    rounds = []
    with patch.object(Graph, "run", timed):
        for _ in range(times):
            spent, started = 0.0, time.process_time()
            parse()
            rounds.append((time.process_time() - started, spent))
    return min(rounds)


def shares(model: str | Path, path: Path, sentences: int, times: int) -> dict[str, float]:
    """Microseconds a sentence of each step."""
    parser = Parser.load(model, threads=1)
    engine = parser.engine
    assert isinstance(engine, OnnxEngine)
    words = [tree.words for tree in islice(read(path), sentences)]
    arrays = parser.model.features.arrays(words, None)
    closed = parser.closed_sentences(words)
    predict = engine.launch(arrays, parser.scored, closed, parser._labels_of_constituents())
    given = predict()
    tags = [["_"] * len(sentence) for sentence in words]
    forest = parser.decode(given, words, tags).forest
    found = {
        "look up words": best_of(times, lambda: parser.model.features.arrays(words, None)),
        "decode": best_of(times, lambda: parser.decode(given, words, tags)),
        "write": best_of(times, lambda: list(forest.discbracket())),
    }
    whole, in_graphs = best_with_graphs(times, predict)
    layers = kernels(engine, predict)
    found |= {kind: in_graphs * share for kind, share in layers.items()}
    found["between graphs"] = whole - in_graphs
    found["all"] = sum(found.values())
    return {step: 1e6 * seconds / len(words) for step, seconds in found.items()}


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=[*DEV])
    parser.add_argument("--models", type=Path, dest="folder")
    parser.add_argument("--treebanks", type=Path, default=TREEBANKS)
    parser.add_argument("--sentences", type=int, default=700)
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    print(f"| model | {' | '.join(STEPS)} |")
    print(f"|---|{'---|' * len(STEPS)}")
    for model in options.models:
        path = next(options.treebanks.glob(f"{DEV[model]}/dev.discbracket*"))
        place = options.folder / model if options.folder else model
        found = shares(place, path, options.sentences, options.times)
        print(f"| {model} | {' | '.join(f'{found[step]:,.0f}' for step in STEPS)} |", flush=True)


if __name__ == "__main__":
    main()
