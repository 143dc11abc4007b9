"""``permutree encode``: trees to label files."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import get_args

import click

from permutree.cli.options import (
    Command,
    SkipBad,
    add_options,
    charset_option,
    from_option,
    output_option,
    skip_bad_option,
)
from permutree.cli.terminal import progress, say
from permutree.encoding import ENCODINGS, Codec
from permutree.encoding.codec import BATCH
from permutree.encoding.labelfile import STYLES, write_labels
from permutree.encoding.levels import LevelScale
from permutree.encoding.tagsets import TAGSETS, tagset_named
from permutree.formats import read
from permutree.formats.sinks import open_output
from permutree.trees.tree import Tree

__all__ = ["command", "label_options"]


def label_options(command: Command) -> Command:
    """Add ``--encoding``, ``--style``, ``--levels`` and ``--tagset``."""
    return add_options(
        command,
        click.option(
            "--encoding",
            type=click.Choice(ENCODINGS),
            default="pointer",
            show_default=True,
            help="Encoding of the permutation.",
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
            help="Levels relative to the previous word of the arrangement, absolute levels, or mixed: absolute after a "
            "steep fall to near the root, else relative.",
        ),
        click.option(
            "--tagset",
            metavar="NAME|FILE",
            help=f"Coarse tags for pointer-simplified: {', '.join(TAGSETS)}, or a file with lines such as NN,NNS = NN. "
            "If not given, guessed from the tags.",
        ),
    )


@click.command(
    epilog="""\b
The six columns: word, tag, levels, shared, unary, permutation. Labels stand at their words; _ is nothing.

\b
Examples:
  permutree encode train.discbracket --encoding pointer -o train.labels
  permutree encode tiger.xml --encoding pointer-simplified --tagset stts > tiger.labels
  permutree encode dev.export --charset latin-1 --encoding inverse-lehmer --style disco2labels -o dev.tsv
  echo '(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))' | permutree encode - --encoding absolute"""
)
@click.argument("files", nargs=-1, required=True, metavar="TREES...")
@label_options
@output_option("LABELS")
@from_option()
@charset_option(old="--input-encoding")
@skip_bad_option
def command(
    files: tuple[str, ...],
    encoding: str,
    output: str,
    style: str,
    level_scale: LevelScale,
    tagset: str | None,
    source_format: str | None,
    charset: str,
    skip_bad: bool,
) -> None:
    """Write trees as one label per word, from which `permutree decode` makes the same trees again."""
    if level_scale != "relative" and style == "disco2labels":
        raise click.UsageError("disco2labels has relative levels only: leave out --levels.")
    codec = Codec(encoding, level_scale=level_scale, tagset=tagset_named(tagset) if tagset else None)
    with SkipBad(skip_bad) as on_error, open_output(output) as stream:
        trees = progress(on_error.count(read(files, source_format, charset, on_error)), "encoding", output)
        done = 0
        for batch in _batches(trees):
            write_labels(batch, codec.texts(codec.encode(batch)), stream, encoding, style, done + 1)
            done += len(batch)
    if codec.symbols.needs_tagset and not tagset and codec.tagset:
        say(f"tagset guessed from the tags: {codec.tagset.name}")


def _batches(trees: Iterator[Tree]) -> Iterator[list[Tree]]:
    while batch := list(islice(trees, BATCH)):
        yield batch
