import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from permutree import cli
from permutree.treebanks.statistics import Statistics, count
from permutree.trees.tree import Tree

TREES = [
    "(ROOT (S (NP (PRP 0=I)) (VP (VBP 1=see))) (. 2=.))",
    "(ROOT (S (VP (WP 0=What) (VB 3=see)) (MD 1=can) (NP (PRP 2=you))) (. 4=?))",
    "(ROOT (S (X (A 0=a) (A 2=c) (A 4=e)) (Y (A 1=b) (A 3=d))))",
]


def test_counts_worked_out_by_hand() -> None:
    figures = count(map(Tree.parse, TREES)).as_dict()
    assert figures["sentences"] == 3
    assert figures["words"] == 13
    assert figures["constituents"] == 12
    assert figures["discontinuous sentences"] == 2
    assert figures["discontinuous constituents"] == 3
    assert figures["discontinuous constituents share"] == pytest.approx(0.25)
    assert figures["length"] == {"min": 3, "mean": pytest.approx(13 / 3), "median": 5, "max": 5}
    assert figures["depth"] == {"min": 3, "mean": 3.0, "median": 3, "max": 3}
    assert figures["gap degree of sentences"] == {"0": 1, "1": 1, "2": 1}
    assert figures["gap degree of constituents"] == {"0": 9, "1": 2, "2": 1}
    assert figures["unary chains"] == 1  # ROOT over S in the third tree
    assert figures["unary chains by length"] == {"2": 1}
    assert figures["unary chains over a word"] == 3  # NP and VP in the first, NP in the second
    assert figures["distinct words"] == 12
    assert figures["labels"] == {"ROOT": 3, "S": 3, "NP": 2, "VP": 2, "X": 1, "Y": 1}
    assert figures["discontinuous labels"] == {"VP": 1, "X": 1, "Y": 1}
    assert figures["tags"]["A"] == 5


def test_statistics_add_up() -> None:
    parts = [count([Tree.parse(tree)]) for tree in TREES]
    assert sum(parts, Statistics()) == count(map(Tree.parse, TREES))
    assert count([]).as_dict()["length"] == {"min": 0, "mean": 0.0, "median": 0, "max": 0}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    for number, tree in enumerate(TREES):
        (tmp_path / f"{number}.discbracket").write_text(f"{tree}\n")
    return [str(tmp_path / f"{number}.discbracket") for number in range(3)]


def test_table(files: list[str]) -> None:
    result = CliRunner().invoke(cli.permutree, ["stats", *files, "--labels"], catch_exceptions=False)
    lines = result.output.splitlines()
    assert lines[0].split() == ["0.discbracket", "1.discbracket", "2.discbracket", "all"]
    assert lines[1].split() == ["sentences", "1", "1", "1", "3"]
    assert [line.split()[2:] for line in lines if line.startswith("discontinuous sentences")] == [
        ["0", "(0.0%)", "1", "(100.0%)", "1", "(100.0%)", "2", "(66.7%)"]
    ]
    assert any(line.split()[:2] == ["label", "NP"] for line in lines)
    assert len({len(line) for line in lines}) == 1


def test_json(files: list[str]) -> None:
    result = CliRunner().invoke(cli.permutree, ["stats", files[0], "--json"], catch_exceptions=False)
    assert json.loads(result.output) == {files[0]: json.loads(json.dumps(count([Tree.parse(TREES[0])]).as_dict()))}


def test_shared_treebank_has_the_published_figures(shared: Path) -> None:
    from permutree.formats import read

    folder = shared / "treebanks" / "squoia_de"
    figures = count(read(folder / f"{split}.discbracket.xz" for split in ("train", "dev", "test"))).as_dict()
    assert figures["sentences"] == 4166
    assert round(100 * figures["discontinuous sentences share"], 1) == 19.1
