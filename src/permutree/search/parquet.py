"""Sentences of Parquet files in the schema of :mod:`permutree.formats.arrow`, with their documents."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from permutree.errors import DataError, OnError
from permutree.formats.arrow import arrow, schema, to_trees
from permutree.formats.natural import natural_key
from permutree.search.columns import Located

__all__ = ["parquet_files", "parquet_sentences"]

_BATCH = 1_000


def parquet_files(path: str | Path) -> list[Path]:
    """The Parquet files that a path stands for: itself, or those of a folder that has nothing but them."""
    path = Path(path)
    if path.is_dir():
        files = [file for file in path.rglob("*.parquet") if not _is_hidden(file.relative_to(path))]
        return sorted(files, key=lambda file: natural_key(str(file.relative_to(path))))
    return [path] if path.suffix.lower() in (".parquet", ".pq") and path.is_file() else []


def _is_hidden(path: Path) -> bool:
    return any(part.startswith((".", "_")) for part in path.parts)


def parquet_sentences(file: Path, on_error: OnError) -> Iterator[Located]:
    """The trees of a file, with their document, number in it, and language; rows without a tree go to ``on_error``."""
    pa = arrow()
    from pyarrow import parquet

    numbers = count(1)
    try:
        stored = parquet.ParquetFile(file)
        columns = [name for name in stored.schema_arrow.names if name in schema().names]
        for batch in stored.iter_batches(_BATCH, columns=columns):
            rows = batch.select([name for name in ("doc_id", "sentence", "lang") if name in columns]).to_pylist()
            places = iter(rows or [{}] * len(batch))

            def skip(error: DataError, places: Iterator[object] = places) -> None:
                next(places)
                on_error(error)

            for tree in to_trees(batch, skip, source=str(file)):
                facts = next(places)
                number = next(numbers)
                metadata = tuple(
                    (name, str(facts[column]))
                    for name, column in (("doc", "doc_id"), ("lang", "lang"))
                    if facts.get(column) is not None
                )
                yield Located(tree, str(file), facts.get("sentence") or number, metadata)
    except pa.ArrowInvalid as error:
        raise DataError(f"not a Parquet file, or a damaged one: {error}", source=str(file)) from None
