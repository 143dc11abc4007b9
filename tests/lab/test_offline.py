"""No network, and no file but the output: what strace sees of commands."""

import os
from pathlib import Path
from types import ModuleType

import pytest

from conftest import script


@pytest.fixture(scope="session")
def offline() -> ModuleType:
    """The script that traces commands; where strace is not, tests that want it skip, but not in CI."""
    found = script("reliability/offline.py")
    if not found.has_strace():
        if os.environ.get("PERMUTREE_CI"):
            pytest.fail("strace is not here: CI has to install it")
        pytest.skip("strace is not here, or may not trace: apt-get install strace")
    return found


NAMES = ["parse", "parse --jobs 2", "Parser.load", "report", "serve"]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_but_the_output(name: str, offline: ModuleType) -> None:
    command = offline.COMMANDS[name]
    found = offline.trace_all({name: command}, sentences=300)[name]
    assert found.status == 0, found.said
    assert found.faults(command) == []


def test_all_commands_are_traced(offline: ModuleType) -> None:
    assert list(offline.COMMANDS) == NAMES


def test_what_is_done_is_seen(offline: ModuleType) -> None:
    code = "import socket, os; socket.socket(); open('x', 'w'); os.rename('x', 'y'); os.mkdir('z'); open('y').read()"
    found = offline.trace_all({"code": offline.Command(["{python}", "-c", code])})["code"]
    assert [len(found.sockets), len(found.files), found.status] == [1, 3, 0]


def test_what_a_library_does_when_it_is_imported_is_seen(offline: ModuleType, tmp_path: Path) -> None:
    # As telemetry does: a file in the home folder, and a message to somebody.
    (tmp_path / "curious.py").write_text(
        """
import socket
from pathlib import Path

folder = Path.home() / ".cache" / "curious"
folder.mkdir(parents=True)
(folder / "id").write_text("somebody")
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wire:
    wire.connect(("127.0.0.1", 9))
""",
        "utf-8",
    )
    code = f"import sys; sys.path.append({str(tmp_path)!r}); import curious"
    command = offline.Command(["{python}", "-c", code])
    found = offline.trace_all({"code": command})["code"]
    assert found.status == 0, found.said
    assert [len(found.sockets), len(found.connections)] == [1, 1]
    assert any("O_CREAT" in line and "/.cache/curious/id" in line for line in found.files)
    assert any(line.startswith("left behind") and line.endswith("/.cache/curious/id") for line in found.files)
    assert set(found.faults(command)) == {*found.sockets, *found.connections, *found.files}
