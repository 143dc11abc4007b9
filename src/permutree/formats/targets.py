"""Where output goes: files that are replaced whole, and what is written to as it is, such as pipes and devices."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from permutree.errors import FileError

__all__ = [
    "File",
    "StandardOutput",
    "beside",
    "check_folder",
    "check_output",
    "descriptor",
    "followed",
    "is_device",
    "is_directory",
    "keep_mode",
    "naming",
    "place",
    "sync",
    "whole_file",
]

_STANDARD_OUTPUT = "standard output"


@contextlib.contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """A temporary path beside the wanted one, which takes its place when the block ends without an error.

    The file is on the disk before it takes the place, so that not even a power cut leaves half of one. It has the mode
    and, where that is possible, the owner of the file that it replaces. Pipes and devices are written to as they are; a
    link stays, and its file is replaced. What the system has to say against writing is a FileError with the path.
    """
    with place(path) as temporary:
        try:
            yield temporary
        except OSError as error:
            if isinstance(error, FileError) or error.filename not in (None, str(temporary)):
                raise
            raise FileError.of(error, path) from error


@contextlib.contextmanager
def place(path: str | Path) -> Iterator[Path]:
    """As whole_file, for a block that may have errors of the system from elsewhere."""
    check_output(path)
    path = Path(path)
    if is_device(path):
        yield path
        return
    path = followed(path)
    old = path.stat() if path.exists() else None
    # The name comes first, and the file is made inside the block, so that no signal comes in between.
    temporary = beside(path)
    try:
        with naming(path):
            # What nobody else may read is not to be read while it is written, either.
            os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666 if old is None else 0o600))
            wanted = temporary.stat() if old is None else old
        yield temporary
        with naming(path):
            # Libraries may have put a file of their own there, which nobody else may read.
            keep_mode(temporary, wanted)
            sync(temporary)
            temporary.replace(path)
            sync(path.parent)
    finally:
        with contextlib.suppress(OSError, ValueError):
            temporary.unlink(missing_ok=True)


def beside(path: Path) -> Path:
    """A new hidden name beside a path, no longer than file systems allow."""
    start = path.name.encode(errors="surrogateescape")[:200].decode(errors="ignore")
    return path.with_name(f".{start}.{os.urandom(4).hex()}")


def followed(path: Path) -> Path:
    """The path that a link leads to, or the path itself."""
    if not path.is_symlink():
        return path
    with contextlib.suppress(FileNotFoundError):
        # A circle of links leads nowhere, and is an error of the system.
        path.stat()
    return path.resolve()


def keep_mode(path: Path, old: os.stat_result) -> None:
    """Give a file or folder the mode of the one that it is to replace, and its owner if we may."""
    mode = stat.S_IMODE(old.st_mode)
    new = path.stat()
    if hasattr(os, "chown") and (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        try:
            os.chown(path, old.st_uid, old.st_gid)
        except OSError:
            # A program that runs as its owner is not to run as somebody else.
            mode &= 0o777
    path.chmod(mode)


def sync(path: Path) -> None:
    """See to it that a file or folder is on the disk. Not every file system can do that with folders."""
    is_folder = path.is_dir()
    with contextlib.suppress(OSError) if is_folder else contextlib.nullcontext():
        # Windows wants a file that is open for writing.
        number = os.open(path, os.O_RDONLY if is_folder else os.O_RDWR)
        try:
            os.fsync(number)
        finally:
            os.close(number)


@contextlib.contextmanager
def naming(name: object) -> Iterator[None]:
    """Turn errors of the system into ours, with the name of the file; a reader that has gone is no error of a file."""
    try:
        yield
    except (BrokenPipeError, FileError):
        raise
    except OSError as error:
        raise FileError.of(error, name) from error
    except ValueError as error:
        # A name with a zero byte.
        raise FileError(str(error), str(name)) from error


def is_device(path: str | Path) -> bool:
    """Whether a path is a pipe or a device; ``/dev/stdout`` is one, even if output was redirected to a file."""
    path = Path(path)
    return descriptor(path) is not None or (path.exists() and not path.is_file() and not path.is_dir())


_DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/fd/([0-9]+)")


def descriptor(path: str | Path) -> int | None:
    """The number of the open file that ``/dev/stdout`` or ``/dev/fd/63`` stands for, or a link to these."""
    place = os.path.abspath(path)
    # As many links as Linux follows.
    for _ in range(40):
        if place in ("/dev/stdout", "/dev/stderr"):
            return 1 if place == "/dev/stdout" else 2
        if found := _DESCRIPTOR.fullmatch(place):
            return int(found[1])
        if not os.path.islink(place):
            return None
        place = os.path.normpath(os.path.join(os.path.dirname(place), os.readlink(place)))
    return None


def check_output(path: str | Path) -> None:
    """Raise a FileError, before any work is done, if a file or folder of that name cannot be written."""
    if str(path) == "-":
        _check_standard_output()
        return
    with naming(path):
        if "\0" in str(path):
            raise FileError("no file can have a zero byte in its name", str(path), errno.EINVAL)
        if descriptor(path) is not None:
            return
        if is_directory(path):
            _check_directory(Path(path))
            return
        target = followed(Path(path))
        if target.exists():
            if not _may(target, os.W_OK):
                raise FileError("may not be written to: permission denied", str(path), errno.EACCES)
            if not target.is_file():
                return
        _check_parent(target.parent, str(path))


def _may(path: Path, what: int) -> bool:
    """Whether we may do something with a file or folder, as whoever we act for."""
    return os.access(path, what, effective_ids=os.access in os.supports_effective_ids)


def _check_directory(path: Path) -> None:
    if path.is_dir() and any(path.iterdir()):
        raise FileError("the directory is not empty; name a new one", str(path), errno.ENOTEMPTY)
    _check_parent(_nearest(path.absolute().parent), str(path))


def check_folder(path: str | Path) -> None:
    """Raise a FileError, before any work is done, if no file can be made in a folder, there or new."""
    with naming(path):
        _check_parent(_nearest(Path(path).absolute()), str(path))


def _nearest(path: Path) -> Path:
    """The path itself, or the nearest one above it that there is."""
    return next(place for place in (path, *path.parents) if os.path.lexists(place))


def _check_parent(folder: Path, name: str) -> None:
    if not folder.exists():
        raise FileError(f"there is no folder {folder}", name, errno.ENOENT)
    if not folder.is_dir():
        raise FileError(f"{folder} is not a folder", name, errno.ENOTDIR)
    if not _may(folder, os.W_OK | os.X_OK):
        raise FileError(f"no file can be made in the folder {folder}: permission denied", name, errno.EACCES)


def _check_standard_output() -> None:
    if sys.stdout is None:
        raise FileError("is closed, and so the result has no place to go", _STANDARD_OUTPUT, errno.EBADF)


class File(io.FileIO):
    """A file, or one that is open under a number, whose errors have the name that the user knows it by."""

    def __init__(self, file: Path | int, shown: str) -> None:
        self.shown = shown
        with naming(shown):
            super().__init__(file, "wb")
            self.is_plain = stat.S_ISREG(os.fstat(self.fileno()).st_mode)

    def seek(self, *place: int) -> int:  # noqa: D102 - as in the class below it
        if not self.is_plain:
            # Devices may have nothing against it, and stay where they are.
            raise io.UnsupportedOperation("seek")
        return super().seek(*place)

    def tell(self) -> int:  # noqa: D102
        return self.seek(0, io.SEEK_CUR)

    def seekable(self) -> bool:  # noqa: D102
        return self.is_plain

    def write(self, data: Any) -> Any:  # noqa: D102
        with naming(self.shown):
            return super().write(data)

    def close(self) -> None:  # noqa: D102
        with naming(self.shown):
            super().close()


class StandardOutput(io.RawIOBase):
    """Standard output, whose errors have that name."""

    def __init__(self) -> None:
        _check_standard_output()
        self.stream = sys.stdout.buffer

    def writable(self) -> bool:  # noqa: D102
        return True

    def write(self, data: Any) -> int:  # noqa: D102
        with naming(_STANDARD_OUTPUT):
            return self.stream.write(data)

    def flush(self) -> None:  # noqa: D102
        with naming(_STANDARD_OUTPUT):
            self.stream.flush()


def is_directory(path: str | Path) -> bool:
    """Whether a path is a directory, or named as a new one with a slash at the end."""
    return str(path).endswith(("/", os.sep)) or Path(path).is_dir()
