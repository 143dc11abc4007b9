"""Matches as people want them: keywords in context, drawn trees, pages, tables."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any, TextIO
from xml.sax.saxutils import escape, quoteattr

from permutree.errors import ConfigError
from permutree.search.matches import FoundNode, Match

__all__ = [
    "kwic",
    "page",
    "picture",
    "sample",
    "tree_text",
    "write_counts",
    "write_json",
    "write_parquet",
    "write_table",
]

#: colours of variables in turn, for terminals
_COLOURS = ("1;31", "1;34", "1;32", "1;35", "1;36", "1;33")
_GAP = "2"


def kwic(match: Match, *, context: int | None = None, colour: bool = False) -> str:
    """The sentence with its found nodes in brackets, each block in its own; what stands in a gap is grey in colour.

    ``context`` is how many words are shown to the left and to the right of all that was found; None shows all.
    """
    words = list(match.words)
    nodes = match.nodes
    style = {name: _COLOURS[number % len(_COLOURS)] for number, name in enumerate(nodes)}
    first = min((node.words[0] for node in nodes.values()), default=0)
    last = max((node.words[-1] for node in nodes.values()), default=len(words) - 1)
    begin = 0 if context is None else max(first - context, 0)
    end = len(words) if context is None else min(last + context + 1, len(words))
    opened, closed = _brackets(nodes)
    owner = _owners(nodes)
    gaps = {word for node in nodes.values() for word in range(node.words[0], node.words[-1])} if colour else set()
    pieces = ["…"] if begin else []
    for word in range(begin, end):
        text = words[word]
        if colour and (word in owner or word in gaps):
            text = f"\033[{style[owner[word]] if word in owner else _GAP}m{text}\033[0m"
        pieces.append("".join(f"[{name} " for name in opened.get(word, ())) + text + "]" * closed.get(word, 0))
    pieces += ["…"] if end < len(words) else []
    return " ".join(pieces)


def _brackets(nodes: dict[str, FoundNode]) -> tuple[dict[int, list[str]], dict[int, int]]:
    """Which nodes begin a block at a word, larger ones first, and how many end one there."""
    opened: dict[int, list[tuple[int, int, str]]] = {}
    closed: dict[int, int] = {}
    for rank, (name, node) in enumerate(nodes.items()):
        for start, end in node.blocks:
            opened.setdefault(start, []).append((start - end, rank, name))
            closed[end - 1] = closed.get(end - 1, 0) + 1
    return {word: [name for _, _, name in sorted(found)] for word, found in opened.items()}, closed


def _owners(nodes: dict[str, FoundNode]) -> dict[int, str]:
    """The smallest node that each word is in."""
    owner = {}
    for name, node in sorted(nodes.items(), key=lambda item: -len(item[1].words)):
        for word in node.words:
            owner[word] = name
    return owner


def place(match: Match) -> str:
    """Where a match is, as grep says it."""
    where = f"{match.file}:{match.sentence}"
    return f"{where} ({match.metadata['id']})" if "id" in match.metadata else where


def tree_text(match: Match, *, width: int | None = None, colour: bool = False, functions: bool = False) -> str:
    """The tree drawn with characters, with a star at what was found."""
    from permutree.drawing import draw_text

    return draw_text(match.tree, width=width, colour=colour, functions=functions, marks=_marks(match))


def picture(match: Match, *, functions: bool = False, background: bool = True) -> str:
    """The tree as SVG, with what was found in colour."""
    from permutree.drawing import draw_svg

    return draw_svg(match.tree, functions=functions, background=background, marks=_marks(match))


def _marks(match: Match) -> dict[int, str]:
    return {node.number: "found" for node in match.nodes.values()}


_REPORT_STYLE = """
.found{font-weight:bold;border-bottom:2px solid}
.gap{opacity:.55}
.v0{color:#c2321f}.v1{color:#1f5fbf}.v2{color:#1f7a3d}.v3{color:#8a3ab9}.v4{color:#0f7688}.v5{color:#8f6200}
@media (prefers-color-scheme:dark){.v0{color:#ff9a8a}.v1{color:#82b8ff}.v2{color:#7fdc98}.v3{color:#d9a8ff}
.v4{color:#62d4e3}.v5{color:#e8b95a}}
"""


def page(matches: Iterable[Match], *, title: str, functions: bool = False) -> Iterator[str]:
    """A report: each match with its sentence, in which what was found is coloured, and its tree."""
    from permutree.drawing import svg
    from permutree.drawing.html import page_of

    def figures() -> Iterator[str]:
        for number, match in enumerate(matches, 1):
            anchor = quoteattr(f"match-{number}")
            drawn = svg.element(match.tree, functions=functions, background=False, style=None, marks=_marks(match))
            yield (
                f'<figure id={anchor}>\n<figcaption><a href="#match-{number}">{number}</a>'
                f'<span class="id">{escape(place(match))}</span><bdi>{_spans(match)}</bdi></figcaption>\n'
                f'<div class="drawing" tabindex="0">\n{drawn}</div>\n</figure>\n'
            )

    return page_of(figures(), title=title, style=_REPORT_STYLE + svg.MARK_STYLE, language="")


def _spans(match: Match) -> str:
    owner = _owners(match.nodes)
    rank = {name: number % len(_COLOURS) for number, name in enumerate(match.nodes)}
    gaps = {word for node in match.nodes.values() for word in range(node.words[0], node.words[-1])}
    pieces = []
    for word, text in enumerate(match.words):
        if word in owner:
            pieces.append(f'<span class="found v{rank[owner[word]]}" title="#{owner[word]}">{escape(text)}</span>')
        else:
            pieces.append(f'<span class="gap">{escape(text)}</span>' if word in gaps else escape(text))
    return " ".join(pieces)


def write_json(matches: Iterable[Match], stream: TextIO) -> None:
    """A JSON object a line."""
    for match in matches:
        stream.write(json.dumps(match.as_dict(), ensure_ascii=False) + "\n")


_COLUMNS = ("label", "text", "words", "length", "gaps")


def _row(match: Match, variables: Sequence[str]) -> list[Any]:
    cells: list[Any] = [match.file, match.sentence, match.metadata.get("id")]
    for name in variables:
        node = match.nodes.get(name)
        cells += [None if node is None else node.fact(fact) for fact in _COLUMNS]
    return [*cells, " ".join(match.words)]


def _header(variables: Sequence[str]) -> list[str]:
    facts = [f"{name}.{fact}" for name in variables for fact in _COLUMNS]
    return ["file", "sentence", "id", *facts, "text"]


def write_table(matches: Iterable[Match], variables: Sequence[str], stream: TextIO, delimiter: str = ",") -> None:
    """A table: a row for each match, columns for the label, text, words, length and gaps of each variable."""
    table = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    table.writerow(_header(variables))
    for match in matches:
        table.writerow(_row(match, variables))


def write_counts(
    counts: Counter[tuple[str | int | None, ...]], keys: Sequence[str], stream: TextIO, form: str = "tsv"
) -> None:
    """A table of counts, most frequent first; or as JSON, an object a line."""
    rows = sorted(counts.items(), key=lambda item: (-item[1], tuple(map(str, item[0]))))
    if form == "json":
        for values, number in rows:
            found = {**dict(zip(keys, values, strict=True)), "count": number}
            stream.write(json.dumps(found, ensure_ascii=False) + "\n")
        return
    table = csv.writer(stream, delimiter="\t" if form == "tsv" else ",", lineterminator="\n")
    table.writerow([*keys, "count"])
    for values, number in rows:
        table.writerow([*("" if value is None else value for value in values), number])


def write_parquet(matches: Iterable[Match], variables: Sequence[str], path: str) -> None:
    """A Parquet file with the columns of the table, words as lists, and the tree in discbracket."""
    from permutree.formats.arrow import arrow
    from permutree.formats.sinks import whole_file

    if path == "-":
        raise ConfigError("Parquet is written to a file: name it with -o")
    pa = arrow()
    from pyarrow import parquet

    kinds = {"label": pa.string(), "text": pa.string(), "words": pa.list_(pa.int32()), "length": pa.int32()}
    fields = [("file", pa.string()), ("sentence", pa.int32()), ("id", pa.string())]
    fields += [(f"{name}.{fact}", kinds.get(fact, pa.int32())) for name in variables for fact in _COLUMNS]
    schema = pa.schema([*fields, ("text", pa.string()), ("discbracket", pa.string())])
    with whole_file(path) as temporary, parquet.ParquetWriter(temporary, schema, compression="zstd") as file:
        for batch in _batches(matches, 10_000):
            rows = [dict(zip(schema.names, [*_row(match, variables), _line(match)], strict=True)) for match in batch]
            for row, match in zip(rows, batch, strict=True):
                row |= {f"{name}.words": list(node.words) for name, node in match.nodes.items()}
            file.write_table(pa.Table.from_pylist(rows, schema=schema))


def _line(match: Match) -> str | None:
    from permutree.errors import TreeError

    try:
        return match.tree.discbracket()
    except TreeError:
        return None


def _batches(matches: Iterable[Match], size: int) -> Iterator[list[Match]]:
    batch: list[Match] = []
    for match in matches:
        batch.append(match)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def sample(matches: Iterable[Match], size: int, seed: int) -> list[Match]:
    """So many of the matches by chance, in their order; the same ones for the same seed."""
    chosen: list[tuple[int, Match]] = []
    chance = Random(seed)
    for number, match in enumerate(matches):
        if number < size:
            chosen.append((number, match))
        elif (slot := chance.randrange(number + 1)) < size:
            chosen[slot] = number, match
    return [match for _, match in sorted(chosen, key=lambda item: item[0])]
