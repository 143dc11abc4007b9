"""Where the sentences of a corpus come from: an index, memory, or files that are read anew by each search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from permutree.errors import OnError
from permutree.formats import read
from permutree.search.columns import Located
from permutree.search.index import IndexFile, in_segments
from permutree.search.parquet import parquet_files, parquet_sentences
from permutree.search.segments import Segment

__all__ = ["InMemory", "Indexed", "Source", "Streamed"]

#: nodes of a segment that is made on the way: small, so that the first matches come soon
STREAMED = 1 << 17


class Source:
    """A part of a corpus."""

    size: int | None = None

    def segments(self) -> Iterator[Segment]:
        """Its columns."""
        raise NotImplementedError

    def sentences(self) -> Iterator[Located]:
        """Its trees."""
        for segment in self.segments():
            for sentence in range(segment.sentences):
                facts = segment.metadata(sentence)
                number = int(segment.arrays["number"][sentence])
                yield Located(segment.tree(sentence), facts.get("file", ""), number)


class Indexed(Source):
    """An index, mapped into memory."""

    def __init__(self, index: IndexFile) -> None:
        self.index = index
        self.size = index.sentences

    def segments(self) -> Iterator[Segment]:
        """Its columns."""
        return (self.index.segment(number) for number in range(len(self.index)))


@dataclass
class InMemory(Source):
    """Segments that are there already."""

    made: list[Segment]

    def __post_init__(self) -> None:
        self.size = sum(segment.sentences for segment in self.made)

    def segments(self) -> Iterator[Segment]:
        """Its columns."""
        return iter(self.made)


@dataclass
class Streamed(Source):
    """A treebank of any format, or a folder of Parquet files, which becomes segments on the way."""

    path: str | Path
    format: str | None
    charset: str | None
    on_error: OnError

    def sentences(self) -> Iterator[Located]:
        """Its trees."""
        files = parquet_files(self.path) if self.format in (None, "parquet") else []
        for file in files:
            yield from parquet_sentences(file, self.on_error)
        if files:
            return
        trees = read(self.path, self.format, self.charset, self.on_error)
        for number, tree in enumerate(trees, 1):
            yield Located(tree, str(self.path), number)

    def segments(self) -> Iterator[Segment]:
        """Its columns."""
        return map(Segment.of, in_segments(self.sentences(), STREAMED))
