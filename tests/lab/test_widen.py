"""Wider models say what the smaller ones do, until they learn more."""

import importlib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from permutree.encoding import Codec
from permutree.errors import ConfigError
from permutree.formats import read
from permutree.model.features import WordFeatures
from permutree.networks.model import Model
from permutree.networks.tensors import as_tensors
from permutree_lab.folders import LAB
from tiny_exports import REREAD
from tiny_models import TREES


@pytest.fixture
def widen(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(LAB / "models"))
    return importlib.import_module("widen").widen


def model(**encoder: Any) -> Model:
    trees = list(read(TREES))
    codec, tags = Codec.fit(trees, "predecessor"), sorted({tag for tree in trees for tag in tree.tags})
    features = WordFeatures.fit([tree.words for tree in trees], [tree.tags for tree in trees])
    config = replace(REREAD, encoder=replace(REREAD.encoder, **encoder))
    return Model.build(config, features, codec, tags)


def test_a_wider_model_predicts_the_same(widen: Any) -> None:
    torch.manual_seed(1)
    small = model(layers=3)
    wide = widen(small, small.config.encoder.hidden + 5)
    assert wide.parameters > small.parameters
    small.labeller.eval()
    wide.labeller.eval()
    words = [tree.words for tree in read(TREES)]
    inputs = as_tensors(small.features.arrays(words, [tree.tags for tree in read(TREES)]).batch(np.arange(len(words))))
    order = torch.arange(inputs.mask.shape[1]).expand(len(words), -1)
    said, says = small.labeller(inputs, order), wide.labeller(inputs, order)
    assert {*said} == {*says}
    for name, scores in said.items():
        assert torch.allclose(scores, says[name], atol=1e-5), name
    # New units are not read yet, and can learn.
    added = wide.labeller.heads["tags"].weight[:, small.config.encoder.hidden : wide.config.encoder.hidden]
    assert not added.any()
    assert wide.labeller.state_dict()["encoder.context.forwards.0.weight_ih_l0"].abs().sum(1).all()


def test_only_bilstms_get_wider(widen: Any) -> None:
    with pytest.raises(ConfigError, match="only BiLSTMs can be wider: this is a convolution"):
        widen(model(kind="convolution"), 99)
    with pytest.raises(ConfigError, match="the model has 8 units already: 1 are fewer"):
        widen(model(), 1)
