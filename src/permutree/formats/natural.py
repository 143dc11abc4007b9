"""The order that people expect of numbered files."""

from __future__ import annotations

import re

__all__ = ["natural_key"]


def natural_key(name: str) -> list[tuple[int, int, str]]:
    """A sort key that puts 2 before 10.

    >>> sorted(["cdb/10.xml", "cdb/2.xml", "b"], key=natural_key)
    ['b', 'cdb/2.xml', 'cdb/10.xml']
    """
    key = []
    for part in re.split(r"([0-9]+)", name):
        digits = part.lstrip("0") if part.isdecimal() and part.isascii() else None
        if digits is not None:
            # Of two numbers the longer is greater; names may have more digits than Python makes a number of.
            key.append((0, len(digits), digits))
        elif part:
            key.append((1, 0, part))
    return key
