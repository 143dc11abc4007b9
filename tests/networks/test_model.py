import json
import os
import pickle
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from permutree.encoding import Codec
from permutree.errors import DataError
from permutree.model.config import EmbeddingConfig, EncoderConfig, ModelConfig
from permutree.model.features import WordFeatures
from permutree.model.folder import FORMAT_VERSION
from permutree.networks import model as module
from permutree.networks.model import Model, without_pretrained_path
from permutree.networks.pretrained import load_pretrained
from permutree.networks.tensors import as_tensors
from permutree.trees.tree import Tree
from sealing import without_checksums

TREES = [Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")]
WORDS, TAGS = [tree.words for tree in TREES], [tree.tags for tree in TREES]


def make_model(encoding: str = "pointer") -> Model:
    config = ModelConfig(
        encoding=encoding,
        encoder=EncoderConfig(hidden=8, layers=1),
        embeddings=EmbeddingConfig(word=8, character=8, character_embedding=4, tag=4),
    )
    torch.manual_seed(1)
    features = WordFeatures.fit(WORDS, TAGS)
    return Model.build(config, features, Codec.fit(TREES, encoding), ["PRP", "VB", "VBZ", "WRB"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    model = make_model()
    model.facts = {"dev": {"f1": 12.5}}
    model.save(tmp_path / "model")
    return tmp_path / "model"


@pytest.mark.parametrize("encoding", ["pointer", "pointer-simplified", "lehmer"])
def test_saved_and_loaded(tmp_path: Path, encoding: str) -> None:
    model = make_model(encoding)
    model.labeller.eval()
    model.save(tmp_path)
    loaded = Model.load(tmp_path)
    assert loaded.config == model.config
    assert loaded.tags == model.tags
    assert loaded.parameters == model.parameters > 0
    assert loaded.codec is not None
    assert model.codec is not None
    assert loaded.codec.to_json() == model.codec.to_json()
    inputs = as_tensors(loaded.features.arrays(WORDS, TAGS).batch(np.arange(1)))
    wanted, found = model.labeller(inputs), loaded.labeller(inputs)
    assert list(found) == ["levels", "shared", "unary", "permutation", "tags"]
    assert all(torch.equal(found[name], wanted[name]) for name in found)


@pytest.mark.parametrize("on_top", [0, 2])
def test_pretrained_models_are_saved_whole(tmp_path: Path, encoders: dict[str, Path], on_top: int) -> None:
    original = tmp_path / "original"
    shutil.copytree(encoders["bert"], original)
    features, encoder = load_pretrained(str(original))
    size = encoder.size
    settings = EncoderConfig(kind="pretrained", pretrained=str(original), on_top=on_top, hidden=7)
    config = ModelConfig(encoder=settings)
    model = Model.build(without_pretrained_path(config), features, Codec.fit(TREES), ["A"], encoder)
    model.save(tmp_path / "model")
    shutil.rmtree(original)
    loaded = Model.load(tmp_path / "model")
    assert loaded.config.encoder.pretrained == "original"
    assert loaded.labeller.encoder.size == (14 if on_top else size)
    model.labeller.eval()
    inputs = as_tensors(loaded.features.arrays(WORDS, None).batch(np.arange(1)))
    wanted = model.labeller(inputs)
    assert all(torch.equal(scores, wanted[name]) for name, scores in loaded.labeller(inputs).items())


def test_names_of_pretrained_encoders_are_kept() -> None:
    config = ModelConfig(encoder=EncoderConfig(kind="pretrained", pretrained="dbmdz/bert-base-german-cased"))
    assert without_pretrained_path(config) == config


def test_nothing_in_a_folder_is_pickled(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == {"config.json", "model.safetensors", "tags.json", "words.json"}
    for path in folder.glob("*.json"):
        json.loads(path.read_text("utf-8"))
    load_file(folder / "model.safetensors")
    source = Path(module.__file__).parent
    for file in (*source.glob("*.py"), *(source.parent / "training").glob("*.py")):
        text = file.read_text("utf-8")
        assert "pickle" not in text
        assert "torch.load" not in text
        assert "torch.save" not in text


def test_who_may_read_one_file_of_a_model_may_read_all(folder: Path) -> None:
    assert {path.stat().st_mode for path in folder.iterdir()} == {(folder / "config.json").stat().st_mode}


def test_pickled_weights_are_not_run(folder: Path) -> None:
    without_checksums(folder)

    class Evil:
        def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
            return os.system, (f"touch {folder}/evil",)

    (folder / "model.safetensors").write_bytes(pickle.dumps(Evil()))
    with pytest.raises(DataError, match="damaged weights"):
        Model.load(folder)
    assert not (folder / "evil").exists()


def change(path: Path, **changes: Any) -> None:
    data = json.loads(path.read_text("utf-8"))
    for name, value in changes.items():
        data[name] = value
    path.write_text(json.dumps(data), "utf-8")


@pytest.mark.parametrize("version", [FORMAT_VERSION + 1, 99, 0, -1, True, 2.0, "2", [2]])
def test_unknown_versions(folder: Path, version: Any) -> None:
    change(folder / "config.json", format_version=version)
    with pytest.raises(DataError, match=f"model format {re.escape(repr(version))} is not known; .* update it"):
        Model.load(folder)


@pytest.mark.parametrize("name", ["config.json", "tags.json", "words.json", "model.safetensors"])
def test_missing_files(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(DataError, match=f"{name}: .*(No such file|are missing)"):
        Model.load(folder)


def test_no_folder_at_all(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is this the folder of a permutree model"):
        Model.load(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["config.json", "tags.json", "words.json"])
@pytest.mark.parametrize("content", [b"", b"{", b"[1, 2", b"\xff\xfe", b"3", b"[]", b"{}", b"null", b'"text"'])
def test_damaged_json(folder: Path, name: str, content: bytes) -> None:
    before = (folder / name).read_bytes()
    (folder / name).write_bytes(content)
    with pytest.raises(DataError):
        Model.load(folder)
    (folder / name).write_bytes(before)
    without_checksums(folder)
    (folder / name).write_bytes(content)
    with pytest.raises(DataError):
        Model.load(folder)


@pytest.mark.parametrize("size", [0, 5, 100, -1])
def test_cut_off_weights(folder: Path, size: int) -> None:
    without_checksums(folder)
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(DataError, match=r"model\.safetensors: damaged weights"):
        Model.load(folder)


def test_weights_that_do_not_fit(folder: Path) -> None:
    without_checksums(folder)
    path = folder / "model.safetensors"
    weights = load_file(path)
    save_file({name: weight for name, weight in weights.items() if name != "heads.tags.bias"}, path)
    with pytest.raises(DataError, match=r"the weight heads\.tags\.bias is missing"):
        Model.load(folder)
    save_file(weights | {"more": torch.zeros(1)}, path)
    with pytest.raises(DataError, match="the weight more is not part of the model"):
        Model.load(folder)
    save_file(weights | {"heads.tags.bias": torch.zeros(7)}, path)
    with pytest.raises(DataError, match=r"the weight heads\.tags\.bias has the shape \(7,\), not \(4,\)"):
        Model.load(folder)


def test_settings_that_do_not_fit(folder: Path) -> None:
    without_checksums(folder)
    settings = json.loads((folder / "config.json").read_text("utf-8"))
    change(folder / "config.json", model=settings["model"] | {"tags": "golden"})
    with pytest.raises(DataError, match=r"do not fit together: .*tags must be one of gold, .* not 'golden'"):
        Model.load(folder)
    change(folder / "config.json", model=settings["model"], codec=settings["codec"] | {"encoding": "morse"})
    with pytest.raises(DataError, match="no encoding 'morse'"):
        Model.load(folder)
    change(folder / "config.json", codec=None)
    with pytest.raises(DataError):
        Model.load(folder)


def test_settings_that_this_version_does_not_know_are_left_alone(folder: Path) -> None:
    without_checksums(folder)
    wanted = Model.load(folder)
    settings = json.loads((folder / "config.json").read_text("utf-8"))
    model = settings["model"] | {"colour": "red", "encoder": settings["model"]["encoder"] | {"size": "large"}}
    change(folder / "config.json", model=model, codec=settings["codec"] | {"more": [1]}, weather="fine")
    found = Model.load(folder)
    assert found.config == wanted.config


def test_config_holds_what_inference_needs(folder: Path) -> None:
    model = json.loads((folder / "config.json").read_text("utf-8"))["model"]
    assert "tagset" not in model
    assert not {"dropout", "shared_dropout"} & model["encoder"].keys()
    assert not {"dropout", "min_count", "unknown_alpha", "vectors"} & model["embeddings"].keys()
    assert model["encoder"]["hidden"] == 8


def test_settings_of_training_are_a_record(folder: Path) -> None:
    model = Model.load(folder)
    assert model.training == {}
    model.training = {"training": {"seed": 3}}
    model.save(folder)
    assert Model.load(folder).training == {"training": {"seed": 3}}
    (folder / "training.json").unlink()
    assert Model.load(folder).training == {}


def test_facts_are_kept(folder: Path) -> None:
    assert Model.load(folder).facts == {"dev": {"f1": 12.5}}
