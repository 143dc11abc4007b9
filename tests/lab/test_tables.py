from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from permutree.errors import ConfigError, DataError
from permutree_lab.grid import Experiment
from permutree_lab.report import fill_page, find_experiment, find_experiments, make_table, table_named
from permutree_lab.results import Results, append_row
from permutree_lab.tables import FORMATS

GRID = """\
[axes]
treebank = ["alpino", "masc"]
encoding = ["lehmer", "pointer"]
seed = [1, 2, 3]

[[tables]]
name = "dev"
title = "Dev sets"
rows = ["encoding"]
columns = ["treebank"]
figures = ["dev f1", "dev disc f1"]
published = "dev"
best = "all"

[[tables]]
name = "weights"
rows = ["treebank"]
figures = ["parameters", "cpu sentences/s"]
where = ["encoding=pointer"]

[[tables]]
name = "mixed"
rows = ["treebank"]
figures = ["dev f1"]

[[plots]]
name = "curves"
kind = "curves"
lines = ["encoding"]
where = ["treebank=alpino"]
"""

PUBLISHED = """\
[dev]
columns = ["encoding", "treebank", "dev f1", "dev disc f1"]
rows = [["pointer", "TIGER", 84.4, 49.0], ["lehmer", "TIGER", 81.6, 33.4], ["pointer", "masc", 1.0, 2.0]]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "grid.toml").write_text(GRID, "utf-8")
    (tmp_path / "published.toml").write_text(PUBLISHED, "utf-8")
    return tmp_path


@pytest.fixture
def results(folder: Path) -> Results:
    """Alpino is done, pointers better than Lehmer codes; masc has one seed."""
    scores = {("pointer", "1"): 74.0, ("pointer", "2"): 75.0, ("pointer", "3"): 76.0}
    scores |= {("lehmer", "1"): 68.0, ("lehmer", "2"): 68.0, ("lehmer", "3"): 71.0}
    for cell in Experiment.load(folder / "grid.toml").cells:
        f1 = scores.get((cell.coordinates["encoding"], cell.coordinates["seed"]))
        if cell.coordinates["treebank"] == "masc":
            f1 = 80.25 if (cell.coordinates["encoding"], cell.coordinates["seed"]) == ("pointer", "1") else None
        if f1 is not None:
            part: dict[str, Any] = {"f1": f1, "discontinuous": {"f1": f1 - 30}}
            row = {"key": cell.key, "cell": dict(cell.coordinates), "dev": part, "test": part, "parameters": 12_345_678}
            append_row(folder / "results" / "grid.jsonl", row | {"curve": [[1, f1 - 5, None], [2, f1, 3.0]]})
    return Results(folder / "results")


def table(folder: Path, results: Results, name: str, style: str) -> str:
    experiment = find_experiment("grid", folder)
    return FORMATS[style](make_table(experiment, table_named(experiment, name), results))


def test_means_and_deviations_beside_published_figures(folder: Path, results: Results) -> None:
    # The sample's deviations: 1 for 74, 75, 76; √3 for 68, 68, 71.
    assert (
        table(folder, results, "dev", "markdown")
        == """\
**Dev sets: dev F1 / dev disc. F1**

| encoding | alpino | masc | TIGER | masc (paper) |
|---|---:|---:|---:|---:|
| lehmer | 69.0 ± 1.7 / 39.0 ± 1.7 | – | 81.6 / 33.4 | – |
| pointer | **75.0 ± 1.0** / **45.0 ± 1.0** | 80.2 / 50.2 | **84.4** / **49.0** | 1.0 / 2.0 |

Mean ± standard deviation over 3 seeds. 5 of 12 cells have no result yet.
"""
    )


def test_figures_of_one_seed_have_no_mean(folder: Path, results: Results) -> None:
    for cell in Experiment.load(folder / "grid.toml").select(["seed=1"]):
        append_row(folder / "results" / "speeds" / "grid.jsonl", {"key": cell.key, "on": "cpu", "sentences/s": 300.0})
    experiment = find_experiment("grid", folder)
    spec = replace(table_named(experiment, "dev"), figures=("cpu sentences/s",), published=None)
    found = make_table(experiment, spec, Results(folder / "results"))
    assert found.markdown().splitlines()[-3:] == [
        "| pointer | 300 | 300 |",
        "",
        "5 of 12 cells have no result yet.",
    ]


def test_latex(folder: Path, results: Results) -> None:
    lines = table(folder, results, "dev", "latex").splitlines()
    assert lines[1] == r"\begin{tabular}{lrrrrrrrr}"
    assert lines[3].startswith(r"encoding & \multicolumn{2}{c}{alpino} & ")
    assert lines[6].startswith(r"pointer & \textbf{75.0 $\pm$ 1.0} & \textbf{45.0 $\pm$ 1.0} & ")


def test_figures_for_machines(folder: Path, results: Results) -> None:
    experiment = find_experiment("grid", folder)
    found = make_table(experiment, table_named(experiment, "dev"), results).records()
    assert found[1]["alpino dev f1"] == 75
    assert found[1]["alpino dev f1 deviation"] == 1
    assert found[1]["alpino dev f1 seeds"] == 3
    assert found[0]["masc dev f1"] is None
    head, first, *_ = table(folder, results, "dev", "csv").splitlines()
    assert head.startswith("encoding,alpino dev f1,alpino dev f1 deviation,alpino dev f1 seeds,")
    assert first.startswith("lehmer,69.0,1.7321,3,39.0,")


def test_figures_without_columns(folder: Path, results: Results) -> None:
    lines = table(folder, results, "weights", "markdown").splitlines()
    assert lines[2] == "| treebank | parameters | CPU sentences/s |"
    assert lines[4] == "| alpino | 12.3M | – |"


def test_what_should_be_apart_is_not_mixed(folder: Path, results: Results) -> None:
    with pytest.raises(ConfigError, match="table mixed mixes the values of axis encoding"):
        table(folder, results, "mixed", "markdown")


def test_names_that_are_not_there(folder: Path) -> None:
    assert [path.stem for path in find_experiments(folder)] == ["grid"]
    with pytest.raises(ConfigError, match=r"no experiment 'gird' in .*; there are grid"):
        find_experiment("gird", folder)
    with pytest.raises(ConfigError, match="has no table 'deb'; there are dev, weights, mixed"):
        table_named(find_experiment("grid", folder), "deb")


def test_pages_are_brought_up_to_date(folder: Path, results: Results) -> None:
    page = folder / "page.md"
    page.write_text(
        "# Results\n\n<!-- experiment: table grid weights -->\nold\n<!-- end -->\n\nWords.\n\n"
        "<!-- experiment: plot grid curves -->\n<!-- end -->\n",
        "utf-8",
    )
    fill_page(page, folder, results)
    text = page.read_text("utf-8")
    assert "old" not in text
    assert "| masc | 12.3M | – |" in text
    assert "\n\nWords.\n\n" in text
    assert "![grid](images/grid-curves.svg)\n<!-- end -->\n" in text
    assert ">pointer</text>" in (folder / "images" / "grid-curves.svg").read_text("utf-8")
    before = page.stat().st_mtime_ns
    fill_page(page, folder, results)
    assert page.read_text("utf-8") == text
    assert page.stat().st_mtime_ns == before
    page.write_text("\n<!-- experiment: tabel grid dev -->\n<!-- end -->\n", "utf-8")
    with pytest.raises(DataError, match=r"page.md.*2.*expected 'table' or 'plot'"):
        fill_page(page, folder, results)
