"""Sentences to be parsed or tagged: those of treebanks, of tokenised text and of raw text.

Text comes in four formats. ``text`` is raw text, which is split into sentences and words; ``lines`` is raw text with a
sentence a line, which is split into words. ``tokens`` has a sentence a line, blanks between words. ``tagged`` has a
word a line, a tab and its tag, and an empty line after each sentence: unlike a sign between word and tag, a tab cannot
be part of a word.

Sources are read in two steps. The first, :func:`read_parts`, finds the lines and paragraphs, and leaves them as they
are; the second makes sentences of them. It takes longer, needs nothing but the part itself, and can be done elsewhere.
"""

from __future__ import annotations

import codecs
import logging
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import chain, groupby
from pathlib import Path, PurePath
from typing import NamedTuple, TextIO

from permutree.errors import DataError, OnError, TreeError, raise_error
from permutree.formats import Noted
from permutree.formats.format import Format
from permutree.formats.lines import LONGEST
from permutree.formats.registry import READABLE, format_named, guess_format, is_stray
from permutree.formats.sources import Source, check_charset, open_sources, strip_compression
from permutree.parsing.blocks import Block, words_in_trees
from permutree.parsing.pieces import begin
from permutree.trees.annotations import NO_ANNOTATIONS, Annotations
from permutree.trees.tree import Tree

__all__ = [
    "TEXT_FORMATS",
    "ChooseLanguage",
    "Part",
    "RawText",
    "Sentence",
    "Unread",
    "blocks_of",
    "read_parts",
    "read_sentences",
    "sentences_of",
    "text_format",
    "write_tagged",
]

_log = logging.getLogger("permutree")
# Blanks of other scripts and typography may stand within a word, such as the one in 10 000.
_BLANKS = " \t\n\r\f\v"
_BLANK = re.compile(f"[{_BLANKS}]+")
_TAGGED = re.compile(r"[^ \t\n\r\f\v]+\t[^ \t\n\r\f\v]+").fullmatch
_HALVES = re.compile("[\ud800-\udfff]")
#: what makes the tree of a line, by format
_LINE_PARSERS = {name: entry.parse_line for name, entry in READABLE.items() if entry.parse_line is not None}

#: characters of a usual sentence
_USUAL = 128

#: lines that stay together
_TOGETHER = 128

#: text → its language
ChooseLanguage = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words, their tags if there are any, and what else is known; a Tree may stand wherever a sentence does."""

    words: Sequence[str]
    tags: Sequence[str] | None = None
    annotations: Annotations = NO_ANNOTATIONS

    @property
    def offsets(self) -> Sequence[tuple[int, int] | None] | None:
        """Where each word stands in the text that it comes from, as half-open intervals."""
        return self.annotations.offsets


@dataclass(frozen=True, slots=True)
class RawText:
    """What stands in a file otherwise, to be read instead of one."""

    text: str

    def sources(self) -> Generator[Source, None, None]:
        """The text as a source, halves of surrogate pairs replaced."""
        yield Source.of_text(_HALVES.sub("\ufffd", self.text), "the text given")


class Unread(NamedTuple):
    """Lines, or paragraphs of raw text, of which sentences are still to be made.

    A plain tuple, as many are sent from one process to another.
    """

    format: str
    text: str
    #: where it stands, for messages
    source: str = ""
    line: int = 0
    #: what is known of raw text: the characters before it in its source, and its language
    offset: int = 0
    language: str = ""

    @property
    def size(self) -> int:
        """About how many sentences there are in it: a line is one."""
        return 1 + (len(self.text) // _USUAL if self.format == "text" else self.text.count("\n"))

    def read(self, on_error: OnError = raise_error) -> Iterator[Tree | Sentence]:
        """The sentences."""
        if self.format == "tokens":
            for line in self.text.split("\n"):
                yield Sentence([word for word in _BLANK.split(line) if word])
        elif self.format in _LINE_PARSERS:
            parse = _LINE_PARSERS[self.format]
            for number, line in enumerate(self.text.split("\n"), self.line):
                try:
                    yield parse(line)
                except TreeError as error:
                    on_error(DataError(str(error), source=self.source, line=number))
        else:
            from permutree.languages import split, tokenise

            is_line = self.format == "lines"
            found = [tokenise(self.text, self.language)] if is_line else split(self.text, self.language)
            yield from (_placed(words, offsets, self.offset) for words, offsets in found if words)

    def block(self) -> Block | None:
        """The words of its lines, if they can be had without making sentences."""
        if self.format == "tokens":
            return Block(self.text)
        return words_in_trees(self.text) if self.format == "discbracket" else None


def _placed(words: Sequence[str], offsets: Iterable[tuple[int, int]], before: int) -> Sentence:
    """A sentence whose places are counted from where so many characters come before."""
    places = tuple((start + before, end + before) for start, end in offsets)
    return Sentence(words, annotations=Annotations(offsets=places))


#: what the first step of reading finds
Part = Tree | Sentence | Unread


def read_sentences(
    paths: str | Path | RawText | Iterable[str | Path | RawText],
    format: str | None = None,  # noqa: A002 - the word that users expect
    charset: str = "utf-8",
    on_error: OnError = raise_error,
    *,
    language: str | ChooseLanguage | None = None,
    on_bytes: Callable[[int], None] | None = None,
) -> Iterator[Tree | Sentence]:
    """The trees of treebanks and the sentences of text, in order; ``-`` is standard input.

    The format is one of those of treebanks, or ``text``, ``lines``, ``tokens`` or ``tagged``. If it is not given, it is
    guessed, by the suffix of its name (.txt, .lines, .tokens, .tagged) or the content; what is no treebank is raw text.
    The language is that of raw text, or a function that chooses it for each file by its first text; if it is not given,
    it is guessed. Files without text have no language. ``on_bytes`` is told how much more of a file has been read, if
    that is not compressed.
    """
    parts = read_parts(paths, format, charset, on_error, language=language, on_bytes=on_bytes)
    with closing(parts):
        yield from sentences_of(parts, on_error)


def sentences_of(parts: Iterable[Part], on_error: OnError = raise_error) -> Iterator[Tree | Sentence]:
    """The second step: the sentences of all parts."""
    for part in parts:
        if isinstance(part, Unread):
            yield from part.read(on_error)
        else:
            yield part


def blocks_of(parts: Iterable[Part], on_error: OnError = raise_error) -> Iterator[Tree | Sentence | Block]:
    """The second step where words alone are wanted: blocks of lines where that is possible, else sentences."""
    for part in parts:
        if not isinstance(part, Unread):
            yield part
        elif (block := part.block()) is not None:
            yield block
        else:
            yield from part.read(on_error)


def read_parts(
    paths: str | Path | RawText | Iterable[str | Path | RawText],
    format: str | None = None,  # noqa: A002 - the word that users expect
    charset: str = "utf-8",
    on_error: OnError = raise_error,
    *,
    language: str | ChooseLanguage | None = None,
    on_bytes: Callable[[int], None] | None = None,
) -> Generator[Part, None, None]:
    """The first step of :func:`read_sentences`, with the same arguments.

    Errors of lines that are no trees are found in the second step, all others in this one.
    """
    check_charset(charset)
    choose = (lambda text: language) if isinstance(language, str) else language or _guess_aloud
    for path in [paths] if isinstance(paths, str | Path | RawText) else paths:
        is_found = False
        noted = Noted(on_error)
        with closing(path.sources() if isinstance(path, RawText) else open_sources(path, charset, noted)) as sources:
            for source in sources:
                try:
                    reader = _reader(source, format, choose)
                    if reader is not None:
                        is_found = True
                        yield from _counted(_unless_empty(reader(source, noted), source, noted), source, on_bytes)
                except DataError as error:
                    noted(error)
        if not is_found and not noted.count:
            on_error(DataError("holds no treebank or text", source=str(path), skipped=None))


def _unless_empty(parts: Iterator[Part], source: Source, noted: Noted) -> Iterator[Part]:
    """Pass parts on; if there is none, a warning says so."""
    before, is_empty = noted.count, True
    for part in parts:
        is_empty = False
        yield part
    if is_empty and noted.count == before and not source.ledger.faults:
        _log.warning("%s: holds no sentences", source.name)


def text_format(name: str) -> str | None:
    """The format of text that a file has by its name.

    >>> text_format("news.tagged.gz"), text_format("news.txt"), text_format("news.discbracket")
    ('tagged', 'text', None)
    """
    suffix = PurePath(strip_compression(name)).suffix.lower().removeprefix(".")
    suffix = "text" if suffix == "txt" else suffix
    return suffix if suffix in TEXT_FORMATS else None


def write_tagged(sentences: Iterable[tuple[Sequence[str], Sequence[str]]], stream: TextIO) -> None:
    """Write words with their tags in the format ``tagged``."""
    for number, (words, tags) in enumerate(sentences, 1):
        for word, tag in zip(words, tags, strict=True):
            row = f"{word}\t{tag}"
            if not _TAGGED(row):
                raise DataError(f"a word or tag with a blank cannot be written: {row!r}", sentence=number)
            stream.write(row + "\n")
        stream.write("\n")


def _guess_aloud(text: str) -> str:
    from permutree.languages.guessing import judge_language

    guess = judge_language(text)
    doubt = "" if guess.is_sure else ", which is unsure"
    _log.info("the language of the text is taken to be %r%s", guess.language, doubt)
    return guess.language


def _counted(parts: Iterator[Part], source: Source, on_bytes: Callable[[int], None] | None) -> Iterator[Part]:
    """Pass parts on, and report after each how many bytes of the file have been read."""
    if on_bytes is None or not source.is_plain or not source.stream.seekable():
        yield from parts
        return
    before = 0
    for part in parts:
        yield part
        position = source.stream.tell()
        on_bytes(position - before)
        before = position
    on_bytes(source.stream.tell() - before)


Reader = Callable[[Source, OnError], Iterator[Part]]
TextReader = Callable[[Source, OnError, ChooseLanguage], Iterator[Sentence | Unread]]


def _reader(source: Source, name: str | None, choose: ChooseLanguage) -> Reader | None:
    """What reads a source; None, with a warning, for a stray file among others."""
    name = name or text_format(source.member or source.name)
    if name in TEXT_FORMATS:
        return _with_language(TEXT_FORMATS[name], choose)
    head = source.head()
    found: Format | None = format_named(name) if name else guess_format(source.member or source.name, head)
    if found is not None and not is_stray(source, found):
        return found.reader if found.parse_line is None else partial(_read_tree_lines, found.name)
    if source.member is not None:
        _log.warning("%s: left out, neither a treebank file nor text", source.name)
        return None
    if not head.strip():
        raise DataError("is empty", source=source.name, skipped=None)
    if b"\0" in head and not _is_text(head, source.charset):
        raise DataError(
            f"neither text nor a treebank of a known format ({', '.join(READABLE)}); if it is text all the same, say "
            "--from text, and its --charset",
            source=source.name,
            skipped=None,
        )
    return _with_language(_read_text, choose)


def _with_language(reader: TextReader, choose: ChooseLanguage) -> Reader:
    return lambda source, on_error: reader(source, on_error, choose)


def _is_text(head: bytes, charset: str) -> bool:
    try:
        codecs.getincrementaldecoder(charset)().decode(head)
    except UnicodeError:
        return False
    return True


def _read_tree_lines(name: str, source: Source, on_error: OnError) -> Iterator[Unread]:
    """The lines of a file in a format with a tree a line; blank ones are skipped."""
    for first, lines in source.blocks():
        if (fault := source.fault(first)) is not None:
            on_error(fault)
            continue
        for start, some in _without_blank(lines, str.isspace):
            yield Unread(name, "\n".join(some), source.name, first + start)


def _without_blank(lines: list[str], is_blank: Callable[[str], bool]) -> Iterator[tuple[int, list[str]]]:
    """Some lines at a time that follow each other, none of them empty or blank, with the place of the first."""
    # What is blank to anybody is white space to Python, which is much faster to ask.
    if "" not in lines and not any(map(str.isspace, lines)):
        runs = [(False, len(lines))]
    else:
        groups = groupby(not line or is_blank(line) for line in lines)
        runs = [(blank, len([*group])) for blank, group in groups]
    place = 0
    for blank, count in runs:
        for start in range(place, place + count, _TOGETHER) if not blank else ():
            yield start, lines[start : min(start + _TOGETHER, place + count)]
        place += count


def _read_text(source: Source, on_error: OnError, choose: ChooseLanguage) -> Iterator[Sentence | Unread]:
    """The paragraphs of raw text; a line that cannot be decoded ends one."""
    from permutree.languages import paragraphs

    start, pieces = begin(source, on_error)
    if not start:
        return
    language = choose(start)
    for offset, part in paragraphs((piece.text for piece in pieces), language):
        if isinstance(part, str):
            yield Unread("text", part, offset=offset, language=language)
            continue
        yield from (_placed(words, offsets, offset) for words, offsets in part)


def _read_lines(source: Source, on_error: OnError, choose: ChooseLanguage) -> Iterator[Unread]:
    """The lines of raw text with a sentence a line."""
    start, pieces = begin(source, on_error)
    if not start:
        return
    language = choose(start)
    before = 0
    for _, text, _ in pieces:
        yield Unread("lines", text, offset=before, language=language)
        before += len(text)


def _read_tokens(source: Source, on_error: OnError, choose: ChooseLanguage) -> Iterator[Unread]:
    """The lines of tokenised text; empty ones are left out, which is said."""
    count = first = 0
    for number, lines in source.blocks():
        if (fault := source.fault(number)) is not None:
            on_error(fault)
            continue
        after = 0
        for start, some in chain(_without_blank(lines, _is_blank), [(len(lines), [])]):
            if start > after:
                count += start - after
                first = first or number + after
            if some:
                yield Unread("tokens", "\n".join(some))
            after = start + len(some)
    if count:
        empty = "1 empty line" if count == 1 else f"{count:,} empty lines"
        _log.warning("%s: %s left out, the first is line %d", source.name, empty, first)


def _is_blank(line: str) -> bool:
    return not line.strip(_BLANKS)


def _read_tagged(source: Source, on_error: OnError, choose: ChooseLanguage) -> Iterator[Sentence]:
    """The sentences of lines with a word and its tag; one with a bad line is left out."""
    words: list[str] = []
    tags: list[str] = []
    error: DataError | None = None
    size = 0
    for number, line in chain(source.lines(), [(0, "")]):
        if not line.strip(" "):
            if error is not None:
                on_error(error)
            elif words:
                yield Sentence(words, tags)
            words, tags, error, size = [], [], None, 0
        elif (fault := source.fault(number)) is not None:
            error = error or fault
        elif error is not None:
            continue
        elif (size := size + len(line)) > LONGEST:
            error = DataError("a sentence that does not end", source=source.name, line=number)
        elif _TAGGED(line):
            word, _, tag = line.partition("\t")
            words.append(word)
            tags.append(tag)
        else:
            message = (
                f"expected a word, a tab and its tag, found {line[:80]!r}; for text without tags say --from tokens"
            )
            error = DataError(message, source=source.name, line=number)


#: how text is read, by format
TEXT_FORMATS: dict[str, TextReader] = {
    "text": _read_text,
    "lines": _read_lines,
    "tokens": _read_tokens,
    "tagged": _read_tagged,
}
