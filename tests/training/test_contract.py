"""What every encoder must do with every method and every kind of tags: pairs of these, not all there are together."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest
import torch

from permutree.encoding import ENCODINGS
from permutree.encoding.permutations import permutation_named
from permutree.model.config import ABLATIONS
from permutree.networks.model import Model
from permutree.parsing.parser import Parser
from permutree.training.loop import train
from permutree.trees.tree import Tree
from tiny_models import tiny_config

#: attention settles when the rate falls
SLOWLY = {"optimiser.schedule": "linear", "training.epochs": 60}
SIZES = {"attention": 16, "reread": {"hidden": 16, "ends": 8}}

ENCODERS = ("bilstm", "rotary", "bert")
#: the labeller of the paper with every encoding, and the one that reads again
METHODS = (*(("paper", encoding) for encoding in ENCODINGS), ("reread", "predecessor"))
TAGS = ("gold", "joint", "none")


def tags_for(encoding: str) -> tuple[str, ...]:
    """The kinds of tags that an encoding works with."""
    return TAGS[:2] if permutation_named(encoding).needs_tags else TAGS


#: every encoder with every method, and each of both with every kind of tags
CASES = [
    (encoder, *method, tags_for(method[1])[(row + column) % len(tags_for(method[1]))])
    for row, encoder in enumerate(ENCODERS)
    for column, method in enumerate(METHODS)
]


def test_the_cases_are_all_pairs() -> None:
    assert {(labeller, encoding, tags) for _, labeller, encoding, tags in CASES} == {
        (*method, tags) for method in METHODS for tags in tags_for(method[1])
    }
    assert {(encoder, tags) for encoder, _, _, tags in CASES} == {*product(ENCODERS, TAGS)}


#: other positions of a Transformer, and another pretrained encoder
VARIANTS = [("learned", *METHODS[0], "joint"), ("distilbert", *METHODS[-1], "joint")]


@pytest.mark.parametrize(("encoder", "labeller", "encoding", "tags"), [*CASES, *VARIANTS])
def test_encoders_learn_by_heart_and_survive(
    tmp_path: Path, trees: list[Tree], pretrained: dict[str, str], encoder: str, labeller: str, encoding: str, tags: str
) -> None:
    model = {"labeller": labeller, "encoding": encoding, "tags": tags, **SIZES}
    changes: dict[str, Any] = {"model": model}
    if encoding == "predecessor" or encoder not in pretrained:
        changes |= SLOWLY
    result = train(tiny_config(tmp_path / "model", pretrained.get(encoder, encoder), **changes))
    assert result.best["f1"] == result.best["discontinuous f1"] == 100
    assert result.best["repairs/sentence"] == 0
    parser = Parser.load(result.folder, "cpu")
    check_same_trees(parser, trees, tags)
    check_copy(result.folder, tmp_path / "copy")
    check_strange_sentences(parser)


@pytest.mark.parametrize("loss", ["local", "crf"])
def test_spans_are_learnt_by_heart_and_survive(tmp_path: Path, trees: list[Tree], loss: str) -> None:
    sizes = {"attention": 16, "reread": {"hidden": 16, "ends": 0, "spans": 16, "span_loss": loss}}
    model = {"labeller": "reread", "tags": "joint", **sizes}
    changes = {"model": model, **SLOWLY}
    result = train(tiny_config(tmp_path / "model", "bilstm", **changes))
    assert result.best["f1"] == result.best["discontinuous f1"] == 100
    parser = Parser.load(result.folder, "cpu")
    check_same_trees(parser, trees, "joint")
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


@pytest.mark.parametrize(
    "change",
    [*({"ablate": [part]} for part in ABLATIONS), {"reread": {"hidden": 16, "ends": 0}}],
    ids=[*ABLATIONS, "ends"],
)
def test_what_ablations_leave_learns_by_heart(tmp_path: Path, trees: list[Tree], change: dict[str, Any]) -> None:
    changes = {"model": {"labeller": "reread", **SIZES} | change, **SLOWLY}
    result = train(tiny_config(tmp_path / "model", **changes))
    assert result.best["f1"] == result.best["discontinuous f1"] == 100
    parser = Parser.load(result.folder, "cpu")
    check_same_trees(parser, trees, "joint")
    check_strange_sentences(parser)
