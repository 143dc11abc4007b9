"""NEGRA export, versions 3 and 4.

A sentence stands between ``#BOS`` and ``#EOS``: a line for each word, then a line for each constituent, named ``#500``
and up, each with its tag or label, morphology, edge label and parent, and any secondary edges. Version 4 adds a column
with lemmas; in files without a ``#FORMAT`` line, the column in which parents stand tells the version. Everything whose
parent is 0 hangs from a virtual root: if that is a single constituent it is the root, otherwise the root is labelled
VROOT. Of the header tables (``#BOT`` … ``#EOT``), the one with the origins of sentences adds to what is known of a
sentence; the others explain labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from sys import intern
from typing import NamedTuple, TextIO

from permutree.errors import DataError, OnError, TreeError, raise_error
from permutree.formats.export_rows import (
    BARE_COMMENT,
    BEGIN_FIELDS,
    ID_COMMENT,
    NODE,
    NOTHING,
    VIRTUAL_ROOT,
    format_sentence,
)
from permutree.formats.format import Format
from permutree.formats.lines import LONGEST
from permutree.formats.sinks import texts_of
from permutree.formats.sources import Source
from permutree.trees.annotations import Annotations
from permutree.trees.builder import Leaf, Node, TreeBuilder
from permutree.trees.fields import arrange
from permutree.trees.tree import Tree

__all__ = ["FORMATS", "VIRTUAL_ROOT", "read", "write", "write_version3"]

#: what ends a sentence or begins the next; a word may be ``#BOS``
_BOUND = re.compile(r"#EOS|#BOS\s+[0-9]+(?:\s|$)").match
_PARENT = re.compile(r"0|[0-9]{3,}").fullmatch


def read(source: Source, on_error: OnError = raise_error) -> Iterator[Tree]:
    """The sentences of an export file."""
    version: int | None = None
    origins: dict[str, str] = {}
    table: str | None = None
    begin: tuple[int, str] | None = None
    rows: list[tuple[int, str]] = []

    size = 0
    is_lost = False  # after text outside a sentence until the next one, so that one mistake is one error

    for number, line in source.lines():
        if begin is not None and (line[:1] != "#" or not _BOUND(line)):
            size += len(line)
            if size <= LONGEST and line and not line.isspace():
                rows.append((number, line))
        elif table is not None and not line.startswith("#BOS "):
            if line.startswith("#EOT"):
                table = None
            elif table == "ORIGIN" and len(cells := _cells(line)) > 1:
                origins[cells[0]] = " ".join(cells[1:])
        elif line.startswith("#EOS"):
            if begin is not None and size > LONGEST:
                _abandon(f"a sentence of more than {LONGEST:,} characters", source, begin, number, on_error)
            elif begin is not None and (merged := _merged(begin[1], line)):
                message = f"#EOS {line.split()[1]} where the #EOS of this sentence should be"
                on_error(
                    source.fault(begin[0], number) or _error(message, source, begin[0], _begin(begin[1])[1], merged)
                )
            elif begin is not None:
                yield from _sentence(source, begin, rows, version, origins, on_error)
            elif not is_lost:
                on_error(source.fault(number) or DataError("#EOS without #BOS", source=source.name, line=number))
            begin, rows, is_lost = None, [], False
        elif line.startswith("#BOS"):
            if table is not None:
                message = "#BOS before the #EOT of a table"
                on_error(DataError(message, source=source.name, line=number, skipped=0))
                table = None
            if begin is not None:
                _abandon("#BOS before the #EOS of this sentence", source, begin, number - 1, on_error)
            begin, rows, size, is_lost = (number, line), [], 0, False
        elif line.startswith("#FORMAT"):
            version = _version(source, number, line, on_error)
        elif line.startswith("#BOT"):
            table = line.split()[1].upper() if len(line.split()) > 1 else ""
        elif line.strip() and not line.startswith("%%") and not is_lost:
            fault = source.fault(number)
            on_error(fault or DataError(f"text outside a sentence: {line[:80]!r}", source=source.name, line=number))
            is_lost = True
    if begin is not None:
        _abandon("the file ends before the #EOS of this sentence", source, begin, number, on_error)


def _abandon(message: str, source: Source, begin: tuple[int, str], last: int, on_error: OnError) -> None:
    """Tell why a sentence is given up: for its text, if that is none, or else for this."""
    on_error(source.fault(begin[0], last) or _error(message, source, begin[0], _begin(begin[1])[1]))


def _merged(begin: str, end: str) -> int:
    """How many sentences there are between these lines, if the second is the end of another sentence than the first."""
    first, last = (line.split()[1:2] for line in (begin, end))
    if not first or not last or not all(name[0].isdecimal() and len(name[0]) < 10 for name in (first, last)):
        return 0
    distance = int(last[0]) - int(first[0])
    return 0 if distance <= 0 else distance + 1 if distance < 10 else 1


def _error(message: str, source: Source, line: int, sentence: str, skipped: int = 1) -> DataError:
    return DataError(message, source=source.name, line=line, sentence=sentence, skipped=skipped)


def _version(source: Source, number: int, line: str, on_error: OnError) -> int:
    name = line.removeprefix("#FORMAT").strip()
    if name not in ("3", "4"):
        on_error(DataError(f"export version {name!r}; 3 and 4 are known", source=source.name, line=number))
    return 3 if name == "3" else 4


def _begin(line: str) -> tuple[list[str], str]:
    """The fields of a #BOS line and the sentence's number."""
    fields = line.partition("%%")[0].split()[1:]
    return fields, fields[0] if fields else "?"


def _cells(line: str) -> list[str]:
    """The fields of a row: at tabs, where a field may hold spaces, or else at white space."""
    if "\t" in line:
        return [cell for part in line.split("\t") if (cell := part.strip(" "))]
    return [cell for cell in line.split(" ") if cell]


def _guess_version(rows: list[tuple[int, str]]) -> int:
    """The version of a sentence in a file that does not say it: 4 if most parents stand in the sixth column."""
    votes = 0
    for _, line in rows:
        cells = _cells(line)
        votes += len(cells) > 5 and _PARENT(cells[5]) is not None
        votes -= len(cells) > 4 and _PARENT(cells[4]) is not None
    return 4 if votes > 0 else 3


class _Heading(NamedTuple):
    """What a #BOS line says of its sentence."""

    id: str
    comment: str | None
    info: dict[str, str]
    #: whether the sentence is a word without a constituent
    is_bare: bool

    @classmethod
    def of(cls, line: str, origins: dict[str, str], rows: int) -> _Heading:
        """The heading of a sentence with so many rows."""
        fields, name = _begin(line)
        info: dict[str, str] = {}
        if fields[1:] != ["0", "0", "0"] and any(field != "0" for field in fields[1:4]):
            info.update(zip(BEGIN_FIELDS, fields[1:4], strict=False))
        if (origin := origins.get(info.get("origin", ""))) is not None:
            info["origin name"] = origin
        comment = line.partition("%%")[2].strip()
        is_bare = rows == 1 and (comment == BARE_COMMENT or comment.startswith(f"{BARE_COMMENT} %% "))
        if is_bare:
            comment = comment.removeprefix(BARE_COMMENT).removeprefix(" %% ")
        if comment.startswith(ID_COMMENT):
            name, _, comment = comment.removeprefix(ID_COMMENT).partition(" %% ")
        return cls(name, comment or None, info, is_bare)


def _sentence(
    source: Source,
    begin: tuple[int, str],
    rows: list[tuple[int, str]],
    version: int | None,
    origins: dict[str, str],
    on_error: OnError,
) -> Iterator[Tree]:
    """The tree of a sentence, or nothing after an error that was taken note of."""
    name = _begin(begin[1])[1]
    last = rows[-1][0] if rows else begin[0]
    if (fault := source.fault(begin[0], last + 1)) is not None:
        on_error(fault)
        return
    heading = _Heading.of(begin[1], origins, len(rows))
    try:
        version = version or _guess_version(rows)
        tree = _usual(rows, version, heading) or Tree.of(_draft(source, rows, version, name, heading))
    except DataError as error:
        on_error(error)
    except TreeError as error:
        on_error(_error(str(error), source, begin[0], name))
    else:
        yield tree


def _usual(rows: list[tuple[int, str]], version: int, heading: _Heading) -> Tree | None:
    """The tree of rows with a tab between columns, as most are; None for any other, which :func:`_draft` reads."""
    text = "\n".join([line for _, line in rows])
    cells = [line.split("\t") for _, line in rows]
    if heading.is_bare or " " in text or "\t\t" in text or {*map(len, cells)} != {version + 2}:
        return None
    columns = list(zip(*cells, strict=True))
    forms, (tags, morphology, functions, above) = columns[0], columns[-4:]
    size = len(forms)
    while size and NODE.fullmatch(forms[size - 1]):
        size -= 1
    labels = tags[size:]
    numbers = {"0": -1} | {form[1:]: number for number, form in enumerate(forms[size:])}
    parents = [numbers.get(name, -2) for name in above]
    if not size or "" in forms or -2 in parents or len(numbers) != len(labels) + 1:
        return None
    if parents.count(-1) != 1 or -1 in parents[:size]:
        parents = [len(labels) if parent == -1 else parent for parent in parents] + [-1]
        labels, functions = (*labels, VIRTUAL_ROOT), (*functions, NOTHING)
    if (found := arrange(parents[:size], parents[size:])) is None:
        return None
    return Tree._new(
        tuple(map(intern, forms[:size])),
        tuple(map(intern, tags[:size])),
        found.order,
        tuple([intern(labels[node]) for node in found.constituents]),
        found.starts,
        found.ends,
        Annotations(
            heading.id,
            _values(columns[1][:size]) if version == 4 else None,
            _values(morphology[:size]),
            _values([*functions[:size], *(functions[size + node] for node in found.constituents)]),
            comment=heading.comment,
            info=tuple(heading.info.items()),
        ),
    )


def _values(cells: Sequence[str]) -> tuple[str | None, ...] | None:
    """What a column says of each word or node, or None if it says nothing of any."""
    return None if cells.count(NOTHING) == len(cells) else tuple(map(_value, cells))


def _draft(source: Source, rows: list[tuple[int, str]], version: int, name: str, heading: _Heading) -> TreeBuilder:
    """The nodes of a sentence, hung together, whatever its rows look like; an error if they make no tree."""
    leaves: list[Leaf] = []
    nodes: dict[str, Node] = {}
    hung: list[tuple[int, Leaf | Node, list[str]]] = []
    # The constituents are the last rows: above them, #500 is a word like any other.
    first_node = len(rows)
    while first_node and NODE.match(rows[first_node - 1][1]):
        first_node -= 1
    for row, (number, line) in enumerate(rows):
        cells = _cells(line)
        for position in range(version + 1, len(cells)):
            if "%%" in cells[position]:
                before = cells[position].partition("%%")[0].strip()
                cells[position:] = [before] if before else []
                break
        if len(cells) < version + 2:
            message = f"{len(cells)} columns where export version {version} has {version + 2}: {line!r}"
            raise _error(message, source, number, name)
        if version == 3:
            cells.insert(1, NOTHING)
        form, lemma, tag, morphology, function, *rest = cells
        node: Leaf | Node
        if row >= first_node:
            if form[1:] in nodes:
                raise _error(f"two constituents are called {form}", source, number, name)
            node = nodes[form[1:]] = Node(intern(tag), function=_value(function))
        else:
            node = Leaf(intern(form), intern(tag), _value(lemma), _value(morphology), _value(function))
            leaves.append(node)
        hung.append((number, node, rest))
    if not leaves:
        raise TreeError("empty sentence: no words")
    draft = _hang(source, name, leaves, nodes, hung)
    if heading.is_bare:
        draft.root = leaves[0]
    draft.id, draft.comment, draft.info = heading.id, heading.comment, heading.info
    return draft


def _hang(
    source: Source,
    name: str,
    leaves: list[Leaf],
    nodes: dict[str, Node],
    hung: list[tuple[int, Leaf | Node, list[str]]],
) -> TreeBuilder:
    tops: list[Leaf | Node] = []
    secondary: list[tuple[Node | Leaf, Node | Leaf, str]] = []
    for number, node, (parent, *edges) in hung:
        if parent == "0":
            tops.append(node)
        elif parent in nodes:
            nodes[parent].children.append(node)
        else:
            raise _error(f"unknown parent {parent!r}", source, number, name)
        if len(edges) % 2:
            raise _error(f"a secondary edge without a parent: {edges[-1]!r}", source, number, name)
        for label, target in zip(edges[::2], edges[1::2], strict=True):
            if target not in nodes:
                raise _error(f"secondary edge to unknown constituent {target!r}", source, number, name)
            secondary.append((node, nodes[target], label))
    if not tops:
        raise _error("no node has the parent 0: the constituents form a cycle", source, hung[0][0], name)
    is_rooted = len(tops) == 1 and isinstance(tops[0], Node)
    root = tops[0] if is_rooted else Node(VIRTUAL_ROOT, tops)
    return TreeBuilder(root, leaves, secondary)


def _value(cell: str) -> str | None:
    """What a column says; two dashes say nothing."""
    return None if cell == NOTHING else intern(cell)


def write(trees: Iterable[Tree], stream: TextIO, *, version: int = 4) -> None:
    """Write sentences in export format; a number is made up for those whose id is none."""
    stream.write(f"#FORMAT {version}\n")
    stream.writelines(texts_of(trees, lambda tree, number: format_sentence(tree, number, version)))


def write_version3(trees: Iterable[Tree], stream: TextIO) -> None:
    """Write export version 3, which has no lemmas."""
    write(trees, stream, version=3)


FORMATS = (
    Format(
        name="export",
        description="NEGRA export; versions 3 and 4 read, 4 written",
        suffixes=(".export", ".negra"),
        read=read,
        write=write,
        rank=10,
        sign=r"^\s*(?:%%.*\n\s*)*#(?:FORMAT|BOT|BOS)\b",
    ),
    Format(
        name="export3",
        description="NEGRA export, version 3 (without lemmas)",
        suffixes=(".export3",),
        read=read,
        write=write_version3,
        rank=11,
    ),
)
