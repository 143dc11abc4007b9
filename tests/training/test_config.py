from pathlib import Path
from typing import Any

import pytest

from permutree import train
from permutree.errors import ConfigError
from permutree.settings import as_dict, settings_from
from permutree.training.config import Config, config_names, load_config

REREAD = ["best", "best-pretrained", "fast", "small"]
PAPER = ["paper-bert", "paper-bilstm", "paper-distilbert", "paper-transformer"]


def test_settings_that_come_with_permutree() -> None:
    assert config_names() == sorted([*REREAD, *PAPER, "tagger"])
    for name in config_names():
        config = load_config(name)
        assert settings_from(Config, as_dict(config)) == config
        config.check_is_no_ablation()


@pytest.mark.parametrize("name", REREAD)
def test_the_method_that_ships_has_no_switches(name: str) -> None:
    model = load_config(name).model
    assert (model.labeller, model.tags, model.permutation.name) == ("reread", "joint", "predecessor")
    assert model.finds_ends
    assert not model.ablate


@pytest.mark.parametrize("name", PAPER)
def test_the_paper_reads_gold_tags(name: str) -> None:
    model = load_config(name).model
    assert (model.labeller, model.tags, model.permutation.name) == ("paper", "gold", "pointer")


def values(name: str, paths: str) -> list[Any]:
    found = []
    for path in paths.split():
        value: Any = load_config(name)
        for step in path.split("."):
            value = getattr(value, step)
        found.append(value)
    return found


ENCODER = "model.encoder.kind model.encoder.layers model.encoder.dropout model.embeddings.tag "
OPTIMISER = "optimiser.kind optimiser.rate optimiser.momentum optimiser.schedule optimiser.warmup "
TRAINING = "training.batch_sentences training.epochs training.patience training.average"


def test_bilstm_of_the_paper() -> None:
    assert values("paper-bilstm", ENCODER) == ["bilstm", 2, 0.5, 20]
    # 800 in both directions together; characters of 30
    assert values("paper-bilstm", "model.encoder.hidden model.embeddings.character_embedding") == [400, 30]
    assert values("paper-bilstm", OPTIMISER) == ["sgd", 0.2, 0.9, "inverse", 0.0]
    assert values("paper-bilstm", "optimiser.rate_decay") == [0.05]
    assert values("paper-bilstm", TRAINING) == [8, 100, 0, 0.0]


def test_transformer_of_the_paper() -> None:
    assert values("paper-transformer", ENCODER) == ["transformer", 6, 0.4, 20]
    assert values("paper-transformer", "model.encoder.heads model.encoder.feedforward model.encoder.positions") == [
        8,
        800,
        "learned",
    ]
    embeddings = load_config("paper-transformer").model.embeddings
    # No layer stands between the input and the Transformer, which is why the paper chose 136.
    assert embeddings.character == 136
    assert values("paper-transformer", "model.encoder.hidden") == [
        embeddings.word + embeddings.character + embeddings.tag
    ]
    # With pointers; 0.004 otherwise.
    assert values("paper-transformer", OPTIMISER) == ["sgd", 0.003, 0.0, "constant", 0.0]
    assert values("paper-transformer", TRAINING) == [8, 400, 0, 0.0]


@pytest.mark.parametrize("name", ["bert", "distilbert"])
def test_pretrained_encoders_of_the_paper(name: str) -> None:
    paths = "model.encoder.kind model.encoder.pretrained"
    assert values(f"paper-{name}", paths) == ["pretrained", f"{name}-base-cased"]
    assert values(f"paper-{name}", "optimiser.kind optimiser.rate optimiser.schedule optimiser.warmup") == [
        "adamw",
        1e-5,
        "linear",
        0.0,
    ]
    assert values(f"paper-{name}", TRAINING) == [6, 45, 0, 0.0]


def test_changes(tmp_path: Path) -> None:
    config = load_config("best", {"training": {"seed": 7}, "out": "x"}, ["optimiser.rate=0.5", "model.tags=gold"])
    assert (config.training.seed, config.optimiser.rate, config.model.tags, config.out) == (7, 0.5, "gold", "x")
    path = tmp_path / "mine.toml"
    path.write_text("[training]\nseed = 3\n", "utf-8")
    assert load_config(path).training.seed == 3
    path.write_text("training = 3\n", "utf-8")
    assert load_config(path, {"training": {"seed": 2}}).training.seed == 2
    with pytest.raises(ConfigError, match=r"no file 'bst', nor settings of that name; there are best, .*tagger"):
        load_config("bst")


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("training.epoch=3", "no setting 'training.epoch'; did you mean 'training.epochs'?"),
        ("training.epochs=0", "training: epochs must be at least 1, not 0"),
        ("training.batch_sentences=0", "training: batch_sentences must be at least 1, not 0"),
        ("training.average=1.0", "training: average must be at least 0 and less than 1, not 1.0"),
        ("training.patience=-1", "training: patience must be at least 0, for as long as it takes, not -1"),
        ("training.minutes=0", "training: minutes must be more than 0, not 0"),
        ("training.tag_weight=-1", "training: tag_weight must be at least 0, not -1"),
        ("training.arrangement_weight=-1", "training: arrangement_weight must be at least 0, not -1"),
        ("training.agreement=-1", "training: agreement must be at least 0, not -1"),
        (
            "training.agreement=1 model.reread.span_loss=margin",
            "training.agreement is about probabilities: set model.reread.span_loss to crf or local",
        ),
        ("training.seed=-1", "training: seed must be at least 0 and less than 2 to the 32, not -1"),
        ("training.precision=fp16", "training.precision must be one of fp32, bf16, not 'fp16'"),
        ("optimiser.rate=0", "optimiser: rate and encoder_rate must be more than 0"),
        ("optimiser.rate=nan", "optimiser.rate must be a finite number, not nan"),
        ("optimiser.beta2=1.0", "optimiser: beta2 must be at least 0 and less than 1, not 1.0"),
        (
            "training.auxiliary=lemmas",
            "training: auxiliary tasks are functions, shared-functions, morphology, not lemmas",
        ),
        ("optimiser.warmup=2", "optimiser: warmup must be a share of all steps, between 0 and 1, not 2.0"),
        ("optimiser.clip=-1", "optimiser: clip must be at least 0, not -1.0"),
        ("data.max_length=0", "data: max_length must be at least 1, not 0"),
        ("data.train_tags=x", "data: train_tags and dev_tags go together: the tags of one tagger for both sets"),
        ("model.encoder.layers=0", "model.encoder: layers must be at least 1, not 0"),
        ("model.ablate=brain", "model: ablate can leave out edges, final-punctuation, levels, calibration, not brain"),
        ("model.encoding=pointer", "model: the labeller 'reread' chooses arrangements by attention, and the encoding "),
        ("model.tags=own", "model.tags must be one of gold, predicted, joint, none, not 'own'"),
        ("model.tags=gold data.tagged=x", "data.tagged is for taggers and for model.tags = 'joint', not 'gold'"),
        ("model.task=tag training.auxiliary=functions", "training.auxiliary is for parsers"),
    ],
)
def test_what_cannot_work_is_refused(assignment: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config("best", None, assignment.split())
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("change", [{"ablate": ["edges"]}, {"reread": {"ends": 0}}])
def test_ablations_are_for_the_laboratory(change: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"model\.ablate and model\.reread\.ends = 0 are for ablation experiments"):
        train("small", train="a", dev="b", out=tmp_path / "model", model=change)
    assert not (tmp_path / "model").exists()
