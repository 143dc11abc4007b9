"""Raw text: its sentences and words, as the treebanks that models learn from have them, and its language."""

from __future__ import annotations

from permutree.text.guessing import guess_language
from permutree.text.languages import LANGUAGES
from permutree.text.sentences import TextSentence, paragraphs, split, split_stream, tokenise

__all__ = ["LANGUAGES", "TextSentence", "guess_language", "paragraphs", "split", "split_stream", "tokenise"]
