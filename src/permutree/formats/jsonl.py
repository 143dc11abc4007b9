"""JSON lines: one tree a line, with everything that is known of it; made for scripts, and able to hold any tree.

The schema, in which only ``words``, ``tags`` and ``constituents`` are required:

``id``
    the sentence id, a string
``words``, ``tags``, ``lemmas``, ``morphology``, ``functions``
    lists with an entry for each word; the last three may hold null
``offsets``
    a list with an entry for each word, [start, end]: the characters of the text that it stands for; or null
``constituents``
    a list of objects with a ``label``, ``words`` (a list of word indexes from 0) and, if there is one, a ``function``
    and a ``confidence``, a number from 0 to 1; in any order, but of two with the same words the first is the upper one
``secondary``
    a list of objects with ``child``, ``parent`` and ``label``; words are numbered from 0, constituents go on from there
    in the order of the list
``comment``, ``info``
    a text; an object with strings
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TextIO

from permutree.errors import DataError, OnError, TreeError, raise_error
from permutree.formats.format import Format
from permutree.formats.sources import Source
from permutree.trees.builder import Leaf, Node, TreeBuilder
from permutree.trees.tree import Tree

__all__ = ["FORMAT", "from_json", "read", "to_json", "write"]


def read(source: Source, on_error: OnError = raise_error) -> Iterator[Tree]:
    """The trees of a file of JSON lines; blank lines are skipped."""
    for number, line in source.lines():
        if not line.strip():
            continue
        if (fault := source.fault(number)) is not None:
            on_error(fault)
            continue
        name = None
        try:
            record = json.loads(line)
            name = record.get("id") if isinstance(record, dict) else None
            tree = from_json(record)
        except TreeError as error:
            on_error(DataError(str(error), source=source.name, line=number, sentence=name))
        except (ValueError, RecursionError) as error:
            # Python makes no numbers of thousands of digits.
            why = "a number with too many digits" if "digits" in str(error) else error
            on_error(DataError(f"not JSON: {why}", source=source.name, line=number))
        else:
            yield tree


_encode = json.JSONEncoder(ensure_ascii=False).encode


def write(trees: Iterable[Tree], stream: TextIO) -> None:
    """Write trees as JSON lines."""
    for tree in trees:
        stream.write(_encode(to_json(tree)) + "\n")


def to_json(tree: Tree) -> dict[str, Any]:
    """A tree as plain data, with the keys of the schema."""
    annotations, size = tree.annotations, len(tree.words)
    record: dict[str, Any] = {} if annotations.id is None else {"id": annotations.id}
    record |= {"words": list(tree.words), "tags": list(tree.tags)}
    for key in ("lemmas", "morphology"):
        if (values := getattr(annotations, key)) is not None:
            record[key] = list(values)
    functions = annotations.functions
    if functions is not None and any(function is not None for function in functions[:size]):
        record["functions"] = list(functions[:size])
    if annotations.offsets is not None:
        record["offsets"] = [None if interval is None else list(interval) for interval in annotations.offsets]
    confidence = annotations.confidence
    record["constituents"] = constituents = []
    for number, label in enumerate(tree.labels):
        constituent: dict[str, Any] = {"label": label, "words": list(tree.yield_of(number))}
        if functions is not None and functions[size + number] is not None:
            constituent["function"] = functions[size + number]
        if confidence is not None and confidence[number] is not None:
            constituent["confidence"] = confidence[number]
        constituents.append(constituent)
    if annotations.secondary:
        record["secondary"] = [edge._asdict() for edge in annotations.secondary]
    if annotations.comment is not None:
        record["comment"] = annotations.comment
    if annotations.info:
        record["info"] = dict(annotations.info)
    return record


def from_json(record: Any) -> Tree:
    """The tree of a record; a TreeError if it does not follow the schema."""
    if not isinstance(record, dict):
        raise TreeError(f"expected an object, found {type(record).__name__}")
    if unknown := sorted(set(record) - set(_SCHEMA)):
        raise TreeError(f"unknown key {unknown[0]!r}; there are {', '.join(_SCHEMA)}")
    for key, (is_valid, expected) in _SCHEMA.items():
        if key in record and not is_valid(record[key]):
            raise TreeError(f"{key!r} must be {expected}")
        if key not in record and key in ("words", "tags", "constituents"):
            raise TreeError(f"{key!r} is missing")
    size = len(record["words"])
    columns = []
    for key in ("words", "tags", "lemmas", "morphology", "functions"):
        column = record.get(key, [None] * size)
        if len(column) != size:
            raise TreeError(f"{size} words but {len(column)} {key}")
        columns.append(column)
    leaves = [Leaf(*fields) for fields in zip(*columns, strict=True)]
    if offsets := record.get("offsets"):
        if len(offsets) != size:
            raise TreeError(f"{size} words but {len(offsets)} offsets")
        for leaf, interval in zip(leaves, offsets, strict=True):
            leaf.offsets = None if interval is None else (interval[0], interval[1])
    nodes = [
        Node(entry["label"], function=entry.get("function"), confidence=entry.get("confidence"))
        for entry in record["constituents"]
    ]
    yields = [entry["words"] for entry in record["constituents"]]
    draft = TreeBuilder.from_yields(leaves, zip(nodes, yields, strict=True))
    numbered = [*leaves, *nodes]
    for edge in record.get("secondary", ()):
        if not (0 <= edge["child"] < len(numbered) and 0 <= edge["parent"] < len(numbered)):
            raise TreeError(f"a secondary edge to a node that does not exist: {edge}")
        draft.secondary.append((numbered[edge["child"]], numbered[edge["parent"]], edge["label"]))
    draft.id, draft.comment, draft.info = record.get("id"), record.get("comment"), record.get("info", {})
    return Tree.of(draft)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) and entry for entry in value)


def _are_texts_or_null(value: Any) -> bool:
    return isinstance(value, list) and all(entry is None or isinstance(entry, str) for entry in value)


def _is_text_mapping(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(entry, str) for entry in value.values())


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _are_constituents(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(entry, dict)
        and entry.keys() <= {"label", "words", "function", "confidence"}
        and isinstance(entry.get("label"), str)
        and entry["label"]
        and isinstance(entry.get("words"), list)
        and all(map(_is_integer, entry["words"]))
        and (entry.get("function") is None or isinstance(entry["function"], str))
        and (entry.get("confidence") is None or _is_share(entry["confidence"]))
        for entry in value
    )


def _are_intervals(value: Any) -> bool:
    return isinstance(value, list) and all(
        entry is None
        or (isinstance(entry, list) and len(entry) == 2 and all(map(_is_integer, entry)) and 0 <= entry[0] <= entry[1])
        for entry in value
    )


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _are_edges(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(entry, dict)
        and entry.keys() == {"child", "parent", "label"}
        and _is_integer(entry["child"])
        and _is_integer(entry["parent"])
        and isinstance(entry["label"], str)
        for entry in value
    )


#: key → what it must be, as a test and in words
_SCHEMA: dict[str, tuple[Callable[[Any], bool], str]] = {
    "id": (_is_text, "a string"),
    "words": (_are_texts, "a list of strings that are not empty"),
    "tags": (_are_texts, "a list of strings that are not empty"),
    "lemmas": (_are_texts_or_null, "a list of strings and nulls"),
    "morphology": (_are_texts_or_null, "a list of strings and nulls"),
    "functions": (_are_texts_or_null, "a list of strings and nulls"),
    "offsets": (_are_intervals, "a list of [start, end] and nulls"),
    "constituents": (
        _are_constituents,
        "a list of objects with a label, word indexes, perhaps a function, a confidence",
    ),
    "secondary": (_are_edges, "a list of objects with child, parent and label"),
    "comment": (_is_text, "a string"),
    "info": (_is_text_mapping, "an object with strings"),
}


FORMAT = Format(
    name="jsonl",
    description="JSON lines, one tree a line with all annotations",
    suffixes=(".jsonl", ".ndjson", ".json"),
    read=read,
    write=write,
    rank=40,
    sign=r"^\s*\{",
    has_confidence=True,
)
