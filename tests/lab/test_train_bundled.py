"""The stages that make bundled models: sentences in parts, packed models, and grids for a rehearsal."""

import importlib
import json
import lzma
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
import torch

from permutree import Parser
from permutree.errors import DataError
from permutree.training.loop import train
from permutree_lab.cell import Places, placed_config
from permutree_lab.folders import GRIDS, LAB
from permutree_lab.grid import Experiment
from permutree_lab.treebanks import load_treebanks

torch.set_num_threads(1)
#: one cell of the grid for tests
CELL = ["encoding=pointer", "tags=gold", "encoder=BiLSTM", "seed=1"]


@pytest.fixture
def stages(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    monkeypatch.syspath_prepend(str(LAB / "models"))
    return importlib.import_module("train_bundled")


def test_sentences_take_turns(stages: ModuleType, tmp_path: Path) -> None:
    tokens = tmp_path / "en.tokens.xz"
    with lzma.open(tokens, "wt", encoding="utf-8") as file:
        file.write("a .\nb .\nc .\nd .\ne .\n")
    parts = [part.read_text("utf-8") for part in stages.shares(tokens, tmp_path / "parts", 2)]
    assert parts == ["a .\nc .\ne .\n", "b .\nd .\n"]


def test_packed_models_parse_elsewhere(
    stages: ModuleType, tiny: Experiment, places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (cell,) = tiny.select(CELL)
    model = train(placed_config(cell, places)).folder
    stage = stages.Stage(places.treebanks, places.work, tmp_path, GRIDS, CELL)
    assert stage.trained("tiny") == {}
    (places.cell(cell.key) / "timed.json").write_text(json.dumps({"f1": 50.0, "discontinuous f1": None}), "utf-8")
    assert stage.trained("tiny") == {"tiny": [(50.0, model)]}
    # What travels is cut into pieces.
    monkeypatch.setattr(stages, "PIECE", 20_000)
    stages.pack(stage, tmp_path / "out", "tiny", has_all=False)
    assert len(list((tmp_path / "out").iterdir())) > 1
    stages.unpack(tmp_path / "out", tmp_path / "models")
    words, tags = ["How", "does", "it", "work", "?"], ["WRB", "VBZ", "PRP", "VB", "."]
    assert Parser.load(tmp_path / "models" / "tiny").parse_tokens(words, tags).words == tuple(words)
    assert not (tmp_path / "models" / "models.tar").exists()


def test_not_only_the_best_model_is_packed(
    stages: ModuleType, tiny: Experiment, places: Places, tmp_path: Path
) -> None:
    only = ["encoding=pointer", "tags=gold", "encoder=BiLSTM", "seed=1,2"]
    stage = stages.Stage(places.treebanks, places.work, tmp_path, GRIDS, only)
    for score, cell in enumerate(tiny.select(only), 50):
        train(placed_config(cell, places))
        (places.cell(cell.key) / "timed.json").write_text(json.dumps({"f1": score}), "utf-8")
    stages.pack(stage, tmp_path / "out", "tiny", has_all=True)
    stages.unpack(tmp_path / "out", tmp_path / "models")
    for name, seed in {"tiny": 2, "tiny-2": 1}.items():
        done = json.loads((tmp_path / "models" / name / "done.json").read_text("utf-8"))
        assert done["settings"]["training"]["seed"] == seed


@pytest.mark.parametrize(("by", "treebank"), [("again", "nl-teacher-again"), ("decoder", "nl-teacher")])
def test_other_teachers_write_files_of_their_own(
    stages: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: str, treebank: str
) -> None:
    only = [f"treebank={treebank}", "seed=1", *(["rate=low", "arrangement=once"] if by == "decoder" else [])]
    stage = stages.Stage(tmp_path, tmp_path, tmp_path, GRIDS, only)
    (cell,) = stage.cells(f"teachers-{by}")
    folder = stage.places.cell(cell.key)
    (folder / "model").mkdir(parents=True)
    (folder / "model" / "model.safetensors").touch()
    (folder / "timed.json").write_text(json.dumps({"f1": 80.0}), "utf-8")
    (tmp_path / "sentences").mkdir()
    for name, text in {"nl": "a .\nb .\n", "nl-songs": "c .\n", "de": "d .\n"}.items():
        with lzma.open(tmp_path / "sentences" / f"{name}.tokens.xz", "wt", encoding="utf-8") as file:
            file.write(text)

    def copied(command: list[str], log: Path) -> object:
        assert command[command.index("--model") + 1] == str(folder / "model")
        Path(command[-1]).write_text(Path(command[-3]).read_text("utf-8"), "utf-8")
        return subprocess.Popen(["true"])

    monkeypatch.setattr(stages, "start", copied)
    stages.parse(stage, 0.1, 2, by)
    # What the first teachers parsed stays.
    assert [path.name for path in (tmp_path / "silver").iterdir()] == [f"nl-{by}.discbracket.xz"]
    assert (tmp_path / "silver" / f"nl-{by}.discbracket.xz").read_text("utf-8") == "a .\nb .\n"
    # Other text is parsed by the teachers of its language, and none is left out without a word.
    with pytest.raises(SystemExit, match="de: there are no teachers of this language"):
        stages.parse(stage, 0.1, 1, by, ["nl-songs", "de"])
    with pytest.raises(SystemExit, match=r"nl-song: there is no .*nl-song.tokens.xz"):
        stages.parse(stage, 0.1, 1, by, ["nl-songs", "nl-song"])
    assert len(list((tmp_path / "silver").iterdir())) == 1
    stages.parse(stage, 0.1, 1, by, ["nl-songs"])
    assert (tmp_path / "silver" / f"nl-songs-{by}.discbracket.xz").read_text("utf-8") == "c .\n"
    assert len(list((tmp_path / "silver").iterdir())) == 2


def test_models_are_named_by_their_seeds_for_those_that_start_from_them(
    stages: ModuleType, tiny: Experiment, places: Places, tmp_path: Path
) -> None:
    chosen = ["encoding=pointer", "tags=gold", "encoder=BiLSTM"]
    stage = stages.Stage(places.treebanks, tmp_path, tmp_path, GRIDS, [*chosen, "seed=1,2"])
    models = [stage.places.cell(cell.key) / "model" for cell in tiny.select([*chosen, "seed=1,2"])]
    models[0].mkdir(parents=True)
    (models[0] / "model.safetensors").touch()
    with pytest.raises(SystemExit, match="seed 2: there is no trained model"):
        stages.link(stage, "tiny", "first")
    # None is named if one is missing.
    assert list((tmp_path / "start").iterdir()) == []
    models[1].mkdir(parents=True)
    (models[1] / "model.safetensors").touch()
    for _ in range(2):
        stages.link(stage, "tiny", "first")
        assert [(tmp_path / "start" / f"first-{seed}").resolve() for seed in (1, 2)] == models
    both = stages.Stage(places.treebanks, tmp_path, tmp_path, GRIDS, ["tags=gold", "encoder=BiLSTM", "seed=1"])
    with pytest.raises(SystemExit, match="the same seed; choose with --only"):
        stages.link(both, "tiny", "first")


def test_an_ensemble_finds_constituents_in_one_way(stages: ModuleType, tmp_path: Path) -> None:
    only = ["words=plain", "treebank=de-teacher"]
    stage = stages.Stage(tmp_path, tmp_path, tmp_path, GRIDS, only)
    scores = {("ends", "1"): 82.0, ("ends", "2"): 81.0, ("local", "1"): 80.0, ("local", "2"): 83.0}
    for cell in stage.cells("teachers"):
        if (score := scores.get((cell.coordinates["constituents"], cell.coordinates["seed"]))) is not None:
            folder = stage.places.cell(cell.key)
            (folder / "model").mkdir(parents=True)
            (folder / "model" / "model.safetensors").touch()
            (folder / "timed.json").write_text(json.dumps({"f1": score, "discontinuous f1": 0.0}), "utf-8")
    assert [score for score, _ in stage.trained("teachers")["de"]] == [83.0, 80.0]


def test_the_best_epoch_is_noted(stages: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stage = stages.Stage(tmp_path, tmp_path, tmp_path, GRIDS, CELL)
    (cell,) = stage.cells("tiny")
    folder = stage.places.cell(cell.key)
    folder.mkdir(parents=True)

    def interrupted(config: object, end: float, *, on_epoch: Callable[[dict[str, float]], None]) -> None:
        for epoch, score in enumerate((70.0, 72.0, 71.0), 1):
            on_epoch({"epoch": epoch, "score": score})
        raise KeyboardInterrupt

    monkeypatch.setattr(stages, "placed_config", lambda *given: None)
    monkeypatch.setattr(stages, "train_until", interrupted)
    with pytest.raises(KeyboardInterrupt):
        stages.train_cell(stage, "tiny", cell.key, 0.0)
    assert json.loads((folder / "timed.json").read_text("utf-8"))["epoch"] == 2


def test_rehearsals_have_the_cells_of_the_real_thing(
    stages: ModuleType, shipped: Callable[[str], Experiment], tmp_path: Path
) -> None:
    prepare = importlib.import_module("prepare_training")
    prepare.tiny_grids(tmp_path / "grids")
    for name in ("bundled", "teachers", "teachers-again", "choices", "teaching", "spans", "learning"):
        real, small = shipped(name), Experiment.load(tmp_path / "grids" / f"{name}.toml")
        assert [cell.coordinates for cell in small.cells] == [cell.coordinates for cell in real.cells]
        for cell in small.cells:
            assert cell.config.training.epochs == 1
            assert cell.config.model.encoder.hidden == 8


def test_what_later_steps_make_is_not_missed_by_the_first(stages: ModuleType, tmp_path: Path) -> None:
    prepare = importlib.import_module("prepare_teaching")
    for bank in load_treebanks(GRIDS / "treebanks.toml").values():
        for part in {*bank.parts("train"), *bank.parts("dev"), *bank.parts("test"), *bank.tagged_parts}:
            if not part.startswith(("silver/", "annotated/")):
                path = tmp_path / f"{part}.discbracket"
                path.parent.mkdir(exist_ok=True)
                path.touch()
    prepare._check_grid(tmp_path, set(prepare.SOURCES))
    (tmp_path / "alpino" / "dev.discbracket").unlink()
    with pytest.raises(DataError, match="alpino/dev"):
        prepare._check_grid(tmp_path, set(prepare.SOURCES))


def test_vectors_are_not_made_of_dev_and_test_sets(stages: ModuleType) -> None:
    prepare = importlib.import_module("prepare_training")
    names = ["dev", "extra-train", "recent", "test", "train"]
    assert [name for name in names if prepare.is_trained(Path("icepahc", f"{name}.discbracket.xz"))] == names[
        1:3
    ] + names[4:]
