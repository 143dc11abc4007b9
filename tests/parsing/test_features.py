from pathlib import Path
from typing import Any

import numpy as np
import pytest

from permutree import Parser, decode
from permutree.errors import ConfigError
from permutree.training.building import prepare
from tiny_encoders import write_encoder
from tiny_models import tiny_config

SENTENCES = [["What", "do", "you", "want", "to", "eat", "?"], ["Nothing", "."], ["Who", "said", "that", "?"]]


@pytest.fixture(scope="module")
def parser() -> Parser:
    return Parser.load("en", threads=1)


@pytest.mark.parametrize("encoding", ["absolute", "inverse-lehmer", "pointer", "predecessor"])
def test_labels_are_those_of_the_trees(parser: Parser, encoding: str) -> None:
    found = parser.labels(SENTENCES, encoding)
    trees = list(parser.pipe(SENTENCES))
    assert [
        decode(tree.words, tree.tags, labels, encoding).tree for tree, labels in zip(trees, found.texts(), strict=True)
    ] == trees
    assert found.offsets.tolist() == [0, 7, 9, 13]
    # The same codec gives the same numbers.
    again = parser.labels(SENTENCES[2:], codec=found.codec)
    assert again.labels.shared.tolist() == found.labels.shared.tolist()[9:]


def test_probabilities_and_states(parser: Parser) -> None:
    found = parser.labels(SENTENCES, probabilities=True, states=True)
    assert found.states is not None
    assert found.states.shape[0] == 13
    tags = [tag for sentence in found.tags for tag in sentence]
    assert [found.values["tags"][best] for best in found.probabilities["tags"].argmax(1)] == tags
    for name, table in found.probabilities.items():
        assert table.shape == (13, len(found.values[name]))
        np.testing.assert_allclose(table.sum(1), 1, atol=1e-5)
    # Unary chains stand at their words, whatever the arrangement is.
    unary = [found.values["unary"][best] for best in found.probabilities["unary"].argmax(1)]
    assert unary[:3] == [label.unary for label in found.texts()[0]][:3]
    # What is said of a sentence does not depend on others.
    alone = parser.labels(SENTENCES[:1], probabilities=True, states=True)
    assert alone.states is not None
    np.testing.assert_allclose(alone.states, found.states[:7], atol=1e-5)


def test_probabilities_of_a_model_over_sub_words(tmp_path: Path) -> None:
    """A word may have several sub-words; it has one row all the same."""
    write_encoder(tmp_path / "bert", "bert")
    reread: dict[str, Any] = {"labeller": "reread", "tags": "joint", "attention": 8, "reread": {"hidden": 8, "ends": 8}}
    prepare(tiny_config(tmp_path / "model", str(tmp_path / "bert"), model=reread))[0].save(tmp_path / "model")
    found = Parser.load(tmp_path / "model", "cpu").labels([["Unbelievably", "long"], ["it"]], probabilities=True)
    for table in found.probabilities.values():
        np.testing.assert_allclose(table.sum(1), np.ones(3), rtol=1e-5)


def test_probabilities_of_a_model_that_scores_spans(tmp_path: Path) -> None:
    """It has no probabilities of the shared labels of words."""
    reread: dict[str, Any] = {
        "labeller": "reread",
        "tags": "joint",
        "attention": 8,
        "reread": {"hidden": 8, "spans": 8},
    }
    prepare(tiny_config(tmp_path / "model", model=reread))[0].save(tmp_path / "model")
    found = Parser.load(tmp_path / "model", "cpu").labels([["How", "does", "it", "work"]], probabilities=True)
    assert {*found.probabilities} == {*found.values} == {"tags", "unary"}
    for table in found.probabilities.values():
        np.testing.assert_allclose(table.sum(1), np.ones(4), rtol=1e-5)


def test_no_sentences(parser: Parser) -> None:
    found = parser.labels([], probabilities=True)
    assert len(found) == 0
    assert {name: table.shape for name, table in found.probabilities.items()} == {
        name: (0, len(values)) for name, values in found.values.items()
    }
    assert set(found.columns()) >= {"words", "tags_probabilities"}


def test_columns(parser: Parser) -> None:
    columns = parser.labels(SENTENCES, probabilities=True).columns()
    assert {*columns} >= {"words", "tags", "levels", "shared", "unary", "permutation", "tags_probabilities"}
    assert [len(one) for one in columns["shared"]] == [len(one) for one in SENTENCES] == list(map(len, columns["tags"]))


def test_states_need_a_folder(parser: Parser) -> None:
    made = Parser(parser.model, parser.engine)
    with pytest.raises(ConfigError, match="save the model"):
        made.labels(SENTENCES, states=True)
    assert made.labels([]).columns()["words"] == []
