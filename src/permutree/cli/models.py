"""Options that commands share for running models on sentences."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from permutree.cli.reading import skip_bad_option
from permutree.formats.registry import FORMATS
from permutree.parsing.inputs import TEXT_FORMATS

__all__ = ["chunk_size", "device_option", "sentence_options"]

Command = TypeVar("Command", bound=Callable[..., Any])


def _check_encoding(context: click.Context, option: click.Parameter, name: str) -> str:
    try:
        codecs.lookup(name)
    except LookupError:
        raise click.BadParameter(f"no encoding {name!r}; usual ones are utf-8, latin-1, cp1252, utf-16") from None
    return name


device_option = click.option(
    "--device",
    type=click.Choice(["cpu", "cuda"]),
    help="Where the model runs: if nothing is said, on the CPU if it has a model.onnx, else on a GPU if there is one.",
)


def sentence_options(command: Command) -> Command:
    """Add ``--from``, with the formats of text, ``--encoding`` and ``--skip-bad``."""
    for option in (
        skip_bad_option,
        click.option(
            "--encoding",
            default="utf-8",
            show_default=True,
            metavar="NAME",
            callback=_check_encoding,
            help="Encoding of the input.",
        ),
        click.option(
            "--from",
            "source_format",
            type=click.Choice([*TEXT_FORMATS, *FORMATS]),
            help="Format of the input: text is raw text; lines is raw text, a sentence a line; tokens is a sentence a "
            "line, blanks between words; tagged is a word, a tab and its tag a line, an empty line after a sentence; "
            "others are treebanks, which need not be named; what is no treebank is raw text.",
        ),
    ):
        command = option(command)
    return command


def chunk_size(files: Sequence[object]) -> int:
    """How many sentences to read at once: one, where somebody types them."""
    from permutree.parsing.parser import CHUNK

    return 1 if "-" in files and sys.stdin.isatty() else CHUNK
