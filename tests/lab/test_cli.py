import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from subprocess import TimeoutExpired
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from permutree import read
from permutree.errors import ConfigError, DataError
from permutree_lab import runner
from permutree_lab.cell import RUNNER
from permutree_lab.cli import command
from permutree_lab.folders import GRIDS
from permutree_lab.results import append_row, read_rows
from warm import WarmProcess


def experiment(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command, [*map(str, arguments)])


@pytest.fixture(autouse=True)
def _short_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """How fast a tiny model is, nobody wants to know for sure."""
    monkeypatch.setattr("permutree_lab.speed._SECONDS", 0.0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, tiny_treebank: Path) -> Path:
    """A folder with the tiny grid, published figures and the tiny treebank."""
    folder = tmp_path_factory.mktemp("experiments")
    for name in ("tiny.toml", "published.toml", "tiger.toml", "treebanks.toml"):
        shutil.copy(GRIDS / name, folder)
    (folder / "treebanks" / "tiny").mkdir(parents=True)
    for split in ("train", "dev", "test"):
        shutil.copy(tiny_treebank, folder / "treebanks" / "tiny" / f"{split}.discbracket")
    return folder


@contextmanager
def warm_cells() -> Iterator[None]:
    """Processes of cells begin with PyTorch imported; where one fails, below, it is started as for everybody."""
    popen = partial(WarmProcess, parent=RUNNER)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "subprocess", SimpleNamespace(Popen=popen, TimeoutExpired=TimeoutExpired))
        yield


@pytest.fixture(scope="module")
def run(folder: Path) -> Result:
    """The whole grid, run: two processes side by side."""
    options: list[str | Path] = ["--experiments", folder, "--treebanks", folder / "treebanks", "--processes", "2"]
    with warm_cells():
        return experiment("run", "tiny", *options)


def test_the_whole_grid(folder: Path, run: Result) -> None:
    assert run.exit_code == 0, run.stderr
    assert run.stderr.splitlines()[-1] == "permutree: tiny: 5 cells done"
    rows = read_rows(folder / "results" / "tiny.jsonl")
    assert len(rows) == 5
    assert {row["experiment"] for row in rows} == {"tiny"}
    for row in rows:
        for split in ("dev", "test"):
            path = folder / "work" / "predictions" / row["key"] / f"{split}.discbracket.xz"
            assert len(list(read(path))) == row[split]["sentences"] == 20
    # Nothing is left to be done.
    options: list[str | Path] = ["--experiments", folder, "--treebanks", folder / "treebanks"]
    again = experiment("run", "tiny", *options)
    assert again.stderr == "permutree: tiny: 0 cells done\n"
    dry = experiment("run", "tiny", *options, "--dry-run")
    assert dry.stdout.count("  done  ") == 5
    assert "0 of 5 cells to run" in dry.stderr


def test_the_list(folder: Path, run: Result) -> None:
    lines = experiment("list", "--experiments", folder).stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["tiger", "tiny"]
    assert re.search(r" 5 of +5 done +\d+\.\d h  A tiny grid, for tests$", lines[1])
    found = json.loads(experiment("list", "--experiments", folder, "--json").stdout)
    assert found[1]["tables"] == ["dev", "test", "settings", "claims"]
    assert found[1]["seconds"] > found[0]["seconds"] == 0


def test_tables_and_plots(folder: Path, run: Result, tmp_path: Path) -> None:
    result = experiment("table", "tiny", "--experiments", folder)
    assert result.exit_code == 0
    assert "| BiLSTM | pointer | " in result.stdout
    assert "| 84.4 / 49.0 |" in result.stdout.replace("**", "")
    one = experiment("table", "tiny", "test", "--experiments", folder, "--format", "json")
    assert [row["tags"] for row in json.loads(one.stdout)["test"]] == ["gold", "gold", "predicted"]
    assert "csv is for one table" in experiment("table", "tiny", "--experiments", folder, "--format", "csv").stderr
    out = tmp_path / "test.tex"
    assert experiment("table", "tiny", "test", "--experiments", folder, "--format", "latex", "-o", out).exit_code == 0
    assert r"\begin{tabular}" in out.read_text("utf-8")
    drawn = experiment("plot", "tiny", "--experiments", folder, "-o", tmp_path)
    assert [Path(line).name for line in drawn.stdout.splitlines()] == ["tiny-curves.svg", "tiny-lengths.svg"]
    page = tmp_path / "page.md"
    page.write_text("<!-- experiment: table tiny dev -->\n<!-- end -->\n", "utf-8")
    assert experiment("fill", page, "--experiments", folder).exit_code == 0
    assert "| BiLSTM | pointer | " in page.read_text("utf-8")


def test_plots_in_pixels(folder: Path, run: Result, tmp_path: Path) -> None:
    drawn = experiment("plot", "tiny", "--experiments", folder, "-o", tmp_path, "--to", "png")
    assert [Path(line).read_bytes()[:4] for line in drawn.stdout.splitlines()] == [b"\x89PNG"] * 2


def test_claims_and_speed(folder: Path, run: Result) -> None:
    options: list[str | Path] = ["--experiments", folder, "--treebanks", folder / "treebanks"]
    assert "| pointer beats inverse Lehmer | tiny, gold, BiLSTM |" in experiment("claims", "tiny", *options).stdout
    result = experiment("speed", "tiny", *options, "--on", "cpu", "--only", "encoding=pointer", "--only", "tags=gold")
    assert result.exit_code == 0, result.exception
    assert result.stdout.count(" sentences/s") == 2
    assert len(read_rows(folder / "results" / "speeds" / "tiny.jsonl")) == 2
    drawn = experiment("examples", "tiny", *options, "--only", "encoding=pointer")
    assert drawn.exit_code == 0, drawn.exception
    assert " by all): " in drawn.stdout
    nothing = experiment("examples", "tiny", *options, "--results", folder / "none")
    assert "no cell has a result; run it first: permutree experiment run tiny" in str(nothing.exception)
    # What was measured is not measured again.
    again = experiment("speed", "tiny", *options, "--on", "cpu", "--only", "encoding=pointer", "--only", "tags=gold")
    assert again.stdout == ""
    # An untrained model needs no result.
    new = [*options, "--results", folder / "new", "--on", "cpu", "--only", "encoding=pointer", "--only", "tags=gold"]
    assert experiment("speed", "tiny", *new).stdout == ""
    assert experiment("speed", "tiny", *new, "--untrained").stdout.count(" sentences/s") == 2
    assert experiment("speed", "tiny", *new, "--untrained").stdout == ""


def test_a_page_is_made_from_nothing(folder: Path, run: Result, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    places = ["table tiny dev", "table tiny test", "table tiny claims", "plot tiny curves"]
    page.write_text("".join(f"<!-- experiment: {place} -->\n<!-- end -->\n" for place in places), "utf-8")
    # The models are there, so that nothing is trained again, but nothing is known of their results.
    options: list[str | Path] = ["--experiments", folder, "--treebanks", folder / "treebanks"]
    with warm_cells():
        made = experiment("make", page, *options, "--results", tmp_path / "new")
    assert made.exit_code == 0, made.stderr
    assert len(read_rows(tmp_path / "new" / "tiny.jsonl")) == 5
    assert {row["on"] for row in read_rows(tmp_path / "new" / "speeds" / "tiny.jsonl")} >= {"cpu"}
    text = page.read_text("utf-8")
    assert "| BiLSTM | pointer | " in text
    assert "| pointer beats inverse Lehmer | tiny, gold, BiLSTM |" in text
    assert "![" in text
    assert (tmp_path / "images" / "tiny-curves.svg").exists()
    # Who has results, but not the trees that were predicted, gets the same page.
    made = experiment("make", page, *options, "--results", tmp_path / "new", "--work", tmp_path / "elsewhere")
    assert made.exit_code == 0, made.stderr
    assert "the predicted trees are not here" in made.stderr
    assert "claims of tiny stay as they were tested" in made.stderr
    assert page.read_text("utf-8") == text
    (tmp_path / "new" / "claims" / "tiny.json").unlink()
    untested = experiment("make", page, *options, "--results", tmp_path / "new", "--work", tmp_path / "elsewhere")
    assert "the predicted trees are not here" in str(untested.exception)


def test_archived_experiments_are_shown_but_not_run(folder: Path, run: Result, tmp_path: Path) -> None:
    grid = (folder / "tiny.toml").read_text("utf-8")
    (tmp_path / "old.toml").write_text('archived = "git tag v0"\n' + grid.replace("rate = 0.02", "gone = 1"), "utf-8")
    for row in read_rows(folder / "results" / "tiny.jsonl"):
        append_row(tmp_path / "results" / "old.jsonl", row | {"experiment": "old"})
    options: list[str | Path] = ["--experiments", tmp_path, "--treebanks", folder / "treebanks"]
    for arguments in (["run", "old"], ["speed", "old", "--on", "cpu"]):
        assert "archived: it needs settings that permutree no longer has; run it at the git tag v0" in str(
            experiment(*arguments, *options).exception
        )
    assert "  A tiny grid, for tests  (archived)" in experiment("list", "--experiments", tmp_path).stdout
    assert '"archived": "git tag v0"' in experiment("list", "--experiments", tmp_path, "--json").stdout
    # Claims are tested on the trees that were kept under the keys of the results.
    tested = experiment("claims", "old", *options, "--work", folder / "work")
    assert "| pointer beats inverse Lehmer | tiny, gold, BiLSTM |" in tested.stdout
    page = tmp_path / "page.md"
    page.write_text("<!-- experiment: table old test -->\n<!-- end -->\n", "utf-8")
    made = experiment("make", page, *options)
    assert made.exit_code == 0, made.exception
    assert made.stderr.startswith("permutree: archived, and shown as they are: old\n")
    assert "| gold | BiLSTM | " in page.read_text("utf-8")


def test_results_get_new_keys(folder: Path, run: Result, tmp_path: Path) -> None:
    for row in read_rows(folder / "results" / "tiny.jsonl"):
        append_row(tmp_path / "tiny.jsonl", row | {"key": f"old {row['key']}"})
    changed = experiment("rekey", "--experiments", folder, "--results", tmp_path)
    assert changed.stdout == f"{tmp_path / 'tiny.jsonl'}: 5 rows changed\n"
    assert read_rows(tmp_path / "tiny.jsonl") == read_rows(folder / "results" / "tiny.jsonl")
    assert experiment("rekey", "--experiments", folder, "--results", tmp_path).stdout == ""


def test_cells_by_their_keys_and_in_their_order(folder: Path, tmp_path: Path) -> None:
    options: list[str | Path] = ["--experiments", folder, "--results", tmp_path, "--work", tmp_path, "--dry-run"]
    lines = experiment("run", "tiny", *options).stdout.splitlines()
    keys = tmp_path / "keys"
    keys.write_text(f"{lines[2]}\n\n{lines[0]}\n", "utf-8")
    assert experiment("run", "tiny", *options, "--keys", keys).stdout.splitlines() == [lines[2], lines[0]]
    keys.write_text("0123456789ab  to do\n", "utf-8")
    unknown = experiment("run", "tiny", *options, "--keys", keys)
    assert unknown.exit_code == 2
    assert "no cell has the key 0123456789ab" in unknown.stderr


def test_dry_run_and_selections(folder: Path, tmp_path: Path) -> None:
    place = {"treebank": "tiny", "encoder": "BiLSTM"}
    append_row(tmp_path / "old.jsonl", {"key": "old", "cell": place, "test": {}, "seconds": 90.0})
    options: list[str | Path] = ["--experiments", folder, "--results", tmp_path, "--work", tmp_path, "--dry-run"]
    result = experiment("run", "tiny", *options, "--only", "encoder=BiLSTM", "tags=gold")
    assert len(result.stdout.splitlines()) == 3
    assert "to do, 90 s" in result.stdout
    assert "3 of 3 cells to run, 4 minutes one after the other" in result.stderr
    shares = [experiment("run", "tiny", *options, "--shard", f"{number}/2").stdout for number in (1, 2)]
    assert [len(share.splitlines()) for share in shares] == [3, 2]


def test_a_corpus_is_prepared_first(folder: Path, tmp_path: Path, tiny_treebank: Path) -> None:
    corpus = tmp_path / "tiger.discbracket"
    shutil.copy(tiny_treebank, corpus)
    work = tmp_path / "work"
    options: list[str | Path] = [
        "--experiments",
        folder,
        "--results",
        tmp_path / "results",
        "--work",
        work,
        "--corpus",
        corpus,
    ]
    # There is no time to train anything.
    cells = ("--only", "tags=gold", "encoding=lehmer", "encoder=BiLSTM")
    result = experiment("run", "tiger", *options, *cells, "--minutes", "0.001")
    assert result.exit_code == 0, result.exception
    assert "train has 20 trees where 40,472 were expected" in result.stderr
    assert "1 left: run the same command again to go on" in result.stderr
    assert len(list(read(work / "treebanks" / "tiger" / "train.discbracket"))) == 20
    wrong = experiment("run", "tiny", *options)
    assert wrong.exit_code == 2
    assert "--corpus is for experiments on one treebank with a recipe" in wrong.stderr


def test_a_cell_that_fails_is_told_with_its_log(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "tiny").mkdir()
    options: list[str | Path] = [
        "--experiments",
        folder,
        "--results",
        tmp_path,
        "--work",
        tmp_path / "work",
        "--treebanks",
        tmp_path,
    ]
    result = experiment("run", "tiny", *options, "--only", "encoder=Transformer")
    assert result.exit_code == 1
    assert "failed: tiny, pointer, gold, Transformer, seed 1; the end of " in result.stderr
    assert "there is no such file, in any format" in result.stderr
    assert "permutree: tiny: 0 cells done, 1 failed" in result.stderr


def test_wrong_calls(folder: Path, tmp_path: Path) -> None:
    assert "--treebanks FOLDER" in experiment("run", "tiny", "--experiments", folder).stderr
    missing = experiment("run", "tiny", "--experiments", folder, "--treebanks", tmp_path / "no")
    assert "there is no folder" in missing.stderr
    share = experiment("run", "tiny", "--experiments", folder, "--shard", "3")
    assert "expected a share such as 2/8" in share.stderr
    unknown = experiment("run", "tony", "--experiments", folder)
    assert isinstance(unknown.exception, ConfigError)
    assert "there are tiger, tiny" in str(unknown.exception)
    value = experiment("run", "tiny", "--experiments", folder, "--only", "encoder=GRU", "--dry-run")
    assert "there are BiLSTM, Transformer" in str(value.exception)
    page = tmp_path / "page.md"
    page.write_text("nothing\n", "utf-8")
    empty = experiment("fill", page, "--experiments", folder)
    assert isinstance(empty.exception, DataError)
