"""Ensembles: labellers whose log-probabilities are averaged."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from permutree.encoding import Codec
from permutree.encoding.constituents import NOTHING
from permutree.encoding.labels import COMPONENTS
from permutree.errors import ConfigError
from permutree.model.config import EmbeddingConfig, EncoderConfig, ModelConfig, RereadConfig
from permutree.model.features import WordFeatures
from permutree.networks.attention import arrange
from permutree.networks.model import Model
from permutree.networks.reread import RereadLabeller, arrange_states, best_ends
from permutree.networks.tensors import as_tensors
from permutree.parsing.engines import ENDS, ENDS_SCORES, ORDER
from permutree.parsing.ensemble import Ensemble
from permutree.parsing.parser import Parser
from permutree.parsing.torch_engine import TorchEngine
from permutree.training.building import prepare
from permutree.trees.tree import Tree
from tiny_encoders import write_encoder
from tiny_models import tiny_config

TREES = [
    Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))"),
    Tree.parse("(S (NP (D 0=the) (N 1=cat)) (VP (V 2=sleeps) (RB 3=well) (RB 4=now)))"),
]


def make(seed: int, hidden: int = 16, trees: list[Tree] = TREES, **settings: Any) -> Model:
    torch.manual_seed(seed)
    config = ModelConfig(
        **{"labeller": "reread", "encoding": "predecessor", **settings},
        encoder=EncoderConfig(hidden=hidden, layers=1),
        embeddings=EmbeddingConfig(word=8, character=8, character_embedding=4),
        reread=RereadConfig(hidden=8, ends=4),
    )
    words, tags = [tree.words for tree in trees], [tree.tags for tree in trees]
    names = sorted({tag for sentence in tags for tag in sentence})
    model = Model.build(config, WordFeatures.fit(words, tags), Codec.fit(trees, "predecessor"), names)
    model.labeller.eval()
    return model


@torch.inference_mode()
def test_log_probabilities_are_averaged() -> None:
    models = [make(1), make(2, 24)]
    together = Ensemble.of(models)
    labellers, words = together.labellers, [tree.words for tree in TREES]
    heads = {"tags", "shared", "unary", "first", "last"}
    found = TorchEngine(labellers).predict(together.features.arrays(words, None), heads)
    inputs = as_tensors(models[0].features.arrays(words, None).batch(np.arange(2)))
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


def parser_of(*models: Model) -> Parser:
    """The parser that several models are together."""
    together = Ensemble.of(models)
    engine = TorchEngine(together.labellers, translations=together.translations)
    return Parser(together.outline, engine, together.features)


def test_one_alone_decides_alone() -> None:
    model = make(3)
    words = [tree.words for tree in TREES]
    both = parser_of(model, model).parse_batch(words)
    alone = Parser(model.outline, TorchEngine(model.labeller)).parse_batch(words)
    assert list(both.forest.trees()) == list(alone.forest.trees())


def test_models_in_folders_are_an_ensemble(tmp_path: Path) -> None:
    for seed in (1, 2):
        make(seed).save(tmp_path / str(seed))
    words = [tree.words for tree in TREES]
    expected = parser_of(make(1), make(2)).parse_batch(words)
    found = Parser.load(tmp_path / "1", "cpu", partners=[tmp_path / "2"]).parse_batch(words)
    assert list(found.forest.trees()) == list(expected.forest.trees())


def renumbered(model: Model, seed: int) -> Model:
    """The same model, its labels and tags numbered in another order."""
    random, codec = np.random.default_rng(seed), model.codec
    assert codec is not None
    vocabularies: dict[str, Any] = {name: getattr(codec, name).values for name in COMPONENTS}
    orders = {name: random.permutation(len(vocabularies[name])) for name in ("shared", "unary")}
    vocabularies |= {name: [vocabularies[name][number] for number in order] for name, order in orders.items()}
    tags = random.permutation(len(model.tags))
    settings: dict[str, Any] = {"root": codec.root, "tops": codec.tops, "level_scale": codec.level_scale}
    other = Model.build(
        model.config,
        model.features,
        Codec("predecessor", vocabularies=vocabularies, **settings),
        [model.tags[number] for number in tags],
    )
    rows = {"tags": tags, **orders, "first": orders["shared"], "last": orders["shared"]}
    weights = model.labeller.state_dict()
    for head, order in rows.items():
        for part in ("weight", "bias"):
            weights[f"heads.{head}.{part}"] = weights[f"heads.{head}.{part}"][torch.from_numpy(order)]
    other.labeller.load_state_dict(weights)
    other.labeller.eval()
    return other


@torch.inference_mode()
def test_values_go_by_what_they_stand_for() -> None:
    """The numbers of labels and tags of partners do not matter."""
    words = [tree.words for tree in TREES]
    heads = {"tags", "shared", "unary", "first", "last", "permutation"}
    models = [make(1), make(2)]
    for other in (models[1], renumbered(models[1], 5)):
        parser = parser_of(models[0], other)
        found = parser.engine.predict(parser.features.arrays(words, None), heads)
        if other is models[1]:
            expected = found
    assert expected.keys() == found.keys()
    for name, table in expected.items():
        np.testing.assert_allclose(found[name], table, rtol=1e-4, atol=1e-5)


@torch.inference_mode()
def test_who_does_not_know_a_label_does_not_vote_on_it() -> None:
    words = [TREES[0].words]
    one, other = make(1, trees=TREES), make(2, trees=TREES[:1])
    assert one.codec is not None
    assert other.codec is not None
    parser = parser_of(one, other)
    arrays = one.features.arrays(words, None)
    found = parser.engine.predict(parser.features.arrays(words, None), {"tags"})["tags"]
    alone = TorchEngine(one.labeller).predict(arrays, {"tags"})["tags"]
    alone = torch.from_numpy(alone).log_softmax(1).numpy()
    unknown = [number for number, tag in enumerate(one.tags) if tag not in other.tags]
    known = [number for number, tag in enumerate(one.tags) if tag in other.tags]
    assert unknown
    np.testing.assert_allclose(found[:, unknown], alone[:, unknown], rtol=1e-4)
    assert not np.allclose(found[:, known], alone[:, known])


def test_words_and_sub_words_are_read_beside_each_other(tmp_path: Path) -> None:
    """Members read what they were trained to read: an ensemble of both parses, in any order of sentences."""
    write_encoder(tmp_path / "bert", "bert")
    reread: dict[str, Any] = {"labeller": "reread", "tags": "joint", "attention": 8, "reread": {"hidden": 8, "ends": 8}}
    for name, encoder in (("words", None), ("pieces", str(tmp_path / "bert"))):
        torch.manual_seed(1)
        prepare(tiny_config(tmp_path / name, *[encoder] if encoder else [], model=reread))[0].save(tmp_path / name)
    sentences = [["How", "does", "it", "work", "?"], ["Unbelievably", "long", "words"] * 9, ["it"]]
    for first, second in (("words", "pieces"), ("pieces", "words")):
        parser = Parser.load(tmp_path / first, "cpu", partners=[tmp_path / second])
        trees = list(parser.pipe(sentences))
        assert [list(tree.words) for tree in trees] == sentences
        assert [*parser.pipe(sentences[::-1])] == trees[::-1]
        assert parser.tag(sentences) == [list(tree.tags) for tree in trees]
        # Features for other models are those of all members.
        tables = parser.labels(sentences, probabilities=True).probabilities
        assert {len(table) for table in tables.values()} == {sum(map(len, sentences))}


def test_members_parse_one_language() -> None:
    """Labels of treebanks of other languages may look alike; a model that does not say its language goes with any."""
    one, other = make(1), make(2)
    one.facts["language"] = "en"
    assert len(Ensemble.of([one, other]).labellers) == 2
    other.facts["language"] = "is"
    with pytest.raises(ConfigError, match="the same language: one has en, other is"):
        Ensemble.of([one, other], ["one", "other"])


def test_members_have_labels_of_constituents_in_common() -> None:
    """That there is no constituent, all models say."""
    texts = [tree.discbracket().replace("(VP", "(X").replace("(NP", "(Y") for tree in TREES]
    assert len(Ensemble.of([make(1), make(2, trees=[Tree.parse(text) for text in texts])]).labellers) == 2
    others = [Tree.parse(text.replace("(S ", "(Z ")) for text in texts]
    one, other = make(1, tags="gold"), make(2, trees=others, tags="gold")
    assert one.codec is not None
    assert other.codec is not None
    other.codec.root = one.codec.root
    assert set(one.codec.shared) & set(other.codec.shared) == {NOTHING}
    with pytest.raises(ConfigError, match="model 2 has none of the values of shared that model 1 has"):
        Ensemble.of([one, other])


def test_only_what_fits_together_is_joined() -> None:
    with pytest.raises(ConfigError, match="the same labeller: model 1 has reread, model 2 paper"):
        Ensemble.of([make(1), make(1, labeller="paper")])
    with pytest.raises(ConfigError, match="the same use of tags: one has tags to predict, other tags to read"):
        Ensemble.of([make(1), make(1, tags="gold")], ["one", "other"])
    other = make(1)
    other.tags = ["X"]
    with pytest.raises(ConfigError, match="in common: model 2 has none of the values of tags that model 1 has"):
        Ensemble.of([make(1), other])
    assert len(Ensemble.of([make(1)]).labellers) == 1
