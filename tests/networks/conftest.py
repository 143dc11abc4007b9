"""What the tests of graphs share."""

from collections.abc import Callable

import pytest

from tiny_exports import Exported, export_model


@pytest.fixture(scope="session")
def exported(tmp_path_factory: pytest.TempPathFactory, operators_once: None) -> Callable[[str], Exported]:
    """Small random models with their graphs, by name; each is exported once."""
    known: dict[str, Exported] = {}

    def find(name: str) -> Exported:
        if name not in known:
            known[name] = export_model(name, tmp_path_factory.mktemp("exported"))
        return known[name]

    return find
