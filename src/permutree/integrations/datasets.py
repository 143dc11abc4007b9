"""Hugging Face datasets: treebanks and label files as datasets.

Datasets are in memory and write no cache. ``streaming`` gives an iterable one that reads files as it goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from permutree.encoding.labelfile import read_labels
from permutree.encoding.labels import COMPONENTS
from permutree.errors import ConfigError
from permutree.formats import read
from permutree.formats.arrow import arrow, from_trees, schema
from permutree.formats.sources import open_sources

try:
    import datasets
except ModuleNotFoundError as error:
    raise ConfigError("datasets need the package of that name: pip install 'permutree[datasets]'") from error

__all__ = ["load_labels", "load_treebank"]

#: trees that become records together
_BATCH = 1000


def load_treebank(
    paths: str | Path | Iterable[str | Path], *, streaming: bool = False, **options: Any
) -> datasets.Dataset | datasets.IterableDataset:
    """The trees of files as a dataset with the columns of :func:`permutree.formats.arrow.schema`.

    Only ``info`` is left out, a column of a type that datasets do not have. Options are those of
    :func:`permutree.read`.
    """
    if streaming:
        return datasets.IterableDataset.from_generator(partial(_rows, paths, options))
    table = arrow().Table.from_batches(list(_batches(paths, options)), schema())
    return datasets.Dataset(table.drop_columns(["info"]))


def _batches(paths: str | Path | Iterable[str | Path], options: dict[str, Any]) -> Iterator[Any]:
    first = 1
    some = []
    for tree in read(paths, **options):
        some.append(tree)
        if len(some) == _BATCH:
            yield from_trees(some, first=first)
            first, some = first + len(some), []
    if some:
        yield from_trees(some, first=first)


def _rows(paths: str | Path | Iterable[str | Path], options: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for batch in _batches(paths, options):
        yield from batch.drop_columns(["info"]).to_pylist()


def load_labels(path: str | Path, encoding: str, style: str = "permutree") -> datasets.Dataset:
    """A label file as a dataset: ``words``, ``tags``, ``levels``, ``shared``, ``unary`` and ``permutation``."""
    columns: dict[str, list[list[str]]] = {name: [] for name in ("words", "tags", *COMPONENTS)}
    for source in open_sources(path):
        for sentence in read_labels(source, encoding, style):
            columns["words"].append(sentence.words)
            columns["tags"].append(sentence.tags)
            for name in COMPONENTS:
                columns[name].append([getattr(label, name) for label in sentence.labels])
    return datasets.Dataset.from_dict(columns)
