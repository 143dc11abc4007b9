"""What the tests of experiments share: a folder with a tiny treebank, and the grid that is shipped for it."""

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from permutree_lab.cell import Places
from permutree_lab.folders import GRIDS
from permutree_lab.grid import Experiment


@pytest.fixture(scope="session")
def tiny_treebanks(tmp_path_factory: pytest.TempPathFactory, tiny_treebank: Path) -> Path:
    """A folder with the treebank tiny, whose sets are all the same twenty trees."""
    folder = tmp_path_factory.mktemp("treebanks")
    (folder / "tiny").mkdir()
    for split in ("train", "dev", "test"):
        shutil.copy(tiny_treebank, folder / "tiny" / f"{split}.discbracket")
    return folder


@pytest.fixture(scope="session")
def shipped() -> Callable[[str], Experiment]:
    """The shipped grids by name; the largest takes seconds to read, so each is read once."""
    return cache(lambda name: Experiment.load(GRIDS / f"{name}.toml"))


@pytest.fixture
def tiny() -> Experiment:
    """The grid for tests."""
    return Experiment.load(GRIDS / "tiny.toml")


@pytest.fixture
def places(tiny_treebanks: Path, tmp_path: Path) -> Places:
    """A new work folder."""
    return Places(tiny_treebanks, tmp_path / "work")
