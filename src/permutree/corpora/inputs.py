"""Which files a corpus is made of: files, folders and patterns, on this machine or in an object store."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from permutree.corpora.storage import Place, place_of
from permutree.errors import ConfigError, DataError
from permutree.formats.natural import natural_key
from permutree.formats.sources import strip_compression

__all__ = ["FORMATS", "Input", "find_inputs", "format_of"]

_log = logging.getLogger("permutree")

#: format → how the names of its files end
FORMATS = {
    "text": (".txt", ".text", ".md"),
    "lines": (".lines",),
    "tokens": (".tokens", ".tok"),
    "jsonl": (".jsonl", ".ndjson", ".json"),
    "conllu": (".conllu", ".conll"),
    "parquet": (".parquet", ".pq"),
}
_ARCHIVES = (".tar", ".tgz")
_PATTERN = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class Input:
    """A file of the corpus."""

    uri: str
    #: what its documents are named after: its path below the folder or pattern that was given
    name: str
    size: int
    #: when it was last changed, in nanoseconds
    changed: int


def format_of(name: str) -> str | None:
    """The format that a file has by its name; None if that says nothing.

    >>> format_of("news/2024.jsonl.gz"), format_of("README")
    ('jsonl', None)
    """
    suffix = PurePosixPath(strip_compression(name)).suffix.lower()
    return next((entry for entry, suffixes in FORMATS.items() if suffix in suffixes), None)


def find_inputs(given: Iterable[str], chosen: str | None = None) -> list[Input]:
    """The files behind paths, URIs and patterns, each input's in natural order; files of folders that are of no known
    format are left out, with a warning, unless the format is given.
    """
    found = [one for uri in given for one in _found(uri, chosen)]
    names = Counter(one.name for one in found)
    if names and max(names.values()) > 1:
        # Documents of different files must not have one name.
        found = [Input(one.uri, one.uri, one.size, one.changed) for one in found]
        repeated = [uri for uri, count in Counter(one.uri for one in found).items() if count > 1]
        if repeated:
            raise ConfigError(f"{repeated[0]} is given twice")
    return found


def _found(uri: str, chosen: str | None) -> Iterator[Input]:
    if uri == "-":
        raise ConfigError("a corpus is read from files, which are read twice; write standard input to a file first")
    if _PATTERN.search(_without_options(uri)[0]):
        yield from _matching(uri)
        return
    place = place_of(uri)
    if not place.is_folder:
        info = place.info()
        if not info.is_file:
            raise DataError("there is no such file or folder", source=uri)
        yield _input(uri, place.name, info)
        return
    entries = sorted(_below(place), key=lambda entry: natural_key(entry[0]))
    left_out = []
    count = 0
    for name, info in entries:
        if chosen is None and format_of(name) is None and not name.lower().endswith((*_ARCHIVES, ".zip")):
            left_out.append(name)
        else:
            count += 1
            yield _input(_uri_below(uri, name), name, info)
    if left_out:
        _log.warning(
            "%s: %d files left out, whose names say no format, such as %s; name one with --from",
            uri, len(left_out), left_out[0],
        )  # fmt: skip
    if not count:
        raise DataError("holds no file of text, JSON lines, CoNLL-U or Parquet", source=uri)


def _below(place: Place) -> Iterator[tuple[str, object]]:
    """The names below a folder, and what is known of the files; hidden ones are left out."""
    root = place.path.rstrip("/") + "/"
    for info in place.files(deep=True):
        name = info.path.removeprefix(root)
        if not any(part.startswith((".", "_")) for part in name.split("/")):
            yield name, info


def _uri_below(uri: str, name: str) -> str:
    base, options = _without_options(uri)
    return f"{base.rstrip('/')}/{name}{options}"


def _without_options(uri: str) -> tuple[str, str]:
    """A path or URI, and the options of the latter; a question mark begins these, and in a path it is any letter."""
    if "://" not in uri:
        return uri, ""
    base, mark, options = uri.partition("?")
    return base, mark + options


def _matching(uri: str) -> Iterator[Input]:
    base, options = _without_options(uri)
    fixed = re.split(r"[*?\[]", base, maxsplit=1)[0].rpartition("/")[0]
    folder = fixed or ("/" if base.startswith("/") else ".")
    pattern = _translate(base[len(fixed) :].lstrip("/"))
    entries = [(name, info) for name, info in _below(place_of(folder + options)) if pattern.fullmatch(name)]
    if not entries:
        raise DataError("no file matches", source=uri)
    for name, info in sorted(entries, key=lambda entry: natural_key(entry[0])):
        yield _input(_uri_below(folder + options, name), name, info)


def _translate(pattern: str) -> re.Pattern[str]:
    """A pattern of paths as a regular expression: ``**`` goes through folders, ``*`` does not."""
    found = []
    for part in re.split(r"(\*\*/|\*\*|\*|\?|\[[^]]+\])", pattern):
        known = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
        is_set = len(part) > 2 and part[0] == "["
        found.append(known.get(part) or (part.replace("[!", "[^") if is_set else re.escape(part)))
    return re.compile("".join(found))


def _input(uri: str, name: str, info: object) -> Input:
    return Input(uri, name, int(info.size or 0), int(info.mtime_ns or 0))  # type: ignore[attr-defined]
