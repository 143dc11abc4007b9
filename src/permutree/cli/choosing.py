"""Which language a text is in, and so which model it is for: given, or guessed for each file."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, groupby, islice
from operator import itemgetter

import click

from permutree.cli.terminal import say
from permutree.errors import DataError
from permutree.languages import all_languages, language_named
from permutree.languages.guessing import Guess, judge_language
from permutree.models import name_for
from permutree.parsing.inputs import Part, RawText, Unread, sentences_of

__all__ = ["ChosenLanguage", "LanguageChoice", "by_model", "input_of", "language_option"]


class LanguageChoice(click.Choice[str]):
    """The codes of languages that text can be parsed in; for any other, the message says where models come from."""

    def __init__(self) -> None:
        super().__init__(list(all_languages()))

    def get_invalid_choice_message(self, value: object, ctx: click.Context | None) -> str:
        """The usual message, and the way out."""
        said = super().get_invalid_choice_message(value, ctx).removesuffix(".")
        return f"{said}; `permutree models` lists models, and installs those of other languages."


language_option = click.option(
    "-l",
    "--lang",
    "language",
    type=LanguageChoice(),
    help="Language of the text, and of the model unless --model names another; guessed for each file if not given.",
)

_SUFFIX = re.compile(r"\.\w{1,12}$")
#: sentences of a treebank that its language is guessed by
_FIRST = 100


def input_of(argument: str) -> str | RawText:
    """An argument as the path of a file, or as text if there is no such file and it does not look like a path."""
    if argument == "-" or os.path.lexists(argument):
        return argument
    if not argument.strip():
        raise click.UsageError("the text is empty.")
    folder, name = os.path.split(argument)
    # A slash alone, as in and/or, makes no path.
    is_path = bool(_SUFFIX.search(name) or argument.startswith((".", "/", "~")) or argument.endswith("/"))
    if (is_path and not any(map(str.isspace, argument))) or (folder and os.path.isdir(folder)):
        raise DataError(
            "there is no such file; if it is text, give it on standard input, as in `echo TEXT | permutree parse`",
            source=argument,
        )
    return RawText(argument)


class ChosenLanguage:
    """The language of the text: given, or guessed for each file, with a message where it is another or unsure."""

    def __init__(self, name: str | None, *, has_several: bool) -> None:
        self.is_given = name is not None
        self.has_several = has_several
        self.name = name
        self._path: str | RawText = "-"
        self._said: str | None = None

    def begin(self, path: str | RawText) -> None:
        """Forget the guess, as another file is read."""
        self._path = path
        if not self.is_given:
            self.name = None

    def choose(self, text: str) -> str:
        """The language, guessed from this text if it was not given."""
        if self.is_given and self.name is not None:
            return self.name
        guess = judge_language(text)
        self.name = guess.language
        if guess.language != self._said or not guess.is_sure:
            self._say(guess)
        self._said = guess.language if guess.is_sure else None
        return self.name

    def _say(self, guess: Guess) -> None:
        name = language_named(guess.language).name
        where = ""
        if self.has_several:
            where = "standard input: " if self._path == "-" else f"{self._path}: "
            where = "the text given: " if isinstance(self._path, RawText) else where
        said = f"the language is taken to be {name}"
        if not guess.is_sure:
            said = f"the language is unsure; it is taken to be {name}"
        say(f"{where}{said}; if it is another, say --lang {'|'.join(all_languages())}")


def _with_models(
    paths: Iterable[str | RawText],
    read: Callable[[str | RawText], Iterator[Part]],
    language: ChosenLanguage,
    model: str | None,
) -> Iterator[tuple[str, Part]]:
    """The parts of all files, each with the name of the model that parses it: that given, or that of its language."""
    for path in paths:
        language.begin(path)
        parts = read(path)
        if model is None:
            parts = _guess_language(parts, language)
        for part in parts:
            if model is not None:
                yield model, part
            else:
                assert language.name is not None
                yield name_for(language.name), part


def _guess_language(parts: Iterator[Part], language: ChosenLanguage) -> Iterator[Part]:
    """The parts of a file unchanged; when the first one comes, the language has been guessed."""
    # To read raw text, its language had to be chosen; that of others is told by their words.
    first = list(islice(parts, 1))
    if first and language.name is None:
        while sum(part.size if isinstance(part, Unread) else 1 for part in first) <= _FIRST:
            if (part := next(parts, None)) is None:
                break
            first.append(part)
        # What is no sentence is told when it is parsed.
        sentences = islice(sentences_of(first, lambda error: None), 1 + _FIRST)
        language.choose(" ".join(chain.from_iterable(one.words for one in sentences)))
    return chain(first, parts)


def by_model(
    paths: Iterable[str | RawText],
    read: Callable[[str | RawText], Iterator[Part]],
    language: ChosenLanguage,
    model: str | None,
) -> Iterator[tuple[str, Iterator[Part]]]:
    """The parts of all files in order, those together that follow each other and have the same model, with its name."""
    for name, group in groupby(_with_models(paths, read, language, model), key=itemgetter(0)):
        yield name, map(itemgetter(1), group)
