"""The plan of a corpus: which parts of which files go into which shard.

It is a function of the files and of the settings alone. So it does not matter how many workers there are, nor when one
of them is lost: a shard always has the same rows.
"""

from __future__ import annotations

import io
import re
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from typing import Any, NamedTuple

from permutree.corpora.cutting import BOUNDARIES, segments
from permutree.corpora.documents import READERS, Columns, Part, column_names
from permutree.corpora.inputs import Input, format_of
from permutree.corpora.storage import place_of
from permutree.errors import ConfigError, DataError, raise_error
from permutree.formats.arrow import arrow
from permutree.formats.sources import Source, sources_in

__all__ = ["Piece", "Scan", "Shard", "checksum", "open_pieces", "part_of", "shards_of"]


class Piece(NamedTuple):
    """A part of a file: bytes of what is in it once it is decompressed, or rows of a Parquet file."""

    #: the number of the input
    input: int
    format: str
    start: int
    end: int
    checksum: str
    #: the file in an archive
    member: str | None = None
    #: whether the file can be read from anywhere, as it is not compressed
    is_plain: bool = True
    #: what comes before it
    lines: int = 0
    characters: int = 0
    sentences: int = 0
    #: the document that it belongs to, if the file does not say it there
    document: str | None = None
    #: the row group of a Parquet file
    group: int = 0
    #: bytes, for sharing out work
    size: int = 0


class Shard(NamedTuple):
    """The pieces of an output file."""

    number: int
    pieces: tuple[Piece, ...]


def checksum(data: bytes) -> str:
    """A checksum of bytes."""
    return blake2b(data, digest_size=16).hexdigest()


@dataclass(frozen=True)
class Scan:
    """Looks through a file and cuts it; it goes to workers as it is."""

    #: bytes of a piece
    size: int
    format: str | None = None
    charset: str = "utf-8"
    columns: Columns = Columns()  # noqa: RUF009 - it cannot be changed

    def __post_init__(self) -> None:
        if re.match("utf.?(16|32)", self.charset.lower()):
            raise ConfigError(f"files in {self.charset} cannot be cut; convert them to utf-8 first")

    def __call__(self, task: tuple[int, Input]) -> list[Piece]:
        """The pieces of an input."""
        number, given = task
        pieces = []
        with place_of(given.uri).open() as stream:
            for source in sources_in(given.uri, stream, self.charset):
                pieces += self._cut(number, given, source)
                source.report(raise_error)
        return pieces

    def _cut(self, number: int, given: Input, source: Source) -> list[Piece]:
        named = format_of(source.member or given.name)
        found = self.format or named or ("parquet" if source.head()[:4] == b"PAR1" else "text")
        is_plain = source.is_plain and source.member is None
        name = _name(given, source.member)
        if found == "parquet":
            if not is_plain:
                raise DataError("a Parquet file must not be compressed as a whole, nor in an archive", source=name)
            return self._cut_rows(number, given)
        if b"\0" in source.head()[:4096]:
            raise DataError(f"is not text, and no {found}: it holds zero bytes", source=name)
        pieces: list[Piece] = []
        before = Piece(number, found, 0, 0, "", source.member, is_plain)
        for segment in segments(source.stream, self.size, BOUNDARIES[found]):
            end = before.start + len(segment)
            pieces.append(before._replace(end=end, checksum=checksum(segment), size=len(segment)))
            before = _advance(before._replace(start=end), segment, name, self.charset)
        if found == "text" and len(pieces) > 1:
            pieces = [one._replace(document=f"{name}#{place}") for place, one in enumerate(pieces, 1)]
        # An empty file is a document without words.
        return pieces or [before._replace(checksum=checksum(b""))]

    def _cut_rows(self, number: int, given: Input) -> list[Piece]:
        """Rows of a Parquet file, by the sizes of the columns that are read."""
        pa = arrow()
        from pyarrow import parquet

        place = place_of(given.uri)
        sum_of = blake2b(digest_size=16)
        with place.open() as stream:
            while block := stream.read(1 << 22):
                sum_of.update(block)
        try:
            with place.open() as stream:
                metadata = parquet.ParquetFile(stream).metadata
                names = column_names(metadata.schema.to_arrow_schema().names, self.columns)
        except pa.ArrowInvalid as error:
            raise DataError(f"not a Parquet file, or a damaged one: {error}", source=given.name) from None
        except ConfigError as error:
            raise ConfigError(f"{given.name}: {error}") from None
        pieces = []
        before = 0
        for group in range(metadata.num_row_groups):
            about = metadata.row_group(group)
            columns = [about.column(column) for column in range(about.num_columns)]
            read = [one for one in columns if one.path_in_schema.partition(".")[0] in names]
            size = sum(one.total_uncompressed_size for one in read)
            parts = max(1, min(about.num_rows, round(size / self.size)))
            bounds = [about.num_rows * part // parts for part in range(parts + 1)]
            for start, end in pairwise(bounds):
                share = size * (end - start) // max(about.num_rows, 1)
                pieces.append(
                    Piece(
                        number, "parquet", start, end, sum_of.hexdigest(), lines=before + start, group=group, size=share
                    )
                )
            before += about.num_rows
        return pieces


#: the streams of what was compressed


def _name(given: Input, member: str | None) -> str:
    return given.name if member is None else f"{given.name}/{member}"


_NEW = re.compile(rb"^#[ \t]*newdoc", re.MULTILINE)


def _advance(piece: Piece, segment: bytes, name: str, charset: str) -> Piece:
    """What comes before the next piece."""
    lines = piece.lines + segment.count(b"\n")
    if piece.format == "jsonl":
        return piece._replace(lines=lines)
    part = Part(segment, name, piece.lines, piece.characters, piece.sentences, piece.document, charset)
    text = part.text()
    piece = piece._replace(characters=piece.characters + len(text))
    if piece.format == "conllu":
        return _advance_documents(piece, part)
    return piece._replace(lines=lines, sentences=piece.sentences + sum(1 for line in text.split("\n") if line.strip()))


def _advance_documents(piece: Piece, part: Part) -> Piece:
    """The document that goes on, and how many sentences of it there were; ``lines`` counts documents."""
    last = deque(READERS["conllu"](part, Columns()), maxlen=1)
    piece = piece._replace(lines=piece.lines + len(_NEW.findall(part.data)))
    return piece._replace(sentences=last[0].first, document=last[0].doc_id) if last else piece


def shards_of(pieces: Iterable[Piece], size: int) -> list[Shard]:
    """Pieces put together until there are so many bytes."""
    shards: list[Shard] = []
    current: list[Piece] = []
    total = 0
    for piece in pieces:
        current.append(piece)
        total += piece.size
        if total >= size:
            shards.append(Shard(len(shards), tuple(current)))
            current, total = [], 0
    if current:
        shards.append(Shard(len(shards), tuple(current)))
    return shards


def part_of(piece: Piece, given: Input, data: bytes, charset: str) -> Part:
    """The bytes of a piece as a part of a file; a DataError if they are not those that were planned."""
    name = _name(given, piece.member)
    if checksum(data) != piece.checksum:
        raise DataError("has changed since the run began; begin again in a new folder", source=name)
    return Part(data, name, piece.lines, piece.characters, piece.sentences, piece.document, charset)


def open_pieces(pieces: Iterable[Piece], inputs: list[Input]) -> Generator[bytes | None, None, None]:
    """The bytes of pieces of compressed files and archives, in their order; None for others.

    A file that is compressed can only be read from the beginning; here this is done once for all its pieces.
    """
    open_input: int | None = None
    stream: Any = None
    sources: Iterator[Source] = iter(())
    source: Source | None = None
    place = 0
    try:
        for piece in pieces:
            if piece.is_plain:
                yield None
                continue
            if piece.input != open_input or (
                source is not None and source.member == piece.member and place > piece.start
            ):
                if stream is not None:
                    stream.close()
                stream = place_of(inputs[piece.input].uri).open()
                open_input, source = piece.input, None
                sources = sources_in(inputs[piece.input].uri, stream)
            while source is None or source.member != piece.member:
                source, place = next(sources, None), 0
                if source is None:
                    name = _name(inputs[piece.input], piece.member)
                    raise DataError("has changed since the run began; begin again in a new folder", source=name)
            _skip(source.stream, piece.start - place)
            data = source.stream.read(piece.end - piece.start)
            if len(data) < piece.end - piece.start:
                source.report(raise_error)
            place = piece.end
            yield data
    finally:
        if stream is not None:
            stream.close()


def _skip(stream: io.BufferedReader, count: int) -> None:
    while count > 0 and (read := stream.read(min(count, 1 << 20))):
        count -= len(read)
