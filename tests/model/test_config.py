from typing import Any

import pytest

from permutree.errors import ConfigError
from permutree.model.config import ABLATIONS, EmbeddingConfig, EncoderConfig, ModelConfig, RereadConfig


@pytest.mark.parametrize(
    ("kind", "values", "message"),
    [
        (EncoderConfig, {"kind": "pretrained"}, "needs its name or folder"),
        (EncoderConfig, {"kind": "transformer", "hidden": 10, "heads": 4}, "must be a multiple of heads"),
        (EncoderConfig, {"kind": "convolution", "hidden": 1}, "at least 2 for convolutions"),
        (EncoderConfig, {"dropout": 1.0}, "dropout must be at least 0 and less than 1"),
        (EncoderConfig, {"heads": 0, "kind": "transformer"}, "heads must be at least 1, not 0"),
        (EncoderConfig, {"layers": 0}, "layers must be at least 1, not 0"),
        (EncoderConfig, {"kind": "pretrained", "pretrained": "bert", "on_top": -1}, "on_top must be at least 0"),
        (EncoderConfig, {"on_top": 1}, "over the states of a pretrained encoder"),
        (EmbeddingConfig, {"word": 0}, "word must be at least 1, not 0"),
        (EmbeddingConfig, {"character": 3}, "character must be 0, for none, or at least 4, not 3"),
        (EmbeddingConfig, {"tag": -1}, "tag must be at least 0, not -1"),
        (EmbeddingConfig, {"unknown_alpha": -0.5}, "unknown_alpha must be at least 0"),
        (EmbeddingConfig, {"dropout": -0.5}, "dropout must be at least 0"),
        (ModelConfig, {"attention": 0}, "attention must be at least 1, not 0"),
        (ModelConfig, {"ablate": ("edges", "brain")}, "ablate can leave out edges, final-punctuation, levels, calib"),
        (ModelConfig, {"labeller": "reread", "encoding": "lehmer"}, "use the encoding predecessor, or labeller = 'pap"),
        (RereadConfig, {"hidden": 0}, "hidden must be at least 1, not 0"),
        (RereadConfig, {"ends": -1}, "ends must be at least 0, not -1"),
        (ModelConfig, {"encoding": "pointers"}, "encoding must be one of absolute, relative"),
        (ModelConfig, {"encoding": "pointer", "tags": "none"}, "use tags = 'joint', or another encoding"),
    ],
)
def test_what_cannot_be_built_is_refused(kind: Any, values: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        kind(**values)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("task", "tags", "reads", "predicts"),
    [
        ("parse", "gold", True, False),
        ("parse", "predicted", True, False),
        ("parse", "joint", False, True),
        ("tag", "none", False, True),
        ("tag", "gold", False, True),
    ],
)
def test_which_tags_are_read_and_predicted(task: Any, tags: Any, reads: bool, predicts: bool) -> None:
    config = ModelConfig(task=task, tags=tags)
    assert (config.reads_tags, config.predicts_tags) == (reads, predicts)


def test_tags_are_not_needed_where_nothing_points() -> None:
    assert not ModelConfig(encoding="lehmer", tags="none").reads_tags


def test_each_labeller_has_an_encoding_of_its_own() -> None:
    assert ModelConfig().permutation.name == "pointer"
    assert ModelConfig(labeller="reread").permutation.name == "predecessor"
    assert ModelConfig(encoding="lehmer").permutation.name == "lehmer"


def test_reread_is_one_thing() -> None:
    config = ModelConfig(labeller="reread")
    assert config.rereads
    assert config.finds_ends
    assert config.attends
    assert all(config.has(part) for part in ABLATIONS)


def test_what_ablations_leave_out() -> None:
    config = ModelConfig(labeller="reread", ablate=("edges", "calibration"), reread=RereadConfig(ends=0))
    assert [part for part in ABLATIONS if config.has(part)] == ["final-punctuation", "levels"]
    assert config.rereads
    assert not config.finds_ends


def test_the_paper_reads_once() -> None:
    config = ModelConfig(encoding="predecessor")
    assert config.attends
    assert not config.rereads
    assert not config.finds_ends
    assert not any(config.has(part) for part in ABLATIONS)
    tagger = ModelConfig(task="tag", labeller="reread")
    assert not tagger.rereads
    assert not tagger.attends
