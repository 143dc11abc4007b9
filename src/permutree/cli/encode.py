"""``permutree encode``: trees to label files."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import click

from permutree.cli.labelling import label_options
from permutree.cli.reading import SkipBad, progress, skip_bad_option
from permutree.encoding import Codec
from permutree.encoding.codec import BATCH
from permutree.encoding.labelfile import write_labels
from permutree.encoding.levels import LevelScale
from permutree.encoding.tagsets import tagset_named
from permutree.formats import read
from permutree.formats.registry import FORMATS
from permutree.formats.sinks import open_output
from permutree.trees.tree import Tree


@click.command(
    epilog="""\b
The six columns: word, tag, levels, shared, unary, permutation. Labels stand at their words; _ is nothing.

\b
Examples:
  permutree encode train.discbracket --encoding pointer -o train.labels
  permutree encode tiger.xml --encoding pointer-simplified --tagset stts > tiger.labels
  permutree encode dev.export --input-encoding latin-1 --encoding inverse-lehmer --style disco2labels -o dev.tsv
  echo '(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))' | permutree encode - --encoding absolute"""
)
@click.argument("files", nargs=-1, required=True, metavar="TREES...")
@label_options
@click.option("-o", "--output", default="-", metavar="LABELS", help="File to write; standard output if not given.")
@click.option(
    "--from",
    "source_format",
    type=click.Choice(list(FORMATS)),
    help="Format of the input; guessed from name and content if not given.",
)
@click.option("--input-encoding", metavar="NAME", help="Text encoding of the input; utf-8 unless said otherwise.")
@skip_bad_option
def command(
    files: tuple[str, ...],
    encoding: str,
    output: str,
    style: str,
    level_scale: LevelScale,
    tagset: str | None,
    source_format: str | None,
    input_encoding: str | None,
    skip_bad: bool,
) -> None:
    """Write trees as one label per word, from which `permutree decode` makes the same trees again."""
    if level_scale != "relative" and style == "disco2labels":
        raise click.UsageError("disco2labels has relative levels only: leave out --levels.")
    codec = Codec(encoding, level_scale=level_scale, tagset=tagset_named(tagset) if tagset else None)
    with SkipBad(skip_bad) as on_error, open_output(output) as stream:
        trees = progress(read(files, source_format, input_encoding, on_error), "encoding")
        done = 0
        for batch in _batches(trees):
            write_labels(batch, codec.texts(codec.encode(batch)), stream, encoding, style, done + 1)
            done += len(batch)
    if codec.symbols.needs_tagset and not tagset and codec.tagset:
        click.echo(f"permutree: tagset guessed from the tags: {codec.tagset.name}", err=True)


def _batches(trees: Iterator[Tree]) -> Iterator[list[Tree]]:
    while batch := list(islice(trees, BATCH)):
        yield batch
