"""Checksums of the files of a model folder, so that damaged files and those of another model are told at once.

``config.json`` lists them under ``files``: size and SHA-256 of each file that a model is made of, and the SHA-256 of
what ``config.json`` says itself. Folders of earlier versions have no such list, and load without it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from permutree.errors import DataError

__all__ = ["CONFIG", "FILES", "Checksums"]

CONFIG = "config.json"
#: the entry of config.json that lists checksums
FILES = "files"

_WAY_OUT = "copy the whole folder again, or export or train the model anew"


@dataclass(frozen=True, slots=True)
class Checksums:
    """What is known of the files of a folder: nothing, if its version had no checksums."""

    folder: Path = Path()
    known: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @classmethod
    def of(cls, folder: Path, names: Iterable[str], settings: Mapping[str, Any]) -> Checksums:
        """The checksums of those of these files that are there, and of the settings that config.json holds."""
        found: dict[str, dict[str, Any]] = {}
        for name in names:
            if (folder / name).exists():
                with (folder / name).open("rb") as file:
                    digest = hashlib.file_digest(file, "sha256").hexdigest()
                found[name] = {"size": (folder / name).stat().st_size, "sha256": digest}
        return cls(folder, found | {CONFIG: {"sha256": _digest(settings)}})

    @classmethod
    def read(cls, folder: Path, settings: Mapping[str, Any]) -> Checksums:
        """The checksums that config.json lists, once it is sure that it says what it said when it was written."""
        known = settings.get(FILES)
        if known is None:
            return cls(folder)
        source = str(folder / CONFIG)
        if not isinstance(known, dict) or not all(isinstance(entry, dict) for entry in known.values()):
            raise DataError(f"damaged: {FILES!r} is no list of checksums; {_WAY_OUT}", source=source)
        if known.get(CONFIG, {}).get("sha256") != _digest(settings):
            raise DataError(
                f"damaged, or changed after it was written; {_WAY_OUT}. If the change is meant, take out the entry "
                f"{FILES!r}: then nothing is checked",
                source=source,
            )
        return cls(folder, known)

    def contents(self, name: str) -> bytes:
        """What a file holds; an error if that is not what it held when the model was written."""
        path = self.folder / name
        try:
            found = path.read_bytes()
        except OSError as error:
            raise DataError(f"{error.strerror}; {_WAY_OUT}", source=str(path)) from None
        self._compare(name, len(found), hashlib.sha256(found).hexdigest() if name in self.known else "")
        return found

    def check(self, name: str) -> None:
        """An error if a file is not the one that it was; unlike :meth:`contents`, it need not fit into memory."""
        if name not in self.known or not (self.folder / name).exists():
            return
        with (self.folder / name).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        self._compare(name, (self.folder / name).stat().st_size, digest)

    def _compare(self, name: str, size: int, digest: str) -> None:
        known, path = self.known.get(name), str(self.folder / name)
        if known is None:
            return
        if size != known.get("size"):
            message = f"has {size:,} bytes where config.json says {known.get('size'):,}"
        elif digest != known.get("sha256"):
            message = "is not the file that config.json describes, though of the same size: its SHA-256 differs"
        else:
            return
        raise DataError(f"{message}. It is damaged, or part of another model: {_WAY_OUT}", source=path)


def _digest(settings: Mapping[str, Any]) -> str:
    """The SHA-256 of settings, whatever order or layout they are written in, without that of files."""
    rest = {name: value for name, value in settings.items() if name != FILES}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
