"""Words of Penn-historical brackets: which of them are empty elements, and which have a lemma after a hyphen."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from permutree.formats.brackets import Bracket, unescape

__all__ = [
    "COMMENTS",
    "Lemmas",
    "guess_lemmas",
    "is_empty",
    "is_punctuation",
    "may_have_lemma",
    "split_terminal",
    "split_word",
]

#: brackets that say something about the text and are no part of it
COMMENTS = frozenset(["CODE", "ID", "LINEBREAK", "METADATA", "REF", "VERSION"])

#: which terminals have lemmas: all, none or those of punctuation; ``auto`` finds it out
Lemmas = Literal["auto", "yes", "no", "punctuation"]

is_empty = re.compile(r"0|\*(?:-[0-9]+)?|\*[^*]*[^\W_][^*]*\*(?:.*[^-])?").fullmatch


def guess_lemmas(brackets: Iterable[Bracket]) -> tuple[Lemmas, str | None]:
    """Which terminals have lemmas, by their looks; and what speaks against it, where it may as well be otherwise."""
    words: list[str] = []
    signs: list[str] = []
    for bracket in brackets:
        for part in bracket.subtrees():
            if part.word is not None and part.label not in COMMENTS and not is_empty(part.word):
                (signs if is_punctuation(part.word) else words).append(part.word)
    hyphenated = _hyphenated(words)
    doubt = f"{hyphenated} of {len(words)} words have a hyphen inside" if _is_doubtful(hyphenated, words) else None
    if words and 2 * hyphenated >= len(words):
        return "yes", doubt
    # Dashes tell nothing.
    signs = [sign for sign in signs if sign.strip("-")]
    return "punctuation" if signs and 2 * _hyphenated(signs) >= len(signs) else "no", doubt


def _hyphenated(words: list[str]) -> int:
    return sum("-" in word[1:] for word in words)


def _is_doubtful(hyphenated: int, words: list[str]) -> bool:
    """Whether neither most words have a hyphen, as words with lemmas do, nor few, as others."""
    return len(words) < 4 * hyphenated < 3 * len(words)


def is_punctuation(text: str) -> bool:
    """Whether a word, or a terminal with its lemma, has no letter or digit."""
    return not any(map(str.isalnum, unescape(text)))


def may_have_lemma(text: str, lemmas: Lemmas) -> bool:
    """Whether a hyphen in such a terminal parts word and lemma."""
    return lemmas == "yes" or (lemmas == "punctuation" and is_punctuation(text))


def split_word(text: str, has_lemmas: bool) -> tuple[str, str | None]:
    """The word and the lemma of a terminal.

    >>> split_word("góður-góður", True), split_word("--", True), split_word("góð-ur", False)
    (('góður', 'góður'), ('-', None), ('góð-ur', None))
    """
    text = unescape(text)
    at = text.rfind("-") if has_lemmas else 0
    return (text[:at], text[at + 1 :] or None) if at > 0 else (text, None)


def split_terminal(text: str, lemmas: Lemmas) -> tuple[str, str | None]:
    """The word and the lemma of a terminal, in a file that has lemmas so."""
    return split_word(text, may_have_lemma(text, lemmas))
