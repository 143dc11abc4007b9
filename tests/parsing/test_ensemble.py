"""Ensembles: labellers whose log-probabilities are averaged."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from permutree.encoding import Codec
from permutree.errors import ConfigError
from permutree.model.config import EmbeddingConfig, EncoderConfig, ModelConfig, RereadConfig
from permutree.model.features import WordFeatures
from permutree.networks.attention import arrange
from permutree.networks.model import Model
from permutree.networks.reread import RereadLabeller, arrange_states, best_ends
from permutree.networks.tensors import as_tensors
from permutree.parsing.engines import ENDS, ENDS_SCORES, ORDER
from permutree.parsing.parser import Parser
from permutree.parsing.torch_engine import TorchEngine, ensemble_of
from permutree.trees.tree import Tree

TREES = [
    Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))"),
    Tree.parse("(S (NP (D 0=the) (N 1=cat)) (VP (V 2=sleeps) (RB 3=well) (RB 4=now)))"),
]


def make(seed: int, hidden: int = 16, **settings: Any) -> Model:
    torch.manual_seed(seed)
    config = ModelConfig(
        **{"labeller": "reread", "encoding": "predecessor", **settings},
        encoder=EncoderConfig(hidden=hidden, layers=1),
        embeddings=EmbeddingConfig(word=8, character=8, character_embedding=4),
        reread=RereadConfig(hidden=8, ends=4),
    )
    words, tags = [tree.words for tree in TREES], [tree.tags for tree in TREES]
    names = sorted({tag for sentence in tags for tag in sentence})
    model = Model.build(config, WordFeatures.fit(words, tags), Codec.fit(TREES, "predecessor"), names)
    model.labeller.eval()
    return model


@torch.inference_mode()
def test_log_probabilities_are_averaged() -> None:
    models = [make(1), make(2, 24)]
    outline, labellers = ensemble_of(models)
    arrays = outline.features.arrays([tree.words for tree in TREES], None)
    heads = {"tags", "shared", "unary", "first", "last"}
    found = TorchEngine(labellers).predict(arrays, heads)
    inputs = as_tensors(arrays.batch(np.arange(2)))
    read = [labeller.read(inputs) for labeller in labellers]
    joint = torch.stack([scores["permutation"].log_softmax(2) for _, scores in read]).mean(0)
    order = arrange(joint.argmax(2), inputs.lengths)
    again = []
    for labeller, (states, _) in zip(labellers, read, strict=True):
        assert isinstance(labeller, RereadLabeller)
        again.append(labeller.reread(arrange_states(states, order), inputs.lengths, inputs.mask))
    assert found[ORDER].tolist() == order[inputs.mask].tolist()
    for name in sorted(heads):
        parts = [(scores | more)[name] for (_, scores), more in zip(read, again, strict=True)]
        expected = torch.stack([part.log_softmax(2) for part in parts]).mean(0)[inputs.mask]
        np.testing.assert_allclose(found[name], expected.numpy(), rtol=1e-4, atol=1e-5)
    places, sure = best_ends(torch.stack([more[ENDS].log() for more in again]).mean(0).exp())
    is_boundary = np.array([0, 1, 2, 4, 5, 6, 7])
    assert found[ENDS][is_boundary].tolist() == places[inputs.mask][is_boundary].tolist()
    np.testing.assert_allclose(found[ENDS_SCORES][is_boundary], sure[inputs.mask][is_boundary], rtol=1e-4)


def test_one_alone_decides_alone() -> None:
    model = make(3)
    outline, labellers = ensemble_of([model, model])
    words = [tree.words for tree in TREES]
    together = Parser(outline, TorchEngine(labellers)).parse_batch(words)
    alone = Parser(model.outline, TorchEngine(model.labeller)).parse_batch(words)
    assert list(together.forest.trees()) == list(alone.forest.trees())


def test_models_in_folders_are_an_ensemble(tmp_path: Path) -> None:
    for seed in (1, 2):
        make(seed).save(tmp_path / str(seed))
    words = [tree.words for tree in TREES]
    outline, labellers = ensemble_of([make(1), make(2)])
    expected = Parser(outline, TorchEngine(labellers)).parse_batch(words)
    found = Parser.load(tmp_path / "1", "cpu", partners=[tmp_path / "2"]).parse_batch(words)
    assert list(found.forest.trees()) == list(expected.forest.trees())


def test_only_what_fits_together_is_joined() -> None:
    with pytest.raises(ConfigError, match="the same labeller"):
        ensemble_of([make(1), make(1, labeller="paper")])
    other = make(1)
    other.tags = ["X"]
    with pytest.raises(ConfigError, match="the same tags to predict: train them on the same data"):
        ensemble_of([make(1), other])
    assert len(ensemble_of([make(1)])[1]) == 1
