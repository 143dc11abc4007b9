"""Files of discbracket: one tree a line, in the notation of :mod:`permutree.trees.notation`.

A tab and a comment may follow the tree, as disco-dop writes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TextIO

from permutree.errors import DataError, OnError, TreeError, raise_error
from permutree.formats.format import Format
from permutree.formats.sinks import texts_of
from permutree.formats.sources import Source
from permutree.trees.tree import Tree

__all__ = ["FORMAT", "parse_line", "read", "write"]

#: what tells a line with words in the tree from the older variant, which has the sentence after a tab
_HAS_WORDS = re.compile(r" [0-9]+=").search


def parse_line(line: str) -> Tree:
    """The tree of one line; a comment after it becomes an annotation."""
    if "\t" not in line:
        return Tree.parse(line)
    text, _, rest = line.partition("\t")
    if not _is_balanced(text):
        # The tab stands inside the tree.
        return Tree.parse(line)
    if not _HAS_WORDS(text):
        words, _, rest = rest.partition("\t")
        text += f"\t{words}"
    comment = rest.strip()
    return Tree.parse(text).annotated(comment=comment) if comment else Tree.parse(text)


def _is_balanced(text: str) -> bool:
    text = text.replace("($( ", "($[ ")
    return 0 < text.count("(") == text.count(")")


def read(source: Source, on_error: OnError = raise_error) -> Iterator[Tree]:
    """The trees of a discbracket file; blank lines are skipped."""
    for number, line in source.lines():
        if line and not line.isspace():
            if (fault := source.fault(number)) is not None:
                on_error(fault)
                continue
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
