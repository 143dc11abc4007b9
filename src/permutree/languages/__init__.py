"""Raw text: its sentences and words, as the treebanks that models learn from have them, and its language."""

from __future__ import annotations

from permutree.languages.guessing import guess_language
from permutree.languages.languages import LANGUAGES
from permutree.languages.sentences import TextSentence, paragraphs, split, split_stream, tokenise

__all__ = ["LANGUAGES", "TextSentence", "guess_language", "paragraphs", "split", "split_stream", "tokenise"]
