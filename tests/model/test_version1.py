"""Folders of version 1 load, and predict what the same weights predict in a folder of today."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from permutree.encoding import Codec
from permutree.errors import DataError
from permutree.formats import read
from permutree.model.config import EmbeddingConfig, EncoderConfig, ModelConfig, RereadConfig
from permutree.model.features import WordFeatures
from permutree.model.folder import Outline
from permutree.networks.model import Model
from permutree.parsing.parser import Parser
from permutree.trees.tree import Tree
from sealing import without_checksums
from tiny_models import TREES

PAPER = ModelConfig(
    tags="gold",
    attention=8,
    encoder=EncoderConfig(hidden=8, layers=1),
    embeddings=EmbeddingConfig(word=8, character=8, character_embedding=4, tag=4),
)
REREAD = replace(PAPER, labeller="reread", tags="joint", repair="scores", reread=RereadConfig(hidden=6, ends=4))

#: what version 1 said of these models
SWITCHES: dict[str, tuple[ModelConfig, dict[str, Any]]] = {
    "paper": (PAPER, {"encoding": "pointer", "tags": "gold"}),
    "joint tags": (replace(PAPER, tags="joint"), {"encoding": "pointer", "tags": "own"}),
    "attention": (replace(PAPER, encoding="predecessor"), {"encoding": "predecessor", "tags": "gold"}),
    "reread": (
        REREAD,
        {
            "encoding": "predecessor",
            "tags": "own",
            "levels": "mixed",
            "repair": "scores",
            "depth": True,
            "edges": True,
            "closing": True,
            "second_reading": 6,
            "ends": 4,
        },
    ),
    "without ends": (
        replace(REREAD, reread=RereadConfig(hidden=6, ends=0), ablate=("edges", "final-punctuation")),
        {
            "encoding": "predecessor",
            "tags": "own",
            "levels": "mixed",
            "repair": "scores",
            "second_reading": 6,
        },
    ),
}


@pytest.fixture(scope="module")
def trees() -> list[Tree]:
    return list(read(TREES))


def make(config: ModelConfig, trees: list[Tree]) -> Model:
    torch.manual_seed(1)
    words, tags = [tree.words for tree in trees], [tree.tags for tree in trees]
    scale = "mixed" if config.rereads else "relative"
    closing = ["."] if config.has("final-punctuation") else []
    codec = Codec.fit(trees, config.permutation.name, level_scale=scale, closing=closing)
    names = sorted({tag for sentence in tags for tag in sentence})
    return Model.build(config, WordFeatures.fit(words, tags), codec, names if config.predicts_tags else ())


def as_version_1(folder: Path, switches: dict[str, Any]) -> None:
    """Rewrite the files of a folder as version 1 wrote them."""
    without_checksums(folder)
    settings = json.loads((folder / "config.json").read_text("utf-8"))
    model = settings["model"]
    encoder = model["encoder"] | {"dropout": 0.33, "shared_dropout": True}
    embeddings = model["embeddings"] | {"min_count": 1, "unknown_alpha": 0.25, "vectors": None, "dropout": 0.33}
    defaults: dict[str, Any] = {
        "task": "parse",
        "tagset": None,
        "levels": "relative",
        "repair": "rules",
        "depth": False,
        "edges": False,
        "closing": False,
        "attention": model["attention"],
        "second_reading": 0,
        "ends": 0,
    }
    settings["format_version"] = 1
    settings["model"] = defaults | switches | {"encoder": encoder, "embeddings": embeddings}
    settings["codec"]["deepest"] = 7
    settings["facts"]["training"] = {"training": {"seed": 5}, "data": {"train": ["a"]}}
    (folder / "config.json").write_text(json.dumps(settings), "utf-8")
    weights = load_file(folder / "model.safetensors")
    if switches.get("depth"):
        # Levels were predicted in two ways, and neither was read where ends were.
        width = weights["heads.shared.weight"].shape[1]
        for name in ("levels", "depth"):
            weights |= {f"heads.{name}.weight": torch.ones(5, width), f"heads.{name}.bias": torch.ones(5)}
    save_file(weights, folder / "model.safetensors")


@pytest.mark.parametrize("name", SWITCHES)
def test_the_same_weights_predict_the_same(tmp_path: Path, trees: list[Tree], name: str) -> None:
    config, switches = SWITCHES[name]
    make(config, trees).save(tmp_path)
    wanted = Parser.load(tmp_path, "cpu")
    as_version_1(tmp_path, switches)
    found = Parser.load(tmp_path, "cpu")
    assert list(found.pipe(trees)) == list(wanted.pipe(trees))
    assert found.model.sizes == wanted.model.sizes
    settings = found.model.config
    for part in ("labeller", "permutation", "tags", "repair", "rereads", "finds_ends"):
        assert getattr(settings, part) == getattr(config, part)
    assert [settings.has(part) for part in ("edges", "final-punctuation")] == [
        config.has(part) for part in ("edges", "final-punctuation")
    ]
    assert found.model.training == {"training": {"seed": 5}, "data": {"train": ["a"]}}
    assert "training" not in found.model.facts


def test_saved_again_it_is_of_today(tmp_path: Path, trees: list[Tree]) -> None:
    config, switches = SWITCHES["reread"]
    make(config, trees).save(tmp_path)
    as_version_1(tmp_path, switches)
    model = Model.load(tmp_path)
    model.save(tmp_path / "new")
    settings = json.loads((tmp_path / "new" / "config.json").read_text("utf-8"))
    assert settings["format_version"] == 2
    assert settings["model"]["labeller"] == "reread"
    assert not {"second_reading", "depth", "closing", "levels", "ends"} & settings["model"].keys()
    assert not any("depth" in name for name in load_file(tmp_path / "new" / "model.safetensors"))
    assert Outline.read(tmp_path / "new").training == model.training


def test_encoders_for_masked_words_are_refused(tmp_path: Path, trees: list[Tree]) -> None:
    make(PAPER, trees).save(tmp_path)
    as_version_1(tmp_path, {"task": "mask", "encoding": "pointer", "tags": "none"})
    with pytest.raises(DataError, match="an encoder for masked words, which this permutree has no use for"):
        Model.load(tmp_path)


def test_a_config_that_does_not_say_what_the_model_is(tmp_path: Path, trees: list[Tree]) -> None:
    make(PAPER, trees).save(tmp_path)
    (tmp_path / "config.json").write_text('{"format_version": 1}', "utf-8")
    with pytest.raises(DataError, match=r"its config\.json does not say what the model is"):
        Model.load(tmp_path)
