import io
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from permutree.cli import permutree
from permutree.errors import ConfigError, DataError
from permutree.formats import parquet, read, write
from permutree.trees.tree import Tree

TREE = Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")


def test_row_groups_are_read_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pyarrow.parquet import ParquetFile

    monkeypatch.setattr(parquet, "ROWS", 2)
    path = tmp_path / "trees.parquet"
    write([TREE] * 5, path)
    file = ParquetFile(path)
    assert (file.num_row_groups, file.metadata.num_rows) == (3, 5)
    assert file.read(["sentence"])["sentence"].to_pylist() == [1, 2, 3, 4, 5]
    assert list(read(path)) == [TREE] * 5
    write([TREE] * 5, tmp_path / "again.parquet")
    assert path.read_bytes() == (tmp_path / "again.parquet").read_bytes()


def test_convert_and_back(tmp_path: Path) -> None:
    line = tmp_path / "x.discbracket"
    line.write_text(f"{TREE.discbracket()}\n")
    for source, target in (("x.discbracket", "x.parquet"), ("x.parquet", "y.discbracket")):
        CliRunner().invoke(
            permutree, ["convert", str(tmp_path / source), str(tmp_path / target)], catch_exceptions=False
        )
    assert (tmp_path / "y.discbracket").read_text() == line.read_text()


def test_output_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"sentence 2: utf-8 cannot hold the character '\\ud800'"):
        write([TREE, Tree.from_constituents(["\ud800"], ["X"], [("S", [0])])], tmp_path / "x.parquet")
    assert list(tmp_path.iterdir()) == []


def test_damaged_and_foreign_files(tmp_path: Path) -> None:
    write([TREE], tmp_path / "x.parquet")
    (tmp_path / "cut.parquet").write_bytes((tmp_path / "x.parquet").read_bytes()[:-20])
    with pytest.raises(DataError, match=r"cut\.parquet: not a Parquet file, or a damaged one"):
        list(read(tmp_path / "cut.parquet"))


def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ConfigError, match=r"pip install 'permutree\[arrow\]'"):
        write([TREE], tmp_path / "x.parquet")


def test_standard_output_need_not_know_its_place() -> None:
    written = io.BytesIO()
    stream = io.TextIOWrapper(written)
    parquet.write([TREE], stream)
    assert written.getvalue()[:4] == written.getvalue()[-4:] == b"PAR1"
