"""What a terminal gives drawings: room and colours."""

from __future__ import annotations

import os
import shutil
import sys

import click

__all__ = ["colour_option", "has_colour", "is_terminal", "room"]

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
    return out == "-" and sys.stdout.isatty()


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
