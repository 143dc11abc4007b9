"""Answers, as they pass from workers to the wire."""

from __future__ import annotations

import json
from typing import NamedTuple

__all__ = ["JSON", "Answer", "error_answer"]

JSON = "application/json"


class Answer(NamedTuple):
    """An answer, ready to be sent."""

    status: int
    media_type: str
    content: bytes
    #: sentences that were parsed
    sentences: int = 0
    #: whether something went wrong that should not
    is_unexpected: bool = False


def error_answer(status: int, message: str, *, is_unexpected: bool = False) -> Answer:
    """An answer that says what is wrong."""
    return Answer(status, JSON, json.dumps({"error": message}).encode(), is_unexpected=is_unexpected)
