"""The mean of the weights of models that know other words."""

import importlib
from typing import Any

import pytest
import torch

from permutree.encoding import Codec
from permutree.formats import read
from permutree.model.features import UNKNOWN, WordFeatures
from permutree.networks.model import Model
from permutree_lab.folders import LAB
from tiny_exports import REREAD
from tiny_models import TREES

WORDS = "encoder.embedding.words.weight"


def test_rows_go_by_what_they_stand_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(LAB / "models"))
    average = importlib.import_module("average").average
    trees = list(read(TREES))
    codec, tags = Codec.fit(trees, "predecessor"), sorted({tag for tree in trees for tag in tree.tags})
    words = [tree.words for tree in trees]
    models: list[Any] = [
        Model.build(REREAD, WordFeatures.fit([*words, *more], [tree.tags for tree in trees]), codec, tags)
        for more in ([["new"]], [["other", "zebra"]])
    ]
    found: Any = average(models)
    weights = [model.labeller.state_dict() for model in (found, *models)]
    for name in ("heads.tags.weight", "reading.context.forwards.0.weight_hh_l0"):
        assert torch.allclose(weights[0][name], (weights[1][name] + weights[2][name]) / 2)
    assert list(found.features.words) == list(models[0].features.words)
    assert found.facts["averaged"] == 2
    assert "averaged" not in models[0].facts

    def vector(model: int, word: str) -> torch.Tensor:
        known = list((found, *models)[model].features.words)
        table: torch.Tensor = weights[model][WORDS]
        return table[known.index(word) if word in known else UNKNOWN]

    for word in ("new", words[0][0]):
        assert torch.allclose(vector(0, word), (vector(1, word) + vector(2, word)) / 2)
    # They were not changed themselves, and the mean of one is the model.
    assert torch.equal(average(models[:1]).labeller.state_dict()[WORDS], weights[1][WORDS])
    # One that is named twice counts twice, and is one.
    twice = average([*models, models[0]])
    expected = (2 * weights[1]["heads.tags.weight"] + weights[2]["heads.tags.weight"]) / 3
    assert torch.allclose(twice.labeller.state_dict()["heads.tags.weight"], expected)
    assert twice.facts["averaged"] == 2
