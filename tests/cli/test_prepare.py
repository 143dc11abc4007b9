import json
import subprocess
import sys
from pathlib import Path

from permutree.formats import read, write
from permutree.trees.tree import Tree


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from permutree.cli import main; main()", "prepare", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_counts_are_printed_and_differences_warned_of(tmp_path: Path) -> None:
    write([Tree.parse("(S (NN 0=a))")], tmp_path / "negra.export")
    done = run("negra", tmp_path / "negra.export", tmp_path / "out", "--ids")
    assert done.returncode == 0
    assert "train.discbracket: 1 trees, 0.0% discontinuous" in done.stdout
    assert "warning: train has 1 trees where 18,602 were expected" in done.stderr
    assert (tmp_path / "out" / "train.ids").read_text() == "1\n"
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "dev.discbracket",
        "dev.ids",
        "test.discbracket",
        "test.ids",
        "train.discbracket",
        "train.ids",
    ]


def test_json(tmp_path: Path) -> None:
    write([Tree.parse("(S (NN 0=a))")], tmp_path / "negra.export")
    rows = json.loads(run("negra", tmp_path / "negra.export", tmp_path / "out", "--json").stdout)
    assert rows[0]["trees"] == 1
    assert rows[0]["expected"] == 18_602


def test_unknown_treebanks_and_missing_files_are_wrong_calls(tmp_path: Path) -> None:
    done = run("tigre", tmp_path, tmp_path / "out")
    assert done.returncode == 2
    assert "no recipe 'tigre': did you mean tiger?" in done.stderr
    assert run("tiger", tmp_path / "none.xml", tmp_path / "out").returncode == 2


def test_bad_data_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "negra.export").write_text("#FORMAT 3\n#BOS 1\nJa\tITJ\t--\t--\t500\n#EOS 1\n")
    done = run("negra", tmp_path / "negra.export", tmp_path / "out")
    assert done.returncode == 1
    assert "negra.export:3 (sentence 1): unknown parent '500'" in done.stderr
    assert not (tmp_path / "out").exists()
    done = run("negra", tmp_path / "negra.export", tmp_path / "out", "--skip-bad")
    assert done.returncode == 1
    assert "no trees found; negra is made from the export file of the release" in done.stderr


def test_another_format_keeps_functions(tmp_path: Path) -> None:
    tree = Tree.parse("(S (NN 0=a) (VB 1=b))").annotated(functions=("SB", "HD", "--"), lemmas=("a", "b"))
    write([tree], tmp_path / "negra.export")
    assert run("negra", tmp_path / "negra.export", tmp_path / "out", "--to", "jsonl").returncode == 0
    (found,) = read(tmp_path / "out" / "train.jsonl")
    assert found.annotations.functions is not None
    assert found.annotations.functions[:2] == ("SB", "HD")
