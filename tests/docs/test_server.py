"""The pages on the server: their curl commands and their Python, run as they stand against a real server."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from served import TREE, Served, serve

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = "\n".join((DOCS / name).read_text("utf-8") for name in ("guides/server.md", "reference/http.md"))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    corpus = tmp_path_factory.mktemp("corpus") / "how.discbracket"
    corpus.write_text(TREE, "utf-8")
    with serve("--corpus", str(corpus)) as server:
        yield server


def examples() -> list[tuple[str, str]]:
    """The curl commands, and what they print; … stands for anything."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```$", PAGES, re.MULTILINE | re.DOTALL):
        for typed, said in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            if "curl " in typed:
                found.append((typed, said))
    return found


def test_the_pages_have_examples() -> None:
    assert len(examples()) >= 9


@pytest.mark.parametrize(("command", "expected"), examples())
def test_curl(served: Served, tmp_path: Path, command: str, expected: str) -> None:
    if shutil.which("curl") is None:
        pytest.skip("there is no curl")
    command = command.replace("localhost:8000", f"localhost:{served.port}")
    # Older versions of curl have no --json.
    command = command.replace("--json", "-H 'Content-Type: application/json' -d")
    printed = subprocess.run(command, shell=True, capture_output=True, text=True, check=True, cwd=tmp_path).stdout
    pattern = ".*".join(re.escape(part) for part in expected.strip().split("…"))
    assert re.fullmatch(pattern, printed.strip(), re.DOTALL), printed
    if " -o " in command:
        assert (tmp_path / "tree.svg").read_text("utf-8").startswith("<svg")


def test_python(served: Served, capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGES, re.MULTILINE | re.DOTALL)
    exec(code.replace("http://127.0.0.1:8000", served.url), {})
    assert "What" in capsys.readouterr().out


def test_all_paths_are_on_the_pages(served: Served) -> None:
    for path in served.get("/openapi.json").json["paths"]:
        assert f"`{path}`" in PAGES or f" {path}`" in PAGES, path
