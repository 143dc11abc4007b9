"""Answers, as they pass from workers to the wire."""

from __future__ import annotations

import json
from typing import NamedTuple

__all__ = ["BUSY", "JSON", "Answer", "error_answer", "place_of"]

JSON = "application/json"
#: what a server says that has too much to do
BUSY = "the server has more to do than it can; ask again later"


class Answer(NamedTuple):
    """An answer, ready to be sent."""

    status: int
    media_type: str
    content: bytes
    #: sentences that were parsed
    sentences: int = 0
    #: whether something went wrong that should not
    is_unexpected: bool = False


def error_answer(status: int, message: str, *, is_unexpected: bool = False, **more: str | int | None) -> Answer:
    """An answer that says what is wrong, and what ``more`` is known of it."""
    return Answer(status, JSON, json.dumps({"error": message, **more}).encode(), is_unexpected=is_unexpected)


def place_of(error: BaseException) -> str:
    """The innermost line of a traceback, for logs: messages of errors may hold text of users."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace is not None else "an unknown place"
