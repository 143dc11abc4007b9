"""Where the time of parsing goes: microseconds a sentence for each step from words to discbracket, on one thread.

    python lab/benchmarks/shares.py [MODEL …] [--treebanks FOLDER] [--sentences 700] [--times 5]

The models are bundled ones; each parses the first sentences of its dev set, which by default is in
``shared/treebanks`` beside the checkout. Figures are in processor time, the best of several rounds; those of the
network's layers are shares of what ONNX Runtime's profiler says.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import onnxruntime

from permutree import Parser, read
from permutree.parsing.onnx_engine import OnnxEngine
from timing import best_of

TREEBANKS = Path(__file__).resolve().parents[3] / "shared" / "treebanks"
DEV = {"en": "masc", "nl": "alpino", "de": "squoia_de", "is": "icepahc"}
STEPS = ("look up words", "vectors of words", "LSTMs", "other layers", "decode", "write", "all")


def kernels(engine: OnnxEngine, parse: Callable[[], object]) -> Counter[str]:
    """The shares of kinds of layers in the time of the graphs, measured while something is parsed."""
    graphs = {"words": engine.words, "model": engine.model, "second": engine.second}
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


def shares(model: str, path: Path, sentences: int, times: int) -> dict[str, float]:
    """Microseconds a sentence of each step."""
    parser = Parser.load(model, threads=1)
    engine = parser.engine
    assert isinstance(engine, OnnxEngine)
    words = [tree.words for tree in islice(read(path), sentences)]
    arrays = parser.model.features.arrays(words, None)
    closed = parser.closed_sentences(words)
    given = engine.predict(arrays, parser.scored, closed)
    tags = [["_"] * len(sentence) for sentence in words]
    forest = parser.decode(given, words, tags).forest
    found = {
        "look up words": best_of(times, lambda: parser.model.features.arrays(words, None)),
        "decode": best_of(times, lambda: parser.decode(given, words, tags)),
        "write": best_of(times, lambda: list(forest.discbracket())),
    }
    network = best_of(times, lambda: engine.predict(arrays, parser.scored, closed))
    layers = kernels(engine, lambda: engine.predict(arrays, parser.scored, closed))
    found |= {kind: network * share for kind, share in layers.items()}
    found["all"] = sum(found.values())
    return {step: 1e6 * seconds / len(words) for step, seconds in found.items()}


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=[*DEV])
    parser.add_argument("--treebanks", type=Path, default=TREEBANKS)
    parser.add_argument("--sentences", type=int, default=700)
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    print(f"| model | {' | '.join(STEPS)} |")
    print(f"|---|{'---|' * len(STEPS)}")
    for model in options.models:
        path = next(options.treebanks.glob(f"{DEV[model]}/dev.discbracket*"))
        found = shares(model, path, options.sentences, options.times)
        print(f"| {model} | {' | '.join(f'{found[step]:,.0f}' for step in STEPS)} |", flush=True)


if __name__ == "__main__":
    main()
