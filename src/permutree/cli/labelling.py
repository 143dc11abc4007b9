"""Options that commands share for label files."""

from __future__ import annotations

from typing import get_args

import click

from permutree.cli.reading import Command, add_options
from permutree.encoding import ENCODINGS
from permutree.encoding.labelfile import STYLES
from permutree.encoding.levels import LevelScale
from permutree.encoding.tagsets import TAGSETS

__all__ = ["label_options"]


def label_options(command: Command) -> Command:
    """Add ``--encoding``, ``--style``, ``--levels`` and ``--tagset``."""
    return add_options(
        command,
        click.option(
            "--encoding",
            type=click.Choice(ENCODINGS),
            default="pointer",
            show_default=True,
            help="How the permutation is said.",
        ),
        click.option(
            "--style",
            type=click.Choice(STYLES),
            default="permutree",
            show_default=True,
            help="Columns of the label file.",
        ),
        click.option(
            "--levels",
            "level_scale",
            type=click.Choice(get_args(LevelScale)),
            default="relative",
            show_default=True,
            help="Levels relative to the word before in the arrangement, as they are, or mixed: as they are after a "
            "steep fall to near the root, else relative.",
        ),
        click.option(
            "--tagset",
            metavar="NAME|FILE",
            help=f"Coarse tags for pointer-simplified: {', '.join(TAGSETS)}, or a file with lines such as NN,NNS = NN. "
            "If not given, guessed from the tags.",
        ),
    )
