"""Sentences per second on one thread of a CPU for parsers of several sizes: what size of model a target allows.

    python lab/benchmarks/model_sizes.py [FOLDER] [--hidden 128 200 …] [--layers 2 3] [--second 100 …]

The folder holds the discbracket files of a treebank; by default alpino in ``shared/treebanks`` beside the checkout. The
models are BiLSTMs that predict tags, predecessors by attention, and read again in the order of the arrangement. Their
weights are random, so the labels of the gold trees are decoded instead of theirs. Figures are in processor time, so
that what else the machine does matters little: microseconds a sentence for the network and for all around it (looking
up words, decoding, writing discbracket), sentences a second from both, milliseconds for one sentence of 20 words at the
95th percentile, and the size of the folder.
"""

from __future__ import annotations

import argparse
import tempfile
from itertools import product
from pathlib import Path

import numpy as np
import torch

from permutree import Tree, read
from permutree.encoding import Codec
from permutree.model.config import EmbeddingConfig, EncoderConfig, ModelConfig
from permutree.model.features import WordFeatures
from permutree.model.folder import Outline
from permutree.networks.export import export
from permutree.networks.model import Model
from permutree.parsing import onnx_engine
from permutree.parsing.onnx_engine import OnnxEngine
from timing import best_of

TREEBANKS = Path(__file__).resolve().parents[3] / "shared" / "treebanks"


def build(trees: list[Tree], hidden: int, layers: int, second: int, word: int) -> Model:
    """A model with random weights and the vocabularies of a treebank."""
    config = ModelConfig(
        encoding="predecessor",
        tags="own",
        second_reading=second,
        encoder=EncoderConfig(hidden=hidden, layers=layers),
        embeddings=EmbeddingConfig(word=word, character=word, min_count=2),
    )
    words, tags = [tree.words for tree in trees], [tree.tags for tree in trees]
    features = WordFeatures.fit(words, tags, min_count=2)
    codec = Codec.fit(trees, "predecessor")
    return Model.build(config, features, codec, sorted({tag for sentence in tags for tag in sentence}))


def time_model(model: Model, dev: list[Tree], quantise: bool, times: int) -> str:
    """A row of the table."""
    words, tags = [tree.words for tree in dev], [tree.tags for tree in dev]
    short = min(words, key=lambda sentence: abs(len(sentence) - 20))
    features, codec = model.features, model.codec
    assert codec is not None
    labels = codec.encode(dev)
    with tempfile.TemporaryDirectory() as folder:
        export(model, folder, quantise=quantise)
        engine = OnnxEngine(folder, Outline.read(folder), threads=1)
        size = sum(file.stat().st_size for file in Path(folder).iterdir()) / 1e6
    arrays = features.arrays(words, None)

    def around() -> None:
        features.arrays(words, None)
        list(codec.decode(labels, words, tags).forest.discbracket())

    network = best_of(times + 1, lambda: engine.predict(arrays)) / len(dev)
    rest = best_of(times, around) / len(dev)
    one = [best_of(1, lambda: engine.predict(features.arrays([short], None))) for _ in range(200)]
    return (
        f"{'int8' if quantise else 'fp32'} | {network * 1e6:,.0f} | {rest * 1e6:,.0f} | {1 / (network + rest):,.0f} "
        f"| {np.percentile(one, 95) * 1e3:.2f} | {size:.1f} |"
    )


def main() -> None:
    """Time all sizes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=TREEBANKS / "alpino")
    parser.add_argument("--hidden", type=int, nargs="*", default=[128, 160, 200, 256, 320, 400])
    parser.add_argument("--layers", type=int, nargs="*", default=[2, 3])
    parser.add_argument("--second", type=int, nargs="*", default=[100])
    parser.add_argument("--word", type=int, default=128, help="size of the vectors of words, and of their characters")
    parser.add_argument("--batch", type=int, default=onnx_engine.BATCH, help="places of a batch")
    parser.add_argument("--sentences", type=int, default=700)
    parser.add_argument("--times", type=int, default=3)
    options = parser.parse_args()
    onnx_engine.BATCH = options.batch
    torch.set_num_threads(1)
    train = list(read(sorted(options.folder.glob("*train.discbracket*"))))
    dev = list(read(sorted(options.folder.glob("dev.discbracket*"))))[: options.sentences]
    print(f"{len(dev)} sentences of {sum(map(len, dev)) / len(dev):.1f} words, {options.batch} places a batch")
    print("| hidden | layers | second | weights | network µs | around µs | sentences/s | one, ms | MB |")
    print("|---|---|---|---|---|---|---|---|---|")
    for layers, hidden, second in product(options.layers, options.hidden, options.second):
        model = build(train, hidden, layers, second, options.word)
        for quantise in (False, True):
            row = time_model(model, dev, quantise, options.times)
            print(f"| {hidden} | {layers} | {second} | {row}", flush=True)


if __name__ == "__main__":
    main()
