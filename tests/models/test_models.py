from pathlib import Path

import pytest

from permutree import models
from permutree.errors import ConfigError


@pytest.fixture
def bundled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place with two bundled models and something that is none; the working directory is another one."""
    home = tmp_path / "bundled"
    for name in ("nl", "en", "other"):
        (home / name).mkdir(parents=True)
    for name in ("nl", "en"):
        (home / name / "config.json").write_text("{}", "utf-8")
    monkeypatch.setattr(models, "_HERE", home)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return home


def test_bundled_models_go_by_their_names(bundled: Path) -> None:
    assert models.names() == ["en", "nl"]
    assert models.folder("en") == bundled / "en"


def test_folders_go_by_their_paths(bundled: Path) -> None:
    Path("mine").mkdir()
    assert models.folder("mine") == Path("mine")
    assert models.folder(Path("en")) == Path("en")
    assert models.folder("far/away") == Path("far/away")


def test_a_bundled_model_comes_first_and_says_so(bundled: Path, caplog: pytest.LogCaptureFixture) -> None:
    Path("en").mkdir()
    assert models.folder("en") == bundled / "en"
    assert "for the folder of that name say ./en" in caplog.text
    assert models.folder("./en") == Path("en")


def test_a_missing_model_lists_those_there_are(bundled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        ConfigError, match=r"no model 'fr': the bundled ones are en, nl, .* `permutree models list` shows"
    ):
        models.folder("fr")
    monkeypatch.setattr(models, "_HERE", bundled / "other")
    with pytest.raises(ConfigError, match="none is bundled with this installation"):
        models.folder("fr")
