"""Larger models for measurements of speed, trained just enough that their trees look like trees.

    python lab/benchmarks/larger_models.py DATA OUT --tokenizer FOLDER --vectors nl.bin.xz [--epochs 2] [--models best]

OUT gets a folder for each: ``best``, the preset of that name, from alpino in DATA (what ``prepare_training.py`` wrote);
``best-ends``, the preset as it was before it scored spans; ``best-vectors``, ``best`` with vectors of
``word_vectors.py``; and ``bert-base``, the preset ``best-pretrained`` over an encoder of BERT base's shape with random
weights, from masc. The tokenizer is that of any folder of an uncased BERT, such as the one that ``pypi_encoders.py
--encoder minilm`` writes.
Their F1 means nothing. ``gpu_speed.py --model OUT/best --treebank alpino --parts speed`` says how fast they are.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from typing import Any

from permutree.training import train

MODELS = ["best", "best-ends", "best-vectors", "bert-base"]
ENDS = Path(__file__).resolve().parents[1] / "grids" / "bases" / "best-ends.toml"
#: of the tokenizer, beside config.json and weights
TOKENIZER = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt")


def write_encoder(folder: Path, tokenizer: Path, **shape: Any) -> Path:
    """Write an encoder of BERT base's shape with random weights."""
    from transformers import AutoModel, BertConfig

    folder.mkdir(parents=True, exist_ok=True)
    build: Any = AutoModel.from_config
    build(BertConfig(**shape)).save_pretrained(folder)
    for name in TOKENIZER:
        shutil.copyfile(tokenizer / name, folder / name)
    return folder


def main() -> None:
    """Train those that are wanted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--tokenizer", type=Path)
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--models", nargs="+", choices=MODELS, default=MODELS)
    given = parser.parse_args()
    if "best-vectors" in given.models and given.vectors is None:
        parser.error("best-vectors needs --vectors")
    if "bert-base" in given.models and given.tokenizer is None:
        parser.error("bert-base needs --tokenizer")

    def files(treebank: str) -> dict[str, Any]:
        return {part: [given.data / treebank / f"{part}.discbracket.xz"] for part in ("train", "dev")}

    training = {"epochs": given.epochs}
    if "best" in given.models:
        train("best", **files("alpino"), training=training, out=given.out / "best")
    if "best-ends" in given.models:
        train(ENDS, **files("alpino"), training=training, out=given.out / "best-ends")
    if "best-vectors" in given.models:
        model = {"embeddings": {"vectors": str(given.vectors), "fixed": 100}}
        train("best", **files("alpino"), model=model, training=training, out=given.out / "best-vectors")
    if "bert-base" in given.models:
        encoder = write_encoder(given.out / "encoder", given.tokenizer)
        train(
            "best-pretrained",
            **files("masc"),
            model={"encoder": {"pretrained": str(encoder)}},
            training=training,
            out=given.out / "bert-base",
        )


if __name__ == "__main__":
    main()
