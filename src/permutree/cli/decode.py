"""``permutree decode``: label files to trees."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TextIO

import click

from permutree.cli.labelling import label_options
from permutree.encoding import Codec, Kind
from permutree.encoding.codec import BATCH
from permutree.encoding.labelfile import LabelledSentence, read_labels
from permutree.encoding.labels import Decoded
from permutree.encoding.levels import LevelScale
from permutree.encoding.tagsets import tagset_named
from permutree.errors import DataError
from permutree.formats import write
from permutree.formats.registry import FORMATS, guess_format
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
@click.option("-o", "--output", default="-", metavar="TREES", help="File to write; standard output if not given.")
@click.option(
    "--to",
    "target_format",
    type=click.Choice(list(FORMATS)),
    help="Format of the trees; guessed from the name of the file, discbracket on standard output.",
)
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
def command(
    files: tuple[str, ...],
    encoding: str,
    output: str,
    target_format: str | None,
    style: str,
    level_scale: LevelScale,
    tagset: str | None,
    root_label: str,
    repairs_file: str | None,
    strict: bool,
) -> None:
    """Make trees from labels, any labels: what describes no tree is repaired, and the repairs are counted."""
    if level_scale != "relative" and style == "disco2labels":
        raise click.UsageError("disco2labels has relative levels only: leave out --levels.")
    codec = Codec(encoding, level_scale=level_scale, tagset=tagset_named(tagset) if tagset else None, root=root_label)
    if target_format is None and output == "-":
        target_format = "discbracket"
    guessed = None if target_format else guess_format(Path(output).name)
    summary = _Summary()
    with contextlib.ExitStack() as stack:
        if repairs_file:
            summary.stream = stack.enter_context(open_output(repairs_file))
        batches = summary.count(_decode(files, codec, style, strict))
        if "discbracket" in (target_format, guessed and guessed.name):
            stream = stack.enter_context(open_output(output))
            for batch in batches:
                stream.writelines(line + "\n" for line in batch.forest.discbracket())
        else:
            write((tree for batch in batches for tree in batch.forest.trees()), output, target_format)
    if codec.symbols.needs_tagset and not tagset and codec.tagset:
        click.echo(f"permutree: tagset guessed from the tags: {codec.tagset.name}", err=True)
    summary.print()


def _decode(files: tuple[str, ...], codec: Codec, style: str, strict: bool) -> Iterator[Decoded]:
    """The trees of label files, batch by batch."""
    for file in files:
        for source in open_sources(file):
            sentences = _progress(read_labels(source, codec.encoding, style), file)
            while batch := list(islice(sentences, BATCH)):
                labels = codec.numbers(sentence.labels for sentence in batch)
                decoded = codec.decode(labels, [one.words for one in batch], [one.tags for one in batch])
                if strict and decoded.repairs:
                    kind, sentence, word, was, became = decoded.repairs[0]
                    message = f"word {word} needs a repair ({kind}): {was!r} would be read as {became!r}"
                    raise DataError(message, source=source.name, line=batch[sentence].line)
                yield decoded


def _progress(sentences: Iterator[LabelledSentence], what: str) -> Iterator[LabelledSentence]:
    from tqdm import tqdm

    yield from tqdm(sentences, desc=what, unit=" sentences", disable=None, leave=False, unit_scale=True)


class _Summary:
    """Counts sentences and repairs on their way, and writes the repairs down if there is a stream for them."""

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
            click.echo(
                f"permutree: {sum(self.kinds.values()):,} repairs in {self.repaired:,} of {self.sentences:,} sentences"
                f" ({kinds})",
                err=True,
            )
        if self.kinds[Kind.PERMUTATION_SYMBOL.value] * 2 > self.words:
            message = (
                "permutree: most permutation symbols are none of this encoding: is it another --encoding or --style?"
            )
            click.echo(message, err=True)
