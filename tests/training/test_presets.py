"""Every preset trains: for an epoch, on a few trees, at sizes that take no time."""

from pathlib import Path
from typing import Any

import pytest

from permutree import Parser, train
from permutree.model.folder import Outline
from permutree.training.config import config_names, load_config
from permutree.trees.tree import Tree
from tiny_models import TREES

SMALL: dict[str, Any] = {
    "attention": 8,
    "reread": {"hidden": 8, "ends": 4},
    "encoder": {"hidden": 16, "layers": 1, "heads": 2, "feedforward": 16},
    "embeddings": {"word": 8, "character": 8, "character_embedding": 4, "tag": 8},
}


@pytest.mark.parametrize("name", config_names())
def test_an_epoch(tmp_path: Path, trees: list[Tree], pretrained: dict[str, str], name: str) -> None:
    preset = load_config(name).model
    changes: dict[str, Any] = {"model": SMALL}
    if preset.encoder.kind == "pretrained":
        changes["encoder"] = pretrained["distilbert" if "distil" in name else "bert"]
    result = train(name, train=TREES, dev=TREES, out=tmp_path / "model", epochs=1, **changes)
    assert len(result.history) == 1
    model = Outline.read(result.folder).config
    assert (model.task, model.labeller, model.tags) == (preset.task, preset.labeller, preset.tags)
    assert model.encoder.kind == preset.encoder.kind
    parser = Parser.load(result.folder, "cpu")
    if preset.task == "parse":
        assert [tree.words for tree in parser.pipe(trees)] == [tree.words for tree in trees]
    else:
        assert len(parser.tag([trees[0].words])[0]) == len(trees[0])
