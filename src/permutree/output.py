"""Output that appears whole or not at all, compressed if its name says so."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import os
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, TextIO

__all__ = ["open_output", "whole_file"]


@contextlib.contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """A temporary path beside the wanted one, which takes its place when the block ends without an error."""
    path = Path(path)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        mask = os.umask(0)
        os.umask(mask)
        temporary.chmod(0o666 & ~mask)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def open_output(path: str | Path, encoding: str = "utf-8") -> Iterator[TextIO]:
    """A text stream to a file, or to standard output for ``-``; lines end in a line feed on every system."""
    if str(path) == "-":
        stream = io.TextIOWrapper(sys.stdout.buffer, encoding, newline="\n", write_through=False)
        try:
            yield stream
        finally:
            # Standard output is not ours to close.
            stream.flush()
            stream.detach()
        return
    with whole_file(path) as temporary, temporary.open("wb") as raw, _compress(raw, Path(path).name) as layer:
        stream = io.TextIOWrapper(layer, encoding, newline="\n")
        yield stream
        stream.flush()
        stream.detach()


@contextlib.contextmanager
def _compress(raw: IO[bytes], name: str) -> Iterator[Any]:
    """The stream to write to for a file of this name; the same input gives the same bytes every time."""
    suffix = Path(name).suffix.lower()
    if suffix == ".gz":
        with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as layer:
            yield layer
    elif suffix == ".xz":
        with lzma.LZMAFile(raw, "wb") as layer:
            yield layer
    elif suffix == ".bz2":
        with bz2.BZ2File(raw, "wb") as layer:
            yield layer
    elif suffix == ".zip":
        with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
            member = zipfile.ZipInfo(name.removesuffix(Path(name).suffix))
            member.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(member, "w", force_zip64=True) as layer:
                yield layer
    else:
        yield raw
