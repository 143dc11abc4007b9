from pathlib import Path

import pytest
import torch

from permutree.model.config import RereadConfig
from permutree.networks.attention import PredecessorHead
from permutree.networks.model import Model
from permutree.networks.spans import SpanHead
from permutree.training.calibration import SHIFTS, calibrate, calibrate_spans
from permutree.training.loop import Trainer, train
from permutree.training.validation import Row, Validator
from permutree.trees.tree import Tree
from tiny_models import tiny_config

REREAD = {"labeller": "reread", "attention": 16, "reread": {"hidden": 8, "ends": 4}}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder = tmp_path_factory.mktemp("calibration") / "model"
    config = tiny_config(folder, model=REREAD | {"ablate": ["calibration"]}, training={"epochs": 1})
    return Model.load(train(config).folder)


def next_weight(model: Model) -> torch.nn.Parameter:
    head = model.labeller.heads["permutation"]
    assert isinstance(head, PredecessorHead)
    return head.next


@pytest.mark.parametrize("wanted", [-0.25, 0.0, 1.25])
def test_the_best_of_all_shifts(model: Model, wanted: float) -> None:
    weight = next_weight(model)
    learnt = weight.item()

    def score() -> Row:
        distance = abs(weight.item() - learnt - wanted)
        return {"f1": 80.0, "discontinuous f1": 50.0 - distance}

    shift, row = calibrate(model.labeller, score)
    assert shift == wanted
    assert weight.item() == pytest.approx(learnt + wanted)
    assert row["discontinuous f1"] == pytest.approx(50.0)
    with torch.no_grad():
        weight.fill_(learnt)


def test_nothing_changes_if_nothing_is_better(model: Model) -> None:
    weight = next_weight(model)
    learnt = weight.item()
    assert calibrate(model.labeller, lambda: {"f1": None, "discontinuous f1": None})[0] == 0.0
    assert weight.item() == learnt


def test_after_training(tmp_path: Path, trees: list[Tree], monkeypatch: pytest.MonkeyPatch) -> None:
    config = tiny_config(tmp_path / "model", model=REREAD, training={"epochs": 2})
    once = Trainer._calibrate
    seen: list[float] = []

    def twice(self: Trainer) -> None:
        """As after an interruption between the model and the note that all is done."""
        for _ in range(2):
            once(self)
            seen.append(next_weight(Model.load(self.folder)).item())

    monkeypatch.setattr(Trainer, "_calibrate", twice)
    found = Model.load(train(config).folder)
    assert found.facts["next"] in SHIFTS
    assert seen[0] == seen[1] == next_weight(found).item()
    scores = Validator.of(trees, trees, found).score(found.labeller, torch.device("cpu"))
    assert scores["f1"] == pytest.approx(found.facts["dev"]["f1"])


def test_ablations_leave_the_learnt_weight(model: Model) -> None:
    assert "next" not in model.facts


def test_the_threshold_of_spans() -> None:
    head = SpanHead(4, 2, RereadConfig(spans=2), dropout=0.0)
    threshold, row = calibrate_spans(head, lambda: {"f1": 80 - 100 * abs(head.threshold - 0.35)})
    assert threshold == head.threshold == 0.35
    assert row == {"f1": 80.0}
