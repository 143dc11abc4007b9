"""What every encoder must do with every encoding and every kind of tags."""

from pathlib import Path
from typing import Any

import pytest
import torch

from permutree.encoding import ENCODINGS
from permutree.networks.model import Model
from permutree.parsing.parser import Parser
from permutree.training.loop import train
from permutree.trees.tree import Tree
from tiny_models import tiny_config

# What a pretrained encoder reads is the same with gold tags and with none.
_TAGS = {"bilstm": ("gold", "own", "none"), "rotary": ("gold", "own", "none"), "learned": ("gold", "own", "none")}
CASES = [
    (encoder, encoding, tags)
    for encoder in ("bilstm", "rotary", "learned", "bert", "distilbert")
    for encoding in ENCODINGS
    for tags in _TAGS.get(encoder, ("gold", "own"))
    if not (tags == "none" and encoding.startswith("pointer"))
]

#: attention settles when the rate falls
SLOWLY = {"optimiser.schedule": "linear", "training.epochs": 90}


@pytest.mark.parametrize(("encoder", "encoding", "tags"), CASES)
def test_encoders_learn_by_heart_and_survive(
    tmp_path: Path, trees: list[Tree], pretrained: dict[str, str], encoder: str, encoding: str, tags: str
) -> None:
    changes: dict[str, Any] = {"encoding": encoding, "tags": tags}
    if encoding == "predecessor" or encoder not in pretrained:
        changes |= SLOWLY
    result = train(tiny_config(tmp_path / "model", pretrained.get(encoder, encoder), **changes))
    assert result.best["f1"] == result.best["discontinuous f1"] == 100
    assert result.best["repairs/sentence"] == 0
    parser = Parser.load(result.folder, "cpu")
    check_same_trees(parser, trees, tags)
    check_copy(result.folder, tmp_path / "copy")
    check_strange_sentences(parser)


def check_same_trees(parser: Parser, trees: list[Tree], tags: str) -> None:
    """The loaded model knows the trees by heart, all at once and one by one."""
    words = [tree.words for tree in trees]
    given = [tree.tags for tree in trees] if tags == "gold" else None
    parsed = parser.parse_batch(words, given)
    assert not parsed.repairs
    wanted = trees if tags != "none" else [tree.with_tags(["_"] * len(tree)) for tree in trees]
    assert list(parsed.trees()) == wanted
    for number in (0, 7, 29):
        alone = parser.parse_batch([words[number]], given and [given[number]])
        assert list(alone.trees()) == [wanted[number]]


def check_copy(folder: Path, other: Path) -> None:
    """What is saved and loaded is the same to the bit."""
    model = Model.load(folder)
    model.save(other)
    copy = Model.load(other)
    assert (copy.config, copy.tags) == (model.config, model.tags)
    assert copy.features.to_json() == model.features.to_json()
    weights = copy.labeller.state_dict()
    for name, weight in model.labeller.state_dict().items():
        assert torch.equal(weight, weights[name]), name


def check_strange_sentences(parser: Parser) -> None:
    """Any words give a tree over the same words."""
    long = [f"Wort{number % 37}" if number % 3 else "hat" for number in range(400)]
    words = [["Nein"], ["漢字𝄞"], ["xyzzy", "<pad>", "\u200b", "Ω" * 300], long]
    tags = [["ITJ"], ["NEVER-SEEN"], ["<pad>", "VVPP", "<unknown>", "€"], ["VVPP", "NN"] * 200]
    parsed = parser.parse_batch(words, tags)
    assert [list(tree.words) for tree in parsed.trees()] == words
    if not parser.predicts_tags:
        assert [list(tree.tags) for tree in parsed.trees()] == tags
    assert list(parser.parse_batch([], []).trees()) == []


@pytest.mark.parametrize("tags", ["gold", "own", "none"])
@pytest.mark.parametrize("encoder", ["bilstm", "rotary", "bert"])
def test_the_second_reading_works_with_every_encoder(
    tmp_path: Path, trees: list[Tree], pretrained: dict[str, str], encoder: str, tags: str
) -> None:
    changes = {"encoding": "predecessor", "tags": tags, "model.second_reading": 16, **SLOWLY}
    result = train(tiny_config(tmp_path / "model", pretrained.get(encoder, encoder), **changes))
    assert result.best["f1"] == result.best["discontinuous f1"] == 100
    parser = Parser.load(result.folder, "cpu")
    check_same_trees(parser, trees, tags)
    check_copy(result.folder, tmp_path / "copy")
    check_strange_sentences(parser)
