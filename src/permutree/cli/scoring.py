"""Options that commands share for comparing predicted with gold trees."""

from __future__ import annotations

import click

from permutree.cli.reading import Command, add_options
from permutree.evaluation import BUNDLED
from permutree.formats.registry import FORMATS

__all__ = ["scoring_options"]


def scoring_options(command: Command) -> Command:
    """Add ``--param``, ``--functions``, ``--missing`` and how to read both sides."""
    return add_options(
        command,
        click.option(
            "--param",
            default="proper",
            show_default=True,
            metavar="NAME|FILE",
            help=f"What is scored: {' or '.join(BUNDLED)}, or a parameter file in the style of EVALB.",
        ),
        click.option(
            "--functions",
            type=click.Choice(["remove", "keep"]),
            default="remove",
            show_default=True,
            help="What stands after - in labels and tags: not compared, or kept.",
        ),
        click.option(
            "--missing",
            type=click.Choice(["error", "count"]),
            default="error",
            show_default=True,
            help="A gold tree without a prediction: an error, or scored as if the prediction were empty.",
        ),
        click.option("--from", "source_format", type=click.Choice(list(FORMATS)), help="Format of the predictions."),
        click.option("--gold-from", "gold_format", type=click.Choice(list(FORMATS)), help="Format of GOLD."),
        click.option("--encoding", metavar="NAME", help="Encoding of all files; utf-8 unless said otherwise."),
    )
