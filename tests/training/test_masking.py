"""Encoders that learn a language from hidden words."""

import logging
from pathlib import Path

import numpy as np
import pytest
import torch

from permutree.errors import ConfigError
from permutree.model.features import PAD, UNKNOWN, WordFeatures
from permutree.networks.model import Model
from permutree.networks.tensors import WordInputs, as_tensors
from permutree.training.building import build_model
from permutree.training.loop import train
from permutree.training.masking import hide, read_words
from permutree.trees.tree import Tree
from tiny_models import TREES, tiny_config

MASK = {"model": {"task": "mask"}, "training": {"epochs": 30}, "optimiser": {"schedule": "linear"}}


def test_hidden_words_are_nothing_but_their_place() -> None:
    words = [["the", "cat", "sleeps"], ["the", "the"]]
    features = WordFeatures.fit(words, [])
    inputs = as_tensors(features.arrays(words, None).batch(np.arange(2)))
    assert isinstance(inputs, WordInputs)
    chosen = torch.tensor([[False, True, False], [True, False, True]])
    hidden, gold = hide(inputs, chosen, 100)
    assert gold["words"].tolist() == [[-1, features.words.number("cat"), -1], [features.words.number("the"), -1, -1]]
    assert hidden.words[0, 1] == hidden.words[1, 0] == UNKNOWN
    assert (hidden.characters[hidden.types[0, 1]] == PAD).all()
    # The rest is as it was.
    for row, column in ((0, 0), (0, 2), (1, 1)):
        assert hidden.words[row, column] == inputs.words[row, column]
        torch.testing.assert_close(
            hidden.characters[hidden.types[row, column]], inputs.characters[inputs.types[row, column]]
        )
    # Words beyond the most frequent ones are hidden, too, but not asked for.
    assert (hide(inputs, chosen, 3)[1]["words"] >= 0).sum() == 1


def test_text_and_treebanks_are_read_alike(tmp_path: Path, trees: list[Tree], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "permutree")
    text = tmp_path / "text.tokens"
    text.write_text("the cat sleeps\nwell\n")
    assert list(map(list, read_words([str(text)]))) == [["the", "cat", "sleeps"], ["well"]]
    assert list(map(tuple, read_words([str(TREES)]))) == [tree.words for tree in trees]
    assert len(read_words([str(text)], 2)) == 1
    assert "1 sentences of more than 2 words are not trained on" in caplog.text
    with pytest.raises(ConfigError, match="no text to train on"):
        read_words([str(text)], 0)


@pytest.mark.parametrize("tags", ["own", "gold"])
@pytest.mark.parametrize("encoder", ["bilstm", "rotary"])
def test_what_was_learnt_is_what_parsers_start_with(tmp_path: Path, trees: list[Tree], encoder: str, tags: str) -> None:
    result = train(tiny_config(tmp_path / "masked", encoder, **MASK))
    assert result.best["word accuracy"] > 20
    begun = Model.load(result.folder)
    config = tiny_config(tmp_path / "parser", encoder, tags=tags, **{"training.start": str(result.folder)})
    model = build_model(config, trees, trees)
    assert isinstance(begun.features, WordFeatures)
    assert isinstance(model.features, WordFeatures)
    assert list(model.features.words) == list(begun.features.words)
    known, started = begun.labeller.encoder.state_dict(), model.labeller.encoder.state_dict()
    for name, weight in known.items():
        same = started[name][tuple(map(slice, weight.shape))]
        torch.testing.assert_close(same, weight)
    assert (tags == "gold") == (len(started) > len(known))
    assert train(config).best["f1"] == 100


def test_only_a_start_of_the_same_shape(tmp_path: Path, trees: list[Tree]) -> None:
    result = train(tiny_config(tmp_path / "masked", **MASK | {"training": {"epochs": 1}}))
    start = {"training.start": str(result.folder)}
    with pytest.raises(ConfigError, match="word is 12, but 24 in"):
        build_model(tiny_config(tmp_path, **start, **{"model.embeddings.word": 12}), trees, trees)
    with pytest.raises(ConfigError, match="encoder is "):
        build_model(tiny_config(tmp_path, **start, **{"model.encoder.layers": 2}), trees, trees)
    card = (result.folder / "README.md").read_text("utf-8")
    assert "encoder that knows a language" in card


def test_pretrained_encoders_have_learnt_already(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="has learnt from hidden words already"):
        tiny_config(tmp_path, "some/folder", **MASK)
    with pytest.raises(ConfigError, match="this one is pretrained"):
        tiny_config(tmp_path, "some/folder", **{"training.start": "x"})
