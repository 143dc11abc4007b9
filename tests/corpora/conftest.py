"""A small parser for corpora, and how to look at what was written."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from permutree.corpora import Step


@pytest.fixture
def step(tiny_onnx: Path) -> Step:
    """The step of a tiny English parser."""
    return Step(model=str(tiny_onnx), languages=("en",))


@pytest.fixture(scope="session")
def rows_of() -> Callable[[Path], list[dict[str, Any]]]:
    """What reads all rows of a folder of shards, in order."""

    def read(folder: Path) -> list[dict[str, Any]]:
        from pyarrow import parquet

        return [row for file in sorted(folder.glob("*.parquet")) for row in parquet.read_table(file).to_pylist()]

    return read
