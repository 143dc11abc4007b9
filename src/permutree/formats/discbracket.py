"""Files of discbracket: one tree a line, in the notation of :mod:`permutree.trees.notation`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO

from permutree.errors import DataError, OnError, TreeError, raise_error
from permutree.formats.format import Format
from permutree.formats.sinks import texts_of
from permutree.formats.sources import Source
from permutree.trees.tree import Tree

__all__ = ["FORMAT", "parse_line", "read", "write"]

#: the tree of one line
parse_line = Tree.parse


def read(source: Source, on_error: OnError = raise_error) -> Iterator[Tree]:
    """The trees of a discbracket file; blank lines are skipped."""
    for number, line in source.lines():
        if line and not line.isspace():
            try:
                yield parse_line(line)
            except TreeError as error:
                on_error(DataError(str(error), source=source.name, line=number))


def write(trees: Iterable[Tree], stream: TextIO) -> None:
    """Write trees, one a line."""
    for line in texts_of(trees, lambda tree, _: tree.discbracket()):
        stream.write(line + "\n")


FORMAT = Format(
    name="discbracket",
    description="one tree a line, words with their indexes",
    suffixes=(".discbracket", ".dbr"),
    read=read,
    write=write,
    parse_line=parse_line,
    rank=0,
    sign=r"^\s*\([^()]*(?:\([^()\s]* *)*\([^()\s]+ [0-9]+=[^\s()]",
    is_unmistakable=True,
)
