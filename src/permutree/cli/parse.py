"""``permutree parse``: trees for tokenised text and for the sentences of treebanks."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from permutree.cli.models import chunk_size, device_option, model_option, sentence_options
from permutree.cli.reading import SkipBad
from permutree.inference.sentences import Sentence, read_sentences
from permutree.output import open_output
from permutree.tree import Tree
from permutree.treebanks import write
from permutree.treebanks.errors import TreebankError
from permutree.treebanks.formats import FORMATS, guess_format
from permutree.treebanks.transforms import add_root, transform

if TYPE_CHECKING:
    from permutree.inference.parser import Parsed

DRAWING = "drawing"


@click.command(
    epilog="""\b
Examples:
  permutree parse --model model dev.discbracket -o predicted.discbracket
  echo 'How does it work ?' | permutree parse --model model --tagger tagger --from tokens
  permutree parse --model model --from tagged news.tsv --to export -o news.export
  permutree tag --model tagger --from tokens news.txt | permutree parse --model model --from tagged -
  permutree parse --model model test.export | permutree evaluate test.export -"""
)
@click.argument("files", nargs=-1, metavar="[FILE...|-]")
@model_option
@click.option("--tagger", metavar="FOLDER", help="Tag the sentences with this model first, whatever tags they have.")
@click.option("-o", "--output", default="-", metavar="OUT", help="File to write; standard output if not given.")
@click.option(
    "--to",
    "target_format",
    type=click.Choice([DRAWING, *FORMATS]),
    help="Format of the trees; guessed from the name of OUT. On standard output discbracket, on a terminal drawings.",
)
@click.option(
    "--repair",
    type=click.Choice(["rules", "scores"]),
    default="rules",
    show_default=True,
    help="What labels that describe no tree are repaired by: the rules of the encoding, or the model's probabilities.",
)
@click.option("--root", metavar="LABEL", help="Put a root with this label over trees that have another.")
@device_option
@sentence_options
def command(
    files: tuple[str, ...],
    model: str,
    tagger: str | None,
    output: str,
    target_format: str | None,
    repair: str,
    root: str | None,
    device: str | None,
    source_format: str | None,
    encoding: str,
    skip_bad: bool,
) -> None:
    """Parse sentences with a trained model.

    Of a treebank only words are read, and tags if the model reads tags; ids, lemmas and other annotations of words are
    handed on. Without FILE, standard input is read. What labels had to be repaired is counted on standard error.
    """
    files = files or ("-",)
    target = target_format or _target(output)
    from permutree.inference.parser import Parser

    parser = Parser.load(model, device, tagger=tagger, use_scores=repair == "scores")
    if parser.model.codec is None:
        raise TreebankError("is a tagger; use it with `permutree tag`, or as --tagger of a parser", source=model)
    summary = _Summary()
    with SkipBad(skip_bad) as on_error:
        sentences = _progress(read_sentences(files, source_format, encoding, on_error))
        if parser.needs_tags:
            sentences = _with_tags(sentences)
        batches = summary.count(parser.batches(sentences, chunk=chunk_size(files)))
        if target == "discbracket" and root is None:
            with open_output(output) as stream:
                for batch in batches:
                    stream.writelines(line + "\n" for line in batch.forest.discbracket())
                    stream.flush()
        elif target == DRAWING:
            _draw(_trees(batches, root), output)
        else:
            write(_trees(batches, root), output, target)
    summary.print()


def _target(output: str) -> str:
    """The format that a file has by its name."""
    if output == "-":
        return DRAWING if sys.stdout.isatty() else "discbracket"
    found = guess_format(Path(output).name)
    if found is None:
        raise click.UsageError(f"the name {output!r} says no format; say which with --to.")
    return found.name


def _with_tags(sentences: Iterable[Tree | Sentence]) -> Iterator[Tree | Sentence]:
    """The same sentences, as long as they have tags."""
    for number, sentence in enumerate(sentences, 1):
        if sentence.tags is None:
            raise TreebankError(
                "the model reads tags, and this text has none: name a tagger with --tagger, or give text with tags "
                "(--from tagged)",
                sentence=number,
            )
        yield sentence


def _progress(sentences: Iterable[Tree | Sentence]) -> Iterator[Tree | Sentence]:
    from tqdm import tqdm

    # Where sentences are typed, a bar would be in the way.
    disable = True if sys.stdin.isatty() and sys.stdout.isatty() else None
    yield from tqdm(sentences, desc="parsing", unit=" sentences", disable=disable, leave=False, unit_scale=True)


def _trees(batches: Iterable[Parsed], root: str | None) -> Iterator[Tree]:
    for batch in batches:
        for tree in batch.trees():
            yield tree if root is None else transform(tree, partial(add_root, label=root))


def _draw(trees: Iterable[Tree], output: str) -> None:
    """Write trees as drawings, an empty line between them."""
    from permutree.drawing import draw_text

    between = ""
    with open_output(output) as stream:
        for tree in trees:
            heading = f"{tree.id}\n" if tree.id else ""
            stream.write(f"{between}{heading}{draw_text(tree)}\n")
            stream.flush()
            between = "\n"


class _Summary:
    """Counts sentences and repairs on their way."""

    def __init__(self) -> None:
        self.sentences = self.words = self.repaired = 0
        self.kinds: Counter[str] = Counter()
        self.start = time.perf_counter()

    def count(self, batches: Iterable[Parsed]) -> Iterator[Parsed]:
        for batch in batches:
            self.sentences += len(batch.forest)
            self.words += len(batch.forest.order)
            self.repaired += len(batch.repairs.sentences())
            self.kinds.update(batch.repairs.counts())
            yield batch

    def print(self) -> None:
        seconds = time.perf_counter() - self.start
        said = f"{_count(self.sentences, 'sentence')}, {_count(self.words, 'word')}"
        said += f", {self.sentences / seconds:,.0f} sentences/s"
        if self.kinds:
            kinds = ", ".join(f"{kind} {count:,}" for kind, count in self.kinds.most_common())
            repairs = _count(sum(self.kinds.values()), "repair")
            said += f"; {repairs} in {_count(self.repaired, 'sentence')} ({kinds})"
        click.echo(f"permutree: {said}", err=True)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
