"""Wider models say what the smaller ones do, until they learn more; narrower ones lose what matters least."""

import importlib
from dataclasses import replace
from pathlib import Path
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
def widen_script(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(LAB / "models"))
    return importlib.import_module("widen")


@pytest.fixture
def widen(widen_script: Any) -> Any:
    return widen_script.widen


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(LAB / "models"))
    return importlib.import_module("narrow").narrow


def model(**encoder: Any) -> Model:
    trees = list(read(TREES))
    codec, tags = Codec.fit(trees, "predecessor"), sorted({tag for tree in trees for tag in tree.tags})
    features = WordFeatures.fit([tree.words for tree in trees], [tree.tags for tree in trees])
    config = replace(REREAD, encoder=replace(REREAD.encoder, **encoder))
    return Model.build(config, features, codec, tags)


def check_same(first: Model, second: Model) -> None:
    """Both must predict the same."""
    trees = list(read(TREES))
    words, tags = [tree.words for tree in trees], [tree.tags for tree in trees]
    inputs = as_tensors(first.features.arrays(words, tags).batch(np.arange(len(words))))
    order = torch.arange(inputs.mask.shape[1]).expand(len(words), -1)
    said, says = (one.labeller.eval()(inputs, order) for one in (first, second))
    assert {*said} == {*says}
    for name, scores in said.items():
        assert torch.allclose(scores, says[name], atol=1e-5), name


def test_a_wider_model_predicts_the_same(widen: Any) -> None:
    torch.manual_seed(1)
    small = model(layers=3)
    wide = widen(small, small.config.encoder.hidden + 5)
    assert wide.parameters > small.parameters
    check_same(small, wide)
    # New units are not read yet, and can learn.
    added = wide.labeller.heads["tags"].weight[:, small.config.encoder.hidden : wide.config.encoder.hidden]
    assert not added.any()
    assert wide.labeller.state_dict()["encoder.context.forwards.0.weight_ih_l0"].abs().sum(1).all()


def test_vectors_change_nothing_until_they_are_learnt_from(widen_script: Any, tmp_path: Path) -> None:
    torch.manual_seed(1)
    small: Any = model(layers=3)
    known = small.features.words.values[3]
    file = tmp_path / "vectors.txt"
    file.write_text(f"{known} 1 2 3 4\nzeugma -1 0 0 1\n{known.upper()} 1 1 1 1\n", "utf-8")
    wide = widen_script.with_vectors(small, file)
    assert known.upper() not in wide.features.words
    check_same(small, wide)
    assert wide.config.embeddings.fixed == 4
    fixed = wide.labeller.encoder.embedding.fixed
    assert fixed[wide.features.words.number(known)].tolist() == [1, 2, 3, 4]
    assert fixed[wide.features.words.number("zeugma")].tolist() == [-1, 0, 0, 1]
    assert wide.features.trained == small.features.trained == len(wide.features.words) - 1
    with pytest.raises(ConfigError, match="have vectors already"):
        widen_script.with_vectors(wide, file)


def test_only_bilstms_get_wider(widen: Any) -> None:
    with pytest.raises(ConfigError, match="only BiLSTMs can be wider: this is a convolution"):
        widen(model(kind="convolution"), 99)
    with pytest.raises(ConfigError, match="the model has 8 units already: 1 are fewer"):
        widen(model(), 1)


def set_units(model: Model, first: int, last: int, biases: list[float]) -> None:
    """Units of all LSTMs that read nothing and are not read by others of their LSTM, with the biases of four gates."""
    for name, module in model.labeller.named_modules():
        if isinstance(module, torch.nn.LSTM) and "context" in name:
            for part, weight in module.named_parameters():
                gates = weight.data.view(4, module.hidden_size, -1)
                gates[:, first:last] = torch.tensor(biases)[:, None, None] if part == "bias_ih_l0" else 0.0
                if part == "weight_hh_l0":
                    gates[:, :, first:last] = 0.0


def test_units_that_say_nothing_are_cut(widen: Any, narrow: Any) -> None:
    torch.manual_seed(1)
    small = model(layers=3)
    units, reread = small.config.encoder.hidden, small.config.reread.hidden
    wide = widen(small, units + 5)
    set_units(wide, units, units + 5, [0.0] * 4)
    again = narrow(wide, read(TREES), hidden=units, reread=reread)
    assert again.config == small.config
    check_same(small, again)


def test_the_mean_stands_for_a_unit_that_was_cut(narrow: Any) -> None:
    torch.manual_seed(1)
    large = model(layers=2)
    # It always says the same: it lets in all, forgets all, and lets out all.
    set_units(large, 2, 3, [50.0, -50.0, 0.5, 50.0])
    units, reread = large.config.encoder.hidden, large.config.reread.hidden
    small = narrow(large, read(TREES), hidden=units - 1, reread=reread - 1)
    assert small.parameters < large.parameters
    check_same(large, small)


def test_only_bilstms_get_narrower(narrow: Any) -> None:
    with pytest.raises(ConfigError, match="only a labeller that reads twice, by BiLSTMs, can be narrower"):
        narrow(model(kind="convolution"), [], hidden=4, reread=4)
    with pytest.raises(ConfigError, match="the model has 8 units: 9 are more"):
        narrow(model(), [], hidden=9, reread=4)
