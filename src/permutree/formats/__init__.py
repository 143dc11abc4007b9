"""Treebanks and drawings: reading and writing trees in every format that discontinuous trees live in."""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path, PurePath
from typing import Any

from permutree.errors import ConfigError, DataError, OnError, raise_error
from permutree.formats.format import Format, check_options
from permutree.formats.registry import FORMATS, READABLE, find_target, format_named, guess_format, is_stray
from permutree.formats.sinks import is_collection, is_directory, open_output, write_collection, write_file
from permutree.formats.sources import Source, check_charset, open_sources
from permutree.trees.tree import Tree

__all__ = ["FORMATS", "Noted", "read", "read_all", "write"]

_log = logging.getLogger("permutree")


def read(
    paths: str | Path | Iterable[str | Path],
    format: str | None = None,  # noqa: A002 - the word that users expect
    charset: str | None = None,
    on_error: OnError = raise_error,
    **options: Any,
) -> Iterator[Tree]:
    """The trees of files, directories, archives or standard input (``-``), one after the other.

    The format is guessed from name and content unless it is given. Files are streamed: memory does not grow with them.
    The charset is UTF-8 unless another is given. A bad sentence raises a :class:`~permutree.errors.DataError`, unless
    ``on_error`` takes note of it and returns. Options are those of the format's reader, such as ``traces`` for Penn
    brackets.
    """
    chosen = format_named(format) if format else None
    charset = check_charset(charset or "utf-8")
    for path in [paths] if isinstance(paths, str | Path) else paths:
        noted = Noted(on_error)
        with closing(open_sources(path, charset, noted)) as sources:
            is_found = yield from read_all(sources, chosen, noted, options)
        if not is_found and not noted.count:
            on_error(DataError("holds no treebank file", source=str(path), skipped=None))


def read_all(
    sources: Iterable[Source], chosen: Format | None, on_error: OnError, options: dict[str, Any] | None = None
) -> Generator[Tree, None, bool]:
    """The trees of sources, in a format that is given or guessed for each; whether one of them is a treebank file."""
    noted = Noted(on_error)
    is_found = False
    for source in sources:
        before, count = noted.count, 0
        try:
            entry = _guess(source) if chosen is None else _unless_stray(source, chosen)
            if entry is not None:
                is_found = True
                for tree in _read(entry, source, noted, options or {}):
                    count += 1
                    yield tree
        except DataError as error:
            noted(error)
        else:
            if entry is not None and not count and noted.count == before and not source.ledger.faults:
                _log.warning("%s: holds no trees", source.name)
    return is_found


class Noted:
    """Passes errors on, and counts them."""

    def __init__(self, on_error: OnError) -> None:
        self.on_error = on_error
        self.count = 0

    def __call__(self, error: DataError) -> None:
        """Count an error and pass it on."""
        self.count += 1
        self.on_error(error)


def _read(entry: Format, source: Source, on_error: OnError, options: dict[str, Any]) -> Iterator[Tree]:
    check_options(f"reading {entry.name}", entry.reader, options)
    return entry.reader(source, on_error, **options)


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
        raise DataError("is empty", source=source.name, skipped=None)
    known = ", ".join(READABLE)
    raise DataError(
        f"format not recognised; if it is one of {known}, `permutree convert --from FORMAT` reads it",
        source=source.name,
        skipped=None,
    )


def _unless_stray(source: Source, chosen: Format) -> Format | None:
    """The format that was asked for; None, with a warning, for a file among others that has no sign of any format."""
    if not is_stray(source, chosen):
        return chosen
    _log.warning("%s: left out, not a treebank file", source.name)
    return None


def write(
    trees: Iterable[Tree],
    path: str | Path,
    format: str | Format | None = None,  # noqa: A002
    charset: str = "utf-8",
    **options: Any,
) -> None:
    """Write or draw trees to a file, or to standard output for ``-``; the file appears whole or not at all.

    The format is guessed from the name unless it is given; .gz, .xz, .bz2 and .zip compress. Options are those of the
    format's writer, such as ``arrange`` for Penn brackets or ``functions`` for drawings.

    Pictures (svg, png) hold one tree a file. For several, the path is a new directory, with a slash at the end, or a
    .zip or .tar archive, or it has ``{}`` where the number of the tree goes. Alpino's trees go into such directories
    and archives, too.
    """
    chosen = find_target(path, format)
    check_options(f"writing {chosen.name}", chosen.writer, options)
    _check_charset(chosen, path, charset)
    if chosen.files is None and is_directory(path):
        raise ConfigError(f"{path}: {chosen.name} is written to one file, not to a directory; name a file")
    try:
        if chosen.files is not None and is_collection(path):
            write_collection(path, chosen.files(trees, **options))
        elif chosen.write is None:
            _write_single(chosen, chosen.writer(trees, **options), path)
        else:
            with open_output(path, charset) as stream:
                chosen.write(trees, stream, **options)
    except UnicodeEncodeError as error:
        letter = error.object[error.start]
        way_out = "" if _is_utf8(charset) else "; write utf-8"
        raise DataError(f"{charset} cannot hold the character {letter!r}{way_out}", source=str(path)) from None


def _check_charset(chosen: Format, path: str | Path, charset: str) -> None:
    check_charset(charset)
    is_fixed = chosen.is_utf8 or (chosen.files is not None and is_collection(path))
    if is_fixed and not _is_utf8(charset):
        raise ConfigError(f"{path}: {chosen.name} is written in utf-8 only, not in {charset}")


def _is_utf8(charset: str) -> bool:
    return charset.lower().replace("_", "-") in ("utf-8", "utf8")


def _write_single(chosen: Format, files: Iterator[tuple[str, str | bytes]], path: str | Path) -> None:
    """Write files with one tree each: one of them, or numbered ones."""
    if "{}" in str(path):
        for name, content in files:
            write_file(str(path).replace("{}", PurePath(name).stem), content)
        return
    some = list(islice(files, 2))
    if len(some) > 1:
        suffix = chosen.suffixes[0]
        raise ConfigError(
            f"a {suffix} file holds one tree, and there are several: choose one (`permutree draw -n`), make a page "
            f"with --to html, or name a directory (trees/) or numbered files ('tree-{{}}{suffix}')"
        )
    if not some:
        raise DataError(f"there is no tree to write as {chosen.name}", source=str(path))
    write_file(path, some[0][1])
