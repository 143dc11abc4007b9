"""``permutree parse``: trees for raw text, for tokenised text and for the sentences of treebanks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from permutree.cli.choosing import ChosenLanguage, by_model, input_of, language_option
from permutree.cli.options import (
    SkipBad,
    device_option,
    drawing_options,
    output_options,
    scheme_option,
    sentence_options,
    target_of,
    title_of,
    writer_options,
)
from permutree.cli.terminal import chunk_size, is_terminal, is_typed, is_watched, say
from permutree.errors import DataError, OnError
from permutree.formats import write
from permutree.formats.discbracket import FORMAT as DISCBRACKET
from permutree.formats.format import Format
from permutree.formats.sinks import is_collection, open_output
from permutree.formats.sources import strip_compression
from permutree.models import name_for
from permutree.parsing.cutting import LONGEST, refuse_long
from permutree.parsing.inputs import Part, RawText, Sentence, blocks_of, read_parts, sentences_of
from permutree.treebanks.transforms import SCHEMES, Transformation, add_root, transform
from permutree.trees.tree import Tree

if TYPE_CHECKING:
    from tqdm import tqdm

    from permutree.parsing.blocks import Block
    from permutree.parsing.chunks import Given
    from permutree.parsing.parsed import Counts, Parsed, Written
    from permutree.parsing.parser import Parser


@click.command(
    epilog="""\b
Examples:
  permutree parse 'What did you think I said?'
  permutree parse --lang nl news.txt -o news.discbracket
  permutree parse --lang de *.txt --jobs 4 --to jsonl -o trees.jsonl.gz
  permutree parse book.txt -o book.html
  permutree parse book.txt --index book.ptidx
  permutree parse 'What did you think I said?' -o figure.tex --fragment
  echo 'How does it work?' | permutree parse --to discbracket
  permutree parse --model model dev.discbracket -o predicted.discbracket
  permutree parse --model model --tagger tagger --from tokens 'How does it work ?'
  permutree parse --model one --with two --with three test.export -o predicted.export
  permutree parse --model model test.export | permutree evaluate test.export -"""
)
@click.argument("inputs", nargs=-1, metavar="[TEXT|FILE...|-]")
@language_option
@click.option(
    "-m", "--model", metavar="NAME|FOLDER", help="A bundled or installed model, or the folder of one of your own."
)
@click.option(
    "--with",
    "partners",
    multiple=True,
    metavar="NAME|FOLDER",
    help="Another model of the same language, labeller and encoding, for an ensemble; needs PyTorch.",
)
@click.option("--tagger", metavar="FOLDER", help="Tag the sentences with this model first, whatever tags they have.")
@output_options("discbracket, on a terminal drawings")
@click.option(
    "--index",
    metavar="INDEX",
    help="Write no trees but an index of them, such as corpus.ptidx, which `permutree search` reads.",
)
@click.option("-j", "--jobs", type=click.IntRange(1), default=1, metavar="N", help="Parse in N processes.")
@click.option(
    "--repair",
    type=click.Choice(["rules", "scores"]),
    help="What labels that describe no tree are repaired by: the rules of the encoding, or the model's probabilities; "
    "as the model was trained, if not given.",
)
@click.option(
    "--max-words",
    type=click.IntRange(1),
    metavar="N",
    help=f"Refuse sentences of more than N words; otherwise those of more than {LONGEST} are cut into pieces, whose "
    "trees are joined under one root.",
)
@click.option("--root", metavar="LABEL", help="Put a root with this label over trees that have another.")
@scheme_option
@click.option(
    "-v", "--verbose", is_flag=True, help="Say how many sentences, words and repairs there were, and the speed."
)
@drawing_options
@device_option
@sentence_options
def command(
    inputs: tuple[str, ...],
    language: str | None,
    model: str | None,
    partners: tuple[str, ...],
    tagger: str | None,
    output: str,
    target_format: Format | None,
    index: str | None,
    jobs: int,
    repair: str | None,
    max_words: int | None,
    root: str | None,
    scheme: str | None,
    verbose: bool,
    width: int | None,
    colour: str,
    transparent: bool,
    fragment: bool,
    device: str | None,
    source_format: str | None,
    charset: str,
    skip_bad: bool,
) -> None:
    """Parse text, or the sentences of treebanks.

    TEXT is split into sentences and words, and so are FILEs that are no treebanks. Without either, standard input is
    read. Without --lang and --model, the language of each file is guessed, and its bundled model is used.

    Of a treebank only words are read, and tags if the model reads tags; ids, lemmas and other annotations of words are
    handed on. SVG and PNG hold one tree: see `permutree draw --help` for how to name several files, and `permutree
    convert --help` for a list of formats.
    """
    if index is not None and (output != "-" or target_format is not None):
        raise click.UsageError("--index writes an index and no trees: it does not go with -o and --to.")
    paths = [input_of(one) for one in inputs] or ["-"]
    target = target_of(output, target_format, draws=is_terminal(output))
    drawing = writer_options(
        target, output, paths, width=width, colour=colour, transparent=transparent, fragment=fragment
    )
    if "-" in paths and is_typed():
        say("reading what you type; an empty line ends a text, and Ctrl-D the input")
    options: dict[str, Any] = {
        "tagger": tagger,
        "partners": partners,
        "use_scores": None if repair is None else repair == "scores",
    }
    with SkipBad(skip_bad) as on_error, _Progress(paths, index or output) as bar:
        load = cache(partial(_load, device=device, scheme=scheme, options=options))
        steps = _steps(root, scheme)
        model = model or (name_for(language) if language else None)
        known = ChosenLanguage(language or (load(model).language if model else None), has_several=len(paths) > 1)
        read = partial(
            read_parts,
            format=source_format,
            charset=charset,
            on_error=on_error,
            language=known.choose,
            on_bytes=bar.count_bytes,
        )
        runs = by_model(paths, read, known, model)
        if "language" in target.write_options:
            # When the first sentence comes, the language has been chosen.
            first = next(runs, None)
            drawing["language"] = known.name if len(paths) == 1 or known.is_given else None
            runs = runs if first is None else chain([first], runs)
        summary = _Summary(bar.count_sentences)
        # One of both is asked for: lines of discbracket straight from the arrays, or trees.
        written: Iterator[Iterable[Written]]
        found: Iterator[Iterable[Parsed]]
        if jobs == 1:
            chunk = chunk_size(paths)
            given = (
                (load(name), refuse_long(_sentences(load(name), parts, on_error), max_words, on_error))
                for name, parts in runs
            )
            written = (parser.texts(sentences, chunk=chunk) for parser, sentences in given)
            found = (
                parser.batches(sentences, chunk=chunk, confidence=target.has_confidence) for parser, sentences in given
            )
        else:
            from permutree.parsing.processes import parse_in_processes, write_in_processes

            in_processes = {**options, "on_error": on_error, "device": device, "threads": 1, "max_words": max_words}
            tagged = ((name, _tagged(load(name), parts, on_error)) for name, parts in runs)
            written = (write_in_processes(parts, jobs, name, **in_processes) for name, parts in tagged)
            found = (
                parse_in_processes(parts, jobs, name, **in_processes, confidence=target.has_confidence)
                for name, parts in tagged
            )
        if index is not None:
            _write_index(summary.count(chain.from_iterable(found)), index, steps, _file_of(paths))
        elif target is DISCBRACKET and not steps:
            _write_texts(summary.texts(chain.from_iterable(written)), output)
        else:
            write(_trees(summary.count(chain.from_iterable(found)), steps), output, target, **drawing)
        on_error.read = summary.counts.sentences
    summary.print(verbose)


def _steps(root: str | None, scheme: str | None) -> list[Transformation]:
    """What is done to the trees of the parser."""
    steps: list[Transformation] = [SCHEMES[scheme]] if scheme is not None else []
    return [*steps, partial(add_root, label=root)] if root is not None else steps


def _load(model: str, device: str | None, scheme: str | None, options: dict[str, Any]) -> Parser:
    """The parser of this name; a DataError if it is none."""
    from permutree.parsing.parser import Parser

    parser = Parser.load(model, device, **options)
    if scheme is not None and parser.language not in (None, "de"):
        raise click.UsageError(f"--scheme {scheme} is for German trees, and the model {model!r} makes others.")
    if parser.model.codec is None:
        raise DataError("is a tagger; use it with `permutree tag`, or as --tagger of a parser", source=model)
    if parser.model.config.reads_tags:
        whose = "the input" if options["tagger"] is None else f"the tagger {options['tagger']}"
        say(f"the model reads tags: those of {whose} are used")
    return parser


def _sentences(parser: Parser, parts: Iterator[Part], on_error: OnError) -> Iterator[Given | Block]:
    """The sentences of all parts, as blocks where nothing but words is wanted of them."""
    read = blocks_of if parser.replaces_tags else sentences_of
    return read(_tagged(parser, parts, on_error), on_error)


def _tagged(parser: Parser, parts: Iterator[Part], on_error: OnError) -> Iterator[Part]:
    """The parts, or sentences with tags if the parser needs these."""
    return _with_tags(sentences_of(parts, on_error)) if parser.needs_tags else parts


def _with_tags(sentences: Iterable[Tree | Sentence]) -> Iterator[Tree | Sentence]:
    """Pass sentences on; one without tags is an error."""
    for number, sentence in enumerate(sentences, 1):
        if sentence.tags is None:
            raise DataError(
                "the model reads tags, and this text has none: name a tagger with --tagger, or give text with tags "
                "(--from tagged)",
                sentence=number,
            )
        yield sentence


class _Progress:
    """A bar on standard error: of bytes if all are files of known size, else of sentences."""

    def __init__(self, paths: Sequence[str | RawText], output: str) -> None:
        sizes = [_size(path) for path in paths]
        self.total = None if None in sizes else sum(size for size in sizes if size is not None)
        self.bar: tqdm[Any] | None = None
        # Where trees are shown, a bar would be in the way. Where nobody sees one, it need not be loaded.
        if not is_terminal(output) and is_watched():
            from tqdm import tqdm

            unit = " sentences" if self.total is None else "B"
            self.bar = tqdm(
                desc="parsing", total=self.total, unit=unit, unit_scale=True, disable=None, leave=False, delay=0.5
            )

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *error: object) -> None:
        if self.bar is not None:
            self.bar.close()

    def count_bytes(self, count: int) -> None:
        """Count bytes that have been read."""
        if self.bar is not None and self.total is not None:
            self.bar.update(count)

    def count_sentences(self, count: int) -> None:
        """Count sentences that have been parsed."""
        if self.bar is not None and self.total is None:
            self.bar.update(count)


def _size(path: str | RawText) -> int | None:
    """The size of a file, if its bytes are read one after the other."""
    if isinstance(path, RawText) or strip_compression(path) != path or not Path(path).is_file() or is_collection(path):
        return None
    return Path(path).stat().st_size


def _write_index(batches: Iterable[Parsed], index: str, steps: list[Transformation], file: str) -> None:
    """Write an index of trees; they are numbered over all inputs."""
    from permutree.search.columns import Located
    from permutree.search.index import write_index

    write_index((Located(tree, file, number) for number, tree in enumerate(_trees(batches, steps), 1)), index)


def _file_of(paths: Sequence[str | RawText]) -> str:
    """What sentences of an index say they are from."""
    return title_of(paths) if any(isinstance(path, str) and path != "-" for path in paths) else "text"


def _write_texts(texts: Iterable[str], output: str) -> None:
    with open_output(output) as stream:
        for text in texts:
            stream.write(text)
            stream.flush()


def _trees(batches: Iterable[Parsed], steps: list[Transformation]) -> Iterator[Tree]:
    for batch in batches:
        for tree in batch.trees():
            yield transform(tree, *steps)


class _Summary:
    """Counts sentences and repairs while they pass."""

    def __init__(self, on_sentences: Callable[[int], None]) -> None:
        from permutree.parsing.parser import Counts

        self.counts = Counts()
        self.on_sentences = on_sentences
        self.start = time.perf_counter()

    def add(self, counts: Counts) -> None:
        self.counts += counts
        self.on_sentences(counts.sentences)

    def count(self, batches: Iterable[Parsed]) -> Iterator[Parsed]:
        for batch in batches:
            self.add(batch.counts())
            yield batch

    def texts(self, written: Iterable[Written]) -> Iterator[str]:
        for text, counts, _ in written:
            self.add(counts)
            yield text

    def print(self, verbose: bool) -> None:
        """Say what was cut, and how much was parsed if somebody wants to know."""
        seconds, counts = time.perf_counter() - self.start, self.counts
        if counts.cut:
            cut = f"{_count(counts.cut, 'sentence')} of more than {LONGEST} words"
            say(f"{cut} cut into {_count(counts.pieces, 'piece')}, whose trees are joined under one root")
        if not verbose:
            return
        said = f"{_count(counts.sentences, 'sentence')}, {_count(counts.words, 'word')}"
        said += f", {counts.sentences / seconds:,.0f} sentences/s"
        if counts.kinds:
            kinds = ", ".join(f"{kind} {count:,}" for kind, count in counts.kinds.most_common())
            repairs = _count(counts.kinds.total(), "repair")
            said += f"; {repairs} in {_count(counts.repaired, 'sentence')} ({kinds})"
        say(said)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
