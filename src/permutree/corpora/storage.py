"""Files wherever they are: on this machine, in an object store (``s3://``, ``gs://``) or behind any fsspec protocol.

What is written appears whole or not at all: on this machine under a temporary name that is then changed, in an object
store in one request, which the store shows when it is complete.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

from permutree.errors import ConfigError, DataError
from permutree.formats.arrow import arrow
from permutree.formats.sinks import whole_file

__all__ = ["Place", "place_of"]

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+)://").match


@dataclass(frozen=True, slots=True)
class Place:
    """A path in a file system."""

    system: Any
    path: str
    is_local: bool

    def __truediv__(self, name: str) -> Place:
        """The path below."""
        return Place(self.system, f"{self.path.rstrip('/')}/{name}", self.is_local)

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rstrip("/").rpartition("/")[2]

    def info(self) -> Any:
        """What the file system says of it: type, size, time of the last change."""
        return self.system.get_file_info(self.path)

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder, or in an object store the beginning of names."""
        from pyarrow.fs import FileType

        return bool(self.info().type == FileType.Directory)

    def files(self, *, deep: bool = False) -> list[Any]:
        """What the file system says of the files in it; none if there is no such folder."""
        from pyarrow.fs import FileSelector, FileType

        found = self.system.get_file_info(FileSelector(self.path, allow_not_found=True, recursive=deep))
        return [info for info in found if info.type == FileType.File]

    def open(self) -> BinaryIO:
        """A stream to read from, which can be placed anywhere."""
        try:
            if self.is_local:
                return Path(self.path).open("rb")
            stream: BinaryIO = self.system.open_input_file(self.path)
        except OSError as error:
            raise DataError(f"cannot be read: {error.strerror or error}", source=self.path) from None
        return stream

    def read(self) -> bytes:
        """All of a file."""
        with self.open() as stream:
            return stream.read()

    def write(self, content: bytes) -> None:
        """Write a file, whole or not at all."""
        if not self.is_local:
            with self.system.open_output_stream(self.path) as stream:
                stream.write(content)
            return
        path = Path(self.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as temporary, temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())

    def remove(self) -> None:
        """Remove a file."""
        self.system.delete_file(self.path)


def place_of(uri: str) -> Place:
    """The place that a path or a URI names."""
    if not (scheme := _SCHEME(uri)):
        from pyarrow import fs

        return Place(fs.LocalFileSystem(), os.path.abspath(os.path.expanduser(uri)), True)
    system, path = _resolve(uri, scheme[1])
    return Place(system, path, scheme[1] == "file")


@lru_cache(maxsize=1024)
def _resolve(uri: str, scheme: str) -> tuple[Any, str]:
    pa = arrow()
    from pyarrow import fs

    try:
        found: tuple[Any, str] = fs.FileSystem.from_uri(uri)
        return found
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        reason = str(error)
    except OSError as error:
        raise DataError(f"cannot be reached: {error}", source=uri) from None
    try:
        from fsspec.core import url_to_fs

        system, path = url_to_fs(uri)
    except (ImportError, ValueError) as error:
        raise ConfigError(
            f"{uri}: no file system for {scheme}:// ({reason}; {error}); install its fsspec package, such as s3fs"
        ) from None
    return fs.PyFileSystem(fs.FSSpecHandler(system)), path
