"""What is written about a model for those who get it."""

import json
from pathlib import Path

import pytest

from permutree.settings import as_dict
from permutree.training.card import record
from permutree.training.config import load_config


def test_where_files_were_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    secret = tmp_path / "secret"
    (secret / "encoder").mkdir(parents=True)
    (secret / "de.vec").touch()
    settings = json.loads(json.dumps(as_dict(load_config("small"))))
    settings["data"] |= {"train": [str(secret / "wsj" / "train.txt"), "train.txt", "/train.txt"], "licence": "MIT"}
    settings["model"]["embeddings"]["vectors"] = "secret/de.vec"
    settings["model"]["encoder"]["pretrained"] = str(secret / "encoder")
    settings["training"]["start"] = "/no/longer/there"
    found = record(settings)
    assert "secret" not in json.dumps(found)
    assert found["data"]["train"] == ["wsj/train.txt", "train.txt", "train.txt"]
    assert found["data"]["licence"] == "MIT"
    assert found["model"]["embeddings"]["vectors"] == "de.vec"
    assert found["model"]["encoder"]["pretrained"] == "encoder"
    assert found["training"]["start"] == "there"
    # Names of bundled models and of encoders on a hub stay, and so does what was given.
    settings["training"]["start"], settings["model"]["encoder"]["pretrained"] = "en", "org/encoder"
    found = record(settings)
    assert (found["training"]["start"], found["model"]["encoder"]["pretrained"]) == ("en", "org/encoder")
    assert settings["data"]["train"][0] == str(secret / "wsj" / "train.txt")
