"""How near the int8 LSTM of ONNX Runtime is to what the processor can do: billions of products a second, one thread.

    python lab/benchmarks/lstm_kernel.py [--inputs 356] [--hidden 178] [--words 19] [--batches 1 8 30 60 120]

A bidirectional layer of the size of a bundled model (176 units and two pins) reads batches of sentences of one length.
Beside it, its two matrix products alone: all inputs at once, and one step after the other. What the first of these
reaches is what the processor gives for int8 with these weights. In processor time, the best of several runs.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from timing import best_of

MICROSOFT = "com.microsoft"


def session(node: Any, inputs: list[Any], output: Any, weights: dict[str, Any]) -> Any:
    """A graph of one operator."""
    tensors = [numpy_helper.from_array(np.asarray(array), name) for name, array in weights.items()]
    graph = helper.make_graph([node], "graph", inputs, [output], tensors)
    versions = [helper.make_opsetid("", 20), helper.make_opsetid(MICROSOFT, 1)]
    model = helper.make_model(graph, opset_imports=versions, ir_version=9)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def lstm(random: np.random.Generator, inputs: int, hidden: int) -> Any:
    """The operator as the bundled models have it."""
    gates = 4 * hidden
    weights = {
        "inputs": random.integers(-60, 60, (2, inputs, gates)).astype(np.int8),
        "states": random.integers(-60, 60, (2, hidden, gates)).astype(np.int8),
        "biases": np.zeros((2, 2 * gates), np.float32),
        "scales": np.full((2, gates), 0.002, np.float32),
        "zeros": np.zeros((2, gates), np.int8),
    }
    names = ["X", "inputs", "states", "biases", "lengths", "", "", "", "scales", "zeros", "scales", "zeros"]
    node = helper.make_node(
        "DynamicQuantizeLSTM", names, ["Y"], domain=MICROSOFT, hidden_size=hidden, direction="bidirectional"
    )
    vectors = helper.make_tensor_value_info("X", TensorProto.FLOAT, ["words", "batch", inputs])
    lengths = helper.make_tensor_value_info("lengths", TensorProto.INT32, ["batch"])
    output = helper.make_tensor_value_info("Y", TensorProto.FLOAT, ["words", 2, "batch", hidden])
    return session(node, [vectors, lengths], output, weights)


def product(random: np.random.Generator, inputs: int, outputs: int) -> Any:
    """A matrix product in int8."""
    weights = {
        "weight": random.integers(-60, 60, (inputs, outputs)).astype(np.int8),
        "scale": np.float32(1 / 127),
        "scales": np.full(outputs, 0.002, np.float32),
        "middle": np.uint8(128),
        "zeros": np.zeros(outputs, np.int8),
    }
    names = ["A", "weight", "scale", "scales", "middle", "zeros"]
    node = helper.make_node("MatMulIntegerToFloat", names, ["Y"], domain=MICROSOFT)
    numbers = helper.make_tensor_value_info("A", TensorProto.UINT8, ["rows", inputs])
    output = helper.make_tensor_value_info("Y", TensorProto.FLOAT, ["rows", outputs])
    return session(node, [numbers], output, weights)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=356)
    parser.add_argument("--hidden", type=int, default=178)
    parser.add_argument("--words", type=int, default=19)
    parser.add_argument("--batches", type=int, nargs="+", default=[1, 8, 30, 60, 120])
    parser.add_argument("--times", type=int, default=12)
    options = parser.parse_args()
    inputs, hidden, words = options.inputs, options.hidden, options.words
    random = np.random.default_rng(0)
    layer = lstm(random, inputs, hidden)
    project, step = product(random, inputs, 8 * hidden), product(random, hidden, 4 * hidden)
    print("| sentences | LSTM, µs a word | LSTM, 10⁹ products/s | inputs alone | steps alone |\n|---|---|---|---|---|")
    for batch in options.batches:
        vectors = random.uniform(-1, 1, (words, batch, inputs)).astype(np.float32)
        feeds = {"X": vectors, "lengths": np.full(batch, words, np.int32)}
        rows = random.integers(0, 255, (words * batch, inputs)).astype(np.uint8)
        states = random.integers(0, 255, (batch, hidden)).astype(np.uint8)

        def all_steps(states: Any = states) -> None:
            for _ in range(2 * words):
                step.run(None, {"A": states})

        seconds = [
            best_of(options.times, lambda feeds=feeds: layer.run(None, feeds)),  # type: ignore[misc]
            best_of(options.times, lambda rows=rows: project.run(None, {"A": rows})),  # type: ignore[misc]
            best_of(options.times, all_steps),
        ]
        products = [8 * hidden * size * words * batch / 1e9 for size in (inputs + hidden, inputs, hidden)]
        speeds = " | ".join(f"{count / time:.0f}" for count, time in zip(products, seconds, strict=True))
        print(f"| {batch} | {1e6 * seconds[0] / (words * batch):.1f} | {speeds} |", flush=True)


if __name__ == "__main__":
    main()
