"""The losses of heads and of constituents, and what each counts."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from permutree.model.batching import Ints
from permutree.model.config import EmbeddingConfig, EncoderConfig, ModelConfig, RereadConfig
from permutree.networks.losses import constituent_loss, end_loss, labelling_loss, span_loss
from permutree.training.building import build_model
from permutree.training.config import Config
from permutree.training.data import Dataset
from permutree.training.objective import AUXILIARY, LEVELS, Objective
from permutree.trees.batch import TreeBatch
from permutree.trees.tree import Tree

TREES = [Tree.parse("(S (VP (V 0=a) (X 2=c)) (Y 1=b) (Z 3=d))"), Tree.parse("(S (Y 0=a) (Z 1=b))")]
REREAD = ModelConfig(
    labeller="reread",
    attention=4,
    reread=RereadConfig(hidden=4, ends=4),
    encoder=EncoderConfig(hidden=4, layers=1, dropout=0.0),
    embeddings=EmbeddingConfig(word=4, character=4, character_embedding=4, dropout=0.0, unknown_alpha=0.0),
)
PARTS = ("labels", "levels", "ends", "edges")


@pytest.mark.parametrize(
    ("config", "parts"),
    [
        (replace(REREAD, labeller="paper", encoding="relative"), ("labels",)),
        (REREAD, PARTS),
        (replace(REREAD, ablate=("levels",)), ("labels", "ends", "edges")),
        (replace(REREAD, ablate=("edges", "levels")), ("labels", "ends")),
        (replace(REREAD, reread=RereadConfig(hidden=4, ends=0)), ("labels", "edges")),
        (replace(REREAD, reread=RereadConfig(hidden=4, ends=4, spans=4)), (*PARTS, "spans")),
        (replace(REREAD, reread=RereadConfig(hidden=4, ends=0, spans=4), ablate=("edges",)), ("labels", "spans")),
    ],
)
def test_what_counts(config: ModelConfig, parts: tuple[str, ...]) -> None:
    torch.manual_seed(1)
    forest, sentences = TreeBatch.from_trees(TREES), np.arange(2)
    model = build_model(Config(model=config), forest, ())
    if "levels" in parts:
        assert model.codec is not None
        model.labeller.add_auxiliary("levels", len(model.codec.levels))
    if "spans" in parts and "edges" in parts:
        assert model.codec is not None
        for name in ("shared", "first", "last"):
            model.labeller.add_auxiliary(name, len(model.codec.shared))
    data = Dataset.of(forest, model)
    inputs, gold = data.batch(sentences)
    scores = model.labeller(inputs, data.order(sentences))
    levels = {name: values for name, values in gold.items() if name == "levels" and "levels" in parts}
    votes = {"shared": AUXILIARY} if "spans" in parts else {}
    expected = {"labels": labelling_loss(scores, {name: gold[name] for name in gold.keys() - levels.keys()}, votes)}
    if levels:
        expected["levels"] = LEVELS * labelling_loss(scores, levels)
    if config.rereads:
        constituents = data.constituents(sentences)
        if "ends" in parts:
            expected["ends"] = end_loss(scores, constituents)
        if "spans" in parts:
            expected["spans"] = span_loss(scores, constituents, torch.tensor([4, 2]), "crf")
        if "edges" in parts:
            expected["edges"] = AUXILIARY * constituent_loss(scores, constituents)
    assert expected.keys() == {*parts}
    loss = Objective(Config(model=config), data).loss(scores, gold, sentences)
    torch.testing.assert_close(loss, torch.stack([*expected.values()]).sum())


@pytest.mark.parametrize(("setting", "head"), [("tag_weight", "tags"), ("arrangement_weight", "permutation")])
def test_heads_count_as_much_as_they_are_told(setting: str, head: str) -> None:
    torch.manual_seed(1)
    forest, sentences = TreeBatch.from_trees(TREES), np.arange(2)
    config = Config(model=replace(REREAD, tags="joint"))
    model = build_model(config, forest, ("V", "X", "Y", "Z"))
    data = Dataset.of(forest, model)
    inputs, gold = data.batch(sentences)
    scores = model.labeller(inputs, data.order(sentences))
    once = Objective(config, data).loss(scores, gold, sentences)
    told = replace(config, training=replace(config.training, **{setting: 3.0}))  # type: ignore[arg-type]
    thrice = Objective(told, data).loss(scores, gold, sentences)
    torch.testing.assert_close(thrice - once, 2 * labelling_loss(scores, {head: gold[head]}))


@pytest.mark.parametrize("spans", [0, 4])
def test_predictions_that_are_to_agree(spans: int) -> None:
    forest, batch = TreeBatch.from_trees(TREES), np.arange(2)
    config = Config(model=replace(REREAD, tags="joint", reread=RereadConfig(hidden=4, ends=4, spans=spans)))
    model = build_model(config, forest, ("V", "X", "Y", "Z"))
    if spans:
        assert model.codec is not None
        for name in ("shared", "first", "last"):
            model.labeller.add_auxiliary(name, len(model.codec.shared))
    data = Dataset.of(forest, model)
    agreeing = Objective(replace(config, training=replace(config.training, agreement=0.5)), data)
    assert Objective(config, data).sentences(batch).tolist() == [0, 1]
    sentences = agreeing.sentences(batch)
    assert sentences.tolist() == [0, 1, 0, 1]

    def scored(sentences: Ints) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
        inputs, gold = data.batch(sentences)
        return model.labeller(inputs, data.order(sentences)), gold

    # Without dropout both halves agree: the loss is that of the batch, and of what is not certain.
    once = Objective(config, data).loss(*scored(batch), batch)
    twice = agreeing.loss(*scored(sentences), sentences)
    assert float(twice.detach()) > float(once.detach())
    weights = [*model.labeller.parameters()]
    gradients = zip(*(torch.autograd.grad(loss, weights) for loss in (once, twice)), strict=True)
    for one, other in gradients:
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)
