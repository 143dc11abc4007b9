from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import repeat
from types import ModuleType
from typing import Any

import pytest

from permutree.trees.tree import Tree

Enlarge = Callable[[ModuleType, str, Sequence[int]], None]


@pytest.fixture
def enlarge(monkeypatch: pytest.MonkeyPatch) -> Enlarge:
    """Let a small file stand for a whole treebank: a recipe reads each of its trees as often as a number says.

    The function that prepares trees, which the recipe has by this name, then prepares each of them once.
    """

    def patch(recipe: ModuleType, prepare: str, counts: Sequence[int]) -> None:
        read = recipe.read

        def reader(*arguments: Any, **options: Any) -> Iterator[Tree]:
            for tree, count in zip(read(*arguments, **options), counts, strict=True):
                yield from repeat(tree, count)

        monkeypatch.setattr(recipe, "read", reader)
        monkeypatch.setattr(recipe, prepare, cache(getattr(recipe, prepare)))

    return patch
