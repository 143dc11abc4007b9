"""A tree as the JSON of an answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from permutree.encoding import encode
from permutree.encoding.levels import LevelScale
from permutree.errors import TreeError
from permutree.trees.tree import Tree

__all__ = ["bad_sentence", "labels_of", "sentence"]


def sentence(tree: Tree, *, confidence: bool = True, offsets: bool = True) -> dict[str, Any]:
    """A sentence with its tree.

    >>> record = sentence(Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))"))
    >>> record["constituents"][1]
    {'label': 'VP', 'words': [0, 3], 'parent': 0, 'confidence': None}
    """
    annotations = tree.annotations
    sure = annotations.confidence if confidence else None
    try:
        line = tree.discbracket()
    except TreeError:
        # discbracket has no way to write a word with a blank in it.
        line = None
    record: dict[str, Any] = {} if annotations.id is None else {"id": annotations.id}
    record |= {
        "words": tree.words,
        "tags": tree.tags,
        "discbracket": line,
        "constituents": _constituents(tree, sure),
        "offsets": annotations.offsets if offsets else None,
        "confidence": min((one for one in sure if one is not None), default=None) if sure else None,
    }
    return record


def bad_sentence(words: Sequence[str], error: str) -> dict[str, Any]:
    """A sentence with an error in place of its tree."""
    return {
        "words": words,
        "tags": None,
        "discbracket": None,
        "constituents": None,
        "offsets": None,
        "confidence": None,
        "error": error,
    }


def _constituents(tree: Tree, sure: Sequence[float | None] | None) -> list[dict[str, Any]]:
    order, size = tree.order, len(tree)
    functions = tree.annotations.functions
    found: list[dict[str, Any]] = []
    above: list[int] = []
    ends = tree.ends
    for number, (label, start, end) in enumerate(zip(tree.labels, tree.starts, ends, strict=True)):
        while above and ends[above[-1]] <= start:
            above.pop()
        record: dict[str, Any] = {
            "label": label,
            "words": sorted(order[start:end]),
            "parent": above[-1] if above else None,
            "confidence": sure[number] if sure is not None else None,
        }
        if functions is not None and functions[size + number] is not None:
            record["function"] = functions[size + number]
        found.append(record)
        above.append(number)
    return found


def labels_of(tree: Tree, encodings: Iterable[str], levels: LevelScale, tagset: str | None) -> dict[str, Any]:
    """The labels of each word in some encodings, and the arrangement that they describe."""
    return {
        "labels": {name: encode(tree, name, level_scale=levels, tagset=tagset) for name in encodings},
        "order": list(tree.order),
        "tau": tree.tau,
    }
