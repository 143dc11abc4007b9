"""``permutree tag``: tags for raw text, for tokenised text and for treebanks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from permutree.cli.choosing import ChosenLanguage, by_model, input_of, language_option
from permutree.cli.options import SkipBad, device_option, output_option, sentence_options
from permutree.cli.terminal import chunk_size, progress, say
from permutree.errors import DataError
from permutree.formats import read, write
from permutree.formats.registry import READABLE, guess_format
from permutree.formats.sinks import open_output
from permutree.formats.targets import check_folder, check_output
from permutree.models import name_for
from permutree.parsing.inputs import (
    TEXT_FORMATS,
    RawText,
    Sentence,
    read_parts,
    sentences_of,
    text_format,
    write_tagged,
)
from permutree.trees.tree import Tree

if TYPE_CHECKING:
    from permutree.parsing.parser import Parser

TAGGED = "tagged"


@click.command(
    epilog="""\b
Examples:
  permutree tag 'What did you think I said?'
  permutree tag --lang nl news.txt -o news.tagged
  permutree tag dev.discbracket --model tagger -o dev.tagged.discbracket
  echo 'How does it work ?' | permutree tag --model tagger --from tokens
  permutree tag train.discbracket --jackknife 10 --work taggers -o train.tagged.discbracket
  permutree tag train.discbracket --jackknife 5 --config my.toml --set training.epochs=10 --work taggers -o out.dbr"""
)
@click.argument("inputs", nargs=-1, metavar="[TEXT|FILE...|-]")
@language_option
@click.option(
    "-m",
    "--model",
    metavar="NAME|FOLDER",
    help="A bundled or installed model, or the folder of a tagger or of a parser with jointly predicted tags.",
)
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
    inputs: tuple[str, ...],
    language: str | None,
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
    """Tag sentences: a treebank comes out with other tags, text as words with tags.

    TEXT is split into sentences and words, and so are FILEs that are no treebanks. Without either, standard input is
    read. Without --lang and --model, the language of each file is guessed, and its bundled model is used.

    With --jackknife, a treebank gets tags as a tagger gives them to sentences that it has not seen: what a parser
    should be trained on that will read predicted tags.
    """
    paths = [input_of(one) for one in inputs] or ["-"]
    if folds is not None and (model is not None or language is not None):
        raise click.UsageError("--jackknife trains its own taggers: leave out --model and --lang.")
    target = target_format or (None if output == "-" else _target(output))
    check_output(output)
    with SkipBad(skip_bad) as on_error:
        if folds is None:
            if config or assignments or work:
                raise click.UsageError("--config, --set and --work go with --jackknife.")
            _tag(paths, language, model, output, target, device, source_format, charset, on_error)
            return
        if work is None or output == "-":
            raise click.UsageError("--jackknife needs a folder for its taggers, --work, and a file for the trees, -o.")
        files = [path for path in paths if isinstance(path, str)]
        if source_format in TEXT_FORMATS or len(files) < len(paths):
            raise click.UsageError("--jackknife learns from trees: give a treebank.")
        check_folder(work)
        from permutree.training.config import load_config

        settings = load_config(config or "tagger", assignments=assignments)
        trees = list(progress(on_error.count(read(files, source_format, charset, on_error)), "reading"))
        from permutree.training.jackknife import jackknife

        tagged = jackknife(trees, settings, folds, Path(work))
        _write(tagged, output, target, is_text=False)
    same = sum(sum(map(str.__eq__, tree.tags, gold.tags)) for tree, gold in zip(tagged, trees, strict=True))
    words = sum(map(len, trees))
    say(f"{len(trees):,} trees; {same / words:.2%} of {words:,} tags are as before")


def _target(output: str) -> str | None:
    """The format that a file has by its name."""
    if text_format(output) == TAGGED:
        return TAGGED
    found = guess_format(Path(output).name)
    return found.name if found else None


def _tag(
    paths: Sequence[str | RawText],
    language: str | None,
    model: str | None,
    output: str,
    target: str | None,
    device: str | None,
    source_format: str | None,
    charset: str,
    on_error: SkipBad,
) -> None:
    """Tag with a model: the one that was named, or the bundled one for the language."""
    load = cache(partial(_load, device=device))
    model = model or (name_for(language) if language else None)
    known = ChosenLanguage(language or (load(model).language if model else None), has_several=len(paths) > 1)
    read = partial(read_parts, format=source_format, charset=charset, on_error=on_error, language=known.choose)
    chunk = chunk_size(paths)
    tagged = (
        item
        for name, parts in by_model(paths, read, known, model)
        for item in load(name).tag_all(on_error.count(sentences_of(parts, on_error)), chunk=chunk)
    )
    first = next(tagged, None)
    if first is None:
        _write([], output, target, is_text=source_format in TEXT_FORMATS)
        return
    is_text = isinstance(first, Sentence)
    _write(_of_one_kind(chain([first], tagged), is_text), output, target, is_text=is_text)


def _load(model: str, device: str | None) -> Parser:
    """The tagger of this name; a DataError if it is none."""
    from permutree.parsing.parser import Parser

    tagger = Parser.load(model, device)
    if not tagger.predicts_tags:
        raise DataError(
            "predicts no tags; use a tagger, or a parser trained with `permutree train --tags joint`", source=model
        )
    return tagger


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
        raise click.UsageError(f"text has no trees to be written as {target}: use --to tagged, or parse it.")
    else:
        write(cast("Iterable[Tree]", items), output, target or ("discbracket" if output == "-" else None))
