"""Spark: a data frame of documents becomes one of sentences with trees, by ``mapInArrow``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from permutree.corpora.step import Step
from permutree.errors import ConfigError
from permutree.formats.arrow import schema

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["parse"]


def parse(frame: Any, **settings: Any) -> Any:
    """A data frame of documents as one of sentences with trees, in the order of the documents within a partition.

    Settings are those of :class:`~permutree.corpora.step.Step`. Each task of Spark has one core and a model of its own;
    ``spark.python.worker.reuse``, which is on, keeps it for the next task.
    """
    try:
        from pyspark.sql.pandas.types import from_arrow_schema
    except ModuleNotFoundError as error:
        raise ConfigError(f"Spark needs the package {error.name}: pip install 'permutree[spark]'") from None
    return frame.mapInArrow(_Batches(Step(**settings)), from_arrow_schema(schema()))


@dataclass(frozen=True)
class _Batches:
    """What a task does with its batches."""

    step: Step

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return map(self.step.parse_batch, batches)
