"""Treebanks: reading and writing trees in every format that discontinuous trees live in."""

from __future__ import annotations

import codecs
import logging
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from permutree.errors import ConfigError, DataError, OnError, raise_error
from permutree.formats.registry import FORMATS, Format, format_named, guess_format
from permutree.formats.sinks import is_collection, open_output, write_collection
from permutree.formats.sources import Source, open_sources
from permutree.trees.tree import Tree

__all__ = ["FORMATS", "read", "write"]

_log = logging.getLogger("permutree")


def read(
    paths: str | Path | Iterable[str | Path],
    format: str | None = None,  # noqa: A002 - the word that users expect
    encoding: str | None = None,
    on_error: OnError = raise_error,
    **options: Any,
) -> Iterator[Tree]:
    """The trees of files, directories, archives or standard input (``-``), one after the other.

    The format is guessed from name and content unless it is given. Files are streamed: memory does not grow with them.
    A bad sentence raises a :class:`~permutree.errors.DataError`, unless ``on_error`` takes note of it
    and returns. Options are those of the format's reader, such as ``traces`` for Penn brackets.
    """
    chosen = format_named(format) if format else None
    _check_encoding(encoding)
    for path in [paths] if isinstance(paths, str | Path) else paths:
        found = False
        for source in open_sources(path, encoding or "utf-8"):
            try:
                reader = chosen or _guess(source)
                if reader is not None:
                    found = True
                    yield from reader.read(source, on_error, **options)
            except DataError as error:
                on_error(error)
        if not found:
            on_error(DataError("holds no treebank file", source=str(path)))


def _check_encoding(name: str | None) -> None:
    try:
        codecs.lookup(name or "utf-8")
    except LookupError:
        raise ConfigError(f"no encoding {name!r}; usual ones are utf-8, latin-1, cp1252 and utf-16") from None


def _guess(source: Source) -> Format | None:
    """The format of a source; None, with a warning, for a stray file among others."""
    head = source.head()
    guess = guess_format(source.member or source.name, head)
    if guess is not None:
        return guess
    if source.member is not None:
        _log.warning("%s: left out, not a treebank file", source.name)
        return None
    if not head.strip():
        raise DataError("is empty", source=source.name)
    known = ", ".join(FORMATS)
    raise DataError(f"format not recognised; say which it is with --from ({known})", source=source.name)


def write(
    trees: Iterable[Tree],
    path: str | Path,
    format: str | None = None,  # noqa: A002
    encoding: str = "utf-8",
    **options: Any,
) -> None:
    """Write trees to a file, or to standard output for ``-``; the file appears whole or not at all.

    The format is guessed from the name unless it is given; .gz, .xz, .bz2 and .zip compress. Options are those of the
    format's writer, such as ``arrange`` for Penn brackets. In formats with a file for each
    sentence (alpino), the path may be a new directory, with a slash at the end, or a .zip or .tar archive.
    """
    chosen = format_named(format) if format else guess_format(str(path))
    _check_encoding(encoding)
    if chosen is None:
        known = ", ".join(f"{entry.name} ({entry.suffixes[0]})" for entry in FORMATS.values())
        raise DataError(f"its name says no format; say which with --to: {known}", source=str(path))
    try:
        if chosen.files is not None and is_collection(path):
            write_collection(path, chosen.files(trees))
            return
        with open_output(path, encoding) as stream:
            chosen.write(trees, stream, **options)
    except UnicodeEncodeError as error:
        letter = error.object[error.start]
        way_out = "; write utf-8" if encoding.lower().replace("_", "-") not in ("utf-8", "utf8") else ""
        message = f"{encoding} cannot hold the character {letter!r}{way_out}"
        raise DataError(message, source=str(path)) from None
