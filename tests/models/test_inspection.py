"""Wheels that no installer should take end in an error that says why, before pip sees them."""

import json
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from packaged import FILE, FOLDER, METADATA, contents, rewrite, small_model
from permutree.errors import DataError
from permutree.model.folder import GRAPHS
from permutree.models import inspection
from permutree.models.inspection import inspected
from permutree.models.wheels import build_wheel

Files = dict[str, bytes]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel that is as it should be."""
    place = tmp_path_factory.mktemp("wheels")
    return build_wheel(small_model(place / "model"), place, name="xx", licence="Apache-2.0")


def test_a_sound_wheel(sound: Path) -> None:
    with inspected(sound) as found:
        assert (found.name.model, found.name.version, found.licence) == ("xx", "1.0", "Apache-2.0")
        assert found.checked == 3 + len(GRAPHS)
        assert found.size == sound.stat().st_size
        folder = found.folder
        assert (folder / "model.onnx").read_bytes() == b"model.onnx"
        assert sorted(path.name for path in folder.parent.iterdir()) == [FOLDER]
    assert not folder.exists()


def _without(name: str) -> Callable[[Files], Files]:
    return lambda files: {path: content for path, content in files.items() if path != name}


def _with(name: str, content: bytes = b"x") -> Callable[[Files], Files]:
    return lambda files: {**files, name: content}


def _settings(files: Files) -> Files:
    settings = json.loads(files[f"{FOLDER}/config.json"])
    settings["facts"]["language"] = "nn"
    return {**files, f"{FOLDER}/config.json": json.dumps(settings).encode()}


def _checksums(files: Files) -> Files:
    settings = json.loads(files[f"{FOLDER}/config.json"])
    settings["files"]["../../../etc/passwd"] = {"size": 1, "sha256": ""}
    return {**files, f"{FOLDER}/config.json": json.dumps(settings).encode()}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_with(f"{FOLDER}/__init__.py"), "has a file .*__init__.py.* hold a model folder and metadata only"),
        (_with("evil.pth", b"import os"), "has a file 'evil.pth'"),
        (_with("permutree_model_xx-1.0.data/scripts/permutree"), "has a file .*scripts/permutree"),
        (_with("permutree/cli/__init__.py"), "has a file 'permutree/cli/__init__.py'"),
        (_with(f"{FOLDER}/../../../x"), "has a file .*x'"),
        (_with("/etc/cron.d/x"), "has a file '/etc/cron.d/x'"),
        (_with(f"{METADATA}/licenses/../../x"), "has a file"),
        (_with(f"{METADATA}/licenses/..\\..\\x"), "has a file"),
        (_with(f"{FOLDER}/sub/config.json"), "has a file"),
        (_without(f"{FOLDER}/README.md"), f"has no {FOLDER}/README.md, the model card"),
        (_without(f"{FOLDER}/config.json"), "has no .*config.json"),
        (_without(f"{METADATA}/METADATA"), "has no .*METADATA"),
        (_without(f"{METADATA}/entry_points.txt"), "has no .*entry_points.txt"),
        (_without(f"{FOLDER}/words.onnx"), "words.onnx: missing"),
        (_with(f"{FOLDER}/model.onnx", b"other.onnx"), "model.onnx: is not the file that config.json describes"),
        (_settings, "config.json: damaged, or changed"),
        (_checksums, "lists a file that no model has"),
        (_with(f"{FOLDER}/config.json", b"[" * 10**6), "config.json: damaged: nested too deeply"),
        (
            _with(f"{METADATA}/METADATA", b"Name: permutree-model-yy\nVersion: 1.0\n\n"),
            "that it is permutree-model-yy",
        ),
        (
            _with(f"{METADATA}/entry_points.txt", b"[console_scripts]\nls = permutree_model_xx:x\n"),
            "should announce the model xx and nothing else",
        ),
        (_with(f"{METADATA}/entry_points.txt", b"[permutree.models]\nxx = os\n"), "should announce the model xx"),
        (_with(f"{METADATA}/entry_points.txt", b"\xff\xfe"), "entry points cannot be read"),
    ],
)
def test_wheels_that_are_refused(change: Callable[[Files], Files], message: str, sound: Path, tmp_path: Path) -> None:
    wheel = rewrite(tmp_path / FILE, change(contents(sound)))
    with pytest.raises(DataError, match=message), inspected(wheel):
        pass


def test_what_the_record_does_not_say(sound: Path, tmp_path: Path) -> None:
    files = contents(sound)
    wheel = rewrite(tmp_path / FILE, {**files, f"{FOLDER}/tags.json": b"[]"}, record=False)
    with pytest.raises(DataError, match=r"tags.json is not what the wheel's record says"), inspected(wheel):
        pass
    wheel = rewrite(tmp_path / FILE, _without(f"{FOLDER}/LICENSE")(files), record=False)
    with (
        pytest.raises(DataError, match=r"has no 'permutree_model_xx/LICENSE', which"),
        inspected(wheel),
    ):
        pass
    wheel = rewrite(tmp_path / FILE, {**files, f"{METADATA}/RECORD": b"\xff"}, record=False)
    with pytest.raises(DataError, match="its record cannot be read"), inspected(wheel):
        pass


def test_bombs(sound: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = rewrite(tmp_path / FILE, {**contents(sound), f"{FOLDER}/training.json": bytes(8 << 20)})
    with (
        pytest.raises(DataError, match=r"training.json would be 8,388,608 .*: a zip bomb"),
        inspected(wheel),
    ):
        pass
    wheel = rewrite(tmp_path / FILE, {**contents(sound), **{f"{METADATA}/licenses/{n}": b"" for n in range(99)}})
    with pytest.raises(DataError, match="a model has a dozen"), inspected(wheel):
        pass
    monkeypatch.setattr(inspection, "MOST_BYTES", 1 << 10)
    with pytest.raises(DataError, match="would be more than"), inspected(sound):
        pass


def test_members_that_share_their_bytes(sound: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / FILE, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(f"{METADATA}/licenses/0", b"x" * 99_999)
        first = archive.infolist()[0]
        for number in range(1, 20):
            other = zipfile.ZipInfo(f"{METADATA}/licenses/{number}")
            for field in ("header_offset", "CRC", "compress_size", "file_size", "external_attr"):
                setattr(other, field, getattr(first, field))
            archive.filelist.append(other)
            archive.NameToInfo[other.filename] = other
    with pytest.raises(DataError, match="files that overlap: a zip bomb"), inspected(tmp_path / FILE):
        pass


def test_links_and_namesakes(sound: Path, tmp_path: Path) -> None:
    link = zipfile.ZipInfo(f"{FOLDER}/training.json")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / FILE, "w") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(DataError, match="is a link or no file at all"), inspected(tmp_path / FILE):
        pass
    with zipfile.ZipFile(tmp_path / FILE, "w") as archive:
        archive.writestr(f"{FOLDER}/tags.json", "[]")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr(f"{FOLDER}/tags.json", "[1]")
    with pytest.raises(DataError, match="several files of one name"), inspected(tmp_path / FILE):
        pass


def test_other_compressions(sound: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / FILE, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr(f"{FOLDER}/tags.json", "[]")
    with pytest.raises(DataError, match="compressed as no wheel is"), inspected(tmp_path / FILE):
        pass


def test_what_is_no_wheel(sound: Path, tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"PK\x03\x04 nonsense")
    with pytest.raises(DataError, match="no wheel, or a damaged one"), inspected(tmp_path / FILE):
        pass
    (tmp_path / FILE).write_bytes(sound.read_bytes()[:-5000])
    with pytest.raises(DataError, match="no wheel, or a damaged one"), inspected(tmp_path / FILE):
        pass
    with pytest.raises(DataError, match="there is no such file"), inspected(tmp_path / FILE.replace("xx", "yy")):
        pass
    with pytest.raises(DataError, match="is not called as wheels of models are"), inspected(tmp_path / "x.whl"):
        pass


def test_any_byte_may_be_wrong(sound: Path, tmp_path: Path) -> None:
    content = sound.read_bytes()
    for place in range(0, len(content), len(content) // 25):
        changed = bytearray(content)
        changed[place] ^= 0xFF
        (tmp_path / FILE).write_bytes(changed)
        with suppress(DataError), inspected(tmp_path / FILE):
            pass
