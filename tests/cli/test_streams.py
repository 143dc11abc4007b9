"""Standard streams that are closed, full, gone or in another charset: messages and exit status, no traceback."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no POSIX shell here")
TREE = "(S (VP (WRB 0=Wie) (VVFIN 3=gewählt)) (VAFIN 1=wird) (PIS 2=man))\n"


@pytest.fixture
def trees(tmp_path: Path) -> Path:
    file = tmp_path / "trees.discbracket"
    file.write_text(TREE, "utf-8")
    return file


def shell(command: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of shell, in which ``permutree`` is the command, in a folder."""
    line = command.replace("permutree", f"'{sys.executable}' -m permutree")
    return subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, env={**os.environ, **variables})


@pytest.mark.parametrize(
    ("command", "message", "status"),
    [
        ("permutree convert trees.discbracket - >&-", "standard output: is closed", 1),
        ("permutree stats trees.discbracket >&-", "standard output: is closed", 1),
        ("permutree stats trees.discbracket --json >&-", "standard output: is closed", 1),
        ("permutree convert - x.jsonl --from discbracket <&-", "standard input: is closed", 1),
        ("permutree parse <&-", "standard input: is closed", 1),
        ("permutree convert trees.discbracket - >/dev/full", "standard output: No space left on device", 1),
        ("permutree stats trees.discbracket >/dev/full", "standard output: No space left on device", 1),
        ("permutree convert trees.discbracket /dev/full --to jsonl", "/dev/full: No space left on device", 1),
        ("permutree parse --lang en 'Who?' -o none/x.jsonl", "none/x.jsonl: there is no folder none", 1),
        ("permutree tag --lang en 'Who?' -o none/x.tagged", "none/x.tagged: there is no folder none", 1),
        ("permutree diff trees.discbracket trees.discbracket -o none/x.html", "there is no folder none", 1),
        ("permutree export nl --onnx -o trees.discbracket/model", "trees.discbracket is not a folder", 1),
        ("permutree train fast --train x --dev x --out trees.discbracket/model", "is not a folder", 1),
        ("permutree prepare negra trees.discbracket trees.discbracket/out", "is not a folder", 1),
    ],
)
def test_what_cannot_be_done_is_said(command: str, message: str, status: int, trees: Path) -> None:
    done = shell(command, trees.parent)
    said = done.stderr.decode()
    assert message in said
    assert said.startswith("permutree: error: ")
    assert said.count("\n") == 1
    assert done.returncode == status
    assert list(trees.parent.iterdir()) == [trees]


@pytest.mark.parametrize(
    "command",
    [
        "permutree convert trees.discbracket out.jsonl >&- 2>&- <&-",
        "permutree convert trees.discbracket out.jsonl >&-",
        "permutree convert trees.discbracket - --to jsonl 2>&- >out.jsonl",
        "permutree convert trees.discbracket /dev/stdout --to jsonl >out.jsonl",
        "permutree convert trees.discbracket >(cat >out.jsonl) --to jsonl; s=$?; wait $!; exit $s",
        "permutree convert trees.discbracket /dev/fd/7 --to jsonl 7>out.jsonl",
        "chmod a-w . && permutree convert trees.discbracket - --to jsonl >out.jsonl; s=$?; chmod u+w .; exit $s",
    ],
)
def test_closed_streams_that_nobody_needs(command: str, trees: Path) -> None:
    (trees.parent / "out.jsonl").touch()
    done = shell(command, trees.parent)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads((trees.parent / "out.jsonl").read_text("utf-8"))["words"][3] == "gewählt"


def test_a_reader_that_goes_is_no_error(trees: Path) -> None:
    trees.write_text(TREE * 20_000, "utf-8")
    command = "permutree convert trees.discbracket - --to jsonl | head -n 1; echo ${PIPESTATUS[0]}"
    done = shell(command, trees.parent)
    assert done.stderr == b""
    assert done.stdout.splitlines()[1:] == [b"1"]


@pytest.mark.parametrize("variables", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "cp1252"}])
def test_other_charsets(variables: dict[str, str], trees: Path) -> None:
    # Trees and drawings are in UTF-8 everywhere.
    done = shell("permutree draw trees.discbracket && permutree convert trees.discbracket -", trees.parent, **variables)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "gewählt" in done.stdout.decode()
    trees.write_text(TREE.replace("S ", "Sä→ "), "utf-8")
    done = shell("permutree stats trees.discbracket --labels", trees.parent, **variables)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"label S" in done.stdout
    done = shell("permutree stats trees.discbracket --json", trees.parent, **variables)
    charset = variables.get("PYTHONIOENCODING", "utf-8")
    assert json.loads(done.stdout.decode(charset))["trees.discbracket"]["roots"] == {"Sä→": 1}


def test_commands_print_by_the_functions_that_sanitise() -> None:
    """What is printed by click itself, or by Python, could steer a terminal."""
    from permutree import cli

    for module in Path(cli.__file__).parent.glob("*.py"):
        if module.name not in ("__init__.py", "terminal.py"):
            text = module.read_text("utf-8")
            assert "click.echo" not in text, f"{module.name}: use say, show or show_json of permutree.cli.terminal"
            assert "click.secho" not in text, module.name
            assert " print(" not in text.replace("def print(", ""), module.name
