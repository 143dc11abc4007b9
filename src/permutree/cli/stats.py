"""``permutree stats``: what is in treebanks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from permutree.cli.options import SkipBad, reading_options
from permutree.cli.terminal import progress, show_json, show_rows
from permutree.formats import read
from permutree.treebanks.statistics import Statistics, count


@click.command(
    epilog="""\b
Examples:
  permutree stats train.discbracket dev.discbracket test.discbracket
  permutree stats tiger.xml --labels
  permutree stats corpus.export --charset latin-1 --json"""
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--labels", "show_labels", is_flag=True, help="List all labels and tags with their counts.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@reading_options
def command(
    files: tuple[str, ...],
    show_labels: bool,
    as_json: bool,
    source_format: str | None,
    charset: str,
    skip_bad: bool,
) -> None:
    """Count what is in treebanks: a column for each FILE, and one for all together."""
    columns: dict[str, Statistics] = {}
    with SkipBad(skip_bad) as on_error:
        for file in files:
            trees = progress(on_error.count(read(file, source_format, charset, on_error)), file)
            columns[file] = columns.get(file, Statistics()) + count(trees)
    if len(columns) > 1:
        columns["all"] = sum(columns.values(), Statistics())
    if as_json:
        show_json({name: column.as_dict() for name, column in columns.items()})
        return
    rows = _rows([column.as_dict() for column in columns.values()], show_labels)
    show_rows([["", *_short_names(columns)], *([name, *cells] for name, cells in rows)])


def _short_names(columns: dict[str, Statistics]) -> Iterator[str]:
    """The names without the folders that all of them share."""
    names = list(columns)
    folders = {name.rpartition("/")[0] for name in names if name != "all"}
    for name in names:
        yield name.rpartition("/")[2] if len(folders) == 1 else name


def _rows(figures: list[dict[str, Any]], show_labels: bool) -> Iterator[tuple[str, list[str]]]:
    def row(name: str, *keys: str) -> tuple[str, list[str]]:
        return name, [_cell(_look_up(column, keys)) for column in figures]

    def share(name: str, key: str) -> tuple[str, list[str]]:
        return name, [f"{column[key]:,} ({column[f'{key} share']:.1%})" for column in figures]

    def histogram(name: str, key: str) -> Iterator[tuple[str, list[str]]]:
        for value in sorted({value for column in figures for value in column[key]}, key=int):
            yield f"{name} {value}", [_cell(column[key].get(value, 0)) for column in figures]

    yield row("sentences", "sentences")
    yield row("words", "words")
    yield row("distinct words", "distinct words")
    for what in ("length", "depth"):
        for figure in ("min", "mean", "median", "max"):
            yield row(f"{what}, {figure}", what, figure)
    yield "labels", [_cell(len(column["labels"])) for column in figures]
    yield "tags", [_cell(len(column["tags"])) for column in figures]
    yield row("constituents", "constituents")
    yield share("discontinuous sentences", "discontinuous sentences")
    yield share("discontinuous constituents", "discontinuous constituents")
    yield from histogram("sentences of gap degree", "gap degree of sentences")
    yield from histogram("constituents of gap degree", "gap degree of constituents")
    yield row("unary chains", "unary chains")
    yield from histogram("unary chains of length", "unary chains by length")
    yield row("unary chains over a word", "unary chains over a word")
    yield from histogram("… over a word, of length", "unary chains over a word by length")
    if show_labels:
        for what, key in (
            ("root", "roots"),
            ("label", "labels"),
            ("discontinuous", "discontinuous labels"),
            ("tag", "tags"),
        ):
            totals: dict[str, int] = {}
            for column in figures:
                for name, times in column[key].items():
                    totals[name] = max(totals.get(name, 0), times)
            for name in sorted(totals, key=lambda name: (-totals[name], name)):
                yield f"{what} {name}", [_cell(column[key].get(name, 0)) for column in figures]


def _look_up(column: dict[str, Any], keys: tuple[str, ...]) -> Any:
    for key in keys:
        column = column[key]
    return column


def _cell(value: float) -> str:
    return f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"
