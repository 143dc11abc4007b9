"""Ray: parse a dataset of Ray Data, or run ``permutree corpus`` on a cluster.

A dataset is parsed by a pool of actors. What reads and writes it needs a CPU as well: where all CPUs were given to
actors, Ray would wait for ever. So one is left free.

``permutree corpus`` needs no such stages. A task reads, parses and writes a shard by itself, so each CPU has one; Ray
runs it again elsewhere if its worker or node is lost, and starts nodes while tasks wait, if the cluster can grow. The
processes of Ray stay, and with them the models that they have loaded.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from permutree.corpora.step import Step
from permutree.errors import ConfigError, DataError, PermutreeError

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["RayEngine", "parse"]

# Nothing is to be sent anywhere; the library reads this as it is imported.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

#: rows of a dataset that an actor parses at once
BATCH = 256
#: tasks that are handed out for each worker: one waits, so that none is idle
WAITING = 2
#: seconds after which the size of the cluster is looked at again
PATIENCE = 5.0

Given = TypeVar("Given")
Result = TypeVar("Result")


def _ray() -> Any:
    try:
        import ray
        import ray.data
    except ModuleNotFoundError as error:
        raise ConfigError(f"Ray needs the package {error.name}: pip install 'permutree[ray]'") from None
    return ray


def parse(
    dataset: Any, *, workers: int | None = None, gpus: float = 0.0, batch_size: int = BATCH, **settings: Any
) -> Any:
    """A dataset of documents as a dataset of sentences with trees, in the order of the documents.

    Settings are those of :class:`~permutree.corpora.step.Step`: ``languages``, ``model``, ``max_words``, ``columns``
    and others. ``workers`` is the most actors that there will be; if it is not given, there are as many as the cluster
    has CPUs, but for one. ``gpus`` is the share of a GPU that each has.
    """
    ray = _ray()
    if gpus:
        settings.setdefault("device", "cuda")
    if not ray.is_initialized():
        _start(ray, None)
    fit = max(1, _capacity(ray, gpus) - (0 if gpus else 1))
    most = fit if workers is None else workers
    dataset.context.execution_options.preserve_order = True
    return dataset.map_batches(
        _Batches,
        fn_constructor_args=(Step(**settings),),
        batch_size=batch_size,
        batch_format="pyarrow",
        compute=ray.data.ActorPoolStrategy(min_size=1, max_size=most, initial_size=min(fit, most)),
        # On a single CPU, half of it is left.
        num_cpus=1 if _capacity(ray, 0) > 1 else 0.5,
        num_gpus=gpus or None,
    )


class _Batches:
    """The actor that parses batches of a dataset."""

    def __init__(self, step: Step) -> None:
        self.step = step

    def __call__(self, table: pa.Table) -> pa.Table:
        import pyarrow

        # The rows of a batch are parsed together, in however many parts they came.
        (batch,) = table.combine_chunks().to_batches() or [pyarrow.RecordBatch.from_pylist([], table.schema)]
        return pyarrow.Table.from_batches([self.step.parse_batch(batch)])


@dataclass(frozen=True)
class RayEngine:
    """A cluster as an engine of :func:`permutree.corpora.run`."""

    #: the most workers, if not as many as the cluster has room for
    most: int | None = None
    gpus: float = 0.0

    @classmethod
    def connect(cls, address: str | None = None, *, workers: int | None = None, gpus: float = 0.0) -> RayEngine:
        """The cluster at an address, that which this machine is part of, or a new one on this machine."""
        ray = _ray()
        if not ray.is_initialized():
            _start(ray, address)
        return cls(workers, gpus)

    @property
    def workers(self) -> int:
        """How many workers there is room for; at least one, which a cluster that can grow may still start."""
        room = max(1, _capacity(_ray(), self.gpus))
        return room if self.most is None else min(room, self.most)

    def map(self, work: Callable[[Given], Result], items: Iterable[Given]) -> Iterator[Result]:
        """What the function makes of the items, in any order; items are taken as there is room for them."""
        ray = _ray()
        # A worker that is lost, with its node or alone, is the cluster's affair; one that dies three times is ours.
        remote = ray.remote(num_cpus=1, num_gpus=self.gpus, max_retries=3, max_calls=0)(_work)
        shared = ray.put(work)
        queue = iter(items)
        waiting: dict[Any, None] = {}
        is_more = True
        try:
            while True:
                limit = self._limit()
                while is_more and len(waiting) < limit:
                    item = next(queue, None)
                    is_more = item is not None
                    if is_more:
                        waiting[remote.remote(shared, item)] = None
                if not waiting:
                    return
                ready, _ = ray.wait([*waiting], num_returns=1, timeout=PATIENCE)
                for reference in ready:
                    del waiting[reference]
                    yield _received(ray, reference)
        finally:
            for reference in waiting:
                ray.cancel(reference, force=True)

    def _limit(self) -> int:
        # One that waits is what a cluster grows for.
        return self.workers if self.most is not None else WAITING * self.workers


def _work(work: Callable[[Any], Any], item: Any) -> tuple[bool, Any]:
    """What a task does; errors that are told to the user come back as results, as Ray would wrap them."""
    import pyarrow

    pyarrow.set_cpu_count(1)
    try:
        return True, work(item)
    except PermutreeError as error:
        return False, error
    except OSError as error:
        return False, DataError(str(error))


def _received(ray: Any, reference: Any) -> Any:
    try:
        is_done, result = ray.get(reference)
    except (ray.exceptions.WorkerCrashedError, ray.exceptions.OutOfMemoryError) as error:
        raise ChildProcessError(
            f"workers died again and again on the same shard, perhaps for want of memory: {error}"
        ) from None
    if not is_done:
        raise result
    return result


def _start(ray: Any, address: str | None) -> None:
    """Connect to a cluster; if none is named and there is none, start one on this machine."""
    quiet = {"logging_level": "ERROR", "log_to_driver": False}
    try:
        if address is not None:
            ray.init(address, **quiet)
            return
        try:
            ray.init("auto", **quiet)
        except ConnectionError:
            ray.init(include_dashboard=False, **quiet)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise ConfigError(f"no Ray cluster at {address or 'this machine'}: {error}") from None


def _capacity(ray: Any, gpus: float) -> int:
    """How many workers there is room for in the cluster."""
    found = ray.cluster_resources()
    return int(found.get("GPU", 0) / gpus) if gpus else int(found.get("CPU", 0))
