"""CRAFT's dialect of Penn brackets: one tree a line, and the index of a trace on the node above it.

``(NML-1 (-NONE- *RNR*))`` says here what ``(NML (-NONE- *RNR*-1))`` says in the Penn Treebank.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TextIO

from permutree.errors import OnError, raise_error
from permutree.formats.format import Format
from permutree.formats.ptb import read_traces, write_traces
from permutree.formats.sources import Source
from permutree.formats.traces import KINDS
from permutree.trees.tree import Tree

__all__ = ["FORMAT", "read", "write"]


def read(
    source: Source,
    on_error: OnError = raise_error,
    *,
    traces: Collection[str] = KINDS,
    functions: bool = True,
    root: str | None = None,
) -> Iterator[Tree]:
    """The trees of a CRAFT file, resolved; options as in :func:`permutree.formats.ptb.read_traces`."""
    return read_traces(source, on_error, traces=traces, functions=functions, root=root, index_on_parent=True)


def write(trees: Iterable[Tree], stream: TextIO, *, functions: bool = True) -> None:
    """Write trees with traces, one a line; options as in :func:`permutree.formats.ptb.write_traces`."""
    write_traces(trees, stream, functions=functions, index_on_parent=True)


FORMAT = Format(
    name="craft",
    description="CRAFT's brackets, the trace's index on its parent",
    suffixes=(".tree",),
    read=read,
    write=write,
    rank=70,
    sign=r"^\s*\((?s:.*)-[0-9]+ \(-NONE- \*[A-Z]*\*\)",
    splits_labels=True,
)
