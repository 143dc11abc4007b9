"""Dask: a data frame of documents becomes one of sentences with trees, by ``map_partitions``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from permutree.corpora.step import Step
from permutree.errors import ConfigError
from permutree.formats.arrow import schema

__all__ = ["parse"]


def parse(frame: Any, **settings: Any) -> Any:
    """A data frame of documents as one of sentences with trees; columns have the types of Arrow.

    Settings are those of :class:`~permutree.corpora.step.Step`. Use the scheduler of processes, or a cluster with a
    thread a worker: threads of one process share the interpreter.
    """
    try:
        import dask.dataframe
    except (ImportError, ModuleNotFoundError) as error:
        raise ConfigError(f"Dask needs a package that is not here ({error}): pip install 'permutree[dask]'") from None
    del dask
    return frame.map_partitions(_Partition(Step(**settings)), meta=_pandas(schema().empty_table()))


@dataclass(frozen=True)
class _Partition:
    """What is done with a partition."""

    step: Step

    def __call__(self, frame: Any) -> Any:
        import pyarrow

        table = pyarrow.Table.from_pandas(frame, preserve_index=False).combine_chunks()
        batches = table.to_batches() or [pyarrow.RecordBatch.from_pylist([], table.schema)]
        return _pandas(pyarrow.Table.from_batches([self.step.parse_batch(batch) for batch in batches]))


def _pandas(table: Any) -> Any:
    import pandas

    return table.to_pandas(types_mapper=pandas.ArrowDtype)
