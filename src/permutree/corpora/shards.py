"""Shards: a worker reads the pieces of one, parses them, and writes a Parquet file, whole or not at all."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, NamedTuple

from permutree.corpora.documents import READERS, Document, column_names, documents_of
from permutree.corpora.inputs import Input
from permutree.corpora.manifest import shard_name
from permutree.corpora.plan import Piece, Shard, checksum, open_pieces, part_of
from permutree.corpora.step import Step
from permutree.corpora.storage import Place, place_of
from permutree.errors import DataError
from permutree.formats.arrow import arrow, schema
from permutree.formats.parquet import COMPRESSION

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Counts", "Done", "ShardWorker", "Task", "check_shard", "read_shard", "tasks"]

#: rows that are read at once
ROWS = 10_000
#: where the footer says what a shard is
_NOTES = "permutree.shard"


@dataclass(frozen=True, slots=True)
class Counts:
    """What is in shards."""

    rows: int = 0
    words: int = 0
    errors: int = 0

    def __add__(self, other: Counts) -> Counts:
        """Both together."""
        return Counts(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))

    @classmethod
    def of(cls, batch: pa.RecordBatch) -> Counts:
        """Those of rows."""
        from pyarrow import compute

        words = compute.sum(compute.list_value_length(batch["words"])).as_py() or 0
        return cls(len(batch), words, len(batch) - batch["error"].null_count)


class Task(NamedTuple):
    """A shard to be made, with the inputs of its pieces, and the bytes of those that workers cannot read themselves."""

    shard: Shard
    inputs: tuple[Input, ...]
    contents: tuple[bytes | None, ...]


class Done(NamedTuple):
    """A shard that is written."""

    number: int
    counts: Counts
    size: int


def tasks(shards: Iterable[Shard], inputs: Sequence[Input]) -> Iterator[Task]:
    """The tasks of shards; compressed files are read here, each once."""
    shards = list(shards)
    with closing(open_pieces((piece for shard in shards for piece in shard.pieces), list(inputs))) as contents:
        for shard in shards:
            yield Task(
                shard,
                tuple(inputs[piece.input] for piece in shard.pieces),
                tuple(next(contents) for _ in shard.pieces),
            )


@dataclass(frozen=True)
class ShardWorker:
    """Makes shards; it goes to other processes and machines as it is."""

    step: Step
    out: str
    run: str
    charset: str = "utf-8"

    def on_worker(self, number: int) -> ShardWorker:
        """A copy for one of several workers of a machine, which share its GPUs."""
        return replace(self, step=self.step.on_worker(number))

    def __call__(self, task: Task) -> Done:
        """Read, parse and write a shard."""
        documents = (
            document
            for piece, given, data in zip(task.shard.pieces, task.inputs, task.contents, strict=True)
            for document in self._documents(piece, given, data)
        )
        batch = self.step.parse(documents)
        counts = Counts.of(batch)
        name = shard_name(task.shard.number)
        content = self._encoded(batch, counts, name)
        (place_of(self.out) / name).write(content)
        return Done(task.shard.number, counts, len(content))

    def _documents(self, piece: Piece, given: Input, data: bytes | None) -> Iterable[Document]:
        if piece.format == "parquet":
            return self._rows(piece, given)
        if data is None:
            with place_of(given.uri).open() as stream:
                stream.seek(piece.start)
                data = stream.read(piece.end - piece.start)
        return READERS[piece.format](part_of(piece, given, data, self.charset), self.step.columns)

    def _rows(self, piece: Piece, given: Input) -> Iterator[Document]:
        """The documents in some rows of a row group."""
        from pyarrow import parquet

        with place_of(given.uri).open() as stream:
            file = parquet.ParquetFile(stream)
            names = column_names(file.schema_arrow.names, self.step.columns)
            before = 0
            for batch in file.iter_batches(ROWS, row_groups=[piece.group], columns=names, use_threads=False):
                start, end = max(piece.start - before, 0), min(piece.end - before, len(batch))
                if start < end:
                    first = piece.lines - piece.start + before + start + 1
                    yield from documents_of(batch.slice(start, end - start), self.step.columns, given.name, first)
                before += len(batch)

    def _encoded(self, batch: pa.RecordBatch, counts: Counts, name: str) -> bytes:
        """The rows as Parquet. The same rows give the same bytes."""
        pa = arrow()
        from pyarrow import parquet

        written = io.BytesIO()
        table = pa.Table.from_batches([batch])
        with parquet.ParquetWriter(written, schema(), compression=COMPRESSION, write_page_checksum=True) as file:
            file.write_table(table, row_group_size=ROWS)
            # All but the footer is there now, and so the footer can say what it has to be.
            notes = _Notes(f"{self.run} {name}", counts, written.tell(), checksum(written.getvalue()))
            file.add_key_value_metadata({_NOTES: json.dumps(asdict(notes))})
        return written.getvalue()


@dataclass(frozen=True, slots=True)
class _Notes:
    """What the footer of a shard says of it."""

    #: the run and the name of the file
    run: str
    counts: Counts
    #: the bytes before the footer, and their checksum
    size: int
    checksum: str


def _read_notes(place: Place, run: str) -> _Notes:
    pa = arrow()
    from pyarrow import parquet

    try:
        with place.open() as stream:
            found = (parquet.ParquetFile(stream).metadata.metadata or {}).get(_NOTES.encode(), b"{}")
        notes = json.loads(found)
        if notes.get("run") != f"{run} {place.name}":
            raise DataError("is another shard, of another run, or no shard at all", source=place.path)
        return _Notes(**notes | {"counts": Counts(**notes["counts"])})
    except DataError:
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"damaged: {error}", source=place.path) from None


def read_shard(place: Place, run: str) -> Counts:
    """What is in a shard, by its footer; a DataError if it is damaged or of another run."""
    return _read_notes(place, run).counts


def check_shard(place: Place, run: str) -> Counts:
    """Read all of a shard; a DataError if a byte of its rows has changed."""
    pa = arrow()
    from pyarrow import parquet

    notes = _read_notes(place, run)
    content = place.read()
    if checksum(content[: notes.size]) != notes.checksum:
        raise DataError("damaged: its rows are not those that were written", source=place.path)
    found = Counts()
    try:
        file = parquet.ParquetFile(io.BytesIO(content), page_checksum_verification=True)
        if not file.schema_arrow.equals(schema()):
            raise DataError("its columns are not those of a corpus", source=place.path)
        for batch in file.iter_batches(ROWS):
            found += Counts.of(batch)
    except (pa.ArrowException, OSError) as error:
        raise DataError(f"damaged: {error}", source=place.path) from None
    if found != notes.counts:
        raise DataError(f"has {found.rows} rows, not the {notes.counts.rows} that were written", source=place.path)
    return found
