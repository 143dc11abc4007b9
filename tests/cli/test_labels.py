import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from permutree.cli import permutree
from permutree.errors import DataError

TRAIN = "(ROOT (S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it)) (. 4=?))\n"
DEV = "(ROOT (NP (NN 0=Fish)) (. 1=!))\n"
TEST = "(ROOT (S (VP (WP 0=Who) (VBZ 3=eats) (NN 4=fish)) (MD 1=may) (PRP 2=it)) (. 5=?))\n"


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny_bank"
    folder.mkdir()
    for name, text in (("train", TRAIN), ("dev", DEV), ("test", TEST), ("extra-train", TEST)):
        (folder / f"{name}.discbracket").write_text(text)
    (folder / "train.ids").write_text("1\n")
    return folder


def test_a_folder_with_splits(treebank: Path) -> None:
    result = CliRunner().invoke(permutree, ["labels", str(treebank)])
    lines = [line.split() for line in result.stdout.splitlines()]
    assert lines[0] == ["values,", "train", "and", "dev", "tiny_bank"]
    assert ["p", "as", "absolute", "4"] in lines
    assert ["p", "as", "absolute", "1:", "1,", "17", "%"] in lines


def test_json_is_the_same_for_named_files(treebank: Path) -> None:
    folder = CliRunner().invoke(permutree, ["labels", str(treebank), "--json"])
    files = [f"--{name}={treebank / name}.discbracket" for name in ("train", "dev", "test")]
    named = CliRunner().invoke(permutree, ["labels", *files, "--json"])
    assert json.loads(folder.stdout)["tiny_bank"] == json.loads(named.stdout)["treebank"]
    assert json.loads(folder.stdout)["tiny_bank"]["unseen"]["relative"]["total"] == 2


def test_a_single_file(treebank: Path) -> None:
    result = CliRunner().invoke(permutree, ["labels", str(treebank / "dev.discbracket")])
    assert "no test set" in result.stdout


def test_latex(treebank: Path) -> None:
    result = CliRunner().invoke(permutree, ["labels", str(treebank), "--latex"])
    assert r"Label component & tiny\_bank \\" in result.stdout
    assert r"$p_i$ as relative & tiny\_bank & 1 & 2 & 33 \\" in result.stdout
    assert result.stdout.count(r"\begin{tabular}") == result.stdout.count(r"\end{tabular}") == 2


def test_wrong_calls(tmp_path: Path) -> None:
    run = CliRunner().invoke
    assert run(permutree, ["labels"]).exit_code == 2
    assert run(permutree, ["labels", "x", "--json", "--latex"]).exit_code == 2
    assert run(permutree, ["labels", "x", "--train", "y"]).exit_code == 2
    with pytest.raises(DataError, match="holds no training set"):
        run(permutree, ["labels", str(tmp_path)], catch_exceptions=False)
