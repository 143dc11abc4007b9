"""The worker process: reads batches of requests from standard input, and writes answers to standard output.

It ends when its input does, which is when the server has gone, however that went.
"""

from __future__ import annotations

import logging
import os
import signal
import sys

from permutree.serving.frames import read_frame, write_frame
from permutree.serving.settings import Settings

__all__ = ["main"]


def main() -> None:
    """Answer requests until there are none."""
    # Ctrl-C in a terminal goes to all processes; the server tells its workers when to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.basicConfig(level=logging.WARNING, format="permutree: worker: %(message)s")
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    # What a library prints must not get among the answers.
    os.dup2(2, 1)
    settings = read_frame(incoming)
    assert isinstance(settings, Settings)
    from permutree.serving.work import Work

    work = Work(settings)
    work.searches.listen()
    if settings.preload:
        work.preload()
    write_frame(outgoing, "ready")
    while (requests := read_frame(incoming)) is not None:
        write_frame(outgoing, work.answer(requests))


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)
