"""What the tests of training share: one thread, and small encoders."""

from collections.abc import Iterator

import pytest
import torch

from permutree.formats import read
from permutree.trees.tree import Tree
from tiny_models import TREES, write_sure_encoder


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """Small networks are fastest on one thread, and the order of additions is the same on any machine."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="session")
def trees() -> list[Tree]:
    """Thirty trees."""
    return list(read(TREES))


@pytest.fixture(scope="session")
def pretrained(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The folders of small random encoders that drop nothing, by family."""
    root = tmp_path_factory.mktemp("pretrained")
    for family in ("bert", "distilbert"):
        write_sure_encoder(root / family, family)
    return {family: str(root / family) for family in ("bert", "distilbert")}
