"""``permutree index``: an index of treebanks, to search them fast."""

from __future__ import annotations

import time
from pathlib import Path

import click

from permutree.cli.options import SkipBad, reading_options
from permutree.cli.terminal import progress
from permutree.errors import DataError
from permutree.search.corpus import Corpus
from permutree.search.index import IndexFile, write_index


@click.command(
    epilog="""\b
Examples:
  permutree index tiger.xml -o tiger.ptidx
  permutree index alpino/*.discbracket.xz icepahc/*.discbracket.xz -o corpus.ptidx
  permutree index parsed/ -o parsed.ptidx          # a folder of Parquet files that `permutree corpus` wrote
  permutree index --check corpus.ptidx
  permutree search '#n:[cat="NP"] & discontinuous(#n)' corpus.ptidx"""
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("-o", "--output", metavar="INDEX", help="File to write, such as corpus.ptidx.")
@click.option("--check", is_flag=True, help="Read indexes, FILEs here, and compare their checksums.")
@reading_options
def command(
    files: tuple[str, ...],
    output: str | None,
    check: bool,
    source_format: str | None,
    charset: str,
    skip_bad: bool,
) -> None:
    """Write an index of treebanks, of any format, or of folders of Parquet files, for `permutree search`.

    An index holds the trees with all that is known of them: functions, lemmas, morphology, ids, secondary edges. It is
    mapped into memory when it is searched, not loaded. Other indexes may be among the FILEs.
    """
    if check:
        for file in files:
            IndexFile(file).check()
            click.echo(f"permutree: {file}: sound", err=True)
        return
    if output is None:
        raise click.UsageError("name the file to write with -o, such as -o corpus.ptidx.")
    start = time.perf_counter()
    with SkipBad(skip_bad) as on_error:
        corpus = Corpus.open(files, source_format, charset, on_error)
        sentences, nodes = write_index(progress(corpus.sentences(), "indexing", output), output)
    if not sentences:
        Path(output).unlink(missing_ok=True)
        raise DataError("there is no tree to index", source=", ".join(files))
    seconds, size = time.perf_counter() - start, Path(output).stat().st_size
    click.echo(f"permutree: {sentences:,} sentences, {nodes:,} nodes, {size / 1e6:,.1f} MB, {seconds:,.1f} s", err=True)
