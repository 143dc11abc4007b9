"""The files of a release: what is in them, and that what does not belong is found."""

import io
import os
import re
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from conftest import CHECKOUT, script

METADATA = "permutree-1.0.dist-info"


@pytest.fixture(scope="module")
def wheel() -> ModuleType:
    sys.modules["extras"] = script("extras.py")
    return script("wheel.py")


@pytest.fixture(scope="module")
def built(wheel: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two wheels and two sdists, from two copies of the checkout, without graphs, which take long to compress."""
    found = []
    for number in (1, 2):
        place = tmp_path_factory.mktemp(f"copy{number}")
        unneeded = shutil.ignore_patterns("__pycache__", "*.onnx")
        shutil.copytree(CHECKOUT / "src", place / "src", ignore=unneeded)
        shutil.copytree(CHECKOUT / "tests" / "models", place / "tests", ignore=unneeded)
        for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", "CHANGELOG.md", "Makefile"):
            shutil.copyfile(CHECKOUT / name, place / name)
            os.utime(place / name, (1e9 * number, 1e9 * number))
        wheel.build(place, place / "out")
        found += [next((place / "out").glob("*.whl")), next((place / "out").glob("*.tar.gz"))]
    return found


def test_they_hold_what_belongs_there(wheel: ModuleType, built: list[Path]) -> None:
    assert list(wheel.wheel_faults(built[0])) == []
    assert list(wheel.sdist_faults(built[1])) == []


def test_the_same_bytes_twice(built: list[Path]) -> None:
    for first, second in zip(built[:2], built[2:], strict=True):
        assert first.read_bytes() == second.read_bytes()


def test_the_sdist_gives_the_same_wheel(wheel: ModuleType, built: list[Path], tmp_path: Path) -> None:
    options = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
    with tarfile.open(built[1]) as archive:
        archive.extractall(tmp_path, **options)  # type: ignore[arg-type]
    (unpacked,) = tmp_path.iterdir()
    wheel.build(unpacked, tmp_path / "out")
    assert (tmp_path / "out" / built[0].name).read_bytes() == built[0].read_bytes()


def test_what_the_dockerfile_copies_is_enough(wheel: ModuleType, tmp_path: Path) -> None:
    copied = re.findall(r"^COPY (.+) \S+$", (CHECKOUT / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    for name in " ".join(copied).split():
        if (CHECKOUT / name).is_dir():
            shutil.copytree(CHECKOUT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "*.onnx"))
        else:
            shutil.copyfile(CHECKOUT / name, tmp_path / name)
    wheel.build(tmp_path, tmp_path / "out")
    assert list((tmp_path / "out").glob("permutree-*.whl"))


def test_metadata(built: list[Path]) -> None:
    with zipfile.ZipFile(built[0]) as archive:
        names = archive.namelist()
        (metadata,) = (archive.read(name).decode() for name in names if name.endswith("/METADATA"))
    assert "License-Expression: MIT AND CC-BY-3.0" in metadata
    assert "License-File: src/permutree/models/en/LICENSE" in metadata
    assert "Project-URL: Paper, https://" in metadata
    assert "Classifier: License" not in metadata
    assert "permutree/models/packages.py" in names


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("permutree_lab/grid.py", "has permutree_lab/grid.py, which does not belong there"),
        ("permutree/__pycache__/cli.pyc", "which does not belong there"),
        ("permutree/models/en/model.safetensors", "which does not belong there"),
        ("permutree/.hidden.py", "which does not belong there"),
        ("tests/test_x.py", "which does not belong there"),
        ("permutree/models/xx/config.json", "the model xx has no licence"),
    ],
)
def test_what_does_not_belong_is_found(
    name: str, fault: str, wheel: ModuleType, built: list[Path], tmp_path: Path
) -> None:
    copy = tmp_path / built[0].name
    shutil.copyfile(built[0], copy)
    with zipfile.ZipFile(copy, "a") as archive:
        archive.writestr(name, "x")
    (found,) = wheel.wheel_faults(copy)
    assert fault in found


def test_what_is_missing_is_found(wheel: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "permutree-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{METADATA}/METADATA", "Name: permutree\nLicense-File: LICENSE\n\n")
    monkeypatch.setattr(wheel, "LARGEST", 10)
    found = "\n".join(wheel.wheel_faults(path))
    for fault in ("more than 10", "no permutree/py.typed", "no Project-URL", "no licence LICENSE", "has no model"):
        assert fault in found
    with tarfile.open(tmp_path / "x.tar.gz", "w:gz") as archive:
        entry = tarfile.TarInfo("permutree-1.0/lab/grid.py")
        archive.addfile(entry, io.BytesIO())
    found = "\n".join(wheel.sdist_faults(tmp_path / "x.tar.gz"))
    assert "has lab/grid.py, which does not belong there" in found
    assert "has no pyproject.toml" in found


def test_commands_that_need_pytorch(wheel: ModuleType) -> None:
    lines = [
        "permutree parse x",
        "permutree train best",
        "permutree parse --model model x",
        "permutree parse --model nl x",
    ]
    assert [needs for _, needs in wheel.readme_lines("", lambda text: lines)] == [False, True, True, False]
