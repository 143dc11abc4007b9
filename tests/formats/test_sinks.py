"""Output."""

import io
import os
import sys
import threading
from pathlib import Path

import pytest

from permutree.formats import write
from permutree.formats.sinks import write_file
from permutree.formats.targets import is_device
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


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text("utf-8")), daemon=True)
    reader.start()
    write_file(pipe, "trees\n")
    reader.join(60)
    assert got == ["trees\n"]
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


def test_devices_are_told_by_their_place(tmp_path: Path) -> None:
    # Where standard output is redirected to a file, this link leads to a regular file.
    assert is_device(Path("/dev/stdout"))
    assert is_device(Path("/dev/fd/63"))
    assert not is_device(Path("/dev/shm/trees.txt"))
    assert not is_device(tmp_path)
    assert not is_device(tmp_path / "new.txt")


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "trees.txt", tmp_path / "link.txt"
    target.write_text("old", "utf-8")
    link.symlink_to(target)
    write_file(link, "new")
    assert link.is_symlink()
    assert target.read_text("utf-8") == "new"
