"""The engine of one machine: worker processes that are given one task after the other.

If a worker is killed, its task is given to another one, three times at most.
"""

from __future__ import annotations

import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Protocol, TypeVar

from permutree.errors import DataError, PermutreeError
from permutree.parsing.processes import end_with_parent

__all__ = ["Engine", "LocalEngine"]

#: how often a task may lose its worker
ATTEMPTS = 3

Given = TypeVar("Given")
Result = TypeVar("Result")


class Engine(Protocol):
    """What runs a function on many items, wherever that may be."""

    @property
    def workers(self) -> int:
        """How many items are worked on at once."""

    def map(self, work: Callable[[Given], Result], items: Iterable[Given]) -> Iterator[Result]:
        """What the function makes of the items, in any order. Items are taken as they are needed."""


@dataclass(frozen=True)
class LocalEngine:
    """Processes of this machine; one is this process itself."""

    workers: int = 1

    def map(self, work: Callable[[Given], Result], items: Iterable[Given]) -> Iterator[Result]:
        """What the function makes of the items, in any order."""
        if self.workers == 1:
            yield from map(work, items)
            return
        yield from _Pool(work, self.workers).run(iter(items))


@dataclass(eq=False)
class _Worker:
    process: BaseProcess
    pipe: Connection
    #: what it works on, and how often that was tried before
    item: Any = None
    attempts: int = 0


@dataclass
class _Pool:
    work: Callable[[Any], Any]
    size: int
    lost: deque[tuple[Any, int]] = field(default_factory=deque)

    def run(self, items: Iterator[Any]) -> Iterator[Any]:
        workers: list[_Worker] = []
        try:
            while True:
                idle = [worker for worker in workers if worker.item is None]
                is_more = True
                while is_more and (idle or len(workers) < self.size):
                    item, attempts = self.lost.popleft() if self.lost else (next(items, None), 0)
                    is_more = item is not None
                    if is_more:
                        worker = idle.pop() if idle else self._start(workers)
                        self._send(worker, item, attempts)
                busy = [worker for worker in workers if worker.item is not None]
                if not busy:
                    return
                ready = connection.wait([end for one in busy for end in (one.pipe, one.process.sentinel)])
                for worker in busy:
                    if worker.pipe in ready or worker.process.sentinel in ready:
                        yield from self._receive(worker, workers)
        finally:
            for worker in workers:
                worker.process.kill()
            for worker in workers:
                worker.process.join()
                worker.pipe.close()

    def _start(self, workers: list[_Worker]) -> _Worker:
        # Forked processes would share locks of threads that they do not have.
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        used = {worker.process.name for worker in workers}
        name = next(str(number) for number in range(self.size + 1) if str(number) not in used)
        process = context.Process(target=_serve, args=(theirs, self.work, int(name)), name=name, daemon=True)
        process.start()
        theirs.close()
        workers.append(_Worker(process, ours))
        return workers[-1]

    def _send(self, worker: _Worker, item: Any, attempts: int) -> None:
        worker.item, worker.attempts = item, attempts
        try:
            worker.pipe.send(item)
        except OSError:
            # It has died; this is seen when it is waited for.
            worker.process.join(1)

    def _receive(self, worker: _Worker, workers: list[_Worker]) -> Iterator[Any]:
        """The result of a worker; if it has died, its item waits for another."""
        try:
            if not worker.pipe.poll():
                raise EOFError
            is_done, result = worker.pipe.recv()
        except (EOFError, OSError):
            workers.remove(worker)
            worker.process.join()
            worker.pipe.close()
            if worker.attempts + 1 >= ATTEMPTS:
                raise ChildProcessError(
                    f"{ATTEMPTS} workers died on the same task ({_named(worker.item)}), perhaps for want of memory; "
                    "run again with fewer --jobs or a smaller --shard-size in a new folder"
                ) from None
            self.lost.append((worker.item, worker.attempts + 1))
            return
        worker.item = None
        if not is_done:
            raise result
        yield result


def _named(item: Any) -> str:
    inputs = getattr(item, "inputs", ())
    return ", ".join(dict.fromkeys(one.name for one in inputs[:3])) or str(item)[:80]


def _serve(pipe: Connection, work: Callable[[Any], Any], number: int) -> None:
    """What a worker process does until it is killed, or the one that started it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()
    import pyarrow

    pyarrow.set_cpu_count(1)
    pyarrow.set_io_thread_count(2)
    if hasattr(work, "on_worker"):
        work = work.on_worker(number)
    while True:
        try:
            item = pipe.recv()
        except EOFError:
            return
        try:
            result: tuple[bool, Any] = (True, work(item))
        except PermutreeError as error:
            result = (False, error)
        except OSError as error:
            result = (False, DataError(f"{error.filename or ''}: {error.strerror or error}".removeprefix(": ")))
        pipe.send(result)
