import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from packaged import contents, rewrite, small_model
from permutree import models
from permutree.errors import ConfigError
from permutree.languages import all_languages, guess_language, split
from permutree.models.installing import requirement_of
from permutree.models.packages import installed, installed_languages
from permutree.models.wheels import build_wheel
from permutree.parsing.parser import _place
from permutree.serving.settings import Served, models_to_serve


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder where Python looks for packages."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])
    all_languages.cache_clear()
    yield site
    all_languages.cache_clear()


def put(site: Path, name: str, language: str, **facts: object) -> None:
    """Unpack the wheel of a model, as pip does."""
    place = site.parent / f"model-{name}"
    wheel = build_wheel(small_model(place, **facts), site.parent, name=name, licence="MIT", language=language)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)


def test_models_of_packages_have_names(site: Path) -> None:
    assert installed() == {}
    put(site, "sv", "sv", **{"language name": "Swedish"})
    put(site, "en-large", "en")
    assert list(installed()) == ["en-large", "sv"]
    package = installed()["sv"]
    assert (package.distribution, package.version) == ("permutree-model-sv", "1.0")
    assert models.names() == ["de", "en", "is", "nl", "en-large", "sv"]
    assert models.folder("sv") == package.folder == site / "permutree_model_sv"
    assert _place("sv") == "sv"
    with pytest.raises(ConfigError, match=r"the installed ones en-large, sv, .*`permutree models install fr`"):
        models.folder("fr")


def test_their_languages_are_known(site: Path) -> None:
    put(site, "sv", "sv", **{"language name": "Swedish"})
    put(site, "sv-old", "sv")
    put(site, "en-large", "en")
    assert list(all_languages()) == ["en", "nl", "de", "is", "sv"]
    assert all_languages()["sv"].name == "Swedish"
    assert models.name_for("sv") == "sv"
    assert models.name_for("en") == "en"
    assert [sentence.words for sentence in split("Jag ser 1/2 fisk. Är det bra?", "sv")] == [
        ["Jag", "ser", "1/2", "fisk", "."],
        ["Är", "det", "bra", "?"],
    ]
    assert guess_language("I see a fish.") == "en"
    assert models_to_serve()[4:] == (
        Served("sv", "sv", "sv"),
        Served("en-large", "en-large", "en"),
        Served("sv-old", "sv-old", "sv"),
    )
    assert models_to_serve(["sv"]) == (Served("sv", "sv", "sv"),)


@pytest.mark.parametrize("name", ["x\x1b[2J", "", "x" * 1000, 7, None])
def test_odd_names_of_languages_are_not_shown(name: object, site: Path) -> None:
    put(site, "sv", "sv", **{"language name": name})
    assert installed_languages() == [("sv", "sv", "sv")]


def test_a_bundled_model_keeps_its_name(site: Path, tmp_path: Path) -> None:
    put(site, "en", "en")
    assert models.folder("en").parent == Path(models.__file__).parent
    assert models.names() == ["de", "en", "is", "nl"]


def test_a_folder_of_the_same_name_needs_its_path(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    put(site, "sv", "sv")
    monkeypatch.chdir(tmp_path)
    Path("sv").mkdir()
    assert models.folder("sv") == site / "permutree_model_sv"
    assert "sv is the installed model; for the folder of that name say ./sv" in caplog.text
    assert models.folder("./sv") == Path("sv")


@pytest.mark.parametrize("value", ["../../etc", "/etc", "permutree_model_xx:main [x]", "", "os;import sys"])
def test_entry_points_name_folders_beside_them(value: str, site: Path, tmp_path: Path) -> None:
    put(site, "xx", "xx")
    (site / "permutree_model_xx-1.0.dist-info" / "entry_points.txt").write_text(
        f"[permutree.models]\nxx = {value}\n", "utf-8"
    )
    assert all(package.folder.is_relative_to(site) for package in installed().values())


def test_damaged_packages_are_none(site: Path) -> None:
    put(site, "sv", "sv")
    metadata = site / "permutree_model_sv-1.0.dist-info"
    (site / "permutree_model_sv" / "config.json").write_bytes(b"[" * 10**6)
    assert list(installed()) == ["sv"]
    assert installed_languages() == []
    for name in ("entry_points.txt", "METADATA"):
        (metadata / name).write_bytes(b"\xff\xfe")
        assert installed() == {}
    (metadata / "METADATA").unlink()
    assert installed() == {}


def test_models_that_cannot_parse_text_have_no_language(site: Path) -> None:
    import json

    from packaged import write_settings

    put(site, "sv", "sv")
    place = site / "permutree_model_sv"
    settings = json.loads((place / "config.json").read_text("utf-8"))
    settings["model"]["tags"] = "gold"
    write_settings(place, settings)
    assert installed_languages() == []
    assert [served.name for served in models_to_serve()] == ["en", "nl", "de", "is"]


def test_what_pip_is_asked_for() -> None:
    assert requirement_of("permutree_model_sv") == "permutree-model-sv"
    for text in ("--index-url=x", "sv --pre", "git+https://x", "./sv", "", "sv==1.0; x", "permutree-model-sv==../x"):
        assert requirement_of(text) is None


def test_wheels_may_be_read_back(site: Path, tmp_path: Path) -> None:
    put(site, "sv", "sv")
    wheel = site.parent / "permutree_model_sv-1.0-py3-none-any.whl"
    assert contents(rewrite(tmp_path / wheel.name, contents(wheel))) == contents(wheel)
