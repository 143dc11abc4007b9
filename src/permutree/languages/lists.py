"""The items of lists in plain text and Markdown, each of which begins a sentence."""

from __future__ import annotations

import re
from itertools import pairwise

__all__ = ["items"]

_MARK = r"(?:[-*+•]|(?P<number>\d{1,3})[.)])[^\S\n]++(?=\S)"
_FIRST = re.compile(rf"\s*+{_MARK}")
_LATER = re.compile(rf"\n[^\S\n]*+{_MARK}")
_ENDS = frozenset(".:;?!…")


def items(text: str, start: int, end: int) -> list[int]:
    r"""The places in a paragraph at which an item of a list begins, but for the first line.

    A line that looks like an item may be one of prose, broken before a dash or a date. It is an item if the line
    before has a sign at its end, or if such a line comes before or after it in the paragraph; two numbers must follow
    each other, or both be 1, as Markdown allows.

    >>> items("Buy:\n- milk\n- eggs", 0, 18), items("It was late\n- very late.", 0, 24)
    ([5, 12], [])
    """
    later = list(_LATER.finditer(text, start, end))
    if not later:
        return []
    first = _FIRST.match(text, start, end)
    marks = [first, *later] if first and first.end() < later[0].end() else later
    listed = {mark.end() for pair in pairwise(marks) if _are_neighbours(*pair) for mark in pair}
    return [
        mark.start() + 1 for mark in later if mark.end() in listed or _last_sign(text, start, mark.start()) in _ENDS
    ]


def _are_neighbours(left: re.Match[str], right: re.Match[str]) -> bool:
    if left["number"] is None or right["number"] is None:
        return True
    before, after = int(left["number"]), int(right["number"])
    return after == before + 1 or before == after == 1


def _last_sign(text: str, start: int, end: int) -> str:
    """The last character of a text that is not white space."""
    while end > start and text[end - 1].isspace():
        end -= 1
    return text[end - 1 : end]
