"""Output."""

import io
import sys

import pytest

from permutree.formats import write
from permutree.trees.tree import Tree


class Screen(io.TextIOWrapper):
    """A terminal that remembers what has reached it."""

    def __init__(self) -> None:
        self.raw = io.BytesIO()
        super().__init__(io.BufferedWriter(self.raw))

    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_each_tree_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    tree = Tree.parse("(S (X 0=a))")
    seen = []

    def trees() -> object:
        for _ in range(3):
            yield tree
            seen.append(screen.raw.getvalue().decode())

    write(trees(), "-", "jsonl")  # type: ignore[arg-type]
    assert [text.count("\n") for text in seen] == [1, 2, 3]
