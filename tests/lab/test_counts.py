from pathlib import Path

from permutree.settings import read_toml
from permutree_lab.folders import GRIDS
from permutree_lab.grid import Experiment, TableSpec
from permutree_lab.report import find_experiment, make_table, table_named
from permutree_lab.results import Results, append_row

SIZE = {
    "sentences": 50,
    "words": 500,
    "discontinuous sentences": 5,
    "constituents": 400,
    "discontinuous constituents": 4,
}


def counted(tmp_path: Path) -> tuple[Experiment, Results]:
    experiment = find_experiment("statistics", GRIDS)
    cell = experiment.cells[0]
    components = ["levels", "shared", "unary", "absolute", "relative", "lehmer", "inverse-lehmer", "pointer"]
    components.append("pointer-simplified")
    values = {name: 1000 + number for number, name in enumerate(components)}
    unseen = {name: {"unique": number, "total": 2 * number, "percent": 0.125} for number, name in enumerate(components)}
    labels = {"values": values, "unseen": unseen}
    sizes = {"train": SIZE, "dev": SIZE, "test": SIZE, "alpino/extra-train": SIZE}
    append_row(tmp_path / "statistics.jsonl", {"key": cell.key, "sizes": sizes, "labels": labels})
    return experiment, Results(tmp_path)


def lines(tmp_path: Path, name: str) -> list[str]:
    experiment, results = counted(tmp_path)
    return make_table(experiment, table_named(experiment, name), results).markdown().splitlines()


def test_values_of_labels_beside_the_papers(tmp_path: Path) -> None:
    found = lines(tmp_path, "labels")
    assert found[2] == "| component | TIGER | NEGRA | DPTB | alpino |"
    assert found[4] == "| n (levels) | 22 | 19 | 34 | 1,000 |"
    assert found[12] == "| p as pointer-simplified | 81 | 65 | 83 | 1,008 |"


def test_new_values(tmp_path: Path) -> None:
    found = lines(tmp_path, "unseen")
    assert found[4] == "| n (levels) | – | – | – | – |"
    assert found[5] == "| x (shared) |  |  |  | 1 / 2 (0.12) |"
    assert found[8] == "| p as relative | 1 / 8 (0.0087) | 1 / 1 (0.0059) | – | 4 / 8 (0.12) |"


def test_sizes(tmp_path: Path) -> None:
    found = lines(tmp_path, "sizes")
    assert found[4].startswith("| TIGER | 40,472 | 5,000 | 5,000 | ")
    assert found[7] == "| alpino | 50 | 50 | 50 | alpino/extra-train 50 | 1,500 | 10.0 | 1.0 |"


def test_settings_by_encoder(tmp_path: Path) -> None:
    experiment = find_experiment("tiny", GRIDS)
    spec = TableSpec("settings", "Settings", "settings", columns=("encoder",))
    table = make_table(experiment, spec, Results(tmp_path))
    rows = {row[0]: list(row[1:]) for row in table.rows}
    assert table.columns == ["setting", "BiLSTM", "Transformer"]
    assert rows["optimiser.rate"] == ["0.02", "0.02"]
    assert rows["model.encoder.kind"] == ["–", "transformer"]
    assert rows["weights, tiny"] == ["–", "–"]
    assert "training.seed" not in rows


def test_published_figures() -> None:
    # Some of each table, looked up in the paper.
    published = read_toml(GRIDS / "published.toml")
    assert ["BERT", "pointer-simplified", "TIGER", 89.2, 59.7] in published["dev"]["rows"]
    assert ["Transformer", "relative", "DPTB", 86.8, 16.4] in published["dev"]["rows"]
    assert ["predicted", "BiLSTM", "pointer", "NEGRA", 75.6, 34.6, 244, 715] in published["test"]["rows"]
    assert ["gold", "BERT large", "pointer", "DPTB", 92.8, 55.4, 0.75, 34] in published["test"]["rows"]
    assert ["predicted", "BERT", "pointer", "NEGRA", 43.2, 48.4, 45.6] in published["discontinuous"]["rows"]
    assert {name: len(table["rows"]) for name, table in published.items()} == {
        "dev": 72,
        "test": 32,
        "discontinuous": 12,
        "parameters": 13,
        "labels": 9,
        "unseen": 7,
        "sizes": 3,
        "hyper-parameters": 12,
    }
    for table in published.values():
        assert {len(row) for row in table["rows"]} == {len(table["columns"])}
