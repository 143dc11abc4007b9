"""Facts of found nodes as numbers, so that millions of matches are counted by arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from permutree.search.matches import LEAF, plain_name
from permutree.search.predicates import FIGURES
from permutree.search.segments import Ids, Segment
from permutree.search.tables import StringTable

__all__ = ["fact_codes"]

Reader = Callable[[int], str | int | None]
_ALIASES = {"edge": "function", "func": "function", "tag": "pos"}


def fact_codes(
    segment: Segment, shown: Sequence[str], rows: Ids, variable: str, name: str
) -> tuple[Ids, Reader] | None:
    """A fact of each row as a number, and what reads the number; None if the fact is a text that has no number."""
    if name in ("text", "words"):
        return None
    # A variable of Tregex has two columns, one of which is -1; without a variable, any node says what is wanted.
    wanted = [place for place, known in enumerate(shown) if not variable or plain_name(known) == variable]
    nodes = rows[:, wanted].max(axis=1)
    leaves = [place for place in wanted if shown[place].endswith(LEAF)]
    if name == "label" and leaves and (rows[:, leaves] >= 0).any():
        return None
    there = np.flatnonzero(nodes >= 0)
    codes = np.full(len(rows), -1, np.int64)
    name = _ALIASES.get(name, name)
    reader: Reader
    if name == "sentence":
        codes[there] = segment.arrays["number"][segment.get("sentence", nodes[there])]
        reader = _number
    elif name in FIGURES and variable:
        column, added = FIGURES[name]
        codes[there] = segment.get(column, nodes[there]) + added
        reader = _number
    elif name == "label":
        codes[there] = segment.get("label", nodes[there])
        tables = segment.tables.features
        reader = _label_reader(tables["cat"], tables["pos"])
    else:
        codes[there] = segment.feature(name, nodes[there])
        reader = _text_reader(segment.tables.named(name))
    return codes, reader


def _number(code: int) -> int | None:
    return None if code < 0 else code


def _text_reader(table: StringTable | None) -> Reader:
    return lambda code: table.text(code) if table is not None and code > 0 else None


def _label_reader(categories: StringTable, tags: StringTable) -> Reader:
    return lambda code: None if code < 0 else (tags if code & 1 else categories).text(code >> 1)
