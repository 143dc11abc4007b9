import json
from pathlib import Path

import pytest

from permutree import Tree, read, write
from permutree.errors import DataError
from permutree_lab.cell import Places
from permutree_lab.claims import check_claims
from permutree_lab.grid import Experiment
from permutree_lab.report import make_table, table_named
from permutree_lab.results import Results, append_row


@pytest.fixture
def results(tiny: Experiment, places: Places) -> Results:
    """Pointers get all trees right; Lehmer codes none, and one seed of them is missing."""
    folder = places.work / "results"
    gold = list(read(places.treebanks / "tiny" / "dev.discbracket"))
    flat = [Tree.parse(f"(X {' '.join(f'(X {at}={word})' for at, word in enumerate(tree.words))})") for tree in gold]
    for cell in tiny.select(["tags=gold", "encoder=BiLSTM"]):
        is_right = cell.coordinates["encoding"] == "pointer"
        if is_right or cell.coordinates["seed"] == "1":
            append_row(folder / "tiny.jsonl", {"key": cell.key, "experiment": "tiny", "dev": {}, "test": {}})
            path = places.prediction(cell.key, "dev")
            path.parent.mkdir(parents=True)
            write(gold if is_right else flat, path)
    return Results(folder)


def test_claims_are_tested_where_both_sides_are_there(tiny: Experiment, places: Places, results: Results) -> None:
    (row,) = check_claims(tiny, results, places)
    assert row["says"] == "pointer beats inverse Lehmer"
    assert row["where"] == {"treebank": "tiny", "tags": "gold", "encoder": "BiLSTM"}
    assert row["seeds"] == 1
    assert row["f1"]["difference"] == 100
    assert row["f1"]["p"] < 0.001
    # They are kept for tables.
    kept = json.loads((results.folder / "claims" / "tiny.json").read_text("utf-8"))
    assert kept == [row]
    (line,) = make_table(tiny, table_named(tiny, "claims"), results).rows
    assert line[1:6] == ["tiny, gold, BiLSTM", "1", "+100.0", "< 0.001", "+100.0"]
    # Of the 256 ways to exchange the eight discontinuous sentences, all and none make as large a difference.
    assert float(str(line[6])) == pytest.approx(2 / 256, abs=0.003)
    assert line[7] == "yes (F1, disc. F1)"


def test_without_predicted_trees_nothing_can_be_tested(tiny: Experiment, places: Places, results: Results) -> None:
    for path in sorted(places.work.rglob("dev.discbracket.xz")):
        path.unlink()
    with pytest.raises(DataError, match="the predicted trees are not here"):
        check_claims(tiny, results, places)


def test_no_claims_tested_yet(tiny: Experiment, tmp_path: Path) -> None:
    assert make_table(tiny, table_named(tiny, "claims"), Results(tmp_path)).rows == []


def test_claims_are_in_the_order_of_the_grid(places: Places, tmp_path: Path) -> None:
    file = tmp_path / "two.toml"
    file.write_text("""
        [axes]
        treebank = ["tiny"]
        encoding = ["pointer", "lehmer"]
        seed = [1, 2]
        [axes.encoder]
        First = {}
        Second = { model.encoder.kind = "transformer" }
        [[claims]]
        says = "pointer beats Lehmer"
        first = ["encoding=lehmer"]
        second = ["encoding=pointer"]
    """)
    two = Experiment.load(file)
    gold = list(read(places.treebanks / "tiny" / "dev.discbracket"))
    for cell in two.cells:
        # The first seed of the first encoder is missing.
        if cell.coordinates["encoder"] == "Second" or cell.coordinates["seed"] == "2":
            append_row(tmp_path / "results" / "two.jsonl", {"key": cell.key, "experiment": "two", "test": {}})
            places.prediction(cell.key, "dev").parent.mkdir(parents=True)
            write(gold, places.prediction(cell.key, "dev"))
    rows = check_claims(two, Results(tmp_path / "results"), places)
    assert [(row["where"]["encoder"], row["seeds"]) for row in rows] == [("First", 1), ("Second", 2)]
