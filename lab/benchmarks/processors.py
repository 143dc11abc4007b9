"""Whether the trees of int8 models depend on the processor: the bundled models, or folders, on whole dev sets.

    python lab/benchmarks/processors.py [MODEL …] [--treebanks FOLDER]

Processors without instructions for int8 (such as VNNI) add the products of two neighbours in 16 bits, which may be too
few. Products of unsigned weights are added in 32 bits by all of them. So the weights are rewritten as unsigned ones,
with the same values, and sentences whose tree changes are counted: 0 where the processor, or the room that weights
leave, is enough. Treebanks are by default in ``shared/treebanks`` beside the checkout.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from invariance import DEV, TREEBANKS, differing
from permutree import Parser, models, read
from permutree.model.checksums import CONFIG, FILES

#: which inputs of an operator are weights, or their zeros
WEIGHTS = {"DynamicQuantizeLSTM": (1, 2, 9, 11), "MatMulIntegerToFloat": (1, 5)}


def unsigned(path: Path) -> None:
    """Rewrite the weights of a graph that are multiplied as integers."""
    model = onnx.load(path)
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    names = set()
    for node in model.graph.node:
        for place in WEIGHTS.get(node.op_type, ()):
            names.add(node.input[place])
            node.input[place] += ".unsigned"
    for name in sorted(names):
        numbers = (tensors[name].astype(np.int16) + 128).astype(np.uint8)
        model.graph.initializer.append(numpy_helper.from_array(numbers, f"{name}.unsigned"))
    onnx.save(model, path)


def main() -> None:
    """Print a table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("models", nargs="*", default=[*DEV])
    options.add_argument("--treebanks", type=Path, default=TREEBANKS)
    given = options.parse_args()
    print("| model | dev set | sentences | other trees |\n|---|---|---|---|")
    for model in given.models:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / "model"
            shutil.copytree(models.folder(model), folder)
            for path in folder.glob("*.onnx"):
                unsigned(path)
            # The graphs are no longer those that the folder has checksums of.
            settings = json.loads((folder / CONFIG).read_text("utf-8"))
            del settings[FILES]
            (folder / CONFIG).write_text(json.dumps(settings), "utf-8")
            parser, exact = Parser.load(model), Parser.load(folder)
            for treebank in DEV[parser.model.facts["language"]]:
                words = [list(tree.words) for tree in read(given.treebanks / treebank / "dev.discbracket.xz")]
                count = differing(list(parser.pipe(words)), exact.pipe(words))
                print(f"| {model} | {treebank} | {len(words):,} | {count:,} |", flush=True)


if __name__ == "__main__":
    main()
