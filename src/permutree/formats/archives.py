"""Members of tar and zip archives, read one after the other without unpacking anything to the disk.

A name says where a member stands in messages and what its sentences are called, never where something is written, so
``./x`` and ``../x`` are members like any others. A link is read as the member that it leads to. What cannot be read is
told, and the next member comes.
"""

from __future__ import annotations

import io
import posixpath
import stat
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from permutree.errors import DataError, OnError
from permutree.formats.layers import BLOCK, UNREADABLE, Decompressed, Ledger, Member, buffered, said
from permutree.formats.natural import natural_key

__all__ = ["ZIP_MAGIC", "Entry", "is_tar", "tar_members", "zip_members"]

ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
#: bytes of a zip archive that cannot be read in any order, and so has to be held in memory
MOST_HELD = 256 << 20
#: bytes of the list of members in a zip archive, and of a header that extends another in a tar archive
MOST_LISTED = 32 << 20
MOST_HEADER = 1 << 20
#: links that lead to each other
_MOST_LINKS = 8


class Entry(NamedTuple):
    """A member: its name for messages, its name inside the archive, and its bytes."""

    name: str
    member: str
    stream: io.BufferedReader


def clean(name: str) -> str:
    """The name of a member inside its archive.

    >>> clean("./a/1.xml"), clean("../b/../c.psd"), clean("/d.export")
    ('a/1.xml', 'c.psd', 'd.export')
    """
    parts = posixpath.normpath("/" + name.replace("\\", "/")).split("/")
    return "/".join(part for part in parts if part)


def is_hidden(member: str) -> bool:
    """Whether a member is one of those that systems leave behind."""
    return any(part.startswith((".", "__MACOSX")) for part in member.split("/"))


@dataclass(slots=True)
class _Links:
    """Links of an archive, by the member that they lead to."""

    name: str
    on_error: OnError
    targets: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, target: str) -> None:
        """Take note of a link; both are names inside the archive."""
        self.targets[clean(name)] = target
        self.names[clean(name)] = name

    def refuse(self, member: str, why: str) -> None:
        """Tell that a link is not read."""
        message = f"a link to {self.targets[member]}, {why}"
        self.on_error(DataError(message, source=f"{self.name}/{self.names[member]}", skipped=None))

    def by_target(self, known: set[str]) -> dict[str, list[str]]:
        """The links to each member; those that lead nowhere are told."""
        found: dict[str, list[str]] = {}
        for member in self.targets:
            target = member
            for _ in range(_MOST_LINKS):
                if target not in self.targets:
                    break
                target = clean(self.targets[target])
            if target in known:
                found.setdefault(target, []).append(member)
            elif not any(name.startswith(f"{target}/") for name in known):
                # The members of a folder are read under their own names.
                self.refuse(member, "which is not in the archive")
        return found


def zip_members(name: str, stream: io.BufferedReader, ledger: Ledger, on_error: OnError) -> Iterator[Entry]:
    """The files of a zip archive in natural order, each with all its namesakes."""
    seekable: Any = stream
    if not stream.seekable():
        held = stream.read(MOST_HELD + 1)
        if len(held) > MOST_HELD:
            message = f"a zip archive of more than {MOST_HELD >> 20} MB has to be a file of its own: unpack it first"
            on_error(DataError(message, source=name, skipped=None))
            return
        seekable = io.BytesIO(held)
    try:
        listed = _check_list(seekable)
        archive = zipfile.ZipFile(seekable)
    except UNREADABLE as error:
        size = seekable.seek(0, io.SEEK_END)
        message = f"a damaged or cut-off zip archive ({said(error)}): {size:,} bytes not read"
        on_error(DataError(message, source=name, skipped=None))
        return
    with archive:
        found = len(archive.infolist())
        if listed != found and listed < 0xFFFF:
            message = f"a damaged zip archive: it should have {listed:,} members, but lists {found:,}"
            on_error(DataError(message, source=name, skipped=None))
        yield from _zip_entries(name, archive, seekable, ledger, on_error)


def _check_list(stream: Any) -> int:
    """How many members there should be; an error for a list of members that is too long to be held."""
    size = stream.seek(0, io.SEEK_END)
    stream.seek(max(0, size - (BLOCK + 22)))
    tail = stream.read(BLOCK + 22)
    place = tail.rfind(b"PK\x05\x06")
    listed = int.from_bytes(tail[place + 12 : place + 16], "little") if place >= 0 else 0
    if min(listed, size) > MOST_LISTED:
        raise zipfile.BadZipFile(f"its list of members is longer than {MOST_LISTED >> 20} MB; unpack it first")
    return int.from_bytes(tail[place + 10 : place + 12], "little") if place >= 0 else 0


def _zip_entries(
    name: str, archive: zipfile.ZipFile, seekable: Any, ledger: Ledger, on_error: OnError
) -> Iterator[Entry]:
    links = _Links(name, on_error)
    files: list[tuple[str, zipfile.ZipInfo]] = []
    for info in archive.infolist():
        member = clean(info.filename)
        # A folder has no bytes: what has is a file, whatever it is called.
        if info.is_dir() and not info.file_size:
            continue
        if is_hidden(member) and _is_called_so(archive, info):
            continue
        if stat.S_ISLNK(info.external_attr >> 16) and info.file_size < BLOCK:
            try:
                target = archive.read(info).decode("utf-8", "replace")
            except UNREADABLE as error:
                on_error(DataError(f"a link that cannot be read: {said(error)}", source=f"{name}/{info.filename}"))
            else:
                links.add(info.filename, posixpath.join(posixpath.dirname(info.filename), target))
            continue
        files.append((member, info))
    first = dict(reversed(files))
    for target, members in links.by_target(set(first)).items():
        files += [(member, first[target]) for member in members]
    for member, info in sorted(files, key=lambda file: natural_key(file[0])):
        shown = f"{name}/{links.names.get(member, info.filename)}"
        try:
            raw = _zip_stream(shown, archive, info, seekable, ledger)
        except UNREADABLE as error:
            way_out = "; decrypt it first" if info.flag_bits & 1 else ""
            message = f"cannot be read: {said(error)}{way_out}"
            on_error(DataError(message, source=shown, skipped=None))
            continue
        with buffered(raw) as inner:
            yield Entry(shown, member, inner)


def _is_called_so(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bool:
    """Whether a member has the same name in its own header and in the list of members, so that none is damaged."""
    try:
        archive.open(info).close()
    except zipfile.BadZipFile:
        return False
    except UNREADABLE:
        # Encrypted, or compressed in a way that is not known: nothing is wrong with the name.
        return True
    return True


def _zip_stream(name: str, archive: zipfile.ZipFile, info: zipfile.ZipInfo, seekable: Any, ledger: Ledger) -> Any:
    """The bytes of a member."""
    if info.flag_bits & 1:
        raise RuntimeError("it is encrypted")
    raw = archive.open(info)
    if info.compress_type != zipfile.ZIP_BZIP2:
        return Member(name, ledger, raw)
    # The decompressor of zipfile has no limit here.
    raw.close()
    seekable.seek(info.header_offset + 26)
    lengths = seekable.read(4)
    skip = int.from_bytes(lengths[:2], "little") + int.from_bytes(lengths[2:], "little")
    seekable.seek(info.header_offset + 30 + skip)
    below = buffered(Member(name, Ledger(), _Slice(seekable, info.compress_size)))
    return Decompressed(name, ledger, below, b"BZh")


class _Slice:
    """So many bytes of a stream, from where it stands."""

    def __init__(self, stream: Any, size: int) -> None:
        self.stream = stream
        self.left = size

    def read(self, size: int) -> bytes:
        """Some of the bytes; an EOFError if there are not as many as there should be."""
        data: bytes = self.stream.read1(min(size, self.left)) if self.left else b""
        if not data and self.left:
            left, self.left = self.left, 0
            raise EOFError(f"the archive ends {left:,} bytes too soon")
        self.left -= len(data)
        return data

    def skip(self, padding: int) -> None:
        """Go to the end, and over the padding after it."""
        self.left += padding
        while self.left:
            self.read(BLOCK)

    def close(self) -> None:
        """Nothing: the stream goes on."""


_FILES = (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE)
_EXTENSIONS = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)


def is_tar(head: bytes) -> bool:
    """Whether these are the first bytes of a tar archive."""
    return head[257:262] == b"ustar"


def tar_members(name: str, stream: io.BufferedReader, ledger: Ledger, on_error: OnError) -> Iterator[Entry]:
    """The files of a tar archive as they are stored, then what links lead to.

    For links, the archive is read a second time; that of standard input cannot be.
    """
    links = _Links(name, on_error)
    known: set[str] = set()
    for header, piece in _tar_headers(name, stream, ledger):
        member = clean(header.name)
        if is_hidden(member):
            continue
        if header.type in (tarfile.LNKTYPE, tarfile.SYMTYPE):
            folder = posixpath.dirname(header.name) if header.type == tarfile.SYMTYPE else ""
            links.add(header.name, posixpath.join(folder, header.linkname))
        elif header.type in _FILES and not header.is_sparse:
            known.add(member)
            shown = f"{name}/{header.name}"
            with buffered(Member(shown, ledger, piece)) as inner:
                yield Entry(shown, member, inner)
        elif header.type != tarfile.DIRTYPE:
            message = "a sparse file, or none at all: not read; unpack the archive first"
            on_error(DataError(message, source=f"{name}/{header.name}", skipped=None))
    if links.targets:
        yield from _linked_members(name, stream, ledger, links, known)


def _linked_members(
    name: str, stream: io.BufferedReader, ledger: Ledger, links: _Links, known: set[str]
) -> Iterator[Entry]:
    """What links lead to, in the order of the members that they lead to."""
    wanted = links.by_target(known)
    if wanted and not stream.seekable():
        for members in wanted.values():
            for member in members:
                links.refuse(member, "which cannot be read twice here; give the archive as a file")
        return
    while wanted:
        # Each reading serves one link to each member.
        stream.seek(0)
        now = {target: members.pop(0) for target, members in wanted.items()}
        wanted = {target: members for target, members in wanted.items() if members}
        for header, piece in _tar_headers(name, stream, Ledger()):
            if header.type in _FILES and (link := now.pop(clean(header.name), None)) is not None:
                shown = f"{name}/{links.names[link]}"
                with buffered(Member(shown, ledger, piece)) as inner:
                    yield Entry(shown, link, inner)


@dataclass(slots=True)
class _Header:
    """What a tar archive says of a member."""

    name: str
    type: bytes
    size: int
    linkname: str
    is_sparse: bool


def _tar_headers(name: str, stream: io.BufferedReader, ledger: Ledger) -> Iterator[tuple[_Header, _Slice]]:
    """The headers of members with their bytes; after a damaged header, the next one is looked for."""
    extended: dict[str, str] = {}
    general: dict[str, str] = {}
    passed = 0
    is_ended = False
    while block := stream.read(tarfile.BLOCKSIZE):
        if not any(block):
            is_ended = True
            continue
        try:
            info = tarfile.TarInfo.frombuf(block, "utf-8", "replace")
            if info.size < 0:
                raise tarfile.HeaderError("a negative size")
        except (tarfile.TarError, ValueError):
            passed += len(block)
            continue
        if passed:
            ledger.note(name, f"a damaged archive: {passed:,} bytes not read; reading goes on after them")
        passed, is_ended = 0, False
        header = _header(info, {**general, **extended})
        piece = _Slice(stream, header.size)
        try:
            if info.type in _EXTENSIONS:
                _extend(info.type, piece, general if info.type == tarfile.XGLTYPE else extended)
            else:
                yield header, piece
                extended = {}
            piece.skip(-header.size % tarfile.BLOCKSIZE)
        except (EOFError, ValueError) as error:
            ledger.note(name, f"a damaged or cut-off archive: {said(error)}")
            if isinstance(error, ValueError):
                continue
            return
    if passed or not is_ended:
        amount = f": {passed:,} bytes not read" if passed else ", it has no end mark"
        ledger.note(name, f"a damaged or cut-off archive{amount}")


def _header(info: tarfile.TarInfo, extended: dict[str, str]) -> _Header:
    size = extended.get("size", "")
    is_sparse = info.type == tarfile.GNUTYPE_SPARSE or any(key.startswith("GNU.sparse") for key in extended)
    kind = info.type
    is_number = size.isdecimal() and size.isascii() and len(size) < 20
    # Links and folders have no bytes, whatever their size is said to be.
    is_empty = kind in (tarfile.LNKTYPE, tarfile.SYMTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE)
    return _Header(
        extended.get("path", info.name),
        kind,
        0 if is_empty else int(size) if is_number and kind not in _EXTENSIONS else info.size,
        extended.get("linkpath", info.linkname),
        is_sparse,
    )


def _extend(kind: bytes, piece: _Slice, extended: dict[str, str]) -> None:
    """Read a header that holds more of the next one: long names, or the keywords of POSIX."""
    if piece.left > MOST_HEADER:
        raise ValueError(f"a header of {piece.left:,} bytes")
    data = b""
    while more := piece.read(BLOCK):
        data += more
    if kind == tarfile.GNUTYPE_LONGNAME:
        extended["path"] = data.rstrip(b"\0").decode("utf-8", "replace")
    elif kind == tarfile.GNUTYPE_LONGLINK:
        extended["linkpath"] = data.rstrip(b"\0").decode("utf-8", "replace")
    else:
        while data:
            length, _, rest = data.partition(b" ")
            if not length.isdigit() or len(length) > 9 or int(length) <= len(length) + 1:
                raise ValueError("a damaged extended header")
            record = rest[: int(length) - len(length) - 1]
            key, _, value = record.rstrip(b"\n").partition(b"=")
            extended[key.decode("utf-8", "replace")] = value.decode("utf-8", "replace")
            data = data[int(length) :]
