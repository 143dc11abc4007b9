"""Sentences in arrangements without some of their jumps."""

import numpy as np

from permutree.model.config import EmbeddingConfig, EncoderConfig, ModelConfig, RereadConfig
from permutree.training.building import build_model
from permutree.training.config import Config
from permutree.training.data import Dataset
from permutree.training.noise import disturbed
from permutree.trees.batch import TreeBatch
from permutree.trees.tree import Tree

TREES = [
    Tree.parse("(S (Y 0=a) (Z 1=b))"),
    Tree.parse("(S (VP (V 0=a) (NP (X 2=c))) (Y 1=b) (PP (Z 3=d) (Z 4=e)) (. 5=.))"),
    Tree.parse("(NP (Y 0=a))"),
]


def make() -> Dataset:
    config = ModelConfig(
        labeller="reread",
        reread=RereadConfig(hidden=4, ends=4, spans=4),
        encoder=EncoderConfig(hidden=4, layers=1),
        embeddings=EmbeddingConfig(word=4, character=4, character_embedding=4),
    )
    forest = TreeBatch.from_trees(TREES)
    model = build_model(Config(model=config), forest, ())
    assert model.codec is not None
    model.labeller.add_auxiliary("shared", len(model.codec.shared))
    return Dataset.of(forest, model)


def test_constituents_with_a_gap_are_not_to_be_found() -> None:
    data = make()
    # One jump: it is taken back half of the time.
    for seed in range(20):
        other = disturbed(data, 1.0, np.random.default_rng(seed))
        if other.orders.tolist() != data.orders.tolist():
            break
    assert data.orders.tolist() == [0, 1, 0, 2, 1, 3, 4, 5, 0]
    assert other.orders.tolist() == [0, 1, 0, 1, 2, 3, 4, 5, 0]
    assert data.spans is not None
    assert other.spans is not None
    spans = [*zip(other.spans.firsts.tolist(), other.spans.lasts.tolist(), strict=True)]
    assert spans == [(0, 1), (0, 5), (3, 4)]
    assert other.spans.labels.tolist() == data.spans.labels[[0, 1, 3]].tolist()
    assert other.spans.offsets.tolist() == [0, 1, 3, 3]
    # The unary chain goes with its word; labels of neighbours are not learnt.
    assert other.gold["unary"][2:8].tolist() == data.gold["unary"][2:8][[0, 2, 1, 3, 4, 5]].tolist()
    assert (other.gold["shared"][2:8] == -1).all()
    assert (other.spans.owners[2:8] == -1).all()
    for name in ("permutation", "tags"):
        assert other.gold[name].tolist() == data.gold[name].tolist()
    # Others stay as they are, and so does the data.
    assert other.gold["shared"][:2].tolist() == data.gold["shared"][:2].tolist()
    assert other.spans.owners[:2].tolist() == data.spans.owners[:2].tolist()
    found = other.constituents(np.arange(3))
    assert found.firsts.tolist() == [0, 6, 9]


def test_no_noise() -> None:
    data = make()
    other = disturbed(data, 0.0, np.random.default_rng(1))
    assert other.orders.tolist() == data.orders.tolist()
    assert data.spans is not None
    assert other.spans is not None
    assert other.spans.firsts.tolist() == data.spans.firsts.tolist()
    assert other.spans.offsets.tolist() == data.spans.offsets.tolist()
