"""What is in the wheel of a model, before pip sees it: unpacked aside, checked, and never run.

A wheel of a model may hold the files of a model folder and metadata. Anything else is refused: modules, ``.pth`` files
and scripts, which Python would run; paths that lead elsewhere; archives that swell; files that their record or their
checksums do not fit.
"""

from __future__ import annotations

import base64
import configparser
import csv
import hashlib
import io
import stat
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.parser import HeaderParser
from pathlib import Path
from typing import NoReturn

from permutree.errors import DataError
from permutree.model.checksums import CONFIG
from permutree.model.folder import ALL_FILES, CARD
from permutree.models.packages import GROUP
from permutree.models.verifying import verify
from permutree.models.wheels import WheelName, is_licence

__all__ = ["Inspected", "inspected"]

#: members of a wheel, bytes of them all, and of each file of metadata
MOST_MEMBERS = 64
MOST_BYTES = 16 << 30
MOST_METADATA = 4 << 20
#: how many times larger than in the archive a file may be, and the size from which that counts
MOST_SWELLING = 100
SMALL = 4 << 20
_METADATA = ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "top_level.txt", "zip-safe")
_LICENCES = ("licenses/", "license_files/")
_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OSError,
    ValueError,
)


@dataclass(frozen=True, slots=True)
class Inspected:
    """The wheel of a model that was found to be sound, unpacked."""

    name: WheelName
    #: as the metadata say it; empty if they do not
    licence: str
    summary: str
    #: where the model folder is, as long as the wheel is looked at
    folder: Path
    #: bytes of the file, and of what is installed
    size: int
    unpacked: int
    #: files of the model that have their checksums
    checked: int


@contextmanager
def inspected(wheel: Path) -> Iterator[Inspected]:
    """A wheel, unpacked in a temporary folder and checked; a DataError says what is wrong with it."""
    name = WheelName.parse(wheel.name)
    if name is None:
        raise DataError(
            "is not called as wheels of models are, permutree_model_NAME-VERSION-py3-none-any.whl; `permutree models "
            "build` writes them",
            source=str(wheel),
        )
    with tempfile.TemporaryDirectory(prefix="permutree-model-") as scratch:
        try:
            with zipfile.ZipFile(wheel) as archive:
                members = _members(archive, name, wheel)
                found = _unpack(archive, members, name, wheel, Path(scratch))
        except DataError:
            raise
        except FileNotFoundError:
            raise DataError("there is no such file", source=str(wheel)) from None
        except _UNREADABLE as error:
            raise DataError(f"no wheel, or a damaged one: {error}", source=str(wheel)) from None
        yield found


def _refuse(wheel: Path, message: str) -> NoReturn:
    raise DataError(f"{message}; it is not installed", source=str(wheel))


def _members(archive: zipfile.ZipFile, name: WheelName, wheel: Path) -> dict[str, zipfile.ZipInfo]:
    """The files of a wheel; an error if one of them has no place in it."""
    listed = [info for info in archive.infolist() if not info.is_dir()]
    if len(listed) > MOST_MEMBERS:
        _refuse(wheel, f"has {len(listed):,} files, and a model has a dozen")
    members = {info.filename: info for info in listed}
    if len(members) < len(listed):
        _refuse(wheel, "has several files of one name")
    for path, info in members.items():
        if not _belongs(path, name):
            _refuse(wheel, f"has a file {path!r}; wheels of models hold a model folder and metadata only")
        if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
            _refuse(wheel, f"{path} is a link or no file at all")
        if info.flag_bits & 1:
            _refuse(wheel, f"{path} is encrypted")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            _refuse(wheel, f"{path} is compressed as no wheel is")
        if info.file_size > SMALL and info.file_size > MOST_SWELLING * info.compress_size:
            _refuse(wheel, f"{path} would be {info.file_size:,} bytes, from {info.compress_size:,}: a zip bomb")
        if path.startswith(f"{name.metadata}/") and info.file_size > MOST_METADATA:
            _refuse(wheel, f"{path} has {info.file_size:,} bytes")
    if sum(info.file_size for info in listed) > MOST_BYTES:
        _refuse(wheel, f"would be more than {MOST_BYTES >> 30} GB")
    if sum(info.compress_size for info in listed) > wheel.stat().st_size:
        _refuse(wheel, "has files that overlap: a zip bomb")
    needed = [f"{name.folder}/{file}" for file in (CONFIG, CARD)]
    for path in (*needed, *(f"{name.metadata}/{file}" for file in ("METADATA", "RECORD", "entry_points.txt"))):
        if path not in members:
            what = "the model card" if path.endswith(CARD) else "which wheels of models have"
            _refuse(wheel, f"has no {path}, {what}")
    return members


def _belongs(path: str, name: WheelName) -> bool:
    folder, _, file = path.partition("/")
    if folder == name.folder:
        return file in ALL_FILES
    is_licence_text = file.startswith(_LICENCES) and all(part not in ("", ".", "..") for part in file.split("/"))
    return folder == name.metadata and "\\" not in file and (file in _METADATA or is_licence_text)


def _unpack(
    archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo], name: WheelName, wheel: Path, scratch: Path
) -> Inspected:
    """Write the model folder aside, and compare everything with the record."""
    record = _record(archive.read(f"{name.metadata}/RECORD"), wheel)
    (scratch / name.folder).mkdir()
    for path, info in members.items():
        if path == f"{name.metadata}/RECORD":
            continue
        target = scratch / path if path.startswith(f"{name.folder}/") else None
        if _digest(archive, info, target) != record.pop(path, None):
            _refuse(wheel, f"{path} is not what the wheel's record says: damaged, or changed")
    record.pop(f"{name.metadata}/RECORD", None)
    if record:
        _refuse(wheel, f"has no {next(iter(record))!r}, which its record names")
    metadata = HeaderParser().parsestr(archive.read(f"{name.metadata}/METADATA").decode("utf-8", "replace"))
    said = str(metadata["Name"] or "").replace("_", "-").lower(), str(metadata["Version"])
    if said != (name.distribution, name.version):
        _refuse(wheel, f"says that it is {said[0]} {said[1]}, other than its name")
    _check_entry_points(archive.read(f"{name.metadata}/entry_points.txt"), name, wheel)
    licence = str(metadata["License-Expression"] or "")
    return Inspected(
        name,
        licence if is_licence(licence) else "",
        str(metadata["Summary"] or ""),
        scratch / name.folder,
        wheel.stat().st_size,
        sum(info.file_size for info in members.values()),
        verify(scratch / name.folder),
    )


def _digest(archive: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path | None) -> str:
    """The digest of a file as records write it; the file is written on the way, if somebody wants it."""
    found = hashlib.sha256()
    with archive.open(info) as source, io.BytesIO() if target is None else target.open("wb") as sink:
        while block := source.read(1 << 20):
            found.update(block)
            sink.write(block)
    return "sha256=" + base64.urlsafe_b64encode(found.digest()).rstrip(b"=").decode()


def _record(content: bytes, wheel: Path) -> dict[str, str]:
    """File → digest, as the record of a wheel lists them."""
    try:
        return {row[0]: row[1] for row in csv.reader(io.StringIO(content.decode())) if row}
    except (csv.Error, IndexError, UnicodeError) as error:
        _refuse(wheel, f"its record cannot be read: {error}")


def _check_entry_points(content: bytes, name: WheelName, wheel: Path) -> None:
    """An error if the wheel announces anything but its model."""
    parser = configparser.ConfigParser(delimiters=("=",), interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    try:
        parser.read_string(content.decode())
        found = {group: dict(parser[group]) for group in parser.sections()}
    except (configparser.Error, UnicodeError) as error:
        _refuse(wheel, f"its entry points cannot be read: {error}")
    if found != {GROUP: {name.model: name.folder}}:
        _refuse(wheel, f"should announce the model {name.model} and nothing else, but has the entry points {found}")
