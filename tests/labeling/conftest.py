"""Small random encoders, made once."""

from pathlib import Path

import pytest

from tiny_encoders import FAMILIES, write_encoder


@pytest.fixture(scope="session")
def encoders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The folders of small random encoders, by family."""
    root = tmp_path_factory.mktemp("encoders")
    for family in FAMILIES:
        write_encoder(root / family, family)
    return {family: root / family for family in FAMILIES}
