"""Tables of words, written as text."""

from __future__ import annotations

__all__ = ["table"]


def table(text: str) -> frozenset[str]:
    """The words of a text with blanks between them."""
    return frozenset(text.split())
