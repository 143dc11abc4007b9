"""A model package from a folder to a parse, with pip, in an environment of its own; there is no network in it."""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from packaged import small_model
from permutree.errors import ConfigError
from permutree.models import folder, installing
from permutree.models.wheels import build_wheel


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """An environment whose own packages are none, and which sees ours."""
    venv.create(tmp_path / "venv", with_pip=False)
    return next((tmp_path / "venv").glob("[bS]*/python*"))


def test_from_a_folder_to_a_parse(python: Path, tmp_path: Path) -> None:
    plain = {name: value for name, value in os.environ.items() if not name.upper().startswith("PIP_")}
    environment = plain | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PIP_CONFIG_FILE": os.devnull}
    environment |= {"OMP_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"}

    def permutree(*arguments: str) -> str:
        done = subprocess.run(
            [python, "-m", "permutree", *arguments],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            encoding="utf-8",
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    wheel = build_wheel(folder("de"), tmp_path, name="xx", licence="Apache-2.0", language="xx", language_name="Xish")
    said = permutree("models", "install", wheel.name, "--yes")
    assert "licence                        Apache-2.0\n" in said
    facts = json.loads((folder("de") / "config.json").read_text("utf-8"))["facts"]
    scores = facts["scores"]["squoia_de"]["test"]
    assert f"F1 / disc. F1, squoia_de test  {scores['f1']:.1f} / {scores['discontinuous f1']:.1f}\n" in said
    assert "xx is installed" in said
    trees = permutree("parse", "--lang", "xx", "Das habe ich nicht gesagt.")
    assert trees.startswith("(VROOT (S (VP (VP (NP (PDS 0=Das)) (VVPP 4=gesagt))")
    assert "xx is removed" in permutree("models", "remove", "xx", "--yes")


def test_what_pip_says_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[list[str]] = []

    def run(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
        called.append(command)
        return subprocess.CompletedProcess(command, 1, "", "WARNING: x\n\nERROR: No matching distribution found\n")

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(ConfigError, match=r"^pip download failed: WARNING: x No matching distribution found$"):
        installing.download("permutree-model-xx", tmp_path)
    assert called[0][:4] == [sys.executable, "-m", "pip", "download"]
    assert called[0][-1] == "permutree-model-xx"
    assert {"--no-deps", "--only-binary", ":all:"} <= {*called[0]}


def test_without_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installing, "find_spec", lambda name: None)
    wheel = build_wheel(small_model(tmp_path / "model"), tmp_path, name="xx", licence="MIT")
    with pytest.raises(ConfigError, match=r"has no pip: run `uv pip install .*xx-1.0.*whl`, or .*ensurepip"):
        installing.install(wheel)
