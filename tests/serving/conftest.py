from collections.abc import Iterator

import pytest

from served import Served, serve


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    """A server with two workers and all bundled models."""
    with serve("--limit-body", "1", "--limit-sentences", "50", "--limit-words", "60", workers=2) as server:
        yield server
