"""Trained models whose predictions a model learns."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from permutree.errors import ConfigError
from permutree.networks.model import Model
from permutree.networks.reread import ENDS
from permutree.networks.translation import Translation
from permutree.training.building import prepare
from permutree.training.data import Dataset
from permutree.training.loop import train
from permutree.training.objective import Objective
from permutree.training.overrides import configure
from tiny_encoders import write_encoder
from tiny_models import TREES, tiny_config

REREAD: dict[str, Any] = {"labeller": "reread", "tags": "joint", "attention": 8, "reread": {"hidden": 8, "ends": 8}}


def made(folder: Path, **changes: Any) -> Model:
    """A model that has not learnt anything, in a folder."""
    model, _, _ = prepare(tiny_config(folder, model=REREAD | changes))
    model.save(folder)
    return model


@pytest.fixture
def teacher(tmp_path: Path) -> Path:
    torch.manual_seed(2)
    made(tmp_path / "teacher")
    return tmp_path / "teacher"


def taught(folder: Path, *teachers: Path, **changes: Any) -> tuple[Model, Dataset]:
    """A student with its data."""
    training = {"teachers": [*map(str, teachers)]}
    model, data, _ = prepare(tiny_config(folder, model=REREAD | changes, training=training))
    return model, data


def test_a_teacher_of_the_same_shape_says_what_it_says(tmp_path: Path, teacher: Path) -> None:
    _, data = taught(tmp_path / "out", teacher)
    sentences, (one,) = np.arange(5), data.teachers
    order = data.order(sentences)
    told = one.predict(sentences, order, torch.device("cpu"))
    expected = Model.load(teacher).labeller(data.batch(sentences)[0], order)
    assert told.keys() == {"permutation", "unary", "shared", "first", "last", "tags", ENDS}
    for name in told.keys() - {ENDS}:
        torch.testing.assert_close(told[name], expected[name])
    torch.testing.assert_close(told[ENDS].exp(), expected[ENDS])


def test_values_go_by_what_they_stand_for(tmp_path: Path, teacher: Path) -> None:
    _, data = taught(tmp_path / "out", teacher)
    (one,) = data.teachers
    sentences = np.arange(5)
    order = data.order(sentences)
    before = one.predict(sentences, order, torch.device("cpu"))["shared"]
    assert one.model.codec is not None
    # A student with the values the other way round, and one that the teacher does not have.
    columns = {**one.translation.columns, "shared": torch.tensor([*reversed(range(len(one.model.codec.shared))), -1])}
    after = replace(one, translation=Translation(columns)).predict(sentences, order, torch.device("cpu"))["shared"]
    torch.testing.assert_close(after[..., :-1], before.flip(2))
    assert bool((after[..., -1] == -torch.inf).all())


def test_what_a_teacher_says_counts(tmp_path: Path, teacher: Path) -> None:
    model, data = taught(tmp_path / "out", teacher, teacher)
    config = tiny_config(tmp_path / "out", model=REREAD, training={"distillation": 3.0})
    sentences = np.arange(4)
    inputs, gold = data.batch(sentences)
    model.labeller.train()
    scores = model.labeller(inputs, data.order(sentences))
    alone = Objective(config, replace(data, teachers=())).loss(scores, gold, sentences)
    both = Objective(config, data).loss(scores, gold, sentences)
    told = {name: values for name, values in scores.items() if name not in ("levels", ENDS)}
    assert both.isfinite()
    assert float(both.detach()) != pytest.approx(float(alone.detach()))
    gradients = torch.autograd.grad(both, [*model.labeller.parameters()], allow_unused=True)
    assert all(one is None or bool(one.isfinite().all()) for one in gradients)
    assert told.keys() <= data.teachers[0].predict(sentences, data.order(sentences), torch.device("cpu")).keys()


@pytest.mark.parametrize("agreement", [0.0, 0.5])
def test_students_become_like_their_teacher(tmp_path: Path, agreement: float) -> None:
    """A student that hears much of a teacher comes nearer to it than one that hears nothing."""
    config = tiny_config(
        tmp_path / "teacher", model=REREAD, training={"epochs": 8, "evaluate": 8, "agreement": agreement}
    )
    train(config)
    trained = Model.load(tmp_path / "teacher")
    apart = []
    for number, teachers in enumerate([[], [str(tmp_path / "teacher")]]):
        given = {"teachers": teachers, "distillation": 20.0, "seed": 2}
        student = configure(config, {"out": str(tmp_path / f"student-{number}"), "training": given})
        _, data, _ = prepare(student)
        train(student)
        model, sentences = Model.load(tmp_path / f"student-{number}"), np.arange(10)
        inputs, _ = data.batch(sentences)
        order = data.order(sentences)
        with torch.no_grad():
            one, other = (each.labeller(inputs, order)["tags"].softmax(2) for each in (model, trained))
        apart.append(float((one - other).abs().sum()))
    assert apart[1] < apart[0]


def test_a_teacher_over_sub_words_teaches_a_student_with_words(tmp_path: Path) -> None:
    write_encoder(tmp_path / "bert", "bert")
    config = tiny_config(tmp_path / "teacher", str(tmp_path / "bert"), model=REREAD)
    prepare(config)[0].save(tmp_path / "teacher")
    student = tiny_config(
        tmp_path / "student",
        model=REREAD,
        training={"teachers": [str(tmp_path / "teacher")], "epochs": 1, "evaluate": 1},
    )
    assert train(student).best["f1"] >= 0
    card = (tmp_path / "student" / "README.md").read_text("utf-8")
    assert "distilled from" in card
    assert str(tmp_path) not in card + (tmp_path / "student" / "training.json").read_text("utf-8")


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"labeller": "paper", "encoding": "relative"}, "another labeller or encoding"),
        ({"task": "tag", "labeller": "paper"}, "is a tagger; a parser cannot learn from it"),
    ],
)
def test_teachers_that_cannot_teach(tmp_path: Path, changes: dict[str, Any], error: str) -> None:
    prepare(tiny_config(tmp_path / "other", model=changes))[0].save(tmp_path / "other")
    with pytest.raises(ConfigError, match=error):
        taught(tmp_path / "out", tmp_path / "other")


def test_a_teacher_with_other_labels(tmp_path: Path) -> None:
    trees = tmp_path / "other.discbracket"
    trees.write_text(TREES.read_text("utf-8").replace("(", "(other-"), "utf-8")
    config = tiny_config(tmp_path / "other", model=REREAD, data={"train": [str(trees)], "dev": [str(trees)]})
    prepare(config)[0].save(tmp_path / "other")
    with pytest.raises(ConfigError, match="has none of the values of"):
        taught(tmp_path / "out", tmp_path / "other")
