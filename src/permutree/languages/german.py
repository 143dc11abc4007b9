"""Where German words are cut: abbreviations of several words, such as z.B."""

from __future__ import annotations

import re

__all__ = ["cut_german"]

_SEVERAL = re.compile(r"[a-zäöü]\.(?:[A-Za-zÄÖÜäöü]\.)+")


def cut_german(word: str) -> list[int]:
    """The places within a word at which it is cut.

    >>> cut_german("z.B."), cut_german("S.A.")
    ([2], [])
    """
    if not _SEVERAL.fullmatch(word):
        return []
    return list(range(2, len(word), 2))
