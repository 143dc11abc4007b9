"""Wheels of models, made on the spot: sound ones, and ones that no installer should take."""

import base64
import hashlib
import json
import shutil
import zipfile
from pathlib import Path

from permutree.model.checksums import FILES, Checksums
from permutree.model.folder import GRAPHS, MODEL_FILES
from permutree.models import folder

FOLDER, METADATA = "permutree_model_xx", "permutree_model_xx-1.0.dist-info"
FILE = "permutree_model_xx-1.0-py3-none-any.whl"


def small_model(place: Path, **facts: object) -> Path:
    """The folder of a model whose graphs are a few bytes: whole, but nothing that runs."""
    place.mkdir(parents=True)
    for name in ("tags.json", "README.md", "LICENSE"):
        shutil.copyfile(folder("de") / name, place / name)
    words = json.loads((folder("de") / "words.json").read_text("utf-8"))
    words["words"] = words["words"][:100]
    (place / "words.json").write_text(json.dumps(words), "utf-8")
    for name in GRAPHS:
        (place / name).write_bytes(name.encode())
    settings = json.loads((folder("de") / "config.json").read_text("utf-8"))
    settings["facts"] |= facts
    write_settings(place, settings)
    return place


def write_settings(place: Path, settings: dict[str, object]) -> None:
    """Write ``config.json`` with checksums that fit."""
    settings.pop(FILES, None)
    known = Checksums.of(place, MODEL_FILES, settings).known
    (place / "config.json").write_text(json.dumps({**settings, FILES: known}), "utf-8")


def contents(wheel: Path) -> dict[str, bytes]:
    """The files of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rewrite(wheel: Path, files: dict[str, bytes], *, record: bool = True) -> Path:
    """A wheel with these files; with a record that fits, unless somebody wants the one that is given."""
    name = next((name for name in files if name.endswith("/RECORD")), f"{METADATA}/RECORD")
    if record:
        rows = [f"{file},{digest(content)},{len(content)}" for file, content in files.items() if file != name]
        files = {**files, name: "\n".join([*rows, f"{name},,", ""]).encode()}
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, content in files.items():
            archive.writestr(file, content)
    return wheel


def digest(content: bytes) -> str:
    """The digest of a file, as records write it."""
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
