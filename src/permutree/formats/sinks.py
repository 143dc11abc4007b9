"""Output that appears whole or not at all, compressed if its name says so."""

from __future__ import annotations

import bz2
import contextlib
import errno
import gzip
import io
import lzma
import os
import re
import shutil
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, TextIO

from permutree.errors import DataError, TreeError
from permutree.trees.tree import Tree

__all__ = [
    "files_of",
    "is_collection",
    "is_directory",
    "numbered",
    "open_output",
    "texts_of",
    "whole_file",
    "write_collection",
    "write_file",
]


@contextlib.contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """A temporary path beside the wanted one, which takes its place when the block ends without an error.

    Pipes and devices, such as ``/dev/stdout``, are written to as they are; a link stays, and its file is replaced.
    """
    path = Path(path)
    if _is_device(path):
        yield path
        return
    path = path.resolve() if path.is_symlink() else path
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _is_device(path: Path) -> bool:
    """Whether a path is a pipe or a device; ``/dev/stdout`` is one, even if output was redirected to a file."""
    is_special = path.exists() and not path.is_file() and not path.is_dir()
    return is_special or os.path.dirname(os.path.abspath(path)) in ("/dev", "/dev/fd", "/proc/self/fd")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextlib.contextmanager
def open_output(path: str | Path, charset: str = "utf-8") -> Iterator[TextIO]:
    """A text stream to a file, or to standard output for ``-``; lines end in a line feed on every system."""
    with _open_bytes(path) as layer:
        # Somebody who looks on sees each tree as soon as it is there.
        is_shown = str(path) == "-" and sys.stdout.isatty()
        stream = io.TextIOWrapper(layer, charset, newline="\n", line_buffering=is_shown)
        try:
            yield stream
        finally:
            # What lies beneath is not ours to close.
            stream.detach().flush()


def write_file(path: str | Path, content: str | bytes) -> None:
    """Write a text or bytes to a file, or to standard output for ``-``."""
    with _open_bytes(path) as stream:
        stream.write(_encoded(content))
        stream.flush()


def _encoded(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


@contextlib.contextmanager
def _open_bytes(path: str | Path) -> Iterator[Any]:
    if str(path) == "-":
        yield sys.stdout.buffer
        return
    with whole_file(path) as temporary, temporary.open("wb") as raw, _compress(raw, Path(path).name) as layer:
        yield layer


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


_ARCHIVE = re.compile(r"\.(zip|tar|tgz|tar\.(?:gz|xz|bz2))$", re.IGNORECASE)


def is_collection(path: str | Path) -> bool:
    """Whether a path is for many small files: a directory (there, or named with a slash at the end) or an archive."""
    return is_directory(path) or _ARCHIVE.search(str(path)) is not None


def is_directory(path: str | Path) -> bool:
    """Whether a path is a directory, or named as a new one with a slash at the end."""
    return str(path).endswith(("/", os.sep)) or Path(path).is_dir()


def write_collection(path: str | Path, files: Iterable[tuple[str, str | bytes]]) -> None:
    """Write named texts, or bytes, as the files of a new directory or of an archive, all of them or none."""
    archive = _ARCHIVE.search(str(path))
    if archive is None:
        _write_directory(Path(path), files)
        return
    suffix = archive[1].lower()
    with whole_file(path) as temporary:
        if suffix == "zip":
            with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as zip_file:
                for name, content in files:
                    zip_file.writestr(zipfile.ZipInfo(name), _encoded(content), zipfile.ZIP_DEFLATED)
            return
        mode: Any = "w:" + ("gz" if suffix == "tgz" else suffix.removeprefix("tar").removeprefix("."))
        with tarfile.open(temporary, mode) as tar_file:
            for name, content in files:
                data = _encoded(content)
                info = tarfile.TarInfo(name)
                info.size = len(data)
                tar_file.addfile(info, io.BytesIO(data))


def _write_directory(path: Path, files: Iterable[tuple[str, str | bytes]]) -> None:
    if path.is_dir() and any(path.iterdir()):
        raise OSError(errno.ENOTEMPTY, "the directory is not empty; name a new one", str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    try:
        for name, content in files:
            file = temporary / name
            if not file.resolve().is_relative_to(temporary.resolve()):
                raise OSError(errno.EINVAL, "a sentence id that leads out of the directory", name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(_encoded(content))
        temporary.chmod(0o777 & ~_umask())
        temporary.replace(path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def texts_of(trees: Iterable[Tree], text_of: Callable[[Tree, int], str]) -> Iterator[str]:
    """The text of each tree and its number from 1; if it cannot be written, an error that names the sentence."""
    for number, tree in enumerate(trees, 1):
        with _naming(tree, number):
            text = text_of(tree, number)
        yield text


def files_of(
    trees: Iterable[tuple[int, Tree]], content_of: Callable[[Tree], str | bytes], suffix: str
) -> Iterator[tuple[str, str | bytes]]:
    """A file for each tree: its name, which is the number of the tree, and its content."""
    for number, tree in trees:
        with _naming(tree, number):
            content = content_of(tree)
        yield f"{number}{suffix}", content


@contextlib.contextmanager
def _naming(tree: Tree, number: int) -> Iterator[None]:
    """Turn the error of a tree that cannot be written into one that names the sentence."""
    try:
        yield
    except TreeError as error:
        raise DataError(str(error), sentence=tree.id or number) from None


def numbered(trees: Iterable[Tree], numbers: Iterable[int] | None = None) -> Iterator[tuple[int, Tree]]:
    """Trees after these numbers, or else after 1, 2, 3, …"""
    return enumerate(trees, 1) if numbers is None else zip(numbers, trees, strict=False)
