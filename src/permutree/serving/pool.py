"""The worker processes: requests wait for one, small ones go to it together, and one that dies is replaced."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import os
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from permutree.serving.answers import Answer, error_answer
from permutree.serving.frames import frame, receive_frame
from permutree.serving.searching import CANCEL
from permutree.serving.settings import Settings

__all__ = ["Full", "Job", "Pool"]

_log = logging.getLogger("permutree")

#: bytes of a request up to which it is joined with others
SMALL = 1 << 15
#: requests that a worker takes at least, if there are so many
LEAST = 8
#: seconds before a worker that could not start is tried again, doubled each time
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
#: seconds that the end of a killed worker is waited for
END = 10.0
#: seconds between two looks for requests that have waited too long
SWEEP = 0.1


class Full(Exception):
    """The queue is full."""


@dataclass(slots=True, eq=False)
class Job:
    """A request that somebody waits for."""

    kind: str
    body: bytes
    answer: asyncio.Future[Answer]
    arrived: float
    deadline: float
    #: whether it was given to a worker that died
    is_retried: bool = False
    #: the worker that has it
    process: Process | None = None

    @property
    def is_small(self) -> bool:
        """Whether it may be joined with others."""
        return self.kind == "parse" and len(self.body) <= SMALL and not self.is_retried

    def settle(self, answer: Answer) -> None:
        """Answer it, unless it has an answer already."""
        if not self.answer.done():
            self.answer.set_result(answer)


@dataclass(slots=True)
class Figures:
    """What the pool has done, for the metrics."""

    batches: int = 0
    batched: int = 0
    restarts: int = 0
    retries: int = 0
    unexpected: int = 0
    sentences: int = 0
    on_batch: Callable[[int], None] = field(default=lambda size: None)


class Pool:
    """Keeps worker processes busy."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.figures = Figures()
        self._small: deque[Job] = deque()
        self._large: deque[Job] = deque()
        #: what a dead worker held
        self._again: deque[Job] = deque()
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._running: set[Job] = set()
        self._large_running = 0
        self._processes: dict[int, Process] = {}
        self._ready: set[int] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self._is_closing = False

    @property
    def queued(self) -> int:
        """The requests that wait for a worker."""
        return len(self._small) + len(self._large) + len(self._again)

    @property
    def is_full(self) -> bool:
        """Whether no more can wait."""
        return self.queued >= self.settings.limits.queue

    @property
    def ready(self) -> int:
        """The workers that can take requests."""
        return len(self._ready)

    @property
    def pids(self) -> list[int]:
        """The ids of the worker processes."""
        return [process.pid for process in self._processes.values()]

    async def start(self) -> None:
        """Start the workers; requests may come before they are ready."""
        self._tasks = [asyncio.create_task(self._keep(number)) for number in range(self.settings.workers)]
        self._tasks.append(asyncio.create_task(self._sweep()))

    async def close(self) -> None:
        """End the workers; what still waits is answered with an error."""
        self._is_closing = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for job in [*self._again, *self._small, *self._large, *self._running]:
            job.settle(error_answer(503, "the server is shutting down"))

    def submit(self, kind: str, body: bytes, *, waits: bool = False) -> asyncio.Future[Answer]:
        """Put a request into the queue; Full if there is no place for it, unless its sender ``waits`` for others."""
        if self.is_full and not waits:
            raise Full
        loop = asyncio.get_running_loop()
        now = time.monotonic()
        job = Job(kind, body, loop.create_future(), now, now + self.settings.limits.seconds)
        self._put(job)
        return job.answer

    def cancel(self, answer: asyncio.Future[Answer]) -> None:
        """Forget a request that nobody waits for any more; a search that is under way is stopped."""
        for job in self._running:
            if job.answer is answer and job.kind == "search" and job.process is not None:
                with contextlib.suppress(ProcessLookupError):
                    job.process.send_signal(CANCEL)
        answer.cancel()

    def _put(self, job: Job) -> None:
        (self._small if job.is_small else self._large).append(job)
        self._wake()

    def _wake(self) -> None:
        """Wake a worker that waits for requests."""
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)
                return

    def _wake_all(self) -> None:
        """Wake all workers that wait, as one of them has ended and must not wait for requests any more."""
        for _ in range(len(self._waiting)):
            self._wake()

    async def _keep(self, number: int) -> None:
        """Keep a worker running, whatever happens to it."""
        pause = FIRST_PAUSE
        while True:
            try:
                process = await self._spawn()
            except (OSError, RuntimeError) as error:
                # The machine may have too many processes or threads for now.
                _log.error("a worker cannot be started: %s", error)
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
                continue
            self._processes[number] = process
            was_ready = False
            try:
                was_ready = await self._talk(number, process)
            except Exception:
                # The worker must be replaced whatever has gone wrong.
                _log.exception("talking to a worker has failed")
                was_ready = number in self._ready
            finally:
                self._ready.discard(number)
                self._processes.pop(number, None)
                await _end(process)
            self.figures.restarts += 1
            if was_ready:
                pause = FIRST_PAUSE
                _log.warning("a worker has ended (%s); another takes its place", process.returncode)
            else:
                _log.error("a worker ended before it was ready; the next one starts in %.1f s", pause)
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    async def _spawn(self) -> Process:
        # Each worker has one thread, so that several do not fight for the cores.
        environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "permutree.serving.worker", stdin=PIPE, stdout=PIPE, env=environment, limit=1 << 20
        )

    async def _talk(self, number: int, process: Process) -> bool:
        """Give a worker requests until it ends; whether it ever was ready."""
        assert process.stdout is not None
        if not await _send(process, self.settings) or await receive_frame(process.stdout) is None:
            return False
        self._ready.add(number)
        end = asyncio.create_task(process.wait())
        end.add_done_callback(lambda _: self._wake_all())
        try:
            await self._give_work(process, end)
        finally:
            end.cancel()
        return True

    async def _give_work(self, process: Process, end: asyncio.Task[int]) -> None:
        """Give a worker requests until it ends; one that ends while it has none gets no more."""
        while jobs := await self._take(end):
            is_large = not jobs[0].is_small and not jobs[0].is_retried
            self._large_running += is_large
            self._running.update(jobs)
            is_done = False
            try:
                is_done = await self._work(process, jobs)
            finally:
                self._large_running -= is_large
                self._running.difference_update(jobs)
                if not is_done and not self._is_closing:
                    self._give_back(jobs)
                self._wake()
            if not is_done:
                return

    async def _work(self, process: Process, jobs: list[Job]) -> bool:
        """Have some requests answered; False if the worker died of them, or took too long."""
        assert process.stdout is not None
        for job in jobs:
            job.process = process
        try:
            async with asyncio.timeout(self.settings.limits.seconds):
                if not await _send(process, [(job.kind, job.body) for job in jobs]):
                    return False
                answers: list[Answer] | None = await receive_frame(process.stdout)
        except TimeoutError:
            for job in jobs:
                if len(jobs) == 1 or job.is_retried:
                    job.settle(self.too_late())
            return False
        if answers is None:
            return False
        figures = self.figures
        figures.batches += 1
        figures.batched += len(jobs)
        figures.on_batch(len(jobs))
        for job, answer in zip(jobs, answers, strict=True):
            figures.sentences += answer.sentences
            figures.unexpected += answer.is_unexpected
            job.settle(answer)
        return True

    def _give_back(self, jobs: list[Job]) -> None:
        """Try once more what a dead worker held, each request alone; what was tried twice is an error."""
        for job in jobs:
            if job.answer.done():
                continue
            if job.is_retried:
                said = "the worker that had this request has died, twice; perhaps it is too much: send less at once"
                job.settle(error_answer(503, said))
            else:
                job.is_retried = True
                self.figures.retries += 1
                self._again.append(job)

    async def _take(self, end: asyncio.Task[int]) -> list[Job]:
        """The next requests for a worker: one that is tried again, some small ones, or a large one; none at its end."""
        while not end.done():
            self._drop_answered()
            if self._again:
                return [self._again.popleft()]
            # One worker is always left for small requests, if there are several.
            may_be_large = self._large and self._large_running < max(1, self.settings.workers - 1)
            if may_be_large and not (self._small and self._small[0].arrived < self._large[0].arrived):
                return [self._large.popleft()]
            if self._small:
                rest = self._small[0].arrived + self.settings.window - time.monotonic()
                if rest <= 0 or len(self._small) >= self.settings.batch:
                    return self._batch()
                await asyncio.sleep(rest)
                continue
            waiter = asyncio.get_running_loop().create_future()
            self._waiting.append(waiter)
            try:
                await waiter
            except asyncio.CancelledError:
                self._wake()
                raise
        return []

    def _drop_answered(self) -> None:
        """Forget requests at the head of the queues that nobody waits for any more."""
        for queue in (self._again, self._small, self._large):
            while queue and queue[0].answer.done():
                queue.popleft()

    def _batch(self) -> list[Job]:
        """A fair share of the small requests: the oldest one, and those that are most like it in length.

        Sentences of one length are parsed faster together, as none is filled up to the length of another.
        """
        queue = self._small
        share = math.ceil(len(queue) / max(1, len(self._ready)))
        size = min(len(queue), self.settings.batch, max(share, LEAST))
        if size == len(queue):
            jobs = list(queue)
            queue.clear()
            return jobs
        oldest = len(queue[0].body)
        near = sorted(range(len(queue)), key=lambda place: abs(len(queue[place].body) - oldest))
        chosen = set(near[:size]) | {0}
        jobs = [queue[place] for place in sorted(chosen)]
        rest = [job for place, job in enumerate(queue) if place not in chosen]
        queue.clear()
        queue.extend(rest)
        self._wake()
        return jobs

    async def _sweep(self) -> None:
        """Answer requests that have waited too long."""
        while True:
            await asyncio.sleep(SWEEP)
            now = time.monotonic()
            for queue in (self._again, self._small, self._large):
                if any(job.deadline < now or job.answer.done() for job in queue):
                    kept = []
                    for job in queue:
                        if job.deadline < now:
                            job.settle(self.too_late())
                        elif not job.answer.done():
                            kept.append(job)
                    queue.clear()
                    queue.extend(kept)
            for job in self._running:
                if job.deadline < now:
                    job.settle(self.too_late())
            for process in self._processes.values():
                if resident(process.pid) > self.settings.limits.memory:
                    _log.warning("a worker has more memory than it may")
                    with contextlib.suppress(ProcessLookupError):
                        process.kill()

    def too_late(self) -> Answer:
        """The answer to a request that took too long."""
        return error_answer(408, f"no answer within {self.settings.limits.seconds:g} s, the limit of this server")


def resident(pid: int) -> int:
    """The memory that a process has of its own, in bytes; 0 where the system does not tell.

    Files that it maps, such as indexes of corpora, are shared, and given back when memory is short.
    """
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            _, pages, shared, *_ = map(int, file.read().split())
            return (pages - shared) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


async def _send(process: Process, message: Any) -> bool:
    """Send a worker a message; False if it has ended.

    The pipe of a worker that dies is closed before its end is noticed, and event loops differ in what they raise when
    somebody writes to a closed one.
    """
    assert process.stdin is not None
    if process.stdin.is_closing():
        return False
    try:
        process.stdin.write(frame(message))
        await process.stdin.drain()
    except ConnectionError:
        return False
    return True


async def _end(process: Process) -> None:
    """End a worker, by force: it holds nothing that is worth waiting for, and another must not wait for it for long."""
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(END):
            await process.wait()
