"""The formats that trees are read from and written to, and how to tell them apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from inspect import Parameter, signature
from pathlib import PurePath
from typing import Any, TextIO

from permutree.errors import ConfigError, OnError, raise_error
from permutree.formats.sources import Source, strip_compression
from permutree.trees.tree import Tree

__all__ = ["FORMATS", "Format", "format_named", "guess_format"]


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name, what it is, the file names it goes by and the functions that read and write it."""

    name: str
    description: str
    suffixes: tuple[str, ...]
    module: str
    reader: str = "read"
    writer: str = "write"
    #: the function that makes a file of each tree, in formats with one file a sentence
    splitter: str | None = None

    def read(self, source: Source, on_error: OnError = raise_error, **options: Any) -> Iterator[Tree]:
        """The trees of one source."""
        trees: Iterator[Tree] = self._load(self.reader, options)(source, on_error, **options)
        return trees

    def write(self, trees: Iterable[Tree], stream: TextIO, **options: Any) -> None:
        """Write trees to a stream."""
        self._load(self.writer, options)(trees, stream, **options)

    @property
    def files(self) -> Callable[[Iterable[Tree]], Iterator[tuple[str, str]]] | None:
        """``files(trees)``: the name and text of a file for each tree; None if the format is for many trees a file."""
        function: Callable[..., Iterator[tuple[str, str]]] | None = self._load(self.splitter) if self.splitter else None
        return function

    def _load(self, name: str, options: Collection[str] = ()) -> Any:
        """A function of the format's module; an ConfigError if it has not all the options."""
        function = getattr(import_module(f"permutree.formats.{self.module}"), name)
        if options:
            parameters = signature(function).parameters.values()
            known = [parameter.name for parameter in parameters if parameter.kind is Parameter.KEYWORD_ONLY]
            for option in options:
                if option not in known:
                    has = f"has only {', '.join(known)}" if known else "has none"
                    what = "reading" if name == self.reader else "writing"
                    raise ConfigError(f"{what} {self.name} has no option {option!r}; it {has}")
        return function


FORMATS = {
    entry.name: entry
    for entry in (
        Format("discbracket", "one tree a line, words with their indexes", (".discbracket", ".dbr"), "discbracket"),
        Format("export", "NEGRA export; versions 3 and 4 read, 4 written", (".export", ".negra"), "export"),
        Format("export3", "NEGRA export, version 3 (without lemmas)", (".export3",), "export", writer="write_version3"),
        Format("tigerxml", "TIGER-XML, one file or a corpus with subcorpora", (".tigerxml",), "tigerxml"),
        Format(
            "alpino", "Alpino and Lassy XML; a file, directory or archive", (".alpino",), "alpino", splitter="files"
        ),
        Format("ptb", "Penn brackets without traces", (".ptb", ".bracket", ".brackets", ".penn"), "ptb"),
        Format("ptb-traces", "Penn brackets, traces resolved", (".mrg",), "ptb", "read_traces", "write_traces"),
        Format("psd", "Penn-historical brackets with ids, codes and lemmas", (".psd",), "psd"),
        Format("craft", "CRAFT's brackets, the trace's index on its parent", (".tree",), "craft"),
        Format("jsonl", "JSON lines, one tree a line with all annotations", (".jsonl", ".ndjson", ".json"), "jsonl"),
    )
}


def format_named(name: str) -> Format:
    """The format of that name; a failed look-up lists the names there are."""
    try:
        return FORMATS[name]
    except KeyError:
        near = get_close_matches(name, FORMATS, 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise ValueError(f"no format {name!r}: {hint}there are {', '.join(FORMATS)}") from None


def guess_format(name: str, head: bytes | None = None) -> Format | None:
    """The format of a file from its name, then from its first bytes; None if neither tells."""
    suffix = PurePath(strip_compression(name)).suffix.lower()
    sniffed = _sniff(head) if head is not None else None
    for entry in FORMATS.values():
        if suffix in entry.suffixes:
            # Brackets of all kinds go by the same names; words with indexes tell.
            return sniffed if sniffed is not None and sniffed.name == "discbracket" else entry
    return sniffed


_SIGNS: Iterable[tuple[str, str]] = (
    (r"<alpino_ds\b|<treebank\b", "alpino"),
    (r"<corpus\b|<subcorpus\b|<s [^>]*id=", "tigerxml"),
    (r"^(?:%%.*\n|\s*\n)*#(?:FORMAT|BOT|BOS)\b", "export"),
    (r"^\s*\{", "jsonl"),
    (r"^\s*\([^()]*(?:\([^()\s]* *)*\([^()\s]+ [0-9]+=[^\s()]", "discbracket"),
    (r"^\s*\((?s:.*)\((?:(?:ID|CODE|METADATA) |(?!-NONE-)[^()\s]+ \*(?:T|ICH|con|pro|exp)\*)", "psd"),
    (r"^\s*\((?s:.*)-[0-9]+ \(-NONE- \*[A-Z]*\*\)", "craft"),
    (r"^\s*\((?s:.*)\(-NONE- ", "ptb-traces"),
    (r"^\s*\(", "ptb"),
)


def _sniff(head: bytes) -> Format | None:
    text = head.decode("utf-16", "replace") if head[:2] in (b"\xff\xfe", b"\xfe\xff") else head.decode("latin-1")
    text = text.removeprefix("ï»¿").removeprefix("\ufeff").replace("\r\n", "\n")
    for sign, name in _SIGNS:
        if re.search(sign, text):
            return FORMATS[name]
    return None
