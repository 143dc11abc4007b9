"""The file of an index: segments one after the other, then the tables, then a directory of both.

::

    permutree-index␤  format version (uint32)  …columns, each at a multiple of 64 bytes…
    directory (JSON)  its length (uint64)  its CRC-32 (uint32)  permutree-index␤

The directory says of each column where it is, of which type and length, and its CRC-32. Opening a file reads the
directory alone and maps the rest into memory, so that a search reads the columns that it needs. Writing needs memory
for one segment and for the tables; the file appears whole or not at all.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np

from permutree.errors import DataError
from permutree.formats.sinks import whole_file
from permutree.search.columns import Array, Arrays, Located, Tables, arrays_of
from permutree.search.segments import Segment, TableSet
from permutree.search.tables import StringTable

__all__ = ["MAGIC", "IndexFile", "in_segments", "write_index"]

MAGIC = b"permutree-index\n"
VERSION = 1
_END = struct.Struct("<QI")
_ALIGNED = 64
#: a segment ends at the first sentence that brings it to so many nodes, or when it has so many sentences
NODES = 1 << 20
SENTENCES = 1 << 16


def in_segments(
    sentences: Iterable[Located], nodes: int = NODES, sentences_each: int = SENTENCES
) -> Iterator[list[Located]]:
    """Sentences in runs of the size of a segment."""
    run: list[Located] = []
    size = 0
    for located in sentences:
        run.append(located)
        size += len(located.tree.words) + len(located.tree.labels)
        if size >= nodes or len(run) >= sentences_each:
            yield run
            run, size = [], 0
    if run:
        yield run


def write_index(sentences: Iterable[Located], path: str | Path) -> tuple[int, int]:
    """Write an index of trees; gives the number of sentences and of nodes."""
    tables = Tables()
    count = nodes = 0
    with whole_file(path) as temporary, temporary.open("wb") as stream:
        stream.write(MAGIC + struct.pack("<I", VERSION))
        segments = []
        for run in in_segments(sentences):
            arrays = arrays_of(run, tables)
            segments.append(_write_arrays(stream, arrays))
            count += len(run)
            nodes += int(arrays["node_offsets"][-1])
        frozen = TableSet.of(tables)
        directory = {
            "segments": segments,
            "features": {name: _write_table(stream, table) for name, table in frozen.features.items()},
            "metadata": {name: _write_table(stream, table) for name, table in frozen.metadata.items()},
            "sentences": count,
            "nodes": nodes,
        }
        raw = json.dumps(directory, ensure_ascii=False).encode()
        stream.write(raw + _END.pack(len(raw), zlib.crc32(raw)) + MAGIC)
    return count, nodes


def _write_table(stream: IO[bytes], table: StringTable) -> dict[str, Any]:
    return _write_arrays(stream, {"blob": table.blob, "offsets": table.offsets, "order": table.order})


def _write_arrays(stream: IO[bytes], arrays: Arrays) -> dict[str, Any]:
    """Write arrays; gives what the directory says of each: place, type, length and checksum."""
    written = {}
    for name, array in arrays.items():
        stream.write(bytes(-stream.tell() % _ALIGNED))
        raw = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
        written[name] = [stream.tell(), array.dtype.str.replace(">", "<"), len(array), zlib.crc32(raw)]
        stream.write(raw)
    return written


class IndexFile:
    """An index that was opened: its segments and tables, mapped and not loaded."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self.map = np.memmap(self.path, np.uint8, "r")
        except OSError as error:
            raise DataError(f"cannot be read: {error.strerror}", source=str(path)) from error
        except ValueError:
            raise DataError("is empty, not an index", source=str(path)) from None
        self.directory = self._read_directory()
        features, metadata = (
            {name: self._table(entry) for name, entry in self.directory[kind].items()}
            for kind in ("features", "metadata")
        )
        self.tables = TableSet(features, metadata)
        self._segments: dict[int, Segment] = {}

    @staticmethod
    def is_index(path: str | Path) -> bool:
        """Whether a file begins as an index does."""
        path = Path(path)
        if not path.is_file():
            return False
        with path.open("rb") as stream:
            return stream.read(len(MAGIC)) == MAGIC

    def _read_directory(self) -> dict[str, Any]:
        again = "; make it again with `permutree index`"
        head, tail = len(MAGIC) + 4, _END.size + len(MAGIC)
        if self.map[: len(MAGIC)].tobytes() != MAGIC:
            raise DataError("is not an index of permutree", source=str(self.path))
        (version,) = struct.unpack("<I", self.map[len(MAGIC) : head].tobytes())
        if version != VERSION:
            raise DataError(f"is an index of version {version}, not {VERSION}{again}", source=str(self.path))
        if len(self.map) < head + tail or self.map[-len(MAGIC) :].tobytes() != MAGIC:
            raise DataError(f"the index is cut off{again}", source=str(self.path))
        size, checksum = _END.unpack(self.map[-tail : -len(MAGIC)].tobytes())
        raw = self.map[max(len(self.map) - tail - size, 0) : len(self.map) - tail].tobytes()
        if zlib.crc32(raw) != checksum:
            raise DataError(f"the index is damaged{again}", source=str(self.path))
        directory: dict[str, Any] = json.loads(raw)
        return directory

    def _array(self, entry: list[Any]) -> Array:
        place, kind, length, _ = entry
        dtype = np.dtype(kind)
        # A plain view of the map: indexing a memmap is slower.
        raw = np.asarray(self.map)[place : place + length * dtype.itemsize]
        return raw.view(dtype)

    def _table(self, entry: dict[str, list[Any]]) -> StringTable:
        return StringTable(*(self._array(entry[name]) for name in ("blob", "offsets", "order")))  # type: ignore[arg-type]

    def __len__(self) -> int:
        """How many segments there are."""
        return len(self.directory["segments"])

    @property
    def sentences(self) -> int:
        """How many sentences there are."""
        return int(self.directory["sentences"])

    @property
    def nodes(self) -> int:
        """How many nodes there are, words among them."""
        return int(self.directory["nodes"])

    def segment(self, number: int) -> Segment:
        """A segment; its columns are read when they are used."""
        if number not in self._segments:
            entries = self.directory["segments"][number]
            arrays = {name: self._array(entry) for name, entry in entries.items()}
            self._segments[number] = Segment(arrays, self.tables)
        return self._segments[number]

    def check(self) -> None:
        """Read all of it and compare the checksums; a DataError names what is damaged."""
        groups = [
            *((f"segment {number}", entries) for number, entries in enumerate(self.directory["segments"], 1)),
            *((f"table {name}", entries) for name, entries in self.directory["features"].items()),
            *((f"table {name}", entries) for name, entries in self.directory["metadata"].items()),
        ]
        for group, entries in groups:
            for name, entry in entries.items():
                if zlib.crc32(self._array(entry).tobytes()) != entry[3]:
                    raise DataError(f"{group}, column {name}: damaged; make the index again", source=str(self.path))
