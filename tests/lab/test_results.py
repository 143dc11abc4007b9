import json
import logging
from pathlib import Path

import pytest

from permutree.errors import ConfigError
from permutree.training.config import Config
from permutree_lab.grid import Cell
from permutree_lab.results import FIGURES, Mean, Results, append_row, figure, read_rows
from permutree_lab.treebanks import Treebank

ROW = {
    "key": "k",
    "dev": {"f1": 75.0, "discontinuous": {"f1": 46.0, "recall": 40.0}, "tag accuracy": None},
    "test": {"f1": 74.0},
    "parameters": 1000,
    "seconds": 20.0,
}


def test_figures() -> None:
    assert figure(ROW, "dev f1") == 75
    assert figure(ROW, "dev disc recall") == 40
    assert figure(ROW, "dev tag accuracy") is None
    assert figure(ROW, "test disc f1") is None
    assert figure(ROW, "parameters") == 1000
    assert figure(ROW, "gpu sentences/s") is None
    assert all(figure({}, name) is None for name in FIGURES)
    with pytest.raises(ConfigError, match="no figure 'f1'; there are dev precision"):
        figure(ROW, "f1")


def test_means() -> None:
    # The sample's deviation: √(((−1)² + 0² + 1²) / 2).
    assert Mean.of([1.0, 2.0, 3.0]) == Mean(2.0, 1.0, 3)
    assert Mean.of([5.0]) == Mean(5.0, None, 1)
    assert Mean.of([None]) is None


def test_rows_are_appended_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "a.jsonl"
    for number in range(3):
        append_row(path, {"key": str(number)})
    assert [row["key"] for row in read_rows(path)] == ["0", "1", "2"]


def test_a_line_that_was_cut_off(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"key": "a"}\n{"key": "b", "dev', "utf-8")
    append_row(path, {"key": "c"})
    with caplog.at_level(logging.WARNING):
        assert [row["key"] for row in read_rows(path)] == ["a", "c"]
    assert "line 2: left out" in caplog.text


def cell(**coordinates: str) -> Cell:
    return Cell("mine", "train", coordinates, Treebank(coordinates.get("treebank", "a")), Config())


def write(path: Path, *rows: dict[str, object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def test_results_of_all_experiments_count(tmp_path: Path) -> None:
    one = cell(treebank="a")
    write(tmp_path / "other.jsonl", ROW | {"key": one.key, "experiment": "other"})
    write(tmp_path / "speeds" / "other.jsonl", {"key": one.key, "on": "cpu", "sentences/s": 99.0})
    found = Results(tmp_path).of(one)
    assert found is not None
    assert figure(found, "cpu sentences/s") == 99
    assert Results(tmp_path).of(cell(treebank="b")) is None


def test_results_without_test_scores_are_for_their_own_experiment(tmp_path: Path) -> None:
    one = cell(treebank="a")
    half = {"key": one.key, "dev": ROW["dev"], "experiment": "other"}
    write(tmp_path / "z.jsonl", half)
    assert Results(tmp_path).of(one) is None
    write(tmp_path / "z.jsonl", half | {"experiment": "mine"})
    assert Results(tmp_path).of(one) is not None
    # A whole one comes first, whatever its file is called.
    write(tmp_path / "a.jsonl", ROW | {"key": one.key, "experiment": "other"})
    assert (Results(tmp_path).of(one) or {}).get("test") == ROW["test"]


def test_a_result_with_another_key_is_shown_but_not_taken_for_done(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    one = cell(treebank="a", seed="1")
    place = {"seed": "1", "treebank": "a"}
    write(tmp_path / "mine.jsonl", ROW | {"key": "old", "experiment": "mine", "cell": place})
    results = Results(tmp_path)
    assert (results.of(one) or {})["key"] == results.key(one) == "old"
    assert not results.is_done(one)
    assert caplog.text.count("mine: some results have old keys (permutree experiment rekey)") == 1
    # The result of the settings themselves comes first.
    results.append("other", ROW | {"key": one.key, "experiment": "other", "cell": {}})
    assert (results.of(one) or {})["key"] == one.key
    assert results.is_done(one)


def test_how_long_a_cell_will_take(tmp_path: Path) -> None:
    place = {"treebank": "a", "encoder": "BiLSTM", "encoding": "pointer"}
    write(
        tmp_path / "a.jsonl",
        ROW | {"key": "1", "cell": place | {"seed": "1"}, "seconds": 10.0},
        ROW | {"key": "2", "cell": place | {"seed": "2"}, "seconds": 20.0},
        ROW | {"key": "3", "cell": place | {"encoding": "lehmer", "seed": "1"}, "seconds": 60.0},
    )
    results = Results(tmp_path)
    assert results.estimate(cell(**place, seed="3")) == 15
    assert results.estimate(cell(**(place | {"encoding": "absolute"}), seed="1")) == 30
    assert results.estimate(cell(**(place | {"treebank": "b"}), seed="1")) is None
