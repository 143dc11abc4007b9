import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from permutree.errors import ConfigError
from permutree.training.config import Config
from permutree.training.overrides import configure
from permutree_lab.folders import GRIDS, LAB
from permutree_lab.grid import Axes, Cell, Experiment, Selection, sparse_settings
from permutree_lab.plots import draw, make_plot
from permutree_lab.report import find_experiments, make_table
from permutree_lab.results import Results, append_row
from permutree_lab.treebanks import Treebank

GRID = """\
title = "Two by two"
base = "paper-bilstm"

[settings]
training.epochs = 3

[axes]
treebank = ["alpino", "masc"]
seed = [1, 2]
encoding = ["lehmer", "pointer"]

[axes.encoder]
BiLSTM = {}
Transformer = { base = "paper-transformer", training = { batch = 700 } }

[[without]]
cells = ["treebank=masc", "encoding=lehmer"]

[[when]]
cells = ["treebank=alpino", "encoder=transformer"]
epochs = 9
"""


Shipped = Callable[[str], Experiment]


def load(folder: Path, text: str, name: str = "grid") -> Experiment:
    path = folder / f"{name}.toml"
    path.write_text(text, "utf-8")
    return Experiment.load(path)


def at(experiment: Experiment, *texts: str) -> Cell:
    (cell,) = experiment.select(texts)
    return cell


def test_cells_are_all_combinations_but_those_left_out(tmp_path: Path) -> None:
    grid = load(tmp_path, GRID)
    assert grid.title == "Two by two"
    assert list(grid.axes) == ["treebank", "encoding", "encoder", "seed"]
    # Two treebanks, encodings, encoders and seeds, without one encoding of one treebank.
    assert len(grid.cells) == 2 * 2 * 2 * 2 - 4
    assert [str(cell) for cell in grid.cells[:7]] == [
        "alpino, lehmer, BiLSTM, seed 1",
        "alpino, lehmer, Transformer, seed 1",
        "alpino, pointer, BiLSTM, seed 1",
        "alpino, pointer, Transformer, seed 1",
        "masc, pointer, BiLSTM, seed 1",
        "masc, pointer, Transformer, seed 1",
        "alpino, lehmer, BiLSTM, seed 2",
    ]
    assert len({cell.key for cell in grid.cells}) == len(grid.cells)


def test_settings_come_from_the_base_the_axes_and_rules_in_this_order(tmp_path: Path) -> None:
    grid = load(tmp_path, GRID)
    bilstm = at(grid, "treebank=alpino", "encoding=lehmer", "encoder=BiLSTM", "seed=2").config
    assert bilstm == configure("paper-bilstm", {"epochs": 3, "encoding": "lehmer", "seed": 2})
    transformer = at(grid, "treebank=alpino", "encoding=lehmer", "encoder=Transformer", "seed=2").config
    changes = {"epochs": 9, "encoding": "lehmer", "seed": 2, "training.batch": 700}
    assert transformer == configure("paper-transformer", changes)
    assert at(grid, "treebank=masc", "encoder=Transformer", "seed=2").config.training.epochs == 3


def test_a_base_is_a_file_beside_the_grid(tmp_path: Path) -> None:
    (tmp_path / "bases").mkdir()
    (tmp_path / "bases" / "mine.toml").write_text("[training]\nbatch = 77\n", "utf-8")
    grid = load(tmp_path, "base = 'bases/mine.toml'\n[axes]\ntreebank = ['a']\n")
    assert grid.cells[0].config == configure(Config(), {"training.batch": 77})


ARCHIVED = """\
archived = "git tag v0"
base = "gone"

[settings]
model.gone = true

[axes]
treebank = ["a", "b"]

[axes.step]
first = {}
second = { training.gone = 3, sentences = 100 }

[[tables]]
name = "dev"
rows = ["step"]
columns = ["treebank"]
figures = ["dev f1"]

[[tables]]
name = "settings"
kind = "settings"
columns = ["step"]
"""


def test_an_archived_grid_has_cells_without_settings(tmp_path: Path) -> None:
    grid = load(tmp_path, ARCHIVED)
    assert [str(cell) for cell in grid.cells] == [
        "a, first, seed 1",
        "a, second, seed 1",
        "b, first, seed 1",
        "b, second, seed 1",
    ]
    assert grid.cells[1].sentences == 100
    with pytest.raises(ConfigError, match=r"experiment grid is archived: .*; run it at the git tag v0"):
        grid.check_runnable()
    with pytest.raises(ConfigError, match="experiment grid is archived"):
        _ = grid.cells[0].key


def test_results_of_an_archived_grid_are_found_by_their_places(tmp_path: Path) -> None:
    place = {"seed": "1", "step": "second", "treebank": "a"}
    row = {"key": "old", "experiment": "grid", "cell": place, "dev": {"f1": 71.0}, "test": {}, "parameters": 2_000_000}
    append_row(tmp_path / "grid.jsonl", row | {"settings": {"training.gone": 3}})
    append_row(tmp_path / "other.jsonl", row | {"key": "other", "experiment": "other", "dev": {"f1": 1.0}})
    grid, results = load(tmp_path, ARCHIVED), Results(tmp_path)
    assert results.key(at(grid, "treebank=a", "step=second")) == "old"
    dev, settings = (make_table(grid, spec, results).markdown() for spec in grid.tables)
    assert "| first | – | – |\n| second | 71.0 | – |" in dev
    assert "| training.gone | – | 3 |" in settings
    assert "| weights, a | – | 2.0M |" in settings


def test_keys_go_by_what_makes_a_difference(tmp_path: Path) -> None:
    cell = load(tmp_path, GRID).cells[0]
    other = load(tmp_path, GRID.replace('"lehmer", "pointer"', '"pointer", "lehmer"'), "other")
    same = at(other, "treebank=alpino", "encoding=lehmer", "encoder=BiLSTM", "seed=1")
    assert same.key == cell.key
    assert same.experiment != cell.experiment
    training = cell.config.training
    assert replace(cell, settings=replace(cell.config, training=replace(training, minutes=3.0))).key == cell.key
    assert replace(cell, settings=replace(cell.config, training=replace(training, seed=2))).key != cell.key
    assert replace(cell, settings=replace(cell.config, out="elsewhere")).key == cell.key
    assert replace(cell, sentences=100).key != cell.key


def test_a_key_that_has_not_changed() -> None:
    # If this fails, results that are kept no longer belong to their cells.
    identity = {
        "settings": {"training.epochs": 3},
        "data": {"train": ["a/train"], "dev": ["a/dev"], "test": ["a/test"]},
    }
    cell = Cell("any", "train", {}, Treebank("a"), configure(Config(), {"epochs": 3}))
    assert cell.identity == identity
    assert cell.key == "cbb3a517f10a"


def test_only_the_names_of_files_count() -> None:
    config = configure(Config(), {"encoder": "/somewhere/minilm"})
    assert sparse_settings(config)["model.encoder.pretrained"] == "minilm"


def test_settings_as_they_are_usually_are_not_listed() -> None:
    assert sparse_settings(Config()) == {}
    assert sparse_settings(configure(Config(), {"train": "a", "dev": "b", "out": "c", "seed": 7})) == {
        "training.seed": 7
    }


def test_treebanks_are_described_beside_the_grid(tmp_path: Path) -> None:
    (tmp_path / "treebanks.toml").write_text('[masc]\ntrain = ["masc/train", "craft/train"]\n', "utf-8")
    grid = load(tmp_path, GRID)
    assert grid.cells[0].treebank.data() == {
        "train": ["alpino/train"],
        "dev": ["alpino/dev"],
        "test": ["alpino/test"],
    }
    masc = at(grid, "treebank=masc", "encoder=BiLSTM", "seed=1").treebank
    assert masc.parts("train") == ("masc/train", "craft/train")
    assert masc.own_train == "masc/train"


def test_taggers_belong_to_cells_with_predicted_tags(tmp_path: Path) -> None:
    text = """
    [tagger]
    folds = 3
    training.epochs = 4
    [axes]
    treebank = ["a", "b"]
    tags = ["gold", "predicted", "joint"]
    seed = [1, 2]
    [[when]]
    cells = ["treebank=b"]
    tagger.training.batch = 50
    """
    grid = load(tmp_path, text)
    assert [cell.tagger is not None for cell in grid.cells[:3]] == [False, True, False]
    taggers = grid.taggers(grid.cells)
    # The seed of the parser makes no difference to the tags.
    assert len(taggers) == 2
    first, second = taggers.values()
    assert (first.folds, first.config.training.epochs, first.config.model.task) == (3, 4, "tag")
    assert (first.config.training.batch, second.config.training.batch) == (2500, 50)


def test_selections() -> None:
    axes: Axes = {"encoder": {"BiLSTM": {}, "Transformer": {}}, "seed": {"1": {}, "2": {}}}
    selection = Selection.parse(["encoder=bilstm", "seed=1, 2"], axes)
    assert selection.has({"encoder": "BiLSTM", "seed": "2"})
    assert not selection.has({"encoder": "Transformer", "seed": "2"})
    assert selection.has({"seed": "1"})
    for text, said in (
        ("encoder", "expected axis=value"),
        ("coder=x", "no axis 'coder'; there are encoder, seed"),
        ("seed=3", "axis seed has no value '3'; there are 1, 2"),
    ):
        with pytest.raises(ConfigError, match=said):
            Selection.parse([text], axes)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = 'x'", "needs axes"),
        ("axis = 3", "no setting 'axis' of an experiment; there are title"),
        ("[axes]\nencoding = ['pointer']", "name the treebanks"),
        ("[axes]\nshape = ['round']", "say what the values of axis shape change"),
        ("[axes]\ntreebank = ['a,b']", "none can be called 'a,b'"),
        ("[axes]\ntreebank = []", "axis treebank has no values"),
        ("[axes]\ntreebank = ['a']\n[settings]\nmodel.sise = 3", r"no setting 'model.sise'.*\(at treebank=a, seed=1\)"),
        ("[axes]\ntreebank = ['a']\nencoding = ['no']", "encoding must be one of"),
        ("task = 'cook'\n[axes]\ntreebank = ['a']", "task must be train or count"),
        ("[axes]\ntreebank = ['a']\n[[when]]\nepochs = 3", r"\[\[when\]\] must say which cells"),
        ("[axes]\ntreebank = ['a']\n[[tables]]\nrows = ['x']", r"\[\[tables\]\] must say name"),
        ("[axes]\ntreebank = ['a']\n[[claims]]\nsays = 'x'", "must say first and second"),
    ],
)
def test_errors_name_the_file_and_what_is_wrong(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=f"grid.toml: .*{said}"):
        load(tmp_path, text)


@pytest.mark.parametrize("name", [path.stem for path in find_experiments(GRIDS)])
def test_shipped_experiments_are_in_order(shipped: Shipped, name: str, tmp_path: Path) -> None:
    experiment = shipped(name)
    assert experiment.tables
    keys = [cell.place if experiment.archived else cell.key for cell in experiment.cells]
    assert len(set(keys)) == len(keys)
    for claim in experiment.claims:
        for texts in (claim.first, claim.second, claim.where):
            Selection.parse(texts, experiment.axes)
    json.dumps([cell.identity for cell in experiment.cells if not experiment.archived])
    # Without results, tables and plots are empty, but no mistake.
    for spec in experiment.tables:
        assert make_table(experiment, spec, Results(tmp_path)).columns
    for plot in experiment.plots:
        assert b"no results yet" in draw(make_plot(experiment, plot, Results(tmp_path)))


def test_archived_experiments_have_all_results(shipped: Shipped) -> None:
    archived = [one for one in (shipped(path.stem) for path in find_experiments(GRIDS)) if one.archived]
    assert {one.name for one in archived} >= {"beyond", "encoders", "extensions", "final", "labellers", "students"}
    results = Results(LAB / "results")
    for experiment in archived:
        assert "before-redesign" in (experiment.archived or "")
        assert all(results.of(cell) for cell in experiment.cells)


def test_experiments_share_cells(shipped: Shipped) -> None:
    encodings, tags = shipped("encodings"), shipped("tags")
    shared = {cell.key for cell in encodings.cells} & {cell.key for cell in tags.cells}
    # Five treebanks, two encoders, three seeds; pointer, inverse Lehmer and absolute with gold tags.
    assert len(shared) == 5 * 2 * 3 * 3
