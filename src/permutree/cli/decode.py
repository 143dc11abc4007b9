"""``permutree decode``: label files to trees."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import TextIO

import click

from permutree.cli.encode import label_options
from permutree.cli.options import SkipBad, charset_option, output_options, skip_bad_option, target_of, writer_options
from permutree.cli.terminal import progress, say
from permutree.encoding import Codec, Kind
from permutree.encoding.codec import BATCH
from permutree.encoding.labelfile import read_labels
from permutree.encoding.labels import Decoded
from permutree.encoding.levels import LevelScale
from permutree.encoding.tagsets import tagset_named
from permutree.errors import DataError
from permutree.formats import write
from permutree.formats.discbracket import FORMAT as DISCBRACKET
from permutree.formats.format import Format
from permutree.formats.sinks import open_output
from permutree.formats.sources import open_sources


@click.command(
    epilog="""\b
Examples:
  permutree decode dev.labels --encoding pointer -o dev.discbracket
  permutree decode predicted.tsv --encoding pointer-simplified --tagset stts --style disco2labels -o predicted.export
  permutree decode predicted.labels --encoding lehmer --repairs repairs.jsonl > predicted.discbracket
  permutree encode dev.discbracket | permutree decode - | diff - dev.discbracket"""
)
@click.argument("files", nargs=-1, required=True, metavar="LABELS...")
@label_options
@output_options("discbracket", metavar="TREES")
@click.option(
    "--root-label", default="ROOT", show_default=True, metavar="LABEL", help="Label for a root that no word labels."
)
@click.option(
    "--repairs",
    "repairs_file",
    metavar="FILE",
    help="Write each repair as a line of JSON: sentence (from 1), word (from 0), kind, what it was, what it became.",
)
@click.option("--strict", is_flag=True, help="Stop at the first label that needs a repair.")
@charset_option(old="--input-encoding")
@skip_bad_option
def command(
    files: tuple[str, ...],
    encoding: str,
    output: str,
    target_format: Format | None,
    style: str,
    level_scale: LevelScale,
    tagset: str | None,
    root_label: str,
    repairs_file: str | None,
    strict: bool,
    charset: str,
    skip_bad: bool,
) -> None:
    """Make trees from labels, any labels: what describes no tree is repaired, and the repairs are counted."""
    if level_scale != "relative" and style == "disco2labels":
        raise click.UsageError("disco2labels has relative levels only: leave out --levels.")
    codec = Codec(encoding, level_scale=level_scale, tagset=tagset_named(tagset) if tagset else None, root=root_label)
    target = target_of(output, target_format)
    summary = _Summary()
    with SkipBad(skip_bad) as on_error, contextlib.ExitStack() as stack:
        if repairs_file:
            summary.stream = stack.enter_context(open_output(repairs_file))
        batches = summary.count(_decode(files, codec, style, strict, output, charset, on_error))
        if target is DISCBRACKET:
            stream = stack.enter_context(open_output(output))
            for batch in batches:
                stream.write(batch.forest.text())
        else:
            trees = (tree for batch in batches for tree in batch.forest.trees())
            write(trees, output, target, **writer_options(target, output, files))
    if codec.symbols.needs_tagset and not tagset and codec.tagset:
        say(f"tagset guessed from the tags: {codec.tagset.name}")
    summary.print()


def _decode(
    files: tuple[str, ...], codec: Codec, style: str, strict: bool, output: str, charset: str, on_error: SkipBad
) -> Iterator[Decoded]:
    """The trees of label files, batch by batch."""
    for file in files:
        for source in open_sources(file, charset, on_error):
            found = on_error.count(read_labels(source, codec.encoding, style, on_error))
            sentences = progress(found, file, output, unit="sentences")
            while batch := list(islice(sentences, BATCH)):
                labels = codec.numbers(sentence.labels for sentence in batch)
                decoded = codec.decode(labels, [one.words for one in batch], [one.tags for one in batch])
                if strict and decoded.repairs:
                    kind, sentence, word, was, became = decoded.repairs[0]
                    message = f"word {word} needs a repair ({kind}): {was!r} would be read as {became!r}"
                    raise DataError(message, source=source.name, line=batch[sentence].line)
                yield decoded


class _Summary:
    """Counts sentences and repairs while they pass, and writes the repairs if there is a stream for them."""

    def __init__(self) -> None:
        self.sentences = 0
        self.words = 0
        self.repaired = 0
        self.kinds: Counter[str] = Counter()
        self.stream: TextIO | None = None

    def count(self, batches: Iterator[Decoded]) -> Iterator[Decoded]:
        for batch in batches:
            self.kinds.update(batch.repairs.counts())
            if self.stream:
                for kind, sentence, word, was, became in batch.repairs:
                    number = self.sentences + sentence + 1
                    record = {"sentence": number, "word": word, "kind": kind, "was": was, "became": became}
                    self.stream.write(json.dumps(record, ensure_ascii=False) + "\n")
            self.repaired += len(batch.repairs.sentences())
            self.sentences += len(batch.forest)
            self.words += len(batch.forest.order)
            yield batch

    def print(self) -> None:
        if self.kinds:
            kinds = ", ".join(f"{kind} {count:,}" for kind, count in self.kinds.most_common())
            say(f"{sum(self.kinds.values()):,} repairs in {self.repaired:,} of {self.sentences:,} sentences ({kinds})")
        if self.kinds[Kind.PERMUTATION_SYMBOL.value] * 2 > self.words:
            say("most permutation symbols are none of this encoding: is it another --encoding or --style?")
