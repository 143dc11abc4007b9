"""Parquet: a row for each sentence in the schema of :mod:`permutree.formats.arrow`, for pandas, DuckDB, clusters."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import IO, Any, TextIO

from permutree.errors import DataError, OnError, raise_error
from permutree.formats.arrow import arrow, from_trees, schema, to_trees
from permutree.formats.format import Format
from permutree.formats.sources import Source
from permutree.trees.tree import Tree

__all__ = ["COMPRESSION", "FORMAT", "read", "write"]

#: what all Parquet files of ours are compressed by
COMPRESSION = "zstd"
#: trees of a row group, which is the least that is read at once
ROWS = 10_000
#: rows that become trees together
BATCH = 1_000


def read(source: Source, on_error: OnError = raise_error) -> Iterator[Tree]:
    """The trees of a Parquet file, a row group at a time; a row with an ``error`` and no tree is a bad sentence.

    The file has ``discbracket``, or ``words``, ``tags``, ``labels``, ``parents`` and ``word_parents``; other columns of
    the schema are read where they are there. One that is compressed as a whole, or comes by standard input, is in
    memory as a whole.
    """
    pa = arrow()
    from pyarrow import parquet

    stream: IO[bytes] = source.stream
    if not source.is_plain or not source.stream.seekable():
        stream = io.BytesIO(source.stream.read())
        source.report(on_error)
    try:
        file = parquet.ParquetFile(stream)
        columns = [name for name in file.schema_arrow.names if name in schema().names]
        for batch in file.iter_batches(BATCH, columns=columns):
            yield from to_trees(batch, on_error, source=source.name)
    except pa.ArrowInvalid as error:
        raise DataError(f"not a Parquet file, or a damaged one: {error}", source=source.name) from None


def write(trees: Iterable[Tree], stream: TextIO) -> None:
    """Write trees with all their annotations, in row groups of ten thousand."""
    arrow()
    from pyarrow import parquet

    trees = iter(trees)
    first = 1
    with parquet.ParquetWriter(_Counted(stream.buffer), schema(), compression=COMPRESSION) as file:
        while some := list(islice(trees, ROWS)):
            _check_text(some, first)
            file.write_batch(from_trees(some, first=first))
            first += len(some)


def _check_text(trees: list[Tree], first: int) -> None:
    """An error that names the sentence with a word that is no text."""
    for number, tree in enumerate(trees, first):
        try:
            "\n".join([*tree.words, *tree.tags, *tree.labels]).encode()
        except UnicodeEncodeError as error:
            letter = error.object[error.start]
            raise DataError(f"utf-8 cannot hold the character {letter!r}", sentence=tree.id or number) from None


class _Counted(io.RawIOBase):
    """A stream that knows its place, as Parquet wants to, even if it is standard output."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self.place = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        written: int = self.stream.write(data)
        self.place += written
        return written

    def tell(self) -> int:
        return self.place


FORMAT = Format(
    name="parquet",
    description="a table with a row for each sentence, for pandas, DuckDB and clusters; needs permutree[arrow]",
    suffixes=(".parquet", ".pq"),
    read=read,
    write=write,
    rank=45,
    sign=r"\APAR1",
    is_unmistakable=True,
    has_confidence=True,
    is_utf8=True,
    is_binary=True,
)
