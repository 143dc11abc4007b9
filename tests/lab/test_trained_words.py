"""Models without the words that only their vectors know."""

import importlib
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from permutree.encoding import Codec
from permutree.formats import read
from permutree.model.features import WordFeatures
from permutree.networks.model import Model
from permutree_lab.folders import LAB
from tiny_exports import REREAD
from tiny_models import TREES


def test_only_words_of_the_training_set_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(LAB / "models"))
    leave_out = importlib.import_module("trained_words").leave_out
    trees = list(read(TREES))
    words, tags = [tree.words for tree in trees], [tree.tags for tree in trees]
    features = WordFeatures.fit(words, tags, fixed_words=["unheard", words[0][0], "unseen"])
    config = replace(REREAD, embeddings=replace(REREAD.embeddings, fixed=4))
    names = sorted({tag for tree in trees for tag in tree.tags})
    model = Model.build(config, features, Codec.fit(trees, "predecessor"), names)
    torch.nn.init.normal_(model.labeller.state_dict()["encoder.embedding.fixed"])
    model.save(tmp_path / "before")
    assert leave_out(tmp_path / "before", tmp_path / "after") == 2
    after = Model.load(tmp_path / "after")
    assert isinstance(after.features, WordFeatures)
    assert list(after.features.words) == list(features.words)[:-2]
    for name, weight in after.labeller.state_dict().items():
        assert torch.equal(weight, model.labeller.state_dict()[name][: len(weight)] if weight.dim() else weight)
    assert leave_out(tmp_path / "before", tmp_path / "some", keep=1) == 1
    some = Model.load(tmp_path / "some")
    assert isinstance(some.features, WordFeatures)
    assert list(some.features.words) == list(features.words)[:-1]


def test_words_that_were_seen_rarely_lose_what_was_learnt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(LAB / "models"))
    leave_out = importlib.import_module("trained_words").leave_out
    tags = ["X"]
    features = WordFeatures.fit([["often"] * 3 + ["twice"] * 2 + ["once"]], [tags * 6], fixed_words=["unheard"])
    config = replace(REREAD, embeddings=replace(REREAD.embeddings, fixed=4))
    trees = list(read(TREES))
    names = sorted({tag for tree in trees for tag in tree.tags})
    model = Model.build(config, features, Codec.fit(trees, "predecessor"), names)
    words = list(features.words)
    fixed = model.labeller.state_dict()["encoder.embedding.fixed"]
    torch.nn.init.normal_(fixed)
    # A word without a fixed vector would be known by nothing.
    fixed[words.index("once")] = 0
    model.save(tmp_path / "before")
    assert leave_out(tmp_path / "before", tmp_path / "after", keep=1, least=3) == 2
    after = Model.load(tmp_path / "after")
    assert isinstance(after.features, WordFeatures)
    assert list(after.features.words) == [*words[:2], "often", "twice"]
    assert after.features.trained == 3
    found = after.labeller.state_dict()
    assert torch.equal(found["encoder.embedding.fixed"], fixed[[0, 1, words.index("often"), words.index("twice")]])
    learnt = model.labeller.state_dict()["encoder.embedding.words.weight"]
    assert torch.equal(found["encoder.embedding.words.weight"], learnt[[0, 1, words.index("often")]])
