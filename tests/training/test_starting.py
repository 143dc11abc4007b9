"""Training that starts from a trained model."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from click.testing import CliRunner

from permutree import Parser, read
from permutree.cli import permutree
from permutree.encoding.vocabulary import Vocabulary
from permutree.errors import ConfigError, PermutreeError
from permutree.model.features import UNKNOWN, WordFeatures
from permutree.model.subwords import PieceFeatures
from permutree.networks.model import Model
from permutree.training.building import prepare
from permutree.training.overrides import configure
from permutree.training.starting import continued
from tiny_encoders import with_unused
from tiny_exports import make_model

OTHER = "(X (Q (NEU 0=zebra) (NEU 2=Ω)) (DT 1=the))\n"


def prepared(start: Path, *trees: Path, **settings: Any) -> Model:
    """The model that a training starts with."""
    files = [str(file) for file in trees]
    config = configure("fast", {"start": str(start), "train": files, "dev": files[:1], **settings})
    return prepare(continued(config))[0]


def test_nothing_is_lost_on_the_same_treebank(tiny_joint_tags: Path, tiny_treebank: Path, tmp_path: Path) -> None:
    start, model = Model.load(tiny_joint_tags), prepared(tiny_joint_tags, tiny_treebank)
    # Its layers are those of the model, not of the preset; dropout is that of the preset.
    assert model.config.encoder.hidden == start.config.encoder.hidden != 128
    assert model.config.encoder.dropout == 0.2
    model.save(tmp_path / "model")
    trees = list(read(tiny_treebank))
    assert list(Parser.load(tmp_path / "model").pipe([tree.words for tree in trees])) == trees


def test_new_words_tags_and_labels_come_to_those_that_were_known(tiny_joint_tags: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.discbracket"
    other.write_text(OTHER * 3, "utf-8")
    start, model = Model.load(tiny_joint_tags), prepared(tiny_joint_tags, other)
    assert isinstance(start.features, WordFeatures)
    assert isinstance(model.features, WordFeatures)
    assert start.codec is not None
    assert model.codec is not None
    assert {*model.features.known()} == {"zebra", "Ω", *start.features.known()}
    assert model.tags == (*start.tags, "NEU")
    assert {*model.codec.shared} == {"X", "Q", *start.codec.shared}
    old, new = start.labeller.state_dict(), model.labeller.state_dict()
    tables = {
        "encoder.embedding.words.weight": (start.features.words, model.features.words),
        "encoder.embedding.characters.embedding.weight": (start.features.characters, model.features.characters),
        "heads.shared.weight": (start.codec.shared, model.codec.shared),
        "heads.first.bias": (start.codec.shared, model.codec.shared),
        "heads.unary.weight": (start.codec.unary, model.codec.unary),
        "heads.tags.weight": (Vocabulary(start.tags), Vocabulary(model.tags)),
    }
    for name, (before, after) in tables.items():
        for value in before:
            assert torch.equal(old[name][before.number(value)], new[name][after.number(value)]), (name, value)
    words = "encoder.embedding.words.weight"
    assert torch.equal(new[words][model.features.words.number("zebra")], old[words][UNKNOWN])
    for name in (
        "encoder.context.forwards.0.weight_ih_l0",
        "heads.permutation.words.weight",
        "reading.ends.project.bias",
    ):
        assert torch.equal(new[name], old[name])


def test_graphs_are_a_start_too(tiny_onnx: Path, tiny_treebank: Path) -> None:
    start, model = Model.load(tiny_onnx), prepared(tiny_onnx, tiny_treebank)
    for name, weight in start.labeller.weights().items():
        if "embedding.words" not in name:
            assert torch.equal(weight, model.labeller.state_dict()[name]), name


def test_a_pretrained_encoder_with_a_bilstm_on_top(tiny_treebank: Path, tmp_path: Path) -> None:
    start = make_model("bert", tmp_path / "encoder")
    start.save(tmp_path / "model")
    config = configure(
        "tagger", {"start": str(tmp_path / "model"), "train": [str(tiny_treebank)], "dev": [str(tiny_treebank)]}
    )
    model = prepare(continued(config))[0]
    assert {"WRB", *start.tags} <= {*model.tags}
    found = model.labeller.state_dict()
    for name, weight in start.labeller.state_dict().items():
        if not name.startswith("heads."):
            assert torch.equal(weight, found[name]), name


def test_a_model_can_begin_to_read_capital_letters(tiny_treebank: Path, tmp_path: Path) -> None:
    start = make_model("bert", tmp_path / "encoder")
    assert isinstance(start.features, PieceFeatures)
    start.features = with_unused(start.features, 4)
    start.save(tmp_path / "small")
    files = {"train": [str(tiny_treebank)], "dev": [str(tiny_treebank)]}
    for name, case in {"small": False, "large": True}.items():
        config = continued(configure("tagger", {"start": str(tmp_path / "small"), **files, "model.encoder.case": case}))
        model = prepare(config)[0]
        assert isinstance(model.features, PieceFeatures)
        assert model.config.encoder.case is case
        assert (model.features.cut(["How"]) == model.features.cut(["how"])) is not case
        model.save(tmp_path / f"{name}-2")
    # Who reads them goes on with it.
    config = continued(configure("tagger", {"start": str(tmp_path / "large-2"), **files}))
    assert config.model.encoder.case
    assert prepare(config)[0].features.to_json() == Model.load(tmp_path / "large-2").features.to_json()


def test_the_command(tiny_joint_tags: Path, tiny_treebank: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.discbracket"
    other.write_text(OTHER, "utf-8")
    out = tmp_path / "tuned"
    files = ["--train", str(tiny_treebank), "--train", str(other), "--dev", str(tiny_treebank)]
    rate = ["--set", "optimiser.rate=1e-4", "--set", "training.average=0"]
    result = CliRunner().invoke(
        permutree,
        ["train", "fast", "--start", str(tiny_joint_tags), *files, *rate, "--epochs", "1", "--out", str(out), "--json"],
        catch_exceptions=False,
    )
    # One epoch of so small steps forgets nothing.
    assert json.loads(result.stdout)["dev"]["f1"] == 100
    assert f"| fine-tuned from | {tiny_joint_tags.name} |" in (out / "README.md").read_text("utf-8")


def test_what_cannot_be_a_start(tiny_tagger: Path, tiny_joint_tags: Path, tiny_treebank: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is a tagger; a parser cannot start from it"):
        prepared(tiny_tagger, tiny_treebank)
    with pytest.raises(ConfigError, match="have vectors already"):
        prepared(tiny_joint_tags, tiny_treebank, **{"model.embeddings.vectors": "words.vec"})
    with pytest.raises(PermutreeError, match="nothing"):
        prepared(tmp_path / "nothing", tiny_treebank)


def test_fixed_vectors_stay(tmp_path: Path, tiny_treebank: Path) -> None:
    trees = list(read(tiny_treebank))
    vectors = tmp_path / "vectors.txt"
    vectors.write_text(f"unheard 1 2\n{trees[0].words[0]} 3 4\nzebra 5 6\n", "utf-8")
    embeddings = {"vectors": str(vectors), "fixed": 2, "characters": "lstm"}
    given = {"train": [str(tiny_treebank)], "dev": [str(tiny_treebank)], "model": {"embeddings": embeddings}}
    start = prepare(configure("fast", given))[0]
    start.save(tmp_path / "start")
    other = tmp_path / "other.discbracket"
    other.write_text(OTHER * 3, "utf-8")
    model = prepared(tmp_path / "start", other)
    assert isinstance(start.features, WordFeatures)
    assert isinstance(model.features, WordFeatures)
    assert {*model.features.known()} == {"zebra", "Ω", *start.features.known()}
    # "zebra" has learnt from the new treebank, and keeps what was known of it.
    assert model.features.known()[model.features.trained - 2 :] == ["unheard"]
    fixed = model.labeller.state_dict()["encoder.embedding.fixed"]
    rows = {word: fixed[number].tolist() for number, word in enumerate(model.features.words)}
    assert (rows["unheard"], rows[trees[0].words[0]], rows["zebra"], rows["Ω"]) == ([1, 2], [3, 4], [5, 6], [0, 0])
    own = "encoder.embedding.words.weight"
    old, new = start.labeller.state_dict()[own], model.labeller.state_dict()[own]
    assert len(new) == model.features.trained
    assert torch.equal(new[list(model.features.words).index("zebra")], old[UNKNOWN])
