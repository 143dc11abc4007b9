"""The pool inside one process, with real workers; how it does as a server is in test_server."""

import asyncio
import json
import os
import signal
from asyncio.subprocess import Process
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from permutree.serving.pool import Pool
from permutree.serving.settings import Settings, models_to_serve
from served import PATIENCE, TEXT

uvloop = pytest.importorskip("uvloop")
BODY = json.dumps({"text": TEXT}).encode()
LOOPS = pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])


async def until(holds: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.01)


def run(loop: Callable[[], asyncio.AbstractEventLoop], test: Callable[[Pool], Any]) -> None:
    """Run a test with a pool of one worker, in a thread: browsers of other tests have a loop that runs in this one."""

    async def with_pool() -> None:
        pool = Pool(Settings(models_to_serve(["en"]), workers=1))
        await pool.start()
        try:
            await until(lambda: pool.ready == 1)
            await test(pool)
        finally:
            await pool.close()

    def in_thread() -> None:
        with asyncio.Runner(loop_factory=loop) as runner:
            runner.run(with_pool())

    with ThreadPoolExecutor(1) as threads:
        threads.submit(in_thread).result()


@LOOPS
def test_a_request_that_meets_a_closed_pipe_is_answered_by_the_next_worker(
    loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    async def test(pool: Pool) -> None:
        process: Process = pool._processes[0]
        # The pipe of a worker that dies is closed before its end is noticed.
        os.kill(process.pid, signal.SIGSTOP)
        assert process.stdin is not None
        process.stdin.close()
        async with asyncio.timeout(PATIENCE):
            answer = await pool.submit("parse", BODY)
        assert answer.status == 200
        assert pool.figures.restarts == pool.figures.retries == 1

    run(loop, test)


@LOOPS
def test_a_worker_is_replaced_whatever_goes_wrong_with_it(
    loop: Callable[[], asyncio.AbstractEventLoop], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail_once(stream: asyncio.StreamReader) -> Any:
        monkeypatch.undo()
        raise RuntimeError("something else")

    async def test(pool: Pool) -> None:
        monkeypatch.setattr("permutree.serving.pool.receive_frame", fail_once)
        async with asyncio.timeout(PATIENCE):
            answer = await pool.submit("parse", BODY)
        assert answer.status == 200
        assert pool.figures.restarts == 1
        assert "something else" in caplog.text

    run(loop, test)
