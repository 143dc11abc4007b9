"""All formats that trees are read from, written to and drawn in, and how to tell them apart.

A format is a module of this folder that declares itself (:mod:`permutree.formats.format`); to add one, add a module.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path, PurePath

from permutree.errors import ConfigError
from permutree.formats.format import Format
from permutree.formats.sinks import is_collection
from permutree.formats.sources import Source, strip_compression

__all__ = [
    "FORMATS",
    "READABLE",
    "WRITABLE",
    "find_target",
    "format_named",
    "guess_format",
    "guess_target",
    "is_stray",
]


def _declared() -> Iterator[Format]:
    """The formats that the modules of this folder declare."""
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        name = f"{__package__}.{module.name}"
        if name != __name__:
            found = import_module(name)
            if format := getattr(found, "FORMAT", None):  # noqa: A001 - the word that users expect
                yield format
            yield from getattr(found, "FORMATS", ())


#: name → format; in the order of lists
FORMATS = {entry.name: entry for entry in sorted(_declared(), key=lambda entry: (entry.rank, entry.name))}
#: those of treebanks, which can be read
READABLE = {name: entry for name, entry in FORMATS.items() if entry.read is not None}
#: those that can be written, drawings among them
WRITABLE = {name: entry for name, entry in FORMATS.items() if entry.can_write}

_ALIASES = {alias: entry for entry in FORMATS.values() for alias in entry.aliases}


def format_named(name: str) -> Format:
    """The format of that name; a failed look-up lists the names there are."""
    found = FORMATS.get(name) or _ALIASES.get(name)
    if found is None:
        from difflib import get_close_matches

        near = get_close_matches(name, FORMATS, 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise ConfigError(f"no format {name!r}: {hint}there are {', '.join(FORMATS)}")
    return found


def guess_format(name: str, head: bytes | None = None) -> Format | None:
    """The format of a file to read, from its name, then from its first bytes; None if neither tells."""
    named = _with_suffix(name, READABLE)
    sniffed = _sniff(head) if head is not None else None
    # Brackets of all kinds go by the same names; words with indexes tell.
    return sniffed if named is None or (sniffed is not None and sniffed.is_unmistakable) else named


def is_stray(source: Source, chosen: Format) -> bool:
    """Whether a file of a directory or archive, all of which is said to be in one format, looks like no treebank."""
    if source.member is None or chosen.sign is None:
        return False
    return guess_format(source.member, source.head()) is None


def guess_target(path: str | Path) -> Format | None:
    """The format of a file to write, from its name; a directory or archive whose name says none is for pictures."""
    named = _with_suffix(str(path), WRITABLE)
    if named is None and is_collection(path):
        return next((entry for entry in WRITABLE.values() if entry.is_single), None)
    return named


def find_target(path: str | Path, name: str | Format | None = None) -> Format:
    """The format to write a file in: the one of that name, or else the one that the file has by its own name."""
    found = name if isinstance(name, Format) else format_named(name) if name else guess_target(path)
    if found is None:
        known = ", ".join(f"{entry.name} ({entry.suffixes[0]})" for entry in WRITABLE.values())
        raise ConfigError(f"{path}: its name says no format; say which with --to: {known}")
    return found


def _with_suffix(name: str, formats: dict[str, Format]) -> Format | None:
    suffix = PurePath(strip_compression(name)).suffix.lower()
    return next((entry for entry in formats.values() if suffix in entry.suffixes), None)


def _sniff(head: bytes) -> Format | None:
    text = head.decode("utf-16", "replace") if head[:2] in (b"\xff\xfe", b"\xfe\xff") else head.decode("latin-1")
    text = text.removeprefix("ï»¿").removeprefix("\ufeff").replace("\r\n", "\n")
    # Expressions are compiled when there is something to guess, and kept by the library.
    signs = ((entry, entry.sign) for entry in READABLE.values() if entry.sign is not None)
    return next((entry for entry, sign in signs if re.search(sign, text)), None)
