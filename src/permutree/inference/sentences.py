"""Sentences to be parsed or tagged: those of treebanks, and tokenised text.

Text comes in two formats. ``tokens`` has a sentence a line, blanks between words. ``tagged`` has a word a line, a tab
and its tag, and an empty line after each sentence: unlike a sign between word and tag, a tab cannot be part of a word.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path, PurePath
from typing import TextIO

from permutree.tree import NO_ANNOTATIONS, Annotations, Tree
from permutree.treebanks.errors import OnError, TreebankError, raise_error
from permutree.treebanks.formats import FORMATS, Format, format_named, guess_format
from permutree.treebanks.sources import Source, open_sources, strip_compression

__all__ = ["TEXT_FORMATS", "Sentence", "read_sentences", "text_format", "write_tagged"]

_log = logging.getLogger("permutree")
# Blanks of other scripts and typography may stand within a word, such as the one in 10 000.
_BLANK = re.compile(r"[ \t\n\r\f\v]+")
_TAGGED = re.compile(r"[^ \t\n\r\f\v]+\t[^ \t\n\r\f\v]+").fullmatch


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words, their tags if there are any, and what else is known; a Tree may stand wherever a sentence does."""

    words: Sequence[str]
    tags: Sequence[str] | None = None
    annotations: Annotations = NO_ANNOTATIONS


def read_sentences(
    paths: str | Path | Iterable[str | Path],
    format: str | None = None,  # noqa: A002 - the word that users expect
    encoding: str = "utf-8",
    on_error: OnError = raise_error,
) -> Iterator[Tree | Sentence]:
    """The trees of treebanks and the sentences of tokenised text, in order; ``-`` is standard input.

    The format is one of those of treebanks, or ``tokens`` or ``tagged``. If it is not given, it is guessed; tokenised
    text only by the suffix of its name, .tokens or .tagged.
    """
    for path in [paths] if isinstance(paths, str | Path) else paths:
        is_found = False
        for source in open_sources(path, encoding):
            try:
                reader = _reader(source, format)
                if reader is not None:
                    is_found = True
                    yield from reader(source, on_error)
            except TreebankError as error:
                on_error(error)
        if not is_found:
            on_error(TreebankError("holds no treebank or tokenised text", source=str(path)))


def text_format(name: str) -> str | None:
    """The format of tokenised text that a file has by its name.

    >>> text_format("news.tagged.gz"), text_format("news.discbracket")
    ('tagged', None)
    """
    suffix = PurePath(strip_compression(name)).suffix.lower().removeprefix(".")
    return suffix if suffix in TEXT_FORMATS else None


def write_tagged(sentences: Iterable[tuple[Sequence[str], Sequence[str]]], stream: TextIO) -> None:
    """Write words with their tags in the format ``tagged``."""
    for number, (words, tags) in enumerate(sentences, 1):
        for word, tag in zip(words, tags, strict=True):
            row = f"{word}\t{tag}"
            if not _TAGGED(row):
                raise TreebankError(f"a word or tag with a blank cannot be written: {row!r}", sentence=number)
            stream.write(row + "\n")
        stream.write("\n")


Reader = Callable[[Source, OnError], Iterator[Tree | Sentence]]


def _reader(source: Source, name: str | None) -> Reader | None:
    """What reads a source; None, with a warning, for a stray file among others."""
    name = name or text_format(source.member or source.name)
    if name in TEXT_FORMATS:
        return TEXT_FORMATS[name]
    head = source.head()
    found: Format | None = format_named(name) if name else guess_format(source.member or source.name, head)
    if found is not None:
        return found.read
    if source.member is not None:
        _log.warning("%s: left out, neither a treebank file nor tokenised text", source.name)
        return None
    if not head.strip():
        raise TreebankError("is empty", source=source.name)
    raise TreebankError(
        "not a treebank of a known format; for text say what it is: --from tokens (a sentence a line, blanks between "
        f"words) or --from tagged (a word, a tab and its tag a line); treebanks are {', '.join(FORMATS)}",
        source=source.name,
    )


def _read_tokens(source: Source, on_error: OnError) -> Iterator[Sentence]:
    """The sentences of lines; empty ones are left out, which is said."""
    count = first = 0
    for number, line in source.lines():
        if words := [word for word in _BLANK.split(line) if word]:
            yield Sentence(words)
        else:
            count += 1
            first = first or number
    if count:
        some = "1 empty line" if count == 1 else f"{count:,} empty lines"
        _log.warning("%s: %s left out, the first is line %d", source.name, some, first)


def _read_tagged(source: Source, on_error: OnError) -> Iterator[Sentence]:
    """The sentences of lines with a word and its tag."""
    words: list[str] = []
    tags: list[str] = []
    error: TreebankError | None = None
    for number, line in chain(source.lines(), [(0, "")]):
        if not line.strip(" "):
            if error is not None:
                on_error(error)
            elif words:
                yield Sentence(words, tags)
            words, tags, error = [], [], None
        elif _TAGGED(line):
            word, _, tag = line.partition("\t")
            words.append(word)
            tags.append(tag)
        elif error is None:
            message = f"expected a word, a tab and its tag, found {line!r}; for text without tags say --from tokens"
            error = TreebankError(message, source=source.name, line=number)


#: how tokenised text is read, by format
TEXT_FORMATS: dict[str, Reader] = {"tokens": _read_tokens, "tagged": _read_tagged}
