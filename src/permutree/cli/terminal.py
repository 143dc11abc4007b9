"""What a terminal is asked for: room and colours for drawings, bars that show progress."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

import click

__all__ = ["chunk_size", "colour_option", "has_colour", "is_terminal", "progress", "room"]

Item = TypeVar("Item")

colour_option = click.option(
    "--colour",
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Colours in text: auto is on a terminal only.",
)


def is_terminal(out: str) -> bool:
    """Whether what is written there is shown in a terminal."""
    return out in ("-", "/dev/stdout") and sys.stdout.isatty()


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
    from tqdm import tqdm

    disable = True if is_terminal(output) else None
    yield from tqdm(items, desc=what, unit=f" {unit}", disable=disable, leave=False, unit_scale=True)


def chunk_size(files: Sequence[object]) -> int:
    """How many sentences to read at once: one, where somebody types them."""
    from permutree.parsing.parser import CHUNK

    return 1 if "-" in files and sys.stdin.isatty() else CHUNK
