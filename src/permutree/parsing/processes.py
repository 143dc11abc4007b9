"""Parsing in several processes at once, each with a parser of its own; trees come in the order of the sentences.

What one process has to do for all is little, so that it can keep many busy: it hands out lines and paragraphs as they
were read, and gets back text that is ready to be written.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import connection, get_context, parent_process
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from permutree.errors import DataError, OnError, raise_error
from permutree.parsing.cutting import refuse_long
from permutree.parsing.inputs import Part, Unread, blocks_of, sentences_of
from permutree.parsing.parsed import Counts, Parsed, Written

if TYPE_CHECKING:
    from permutree.parsing.parser import Parser

__all__ = ["end_with_parent", "parse_in_processes", "write_in_processes"]

#: sentences that a process parses together, on a CPU and on a GPU, which little does not keep busy; and how many in the
#: first chunks, so that little text is for all, too
CHUNK = 1024
GPU_CHUNK = 8192
FIRST = 128
#: characters of so many sentences at most, and of a word
CHARACTERS = 1 << 20
_WORD = 6
#: chunks that wait for each process, or for their turn to be given out
WAITING = 2

Result = TypeVar("Result")


#: what is made of the sentences of a chunk, and how many there were
_Work = Callable[["Parser", Iterable[Any]], tuple[Result, int]]


class _Done(NamedTuple, Generic[Result]):
    """What came of a chunk, and what did not: what was no sentence, and sentences that were too long."""

    result: Result
    errors: list[DataError]
    refused: list[DataError]
    #: those that were too long among them
    sentences: int


def parse_in_processes(
    parts: Iterable[Part],
    processes: int,
    model: str,
    /,
    *,
    chunk: int | None = None,
    on_error: OnError = raise_error,
    max_words: int | None = None,
    confidence: bool = False,
    **options: Any,
) -> Iterator[Parsed]:
    """The parsed sentences; options are those of :meth:`~permutree.parsing.parser.Parser.load`.

    Sentences of more than ``max_words`` words are errors.

    A few chunks of sentences for each process are in memory, however many there are. If a process dies, this ends with
    a ChildProcessError.
    """
    work = partial(_parse, confidence=confidence)
    for batches in _in_processes(work, parts, processes, model, options, chunk, on_error, max_words):
        yield from batches


def write_in_processes(
    parts: Iterable[Part],
    processes: int,
    model: str,
    /,
    *,
    chunk: int | None = None,
    on_error: OnError = raise_error,
    max_words: int | None = None,
    **options: Any,
) -> Generator[Written, None, None]:
    """Parse in several processes, which also write the trees in discbracket."""
    return _in_processes(_write, parts, processes, model, options, chunk, on_error, max_words)


def _in_processes(
    work: _Work[Result],
    parts: Iterable[Part],
    processes: int,
    model: str,
    options: dict[str, Any],
    chunk: int | None,
    on_error: OnError,
    max_words: int | None,
) -> Generator[Result, None, None]:
    """What processes make of chunks, in the order of these."""
    is_gpu = str(options.get("device") or "cpu").startswith("cuda")
    chunks = _chunks(parts, processes, chunk or (GPU_CHUNK if is_gpu else CHUNK))
    # Forked processes would share locks of threads that they do not have.
    pool = ProcessPoolExecutor(processes, get_context("spawn"), _start, (model, options))
    waiting: deque[Future[_Done[Result]]] = deque()
    before = 0
    try:
        while True:
            while len(waiting) < WAITING * processes and (some := next(chunks, None)):
                with _not_interrupted():
                    waiting.append(pool.submit(_do, work, some, max_words))
            if not waiting:
                return
            done = waiting.popleft().result()
            for error in done.errors:
                on_error(error)
            for error in done.refused:
                # Numbers count from the first sentence of all.
                on_error(DataError(error.message, sentence=before + int(error.sentence or 0)))
            before += done.sentences
            yield done.result
    except BrokenProcessPool:
        raise ChildProcessError(
            "a process that was parsing has died, perhaps for want of memory; try again with fewer --jobs"
        ) from None
    finally:
        # Not waited for, its thread may close a pipe that Python still writes to as it ends; not even if somebody
        # presses Ctrl-C a second time.
        with _interrupts_ignored():
            pool.shutdown(cancel_futures=True)


@contextlib.contextmanager
def _not_interrupted() -> Iterator[None]:
    """Processes that start meanwhile get no interrupts, which are for the one that started them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _interrupts_ignored() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)


def _chunks(parts: Iterable[Part], processes: int, size: int) -> Iterator[list[Part]]:
    """Parts with about so many sentences together; fewer in the first chunks, and if they are very long."""
    chunk: list[Part] = []
    sentences = room = given = 0
    most = CHARACTERS * max(1, size // CHUNK)
    for part in parts:
        chunk.append(part)
        sentences += part.size if isinstance(part, Unread) else 1
        room += len(part.text) if isinstance(part, Unread) else _WORD * len(part.words)
        if sentences >= min(size, FIRST << min(given // processes, 16)) or room >= most:
            yield chunk
            chunk, sentences, room = [], 0, 0
            given += 1
    if chunk:
        yield chunk


_parser: Parser | None = None


def _start(model: str, options: dict[str, Any]) -> None:
    """Load the parser of a process, and see to it that the process ends when the one that wants its trees is gone."""
    global _parser
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()
    from permutree.parsing.parser import Parser

    _parser = Parser.load(model, **options)
    if "torch" in sys.modules:
        # It would have as many threads as there are cores, in each process.
        import torch

        torch.set_num_threads(options.get("threads") or 1)


def end_with_parent() -> None:
    """Wait for the process that started this one to end, and end with it."""
    parent = parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os._exit(1)


def _do(work: _Work[Result], parts: list[Part], max_words: int | None) -> _Done[Result]:
    """Work on a chunk."""
    assert _parser is not None
    errors: list[DataError] = []
    refused: list[DataError] = []
    read = blocks_of if _parser.replaces_tags else sentences_of
    result, sentences = work(_parser, refuse_long(read(parts, errors.append), max_words, refused.append))
    return _Done(result, errors, refused, sentences + len(refused))


def _parse(parser: Parser, sentences: Iterable[Any], *, confidence: bool) -> tuple[list[Parsed], int]:
    batches = list(parser.batches(sentences, confidence=confidence))
    return batches, sum(len(batch.forest) for batch in batches)


def _write(parser: Parser, sentences: Iterable[Any]) -> tuple[Written, int]:
    written = [*parser.texts(sentences)]
    counts = sum((one.counts for one in written), Counts())
    return Written("".join(one.text for one in written), counts, os.getpid()), counts.sentences
