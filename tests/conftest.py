"""Fixtures shared by all tests."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the open treebanks and golden files beside the checkout; tests that want it skip without it."""
    if not (SHARED / "treebanks").is_dir():
        pytest.skip("the folder with the open treebanks is not here")
    return SHARED
