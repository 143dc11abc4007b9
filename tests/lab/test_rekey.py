import json
from pathlib import Path
from typing import Any

import pytest

from permutree.errors import ConfigError
from permutree_lab.grid import Experiment
from permutree_lab.rekey import Renaming, rekey
from permutree_lab.results import append_row, read_rows

GRID = """\
[axes]
treebank = ["a"]
encoding = ["lehmer", "pointer"]
"""


@pytest.fixture
def grid(tmp_path: Path) -> Experiment:
    path = tmp_path / "grid.toml"
    path.write_text(GRID, "utf-8")
    return Experiment.load(path)


def row(experiment: str, encoding: str, **more: Any) -> dict[str, Any]:
    cell = {"treebank": "a", "encoding": encoding, "seed": "1"}
    return {"key": "old", "experiment": experiment, "cell": cell, "settings": {"model.order": encoding}, **more}


def test_rows_get_the_keys_and_settings_of_their_cells(grid: Experiment, tmp_path: Path) -> None:
    results = tmp_path / "results"
    for name in ("grid.jsonl", "again/grid.jsonl"):
        append_row(results / name, row("grid", "lehmer", data={}, sentences=3, dev={"f1": 70.0}, tagger={"dev": 97.0}))
    append_row(
        results / "speeds" / "grid.jsonl", {"key": "old", "cell": row("grid", "pointer")["cell"], "sentences": 5}
    )
    assert rekey([grid], results) == {
        results / name: 1 for name in ("again/grid.jsonl", "grid.jsonl", "speeds/grid.jsonl")
    }
    lehmer, pointer = grid.cells
    for name in ("grid.jsonl", "again/grid.jsonl"):
        (found,) = read_rows(results / name)
        assert found["key"] == lehmer.key
        assert (found["settings"], found["data"]) == (lehmer.identity["settings"], lehmer.identity["data"])
        # All sentences are used; the scores are what they were.
        assert "sentences" not in found
        assert (found["dev"], found["tagger"]) == ({"f1": 70.0}, {"dev": 97.0})
    (speed,) = read_rows(results / "speeds" / "grid.jsonl")
    assert speed["key"] == pointer.key
    assert speed["sentences"] == 5
    assert rekey([grid], results) == {}


def test_rows_of_no_cell_and_of_archived_experiments_stay(grid: Experiment, tmp_path: Path) -> None:
    old = tmp_path / "old.toml"
    old.write_text('archived = "git tag v0"\n' + GRID, "utf-8")
    results = tmp_path / "results"
    append_row(results / "grid.jsonl", row("grid", "absolute"))
    append_row(results / "old.jsonl", row("old", "lehmer"))
    assert rekey([grid, Experiment.load(old)], results) == {}


def test_values_of_axes_are_renamed_everywhere(grid: Experiment, tmp_path: Path) -> None:
    results = tmp_path / "results"
    append_row(results / "grid.jsonl", row("grid", "code"))
    append_row(results / "old.jsonl", row("old", "code"))
    (results / "claims").mkdir()
    (results / "claims" / "old.json").write_text(json.dumps([{"says": "x", "where": {"encoding": "code"}}]), "utf-8")
    changed = rekey([grid], results, [Renaming.parse("encoding:code=lehmer")])
    assert {path.name for path in changed} == {"grid.jsonl", "old.jsonl", "old.json"}
    assert read_rows(results / "grid.jsonl")[0]["key"] == grid.cells[0].key
    assert read_rows(results / "old.jsonl") == [row("old", "lehmer") | {"settings": {"model.order": "code"}}]
    assert json.loads((results / "claims" / "old.json").read_text("utf-8"))[0]["where"] == {"encoding": "lehmer"}


def test_renamings_that_make_no_sense() -> None:
    with pytest.raises(ConfigError, match="expected axis:old=new, such as tags:own=joint, not 'tags=joint'"):
        Renaming.parse("tags=joint")
