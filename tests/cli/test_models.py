import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from packaged import FILE, FOLDER, contents, rewrite, small_model, write_settings
from permutree.cli import models as commands
from permutree.cli import permutree
from permutree.errors import ConfigError, DataError
from permutree.languages import all_languages
from permutree.models import folder, installing


def run(*arguments: str | Path, typed: str | None = None) -> Result:
    return CliRunner().invoke(permutree, ["models", *map(str, arguments)], input=typed)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder where Python looks for packages, and a pip that unpacks wheels there."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])
    monkeypatch.chdir(tmp_path)

    def pip(command: str, *arguments: str) -> None:
        if command == "install":
            assert "--no-deps" in arguments
            assert "--no-index" in arguments
            with zipfile.ZipFile(arguments[-1]) as archive:
                archive.extractall(site)
        elif command == "download":
            assert arguments[-1] == "permutree-model-xx"
            assert ":all:" in arguments
            Path(arguments[arguments.index("--dest") + 1], FILE).write_bytes(Path("dist", FILE).read_bytes())
        else:
            assert (command, arguments) == ("uninstall", ("--yes", "permutree-model-xx"))
            (site / f"{FOLDER}-1.0.dist-info" / "METADATA").unlink()

    monkeypatch.setattr(installing, "_pip", pip)
    all_languages.cache_clear()
    yield site
    all_languages.cache_clear()


@pytest.fixture
def wheel(site: Path, tmp_path: Path) -> Path:
    small_model(tmp_path / "model")
    made = run("build", "model", "--name", "xx", "--lang", "xx", "--licence", "MIT")
    assert made.stdout == f"dist/{FILE}\n"
    return tmp_path / "dist" / FILE


def test_bundled_models_are_listed() -> None:
    lines = run("list").stdout.splitlines()
    assert lines[0].split() == ["model", "language", "licence", "F1", "disc.", "F1", "scored", "on", "MB", "from"]
    assert [line.split()[0] for line in lines[1:5]] == ["de", "en", "is", "nl"]
    assert lines[4].endswith("bundled")
    entry = json.loads(run("list", "--json").stdout)[1]
    assert (entry["name"], entry["language"], entry["licence"]) == ("en", "en", "CC BY 3.0")
    scores = json.loads((folder("en") / "config.json").read_text("utf-8"))["facts"]["scores"]["masc"]["test"]
    assert entry["scores"][0] == {"on": "masc test", **{name: scores[name] for name in ("f1", "discontinuous f1")}}


def test_install_and_remove(wheel: Path, site: Path) -> None:
    done = run("install", wheel, "--yes")
    assert done.exit_code == 0, done.output
    assert "licence                        MIT\n" in done.stdout
    assert "xx is installed: permutree parse --model xx" in done.stderr
    assert "xx     xx        MIT" in run("list").stdout
    assert "replaces permutree-model-xx 1.0" in run("install", "xx", "--yes").stderr
    assert run("remove", "permutree-model-xx", "--yes").exit_code == 0
    assert "MIT" not in run("list").stdout


def test_whoever_types_is_asked(wheel: Path, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("install", wheel).exit_code == 2
    monkeypatch.setattr(commands, "is_typed", lambda: True)
    assert run("install", wheel, typed="n\n").exit_code == 1
    assert not list(site.iterdir())
    asked = run("install", wheel, typed="y\n")
    assert asked.exit_code == 0
    assert "Install it?" in asked.stderr
    assert run("remove", "xx", typed="n\n").exit_code == 1
    assert run("remove", "xx", typed="y\n").exit_code == 0


def test_a_refused_wheel_is_not_installed(wheel: Path, site: Path) -> None:
    rewrite(wheel, {**contents(wheel), "evil.pth": b"import os"})
    with pytest.raises(DataError, match=r"has a file 'evil.pth'.*it is not installed"):
        raise run("install", wheel, "--yes").exception or AssertionError
    assert not list(site.iterdir())


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("install", "nowhere.whl", "--yes"), DataError, "name a wheel that is here"),
        (("install", "--", "--pre"), ConfigError, "neither a wheel nor"),
        (("build", "model", "--name", "en", "--licence", "MIT"), ConfigError, "a name of its own, as in en-2"),
        (("remove", "nl"), ConfigError, "nl comes with permutree"),
        (("remove", "fr"), ConfigError, "no installed model 'fr': there are none"),
        (("list", "."), DataError, "no model, and no folder of models"),
        (("verify", "fr"), ConfigError, "no model 'fr'"),
    ],
)
def test_mistakes(arguments: tuple[str, ...], error: type[Exception], message: str, site: Path) -> None:
    with pytest.raises(error, match=message):
        raise run(*arguments).exception or AssertionError


def test_folders_are_listed_and_verified(tmp_path: Path, site: Path) -> None:
    small_model(tmp_path / "models" / "one", licence="x\x1b[2J")
    (tmp_path / "models" / "two").mkdir()
    (tmp_path / "models" / "two" / "config.json").write_text("{}", "utf-8")
    listed = run("list", "models").stdout
    assert "models/one  de        x␛[2J" in listed
    assert "models/two  ?         ?" in listed
    found = run("verify", "models/one", "models/two")
    assert isinstance(found.exception, DataError)
    assert "models/one: 7 files as they should be" in found.stdout
    assert "models/two: models/two: its config.json is not that of a permutree model" in found.stdout
    assert json.loads(run("verify", "models/one", "--json").stdout) == [
        {"name": "models/one", "files": 7, "fault": None}
    ]


def test_a_model_without_graphs_needs_pytorch_and_it_is_said(tmp_path: Path, site: Path) -> None:
    model = small_model(tmp_path / "model")
    (model / "model.safetensors").write_bytes(b"x")
    for graph in model.glob("*.onnx"):
        graph.unlink()
    write_settings(model, json.loads((model / "config.json").read_text("utf-8")))
    made = run("build", "model", "--name", "xx", "--licence", "MIT", "-o", "new/out")
    assert made.exit_code == 0
    assert "it needs PyTorch where it is installed" in made.stderr
    assert (tmp_path / "new" / "out" / FILE).exists()
