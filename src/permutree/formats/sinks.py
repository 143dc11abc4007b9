"""Output that appears whole or not at all, compressed if its name says so."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import os
import re
import shutil
import sys
import tarfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, TextIO

from permutree.errors import DataError, TreeError
from permutree.formats.targets import (
    File,
    StandardOutput,
    beside,
    check_output,
    descriptor,
    followed,
    is_directory,
    keep_mode,
    naming,
    place,
    sync,
    whole_file,
)
from permutree.sanitising import file_name
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
        yield StandardOutput()
        return
    number = descriptor(path)
    with contextlib.ExitStack() as stack:
        file: Path | int
        if number is None:
            file = stack.enter_context(place(path))
        else:
            # Opened anew, a file that output was redirected to would lose what it has.
            with naming(path):
                file = os.dup(number)
        raw = stack.enter_context(io.BufferedWriter(File(file, str(path))))
        yield stack.enter_context(_compress(raw, Path(path).name))


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


def write_collection(path: str | Path, files: Iterable[tuple[str, str | bytes]]) -> None:
    """Write named texts, or bytes, as the files of a new directory or of an archive, all of them or none.

    Names may be made from sentence ids: none leads out of the directory, and two that are the same are told apart by a
    number.
    """
    files = _apart(files)
    archive = _ARCHIVE.search(str(path))
    if archive is None:
        _write_directory(Path(path), files)
        return
    suffix = archive[1].lower()
    with place(path) as temporary, io.BufferedWriter(File(temporary, str(path))) as raw:
        if suffix == "zip":
            with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as zip_file:
                for name, content in files:
                    zip_file.writestr(zipfile.ZipInfo(name), _encoded(content), zipfile.ZIP_DEFLATED)
            return
        mode: Any = "w:" + ("gz" if suffix == "tgz" else suffix.removeprefix("tar").removeprefix("."))
        with tarfile.open(fileobj=raw, mode=mode) as tar_file:
            for name, content in files:
                data = _encoded(content)
                info = tarfile.TarInfo(name)
                info.size = len(data)
                tar_file.addfile(info, io.BytesIO(data))


def _apart(files: Iterable[tuple[str, str | bytes]]) -> Iterator[tuple[str, str | bytes]]:
    """The files under names that are safe and different, also where capitals make no difference."""
    taken: Counter[str] = Counter()
    for name, content in files:
        safe = unique = file_name(name)
        while taken[unique.casefold()]:
            taken[safe.casefold()] += 1
            stem, dot, suffix = safe.rpartition(".")
            unique = f"{stem}~{taken[safe.casefold()]}{dot}{suffix}" if stem else f"{safe}~{taken[safe.casefold()]}"
        taken[unique.casefold()] += 1
        yield unique, content


def _write_directory(path: Path, files: Iterable[tuple[str, str | bytes]]) -> None:
    check_output(f"{path}/")
    path = followed(path)
    temporary = beside(path)
    try:
        with naming(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary.mkdir()
        for name, content in files:
            file = temporary / name
            with naming(path / name):
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(_encoded(content))
        with naming(path):
            if path.exists():
                keep_mode(temporary, path.stat())
            if hasattr(os, "sync"):
                # One call for many small files.
                os.sync()
            temporary.replace(path)
            sync(path.parent)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def texts_of(trees: Iterable[Tree], text_of: Callable[[Tree, int], str]) -> Iterator[str]:
    """The text of each tree and its number from 1; if it cannot be written, an error that names the sentence."""
    for number, tree in enumerate(trees, 1):
        with _naming_sentence(tree, number):
            text = text_of(tree, number)
        yield text


def files_of(
    trees: Iterable[tuple[int, Tree]], content_of: Callable[[Tree], str | bytes], suffix: str
) -> Iterator[tuple[str, str | bytes]]:
    """A file for each tree: its name, which is the number of the tree, and its content."""
    for number, tree in trees:
        with _naming_sentence(tree, number):
            content = content_of(tree)
        yield f"{number}{suffix}", content


@contextlib.contextmanager
def _naming_sentence(tree: Tree, number: int) -> Iterator[None]:
    """Turn the error of a tree that cannot be written into one that names the sentence."""
    try:
        yield
    except TreeError as error:
        raise DataError(str(error), sentence=tree.id or number) from None


def numbered(trees: Iterable[Tree], numbers: Iterable[int] | None = None) -> Iterator[tuple[int, Tree]]:
    """Trees after these numbers, or else after 1, 2, 3, …"""
    return enumerate(trees, 1) if numbers is None else zip(numbers, trees, strict=False)
