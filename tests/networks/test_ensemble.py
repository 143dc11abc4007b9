"""Labellers that vote."""

from pathlib import Path

import numpy as np
import pytest
import torch

from permutree.encoding import Codec
from permutree.errors import ConfigError
from permutree.model.config import EmbeddingConfig, EncoderConfig, ModelConfig
from permutree.model.features import WordFeatures
from permutree.networks.attention import arrange
from permutree.networks.ensemble import Ensemble, join
from permutree.networks.model import Model
from permutree.networks.tensors import as_tensors
from permutree.parsing.parser import Parser
from permutree.parsing.torch_engine import TorchEngine
from permutree.trees.tree import Tree

TREES = [
    Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))"),
    Tree.parse("(S (NP (D 0=the) (N 1=cat)) (VP (V 2=sleeps) (RB 3=well) (RB 4=now)))"),
]


def make(seed: int, hidden: int = 16, **settings: object) -> Model:
    torch.manual_seed(seed)
    config = ModelConfig(
        encoding="predecessor",
        tags="own",
        encoder=EncoderConfig(hidden=hidden, layers=1),
        embeddings=EmbeddingConfig(word=8, character=8, character_embedding=4),
        **{"second_reading": 8, **settings},  # type: ignore[arg-type]
    )
    words, tags = [tree.words for tree in TREES], [tree.tags for tree in TREES]
    names = sorted({tag for sentence in tags for tag in sentence})
    model = Model.build(config, WordFeatures.fit(words, tags), Codec.fit(TREES, "predecessor"), names)
    model.labeller.eval()
    return model


@pytest.mark.parametrize("second_reading", [0, 8])
def test_log_probabilities_are_averaged(second_reading: int) -> None:
    models = [make(1, second_reading=second_reading), make(2, 24, second_reading=second_reading)]
    outline, ensemble = join(models)
    inputs = as_tensors(outline.features.arrays([tree.words for tree in TREES], None).batch(np.arange(2)))
    found = ensemble(inputs)
    order = arrange(found["permutation"].argmax(2), inputs.lengths)
    alone = [model.labeller(inputs, order) for model in models]
    assert found.keys() == alone[0].keys()
    for name, scores in found.items():
        expected = sum(one[name].log_softmax(2) for one in alone) / 2
        torch.testing.assert_close(scores, expected)


def test_one_alone_decides_alone() -> None:
    model = make(3)
    outline, ensemble = join([model, model])
    words = [tree.words for tree in TREES]
    together = Parser(outline, TorchEngine(ensemble)).parse_batch(words)
    alone = Parser(model.outline, TorchEngine(model.labeller)).parse_batch(words)
    assert list(together.forest.trees()) == list(alone.forest.trees())


def test_models_in_folders_vote(tmp_path: Path) -> None:
    for seed in (1, 2):
        make(seed).save(tmp_path / str(seed))
    words = [tree.words for tree in TREES]
    outline, ensemble = join([make(1), make(2)])
    expected = Parser(outline, TorchEngine(ensemble)).parse_batch(words)
    found = Parser.load(tmp_path / "1", "cpu", partners=[tmp_path / "2"]).parse_batch(words)
    assert list(found.forest.trees()) == list(expected.forest.trees())


def test_only_what_fits_together_is_joined() -> None:
    with pytest.raises(ConfigError, match="the same second reading, or none"):
        join([make(1), make(1, second_reading=0)])
    other = make(1)
    other.tags = ["X"]
    with pytest.raises(ConfigError, match="the same tags to predict: train them on the same data"):
        join([make(1), other])
    assert isinstance(join([make(1)])[1], Ensemble)
