"""What a terminal is asked for, and what it is told: room and colours for drawings, bars, messages and tables.

Commands print nothing themselves: what :func:`say`, :func:`show` and :func:`show_json` print cannot steer a terminal,
whatever is in the names, ids and labels of the input.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

import click

from permutree.drawing.measures import columns
from permutree.formats.targets import check_output, naming
from permutree.sanitising import json_text, visible

__all__ = [
    "chunk_size",
    "colour_option",
    "has_colour",
    "is_terminal",
    "is_typed",
    "is_watched",
    "progress",
    "room",
    "say",
    "show",
    "show_json",
    "show_rows",
]

Item = TypeVar("Item")

colour_option = click.option(
    "--colour",
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Colours in text: auto is on a terminal only.",
)


def say(message: str, *, sender: str = "permutree: ") -> None:
    """Print a line to standard error, after the name of who says it."""
    click.echo(f"{sender}{visible(message)}", err=True)


def show(text: str) -> None:
    """Print a result to standard output: lines of text, with a line feed after the last."""
    check_output("-")
    lines = [line and visible(line) for line in text.removesuffix("\n").split("\n")]
    with naming("standard output"):
        click.echo("\n".join(lines))


def show_json(data: Any) -> None:
    """Print a result to standard output as JSON; it is JSON in every charset."""
    check_output("-")
    is_unicode = sys.stdout.encoding.lower().replace("-", "") == "utf8"
    with naming("standard output"):
        click.echo(json_text(data, only_ascii=not is_unicode))


def show_rows(rows: Sequence[Sequence[str]], *, left: int = 1) -> None:
    """Print rows in aligned columns: so many to the left, the others to the right."""
    cells = [[cell and visible(cell) for cell in row] for row in rows]
    widths = [max(map(columns, column)) for column in zip(*cells, strict=True)]
    lines = []
    for row in cells:
        blanks = [" " * (width - columns(cell)) for cell, width in zip(row, widths, strict=True)]
        padded = [
            cell + blank if number < left else blank + cell
            for number, (cell, blank) in enumerate(zip(row, blanks, strict=True))
        ]
        lines.append("  ".join(padded).rstrip())
    show("\n".join(lines))


def is_typed() -> bool:
    """Whether standard input is somebody who types."""
    return sys.stdin is not None and sys.stdin.isatty()


def is_watched() -> bool:
    """Whether standard error is shown in a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


def is_terminal(out: str) -> bool:
    """Whether what is written there is shown in a terminal."""
    return out in ("-", "/dev/stdout") and sys.stdout is not None and sys.stdout.isatty()


def room(out: str, width: int | None) -> int | None:
    """The columns that text may take, given what was asked for; None for any number."""
    if width is None and is_terminal(out):
        return shutil.get_terminal_size().columns
    return width or None


def has_colour(out: str, colour: str) -> bool:
    """Whether text is to be coloured, given what was asked for."""
    if colour == "auto":
        return is_terminal(out) and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    return colour == "always"


def progress(items: Iterable[Item], what: str, output: str = "", *, unit: str = "trees") -> Iterator[Item]:
    """Pass items on, with a bar on standard error if that is a terminal and the output is not shown there."""
    if is_terminal(output) or not is_watched():
        yield from items
        return
    # It takes its time to load, which only those need to wait for who see it.
    from tqdm import tqdm

    yield from tqdm(items, desc=visible(what), unit=f" {unit}", disable=None, leave=False, unit_scale=True)


def chunk_size(files: Sequence[object]) -> int | None:
    """How many sentences to read at once: one, where somebody types them; else as many as suit the parser."""
    return 1 if "-" in files and is_typed() else None
