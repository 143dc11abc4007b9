import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Literal

import pytest
import torch

from permutree import Parser, Tree, evaluate, read
from permutree.training.config import Config
from permutree_lab import speed
from permutree_lab.cell import RUNNER, Places, make_tags, run_cell
from permutree_lab.grid import Cell, Experiment
from permutree_lab.results import figure
from permutree_lab.speed import measure_speed
from permutree_lab.treebanks import Treebank

torch.set_num_threads(1)


def test_a_cell_from_training_to_scores(tiny: Experiment, places: Places) -> None:
    cell = tiny.cells[0]
    row = run_cell(cell, places)
    assert row["key"] == cell.key
    assert row["cell"] == {"treebank": "tiny", "encoding": "pointer", "tags": "gold", "encoder": "BiLSTM", "seed": "1"}
    assert row["settings"]["training.epochs"] == 2
    assert row["data"] == {"train": ["tiny/train"], "dev": ["tiny/dev"], "test": ["tiny/test"]}
    assert (row["epochs"], row["train sentences"], [point[0] for point in row["curve"]]) == (2, 20, [1, 2])
    assert row["parameters"] > 0
    assert {"commit", "device", "versions", "date", "host", "seconds", "train sentences/s"} <= row.keys()
    # The scores are those of the trees that were kept.
    predicted = list(read(places.prediction(cell.key, "test")))
    gold = list(read(places.treebanks / "tiny" / "test.discbracket"))
    found = evaluate(gold, predicted)
    assert row["test"]["f1"] == round(found.f1 or 0, 4)
    assert row["test"]["discontinuous"]["brackets"][0] == 8
    assert sum(counts[0] for counts in row["test"]["gaps"].values()) == row["test"]["brackets"][0]
    assert row["test"]["lengths"]["1–10"][0] == 20
    assert row["test"]["tag accuracy"] is None
    # It is not done twice.
    result = places.cell(cell.key) / "result.json"
    before = result.stat().st_mtime_ns
    assert run_cell(cell, places) == row
    assert result.stat().st_mtime_ns == before
    measured = measure_speed(cell, places, "cpu")
    assert (measured["on"], measured["sentences"], measured["weights"]) == ("cpu", 20, "trained")
    assert measured["sentences/s"] > 0


def test_untrained_models_are_told_labels(tiny: Experiment, places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Tree] = []

    def seconds(parser: Parser, trees: list[Tree]) -> float:
        told.extend(tree for parsed in parser.batches(trees) for tree in parsed.trees())
        return 1.0

    monkeypatch.setattr(speed, "_seconds", seconds)
    monkeypatch.setattr(speed, "_ROUNDS", 1)
    monkeypatch.setattr(speed, "_SECONDS", 1.0)
    for tags in ("gold", "predicted"):
        for cell in tiny.select([f"tags={tags}"]):
            told.clear()
            row = measure_speed(cell, places, "cpu", untrained=True)
            assert (row["weights"], row["sentences/s"]) == ("random", 20.0)
            # In both rounds, as the labels are those of the test set from the beginning again.
            gold = list(read(places.treebanks / "tiny" / "test.discbracket"))
            assert [tree.labels for tree in told] == [tree.labels for tree in gold] * 2


def test_one_measures_while_others_prepare(tiny: Experiment, places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    running: list[int] = []
    at_once: list[int] = []

    def seconds(*_: object) -> float:
        running.append(1)
        at_once.append(len(running))
        time.sleep(0.02)
        running.pop()
        return 1.0

    monkeypatch.setattr(speed, "_seconds", seconds)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: measure_speed(tiny.cells[0], places, "cpu", untrained=True), range(4)))
    assert at_once == [1] * 16


def test_predicted_tags_are_made_once(tiny: Experiment, places: Places) -> None:
    (cell,) = tiny.select(["tags=predicted"])
    assert cell.tagger is not None
    shares = make_tags(cell.tagger, places)
    assert shares.keys() == {"train", "dev", "test"}
    assert all(0 <= share <= 100 for share in shares.values())
    folder = places.tags(cell.tagger.key)
    before = {path: path.stat().st_mtime_ns for path in folder.glob("*.xz")}
    assert len(before) == 3
    row = run_cell(cell, places)
    assert {path: path.stat().st_mtime_ns for path in folder.glob("*.xz")} == before
    assert row["tagger"] == shares
    assert row["test"]["tag accuracy"] == shares["test"]
    tags = [tree.tags for tree in read(folder / "test.discbracket.xz")]
    assert [tree.tags for tree in read(places.prediction(cell.key, "test"))] == tags


def test_a_part_of_the_training_set(tiny: Experiment, places: Places) -> None:
    cell = replace(tiny.cells[0], sentences=8)
    assert run_cell(cell, places)["train sentences"] == 8
    chosen = list(read(places.work / "data" / "tiny-8.discbracket.xz"))
    trees = list(read(places.treebanks / "tiny" / "train.discbracket"))
    assert chosen == [trees[number] for number in (0, 2, 5, 7, 10, 12, 15, 17)]


def test_a_treebank_is_counted(places: Places) -> None:
    bank = Treebank("tiny", train=("tiny/train", "tiny/dev"))
    row = run_cell(Cell("counts", "count", {"treebank": "tiny"}, bank, Config()), places)
    assert row["sizes"]["train"] == {
        "sentences": 20,
        "words": 92,
        "discontinuous sentences": 8,
        "constituents": 64,
        "discontinuous constituents": 8,
    }
    assert row["sizes"]["tiny/dev"]["sentences"] == 20
    assert row["labels"]["sentences"] == 40
    assert row["labels"]["unseen"]["pointer"] == {"unique": 0, "total": 0, "percent": 0.0}


def test_a_cell_goes_on_where_it_was(tiny: Experiment, places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    cell = tiny.cells[0]
    # The process that is said to run this one does not, as no process is its own parent: it ends with its first epoch.
    monkeypatch.setenv(RUNNER, str(os.getpid()))
    with pytest.raises(SystemExit, match="was killed"):
        run_cell(cell, places)
    elapsed = json.loads((places.cell(cell.key) / "elapsed.json").read_text("utf-8"))
    assert (elapsed["epoch"], elapsed["epochs"]) == (1, 2)
    monkeypatch.delenv(RUNNER)
    row = run_cell(cell, places)
    assert row["epochs"] == 2
    assert row["seconds"] >= elapsed["seconds"]


def test_pretrained_encoders_are_looked_for_in_a_folder(places: Places) -> None:
    encoders = places.work / "encoders"
    (encoders / "minilm").mkdir(parents=True)
    there = replace(places, encoders=encoders)
    assert there.resource("minilm") == str(encoders / "minilm")
    assert there.resource("bert-base-cased") == "bert-base-cased"
    assert places.resource("minilm") == "minilm"


def with_suite(cell: Cell, tags: Literal["joint", "gold"] = "joint") -> Cell:
    """The cell with jointly predicted tags, scored on the suite of a language as well."""
    assert cell.settings is not None
    settings = replace(cell.settings, model=replace(cell.settings.model, tags=tags))
    return replace(cell, treebank=replace(cell.treebank, suite="is"), settings=settings)


def test_a_cell_is_scored_on_the_suite_of_its_language(tiny: Experiment, places: Places) -> None:
    cell = with_suite(tiny.cells[0])
    assert cell.key == replace(cell, treebank=tiny.cells[0].treebank).key, "it makes no other model"
    row = run_cell(cell, places)
    assert list(row["suite"]) == ["dev"], "the test half is for final figures"
    counts = row["suite"]["dev"]
    assert 0 <= counts["found"] <= counts["marked"]
    assert counts["marked"] == sum(kind["marked"] for kind in counts["kinds"].values())
    assert figure(row, "suite recall") == 100 * counts["found"] / counts["marked"]
    assert figure(row, "suite test recall") is None
    assert len(list(read(places.prediction(cell.key, "suite-dev")))) == counts["sentences"]


def test_the_test_half_is_scored_when_it_is_asked_for(tiny: Experiment, places: Places) -> None:
    row = run_cell(with_suite(tiny.cells[0]), replace(places, halves=("dev", "test")))
    assert figure(row, "suite test recall") is not None


def test_a_model_that_reads_tags_is_not_scored_on_the_suite(tiny: Experiment, places: Places) -> None:
    assert "suite" not in run_cell(with_suite(tiny.cells[0], "gold"), places)
