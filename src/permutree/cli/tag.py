"""``permutree tag``: tags for tokenised text and treebanks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import cast

import click

from permutree.cli.options import SkipBad, device_option, output_option, sentence_options
from permutree.cli.terminal import chunk_size, progress
from permutree.errors import DataError, OnError
from permutree.formats import read, write
from permutree.formats.registry import READABLE, guess_format
from permutree.formats.sinks import open_output
from permutree.parsing.inputs import Sentence, read_sentences, text_format, write_tagged
from permutree.trees.tree import Tree

TAGGED = "tagged"


@click.command(
    epilog="""\b
Examples:
  permutree tag dev.discbracket --model tagger -o dev.tagged.discbracket
  echo 'How does it work ?' | permutree tag --model tagger --from tokens
  permutree tag train.discbracket --jackknife 10 --work taggers -o train.tagged.discbracket
  permutree tag train.discbracket --jackknife 5 --config my.toml --set training.epochs=10 --work taggers -o out.dbr"""
)
@click.argument("files", nargs=-1, metavar="[FILE...|-]")
@click.option("-m", "--model", metavar="FOLDER", help="Folder of a tagger, or of a parser with jointly predicted tags.")
@output_option()
@click.option(
    "--to",
    "target_format",
    type=click.Choice([TAGGED, *READABLE]),
    help="Format of the output; guessed from the name of OUT. On standard output discbracket, for text tagged.",
)
@click.option(
    "--jackknife",
    "folds",
    type=click.IntRange(2),
    metavar="N",
    help="Instead of using a model, train N taggers, each on the treebank without one Nth of it, which it then tags.",
)
@click.option("--config", metavar="NAME|FILE", help="Settings of these taggers.  [default: tagger]")
@click.option("--set", "assignments", multiple=True, metavar="NAME=VALUE", help="Change one of these settings.")
@click.option("--work", metavar="FOLDER", help="Folder for these taggers; an interrupted command goes on from there.")
@device_option
@sentence_options
def command(
    files: tuple[str, ...],
    model: str | None,
    output: str,
    target_format: str | None,
    folds: int | None,
    config: str | None,
    assignments: tuple[str, ...],
    work: str | None,
    device: str | None,
    source_format: str | None,
    charset: str,
    skip_bad: bool,
) -> None:
    """Tag sentences with a trained model: a treebank comes out with other tags, tokenised text with tags.

    With --jackknife, a treebank gets tags as a tagger gives them to sentences that it has not seen: what a parser
    should be trained on that will read predicted tags.
    """
    files = files or ("-",)
    if (model is None) == (folds is None):
        raise click.UsageError("name a model with --model, or train taggers with --jackknife.")
    target = target_format or (None if output == "-" else _target(output))
    with SkipBad(skip_bad) as on_error:
        if model is not None:
            if config or assignments or work:
                raise click.UsageError("--config, --set and --work go with --jackknife.")
            _tag(files, model, output, target, device, source_format, charset, on_error)
            return
        assert folds is not None
        if work is None or output == "-":
            raise click.UsageError("--jackknife needs a folder for its taggers, --work, and a file for the trees, -o.")
        if source_format in ("tokens", TAGGED):
            raise click.UsageError("--jackknife learns from trees: give a treebank.")
        from permutree.training.config import load_config

        settings = load_config(config or "tagger", assignments=assignments)
        trees = list(progress(read(files, source_format, charset, on_error), "reading"))
        from permutree.training.jackknife import jackknife

        tagged = jackknife(trees, settings, folds, Path(work))
        _write(tagged, output, target, is_text=False)
    same = sum(sum(map(str.__eq__, tree.tags, gold.tags)) for tree, gold in zip(tagged, trees, strict=True))
    words = sum(map(len, trees))
    click.echo(f"permutree: {len(trees):,} trees; {same / words:.2%} of {words:,} tags are as before", err=True)


def _target(output: str) -> str | None:
    """The format that a file has by its name."""
    if text_format(output) == TAGGED:
        return TAGGED
    found = guess_format(Path(output).name)
    return found.name if found else None


def _tag(
    files: tuple[str, ...],
    model: str,
    output: str,
    target: str | None,
    device: str | None,
    source_format: str | None,
    charset: str,
    on_error: OnError,
) -> None:
    """Tag with a model."""
    from permutree.parsing.parser import Parser

    parser = Parser.load(model, device)
    if not parser.predicts_tags:
        raise DataError("predicts no tags; use a tagger, or a parser trained with --tags joint", source=model)
    sentences = read_sentences(files, source_format, charset, on_error)
    tagged = parser.tag_all(sentences, chunk=chunk_size(files))
    first = next(tagged, None)
    if first is None:
        _write([], output, target, is_text=source_format in ("tokens", TAGGED))
        return
    is_text = isinstance(first, Sentence)
    _write(_of_one_kind(chain([first], tagged), is_text), output, target, is_text=is_text)


def _of_one_kind(items: Iterable[Tree | Sentence], is_text: bool) -> Iterator[Tree | Sentence]:
    for number, item in enumerate(items, 1):
        if isinstance(item, Sentence) != is_text:
            raise DataError("trees and text do not go into one output: tag them one by one", sentence=number)
        yield item


def _write(items: Iterable[Tree | Sentence], output: str, target: str | None, *, is_text: bool) -> None:
    """Write trees, or words and tags."""
    if target == TAGGED or (is_text and target is None):
        with open_output(output) as stream:
            write_tagged(((item.words, item.tags or ()) for item in items), stream)
    elif is_text:
        raise click.UsageError(f"tokenised text has no trees to be written as {target}: use --to tagged, or parse it.")
    else:
        write(cast("Iterable[Tree]", items), output, target or ("discbracket" if output == "-" else None))
