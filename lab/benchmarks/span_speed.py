"""How fast small models would parse on a CPU with spans scored as spans, convolutions or other sizes, before training.

    python lab/benchmarks/span_speed.py nl TREES [--repeats 3] [--variant 'spans=64 span_loss=local ends=0' …]

Every variant is the bundled model of the language with other sizes. It keeps all weights whose shapes still fit, those
of the first reading among them as long as this has its size, so that arrangements are real; others are random. That
does not matter to speed: a chart takes as long whatever its scores. Variants are exported in int8 and parse the words
of TREES in turns, on one thread. Prints the size of the graphs, the best speed, and its ratio to the model as it is.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import torch

from permutree import Parser, read
from permutree.model.config import ModelConfig
from permutree.model.folder import GRAPHS
from permutree.models import folder as bundled_folder
from permutree.networks.export import export
from permutree.networks.model import Model

VARIANTS = (
    "",
    "ends=0 spans=32 span_loss=local",
    "ends=0 spans=64 span_loss=local",
    "ends=0 spans=128 span_loss=local",
    "ends=0 spans=64 span_loss=crf",
    "ends=0 spans=128 span_loss=crf",
    "ends=0 spans=64 span_loss=margin",
    "layers=2 units=224",
    "units=208",
    "layers=2 units=128 hidden=64",
    "layers=2 units=112 hidden=64",
    "kind=convolution layers=6 units=256",
    "kind=convolution layers=8 units=192",
    "kind=convolution layers=6 units=192",
    "kind=convolution layers=6 units=192 hidden=64",
    "kind=convolution layers=6 units=192 ends=0 spans=64 span_loss=local",
)


def varied(config: ModelConfig, text: str) -> ModelConfig:
    """Settings with the changes of a variant: kind, layers and units of the encoder, others of the second reading."""
    given = dict(part.split("=") for part in text.split())
    layers, units = int(given.pop("layers", config.encoder.layers)), int(given.pop("units", config.encoder.hidden))
    encoder = replace(config.encoder, kind=given.pop("kind", config.encoder.kind), layers=layers, hidden=units)  # type: ignore[arg-type]
    second = {name: value if name == "span_loss" else int(value) for name, value in given.items()}
    return replace(config, encoder=encoder, reread=replace(config.reread, **second))  # type: ignore[arg-type]


def variant(model: Model, text: str) -> Model:
    """A model with other sizes, and the weights that still fit."""
    torch.manual_seed(1)
    other = Model.build(varied(model.config, text), model.features, model.codec, model.tags)
    wanted = other.labeller.state_dict()
    for name, weight in model.labeller.state_dict().items():
        if name in wanted and wanted[name].shape == weight.shape:
            wanted[name] = weight
    other.labeller.load_state_dict(wanted)
    other.labeller.eval()
    return other


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language")
    parser.add_argument("trees", type=Path)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--variant", action="append", help="changes separated by blanks; several times")
    options = parser.parse_args()
    sentences = [tree.words for tree in read(options.trees)]
    model = Model.load(bundled_folder(options.language))
    names = ["", *options.variant] if options.variant else list(VARIANTS)
    parsers: dict[str, Parser] = {}
    sizes: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as temporary:
        for number, name in enumerate(names):
            place = Path(temporary) / str(number)
            export(variant(model, name), place, quantise=True)
            sizes[name] = sum(file.stat().st_size for graph in GRAPHS for file in place.glob(graph)) / 1e6
            parsers[name] = Parser.load(place, threads=1)
        best = dict.fromkeys(names, 0.0)
        for _ in range(options.repeats):
            for name, one in parsers.items():
                start = time.perf_counter()
                count = sum(len(parsed.forest) for parsed in one.batches(sentences))
                best[name] = max(best[name], count / (time.perf_counter() - start))
    print("| | MB | sentences/s | of the model as it is |")
    print("|---|---:|---:|---:|")
    for name in names:
        print(f"| {name or 'as it is'} | {sizes[name]:.1f} | {best[name]:,.0f} | {100 * best[name] / best['']:.0f} % |")


if __name__ == "__main__":
    main()
