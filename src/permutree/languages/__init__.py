"""A module a language: its words and sentences in raw text, as its treebanks have them, its clues, its labels."""

from __future__ import annotations

from permutree.languages.explaining import explain
from permutree.languages.glossary import Entry
from permutree.languages.guessing import guess_language
from permutree.languages.language import Language
from permutree.languages.registry import all_languages, language_named
from permutree.languages.sentences import TextSentence, paragraphs, split, split_stream, tokenise

__all__ = [
    "Entry",
    "Language",
    "TextSentence",
    "all_languages",
    "explain",
    "guess_language",
    "language_named",
    "paragraphs",
    "split",
    "split_stream",
    "tokenise",
]
