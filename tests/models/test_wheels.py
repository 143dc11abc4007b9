import json
import os
import zipfile
from pathlib import Path

import pytest

from packaged import FILE, FOLDER, METADATA, contents, digest, small_model, write_settings
from permutree.errors import ConfigError, DataError
from permutree.model.folder import GRAPHS, PIECES
from permutree.models.verifying import verify
from permutree.models.wheels import WheelName, build_wheel, is_licence


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return small_model(tmp_path / "model", language="de")


def test_what_is_in_a_wheel(model: Path, tmp_path: Path) -> None:
    wheel = build_wheel(
        model, tmp_path / "new" / "out", name="xx", licence="CC-BY-4.0", language="xx", language_name="X-ish"
    )
    assert wheel.name == FILE
    files = contents(wheel)
    names = {"config.json", "tags.json", "words.json", "README.md", "LICENSE", *GRAPHS}
    metadata = {"METADATA", "WHEEL", "entry_points.txt", "licenses/LICENSE", "RECORD"}
    assert set(files) == {f"{FOLDER}/{name}" for name in names} | {f"{METADATA}/{name}" for name in metadata}
    facts = json.loads(files[f"{FOLDER}/config.json"])["facts"]
    assert (facts["language"], facts["language name"], facts["licence"]) == ("xx", "X-ish", "CC-BY-4.0")
    assert files[f"{METADATA}/entry_points.txt"] == b"[permutree.models]\nxx = permutree_model_xx\n"
    said = files[f"{METADATA}/METADATA"].decode()
    assert "\nName: permutree-model-xx\n" in said
    assert "\nLicense-Expression: CC-BY-4.0\nLicense-File: LICENSE\n" in said
    assert "## Licence of this package\n\nCC-BY-4.0" in said
    assert "F1" in said
    record = files[f"{METADATA}/RECORD"].decode().splitlines()
    expected = [f"{name},{digest(content)},{len(content)}" for name, content in files.items() if "RECORD" not in name]
    assert record == [*expected, f"{METADATA}/RECORD,,"]


def test_a_wheel_says_what_it_needs(model: Path, tmp_path: Path) -> None:
    def needed(wheel: Path) -> list[str]:
        lines = contents(wheel)[f"{METADATA}/METADATA"].decode().splitlines()
        return [line for line in lines if line.startswith("Requires-Dist")]

    assert needed(build_wheel(model, tmp_path, name="xx", licence="MIT")) == ["Requires-Dist: permutree"]
    (model / PIECES).write_text("{}", "utf-8")
    write_settings(model, json.loads((model / "config.json").read_text("utf-8")))
    assert needed(build_wheel(model, tmp_path, name="xx", licence="MIT")) == ["Requires-Dist: permutree[pretrained]"]


def test_the_folder_in_the_wheel_is_whole(model: Path, tmp_path: Path) -> None:
    wheel = build_wheel(model, tmp_path, name="xx", licence="MIT")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "unpacked")
    assert verify(tmp_path / "unpacked" / FOLDER) == 3 + len(GRAPHS)


def test_the_same_bytes_twice(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = build_wheel(model, tmp_path / "1", name="xx", licence="MIT").read_bytes()
    for file in model.iterdir():
        os.utime(file, (1e9, 1e9))
        file.chmod(0o600)
    assert build_wheel(model, tmp_path / "2", name="xx", licence="MIT").read_bytes() == first
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    later = build_wheel(model, tmp_path / "3", name="xx", licence="MIT")
    assert later.read_bytes() != first
    with zipfile.ZipFile(later) as archive:
        assert {info.date_time[:2] for info in archive.infolist()} == {(2023, 11)}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"name": "X"}, "no model can be called 'X'"),
        ({"name": "../x"}, "no model can be called"),
        ({"name": "a--b"}, "no model can be called"),
        ({"licence": "CC BY 4.0"}, "no SPDX licence expression; say CC-BY-4.0"),
        ({"licence": "(MIT"}, "no SPDX licence expression"),
        ({"licence": "MIT AND"}, "no SPDX licence expression"),
        ({"licence": "MIT\nName: x"}, "no SPDX licence expression"),
        ({"version": "one"}, "'one' is no version"),
        ({"version": "1.0/../x"}, "is no version"),
        ({"language": "../x"}, "does not say which language"),
        ({"summary": "x\nRequires-Dist: evil"}, "one line of plain text"),
        ({"url": "x\nRequires-Dist: evil"}, "one line of plain text"),
    ],
)
def test_what_no_wheel_can_say(options: dict[str, str], message: str, model: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=message):
        build_wheel(model, tmp_path / "out", **{"name": "xx", "licence": "MIT", **options})  # type: ignore[arg-type]
    assert not (tmp_path / "out").exists()


def test_a_damaged_model_is_no_package(model: Path, tmp_path: Path) -> None:
    (model / "model.onnx").write_bytes(b"other.onnx")
    with pytest.raises(DataError, match=r"model.onnx: is not the file that config.json describes"):
        build_wheel(model, tmp_path / "out", name="xx", licence="MIT")
    (model / "model.onnx").unlink()
    with pytest.raises(DataError, match=r"model.onnx: missing"):
        build_wheel(model, tmp_path / "out", name="xx", licence="MIT")


def test_a_licence_of_ones_own(model: Path, tmp_path: Path) -> None:
    (tmp_path / "terms.txt").write_text("Be kind.\n", "utf-8")
    wheel = build_wheel(model, tmp_path, name="xx", licence="LicenseRef-kind", licence_file=tmp_path / "terms.txt")
    assert contents(wheel)[f"{METADATA}/licenses/LICENSE"] == b"Be kind.\n"
    with pytest.raises(DataError, match=r"nowhere.txt: .*name the text of the licence"):
        build_wheel(model, tmp_path, name="xx", licence="MIT", licence_file=tmp_path / "nowhere.txt")


def test_names() -> None:
    name = WheelName.parse("permutree_model_de_law-2.0rc1-py3-none-any.whl")
    assert name is not None
    assert (name.model, name.distribution) == ("de-law", "permutree-model-de-law")
    assert name.folder == "permutree_model_de_law"
    assert WheelName.parse(name.file) == name
    for other in ("x.whl", "permutree_model_x-1.0-cp311-none-any.whl", "permutree_model_../x-1.0-py3-none-any.whl"):
        assert WheelName.parse(other) is None
    assert is_licence("GPL-2.0-only WITH Classpath-exception-2.0")
    assert not is_licence("MIT " * 200)
