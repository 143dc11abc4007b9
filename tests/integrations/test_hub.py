import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hub_server import Hub, commit_of
from permutree import ConfigError, models
from permutree.integrations.hub import FILES, Place

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def hub() -> Iterator[Hub]:
    server = Hub()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def run(hub: Hub, tmp_path: Path) -> Run:
    """Runs a command with the stand-in, and a cache of its own."""

    def call(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ,
            "HF_ENDPOINT": hub.url,
            "HF_HOME": str(tmp_path / "cache"),
            "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            **more,
        }
        command = [sys.executable, "-m", "permutree", *arguments]
        return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=600)

    return call


def test_a_model_goes_to_the_hub_and_comes_back(hub: Hub, run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(models.folder("nl"), folder)
    (folder / "evil.py").write_text("raise SystemExit('code was run')", "utf-8")
    pushed = run("push", str(folder), "team/dutch", "--private", HF_TOKEN="hf_secret")
    assert pushed.returncode == 0, pushed.stderr
    files = hub.repositories["team/dutch"]["main"]
    assert pushed.stdout.strip() == f"{hub.url}/team/dutch/commit/{commit_of(files)}"
    assert set(files) <= {*FILES}
    assert files["model.onnx"] == (folder / "model.onnx").read_bytes()
    card = files["README.md"].decode()
    assert card.startswith("---\n")
    assert "language:\n- nl\n" in card
    assert "library_name: permutree" in card
    assert hub.private["team/dutch"]

    sentence = "Dat boek heb ik gelezen."
    expected = run("parse", "--lang", "nl", sentence).stdout
    files["harm.py"] = b"raise SystemExit('code was run')"
    found = run("parse", "--model", "hf:team/dutch", sentence)
    assert (found.returncode, found.stdout) == (0, expected), found.stderr
    assert not list((tmp_path / "cache").rglob("*.py"))

    # A pinned revision is in the cache, and needs no server.
    pinned = f"hf:team/dutch@{commit_of(files)}"
    asked = len(hub.asked)
    found = run("parse", "--model", pinned, sentence, HF_HUB_OFFLINE="1")
    assert (found.returncode, found.stdout) == (0, expected), found.stderr
    assert len(hub.asked) == asked
    assert json.loads(run("info", pinned, "--json").stdout)["facts"]["language"] == "nl"


@pytest.mark.parametrize(
    ("arguments", "environment", "message"),
    [
        (["parse", "--model", "hf:team/none", "Dag."], {}, "there is no model 'team/none' on the Hub"),
        (["parse", "--model", "hf:team/dutch@v9", "Dag."], {}, "has no revision 'v9'"),
        (["parse", "--model", "hf:team/none", "Dag."], {"HF_HUB_OFFLINE": "1"}, "is not in the cache"),
        (["parse", "--model", "hf:team/none", "Dag."], {"HF_ENDPOINT": "http://127.0.0.1:9"}, "cannot be reached"),
        (["parse", "--model", "hf:../x", "Dag."], {}, "say hf:organisation/name"),
        (["push", "nl", "team/dutch"], {"HF_TOKEN": ""}, "hf auth login|refused"),
        (["push", "nosuch", "team/dutch"], {"HF_TOKEN": "hf_x"}, "no model 'nosuch'"),
    ],
)
def test_what_can_go_wrong(hub: Hub, run: Run, arguments: list[str], environment: dict[str, str], message: str) -> None:
    hub.repositories.setdefault("team/dutch", {"main": {"config.json": b"{}"}})
    done = run(*arguments, **environment)
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("permutree: error: ")
    assert any(part in done.stderr for part in message.split("|")), done.stderr
    assert "Traceback" not in done.stderr


def test_names() -> None:
    assert Place.parse("a/b") == Place("a/b")
    for wrong in ("a", "a/b/c", "a/b@", "a/b@../x", "-a/b", "a b/c"):
        with pytest.raises(ConfigError):
            Place.parse(wrong)
