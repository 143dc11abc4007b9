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
from collections.abc import Iterable, Iterator
from sys import intern
from typing import TextIO

from permutree.errors import DataError, OnError, TreeError, raise_error
from permutree.formats.format import Format
from permutree.formats.lines import LONGEST
from permutree.formats.sinks import texts_of
from permutree.formats.sources import Source
from permutree.trees.annotations import Annotations, SecondaryEdge
from permutree.trees.builder import Leaf, Node, TreeBuilder
from permutree.trees.tree import Tree

__all__ = ["FORMATS", "VIRTUAL_ROOT", "read", "write", "write_version3"]

#: the label of a root that the treebank leaves implicit
VIRTUAL_ROOT = "VROOT"

_NODE = re.compile(r"#[0-9]{3,}(?=[ \t]|$)")
_PARENT = re.compile(r"0|[0-9]{3,}").fullmatch
_BEGIN_FIELDS = ("editor", "date", "origin")
#: an id that is not a number is written into the comment of #BOS, after this
_ID_COMMENT = "id="
#: tells a sentence that is a word without a constituent from one that is a word under VROOT
_BARE_COMMENT = "no constituents"


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
        if table is not None and not line.startswith("#BOS "):
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
        elif line.startswith("#BOS") and (begin is None or _is_begin(line)):
            if table is not None:
                message = "#BOS before the #EOT of a table"
                on_error(DataError(message, source=source.name, line=number, skipped=0))
                table = None
            if begin is not None:
                _abandon("#BOS before the #EOS of this sentence", source, begin, number - 1, on_error)
            begin, rows, size, is_lost = (number, line), [], 0, False
        elif begin is not None:
            size += len(line)
            if line.strip() and size <= LONGEST:
                rows.append((number, line))
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


def _is_begin(line: str) -> bool:
    """Whether a line inside a sentence starts another one, and is not a word ``#BOS``."""
    return re.match(r"#BOS\s+[0-9]+(\s|$)", line) is not None


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


def _sentence(
    source: Source,
    begin: tuple[int, str],
    rows: list[tuple[int, str]],
    version: int | None,
    origins: dict[str, str],
    on_error: OnError,
) -> Iterator[Tree]:
    """The tree of a sentence, or nothing after an error that was taken note of."""
    fields, name = _begin(begin[1])
    last = rows[-1][0] if rows else begin[0]
    if (fault := source.fault(begin[0], last + 1)) is not None:
        on_error(fault)
        return
    try:
        draft = _draft(source, rows, version or _guess_version(rows), name)
        draft.id = name
        if any(field != "0" for field in fields[1:4]):
            draft.info.update(zip(_BEGIN_FIELDS, fields[1:4], strict=False))
        if (origin := origins.get(draft.info.get("origin", ""))) is not None:
            draft.info["origin name"] = origin
        comment = begin[1].partition("%%")[2].strip()
        if len(rows) == 1 and (comment == _BARE_COMMENT or comment.startswith(f"{_BARE_COMMENT} %% ")):
            draft.root, comment = draft.leaves[0], comment.removeprefix(_BARE_COMMENT).removeprefix(" %% ")
        if comment.startswith(_ID_COMMENT):
            draft.id, _, comment = comment.removeprefix(_ID_COMMENT).partition(" %% ")
        draft.comment = comment or None
        tree = Tree.of(draft)
    except DataError as error:
        on_error(error)
    except TreeError as error:
        on_error(_error(str(error), source, begin[0], name))
    else:
        yield tree


def _draft(source: Source, rows: list[tuple[int, str]], version: int, name: str) -> TreeBuilder:
    """The nodes of a sentence, hung together."""
    leaves: list[Leaf] = []
    nodes: dict[str, Node] = {}
    hung: list[tuple[int, Leaf | Node, list[str]]] = []
    # The constituents are the last rows: above them, #500 is a word like any other.
    first_node = len(rows)
    while first_node and _NODE.match(rows[first_node - 1][1]):
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
            cells.insert(1, "--")
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
    return _hang(source, name, leaves, nodes, hung)


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
    return None if cell == "--" else intern(cell)


def write(trees: Iterable[Tree], stream: TextIO, *, version: int = 4) -> None:
    """Write sentences in export format; a number is made up for those whose id is none."""
    stream.write(f"#FORMAT {version}\n")
    stream.writelines(texts_of(trees, lambda tree, number: _format(tree, number, version)))


def write_version3(trees: Iterable[Tree], stream: TextIO) -> None:
    """Write export version 3, which has no lemmas."""
    write(trees, stream, version=3)


def _format(tree: Tree, number: int, version: int) -> str:
    """A sentence from #BOS to #EOS."""
    annotations = tree.annotations
    size = len(tree.words)
    parents = (*tree.word_parents, *tree.parents)
    # The root VROOT is left implicit, unless its only child could then be taken for the root.
    is_implicit = tree.labels[:1] == (VIRTUAL_ROOT,) and (parents.count(0) > 1 or tree.word_parents.count(0) == 1)
    if is_implicit and any(size in edge[:2] for edge in annotations.secondary):
        is_implicit = False
    if is_implicit and annotations.functions and annotations.functions[size] is not None:
        is_implicit = False
    # Constituents come in postorder, so that a parent has a higher number than its children.
    below = sorted(range(1 if is_implicit else 0, len(tree.labels)), key=lambda node: (tree.ends[node], -node))
    names = {size + node: str(500 + rank) for rank, node in enumerate(below)}
    lines = [_begin_line(annotations, number, is_bare=not tree.labels)]
    nodes = [*range(size), *(size + node for node in below)]
    for node in nodes:
        lines.append("\t".join(_row(tree, node, parents[node], names, version)))
    lines.append(f"#EOS {lines[0].split()[1]}\n")
    return "\n".join(lines)


def _begin_line(annotations: Annotations, number: int, *, is_bare: bool) -> str:
    info = dict(annotations.info)
    has_number = annotations.id is not None and annotations.id.isdecimal() and annotations.id.isascii()
    fields = ["#BOS", str(annotations.id) if has_number else str(number)]
    fields += [info.get(field, "0") for field in _BEGIN_FIELDS]
    if is_bare:
        fields.append(f"%% {_BARE_COMMENT}")
    if annotations.id is not None and not has_number:
        fields.append(f"%% {_ID_COMMENT}{annotations.id}")
    if annotations.comment:
        fields.append(f"%% {annotations.comment}")
    return " ".join(_checked("sentence", field) for field in fields)


def _row(tree: Tree, node: int, parent: int, names: dict[int, str], version: int) -> list[str]:
    """The columns of a word or constituent."""
    annotations, size = tree.annotations, len(tree.words)
    function = annotations.functions[node] if annotations.functions else None
    lemma = morphology = None
    if node < size:
        form, tag = _checked("word", tree.words[node]), tree.tags[node]
        if form.startswith(("#BOS", "#EOS")) or (node == size - 1 and _NODE.match(form)):
            raise TreeError(f"export cannot hold the word {form!r}, which has a meaning there; write tigerxml or jsonl")
        lemma = annotations.lemmas[node] if annotations.lemmas else None
        morphology = annotations.morphology[node] if annotations.morphology else None
    else:
        form, tag = f"#{names[node]}", tree.labels[node - size]
    row = [form, _cell("tag", tag), _cell("morphology", morphology), _cell("edge label", function)]
    if version == 4:
        row.insert(1, _cell("lemma", lemma))
    row.append(names.get(size + parent, "0"))
    for edge in annotations.secondary:
        if edge.child == node:
            row += _secondary(edge, names)
    return row


def _secondary(edge: SecondaryEdge, names: dict[int, str]) -> list[str]:
    if edge.parent not in names:
        raise TreeError("export cannot hold a secondary edge to a word; write tigerxml or jsonl")
    return [_cell("edge label", edge.label), names[edge.parent]]


def _cell(what: str, value: str | None) -> str:
    return "--" if value is None else _checked(what, value)


def _checked(what: str, text: str) -> str:
    if not text.strip(" ") or text != text.strip(" ") or any(sign in text for sign in "\t\n\r"):
        raise TreeError(f"export cannot hold the {what} {text!r}: empty, or with tabs or line ends or spaces around it")
    return text


FORMATS = (
    Format(
        name="export",
        description="NEGRA export; versions 3 and 4 read, 4 written",
        suffixes=(".export", ".negra"),
        read=read,
        write=write,
        rank=10,
        sign=r"^(?:%%.*\n|\s*\n)*#(?:FORMAT|BOT|BOS)\b",
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
