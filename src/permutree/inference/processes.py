"""Parsing in several processes at once, each with a parser of its own; trees come in the order of the sentences."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import connection, get_context, parent_process
from typing import TYPE_CHECKING, Any

from permutree.inference.sentences import Sentence
from permutree.tree import Tree

if TYPE_CHECKING:
    from permutree.inference.parser import Parsed, Parser

__all__ = ["parse_in_processes"]

#: sentences that a process parses together
CHUNK = 1024
#: chunks that wait for each process, or for their turn to be given out
WAITING = 2


def parse_in_processes(
    sentences: Iterable[Tree | Sentence],
    processes: int,
    model: str,
    /,
    *,
    chunk: int = CHUNK,
    confidence: bool = False,
    **options: Any,
) -> Iterator[Parsed]:
    """The parsed sentences; options are those of :meth:`~permutree.inference.parser.Parser.load`.

    A few chunks of sentences for each process are in memory, however many there are. If a process dies, this ends with
    a ChildProcessError.
    """
    sentences = iter(sentences)
    # Forked processes would share locks of threads that they do not have.
    pool = ProcessPoolExecutor(processes, get_context("spawn"), _start, (model, options))
    waiting: deque[Future[list[Parsed]]] = deque()
    try:
        while True:
            while len(waiting) < WAITING * processes and (some := list(islice(sentences, chunk))):
                waiting.append(pool.submit(_parse, some, confidence))
            if not waiting:
                return
            yield from waiting.popleft().result()
    except BrokenProcessPool:
        raise ChildProcessError(
            "a process that was parsing has died, perhaps for want of memory; try again with fewer --jobs"
        ) from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


_parser: Parser | None = None


def _start(model: str, options: dict[str, Any]) -> None:
    """Load the parser of a process, and see to it that the process ends when the one that wants its trees is gone."""
    global _parser
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    from permutree.inference.parser import Parser

    _parser = Parser.load(model, **options)


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os._exit(1)


def _parse(sentences: list[Tree | Sentence], confidence: bool) -> list[Parsed]:
    assert _parser is not None
    return list(_parser.batches(sentences, confidence=confidence))
