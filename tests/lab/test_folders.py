"""Where the laboratory keeps things, and whether what is said about it elsewhere is true."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from permutree_lab.cli import command
from permutree_lab.folders import GRIDS, LAB, home_of

ROOT = LAB.parent
PAGES = [
    *ROOT.glob("docs/**/*.md"),
    ROOT / "README.md",
    LAB / "README.md",
    *ROOT.glob("src/permutree/models/*/README.md"),
]


def test_results_are_beside_our_grids_and_among_those_of_others(tmp_path: Path) -> None:
    assert home_of(GRIDS) == home_of(GRIDS.parent / "." / "grids") == LAB
    assert home_of(tmp_path) == tmp_path


def test_the_entry_point_is_the_command() -> None:
    groups = tomllib.loads((LAB / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]
    value: str = groups["permutree.commands"]["experiment"]
    assert EntryPoint("experiment", value, "permutree.commands").load() is command


def test_the_command_is_loaded_quickly() -> None:
    code = "import sys, permutree_lab.cli; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"matplotlib", "numpy", "torch"} & {name.partition(".")[0] for name in run.stdout.split()}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_pages_name_files_that_are_there(page: Path) -> None:
    for path in re.findall(
        r"\blab/(?:benchmarks|constructions|grids|models|results)/[\w/.-]*\w", page.read_text("utf-8")
    ):
        assert (ROOT / path).exists()


def test_the_package_does_not_know_the_laboratory() -> None:
    for path in (ROOT / "src" / "permutree").rglob("*.py"):
        assert "permutree_lab" not in path.read_text("utf-8"), path
