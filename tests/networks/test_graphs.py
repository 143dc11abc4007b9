"""Weights that were exported come back out of the graphs, so that a model without others runs in PyTorch."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from permutree.encoding import Codec
from permutree.errors import ConfigError, DataError
from permutree.formats import read
from permutree.model.config import EmbeddingConfig, EncoderConfig, ModelConfig, RereadConfig
from permutree.model.features import WordFeatures
from permutree.model.folder import GRAPHS
from permutree.networks import export as module
from permutree.networks.export import export
from permutree.networks.model import Model
from permutree.parsing.parser import Parser
from permutree.parsing.torch_engine import TorchEngine
from permutree.trees.tree import Tree
from tiny_models import TREES

EMBEDDINGS = EmbeddingConfig(word=8, min_count=1, character=9, character_embedding=8, tag=4)
REREAD = ModelConfig(
    labeller="reread",
    attention=8,
    reread=RereadConfig(hidden=6, ends=4),
    encoder=EncoderConfig(hidden=8, layers=2),
    embeddings=EMBEDDINGS,
)
CONFIGS = {
    "character CNN, joint tags": REREAD,
    "character LSTM, tags read": replace(
        REREAD, tags="gold", reread=RereadConfig(hidden=6, ends=0), embeddings=replace(EMBEDDINGS, characters="lstm")
    ),
    # Tables of words, of fixed vectors and of characters are of one shape or another, and are not to be confused.
    "fixed vectors": replace(REREAD, labeller="paper", encoding="lehmer", embeddings=replace(EMBEDDINGS, fixed=8)),
    "tagger without characters": replace(REREAD, task="tag", embeddings=replace(EMBEDDINGS, character=0)),
}


@pytest.fixture(scope="module")
def trees() -> list[Tree]:
    return list(read(TREES))


@pytest.fixture(autouse=True)
def _small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even small tables are quantised."""
    monkeypatch.setattr(module, "SMALL", 0)


def make(config: ModelConfig, trees: list[Tree]) -> Model:
    torch.manual_seed(3)
    words, tags = [tree.words for tree in trees], [tree.tags for tree in trees]
    # All words have fixed vectors, so that there are as many of these as of trained ones.
    fixed = {"fixed_words": [word for sentence in words for word in sentence]} if config.embeddings.fixed else {}
    features = WordFeatures.fit(words, tags, min_count=1, **fixed)
    codec = Codec.fit(trees, config.permutation.name) if config.task == "parse" else None
    model = Model.build(config, features, codec, sorted({tag for sentence in tags for tag in sentence}))
    for weight in model.labeller.weights().values():
        nn.init.normal_(weight, std=0.3)
    model.labeller.eval()
    return model


def graphs(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in GRAPHS if (folder / name).exists()}


@pytest.mark.parametrize("name", CONFIGS)
def test_weights_come_back_to_the_last_bit(tmp_path: Path, trees: list[Tree], name: str) -> None:
    model = make(CONFIGS[name], trees)
    export(model, tmp_path)
    loaded = Model.load(tmp_path)
    wanted, found = model.labeller.weights(), loaded.labeller.weights()
    assert found.keys() == wanted.keys()
    for weight in wanted:
        # The scores of attention are scaled in the graph.
        tolerance = 1e-6 if weight == "heads.permutation.weight" else 0.0
        torch.testing.assert_close(found[weight], wanted[weight], rtol=tolerance, atol=tolerance, msg=weight)


def scale(weight: Tensor) -> Tensor:
    """The largest step of int8 weights."""
    return weight.abs().max() / 127


@pytest.mark.parametrize("name", CONFIGS)
def test_int8_weights_come_back_as_they_are_in_the_graph(tmp_path: Path, trees: list[Tree], name: str) -> None:
    model = make(CONFIGS[name], trees)
    export(model, tmp_path / "one", quantise=True)
    loaded = Model.load(tmp_path / "one")
    wanted, found = model.labeller.weights(), loaded.labeller.weights()
    assert found.keys() == wanted.keys()
    for weight in wanted:
        # Numbers are rounded to the nearest step.
        difference = (found[weight] - wanted[weight]).abs().max()
        assert difference <= 0.51 * scale(wanted[weight]), weight
        assert not torch.isnan(found[weight]).any()
    export(loaded, tmp_path / "two", quantise=True)
    assert graphs(tmp_path / "two") == graphs(tmp_path / "one")


def test_a_model_of_graphs_parses_in_pytorch(tmp_path: Path, trees: list[Tree]) -> None:
    model = make(REREAD, trees)
    export(model, tmp_path)
    words = [tree.words for tree in trees]
    loaded = Model.load(tmp_path)
    found = Parser(loaded.outline, TorchEngine(loaded.labeller)).parse_batch(words)
    wanted = Parser(model.outline, TorchEngine(model.labeller)).parse_batch(words)
    assert list(found.forest.trees()) == list(wanted.forest.trees())
    # An ensemble runs in PyTorch, whatever its members are.
    joined = Parser.load(tmp_path, "cpu", partners=[tmp_path]).parse_batch(words)
    assert list(joined.forest.trees()) == list(wanted.forest.trees())


def test_other_encoders_cannot_be_read_back(tmp_path: Path, trees: list[Tree]) -> None:
    encoder = EncoderConfig(kind="transformer", hidden=8, layers=1, heads=2, feedforward=16)
    export(make(ModelConfig(tags="gold", encoder=encoder, embeddings=EMBEDDINGS), trees), tmp_path)
    with pytest.raises(ConfigError, match=r"graphs for the CPU only; .* use the folder that it was exported from"):
        Model.load(tmp_path)


def test_graphs_of_another_model(tmp_path: Path, trees: list[Tree]) -> None:
    export(make(REREAD, trees), tmp_path)
    (tmp_path / "second.onnx").write_bytes((tmp_path / "model.onnx").read_bytes())
    with pytest.raises(DataError, match=r"its graphs are not those of its config\.json"):
        Model.load(tmp_path)
    (tmp_path / "second.onnx").write_bytes(b"nonsense")
    with pytest.raises(DataError, match=r"second\.onnx: damaged weights"):
        Model.load(tmp_path)
