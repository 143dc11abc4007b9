"""Tokens of other libraries, as a parser's language would cut and write them.

Tokenisers differ: Dutch *auto-ongeluk* may be three tokens, and is one word in the treebank that the model learns from.
So the text is tokenised as the treebank does it. Where one word of the treebank is several tokens, these are
parsed as one word; everywhere else the tokens are the words, spelt as the treebank spells them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from permutree.languages import TextSentence, language_named, tokenise
from permutree.languages.scanner import written
from permutree.trees.tree import Tree

__all__ = ["Interval", "Words", "words_of"]


#: the first character, and the one after the last
Interval = tuple[int, int]


class Words(NamedTuple):
    """Words for a parser."""

    words: list[str]
    #: the tokens, by number, that each word stands for; None if each stands for one
    tokens: list[list[int]] | None = None

    def fields(self, tree: Tree) -> dict[str, list[Any]]:
        """The fields of the tree of these words as those of a tree over tokens; tokens of one word are sisters."""
        order, tags, starts, ends = tree.order, tree.tags, tree.starts, tree.ends
        if self.tokens is not None:
            places = list(accumulate((len(self.tokens[word]) for word in order), initial=0))
            order = [token for word in order for token in self.tokens[word]]
            tags = tuple(tag for tag, tokens in zip(tags, self.tokens, strict=True) for _ in tokens)
            starts, ends = tuple(places[start] for start in starts), tuple(places[end] for end in ends)
        return {
            "tags": list(tags),
            "order": list(order),
            "labels": list(tree.labels),
            "starts": list(starts),
            "ends": list(ends),
            "confidence": list(tree.annotations.confidence or ()),
        }


def words_of(text: str, offsets: list[Interval], language: str | None, found: TextSentence | None = None) -> Words:
    """The words of a sentence, whose tokens stand at these places of a text, as the treebanks of a language have them.

    ``found`` are these words, if they are known already, as :func:`permutree.languages.split` gives them.

    >>> words_of("Een auto-ongeluk.", [(0, 3), (4, 8), (8, 9), (9, 16), (16, 17)], "nl")
    Words(words=['Een', 'auto-ongeluk', '.'], tokens=[[0], [1, 2, 3], [4]])
    """
    if language is None:
        return Words([text[start:end] for start, end in offsets])
    if found is None:
        found = _tokenised(text, offsets[0][0], offsets[-1][1], language)
    if found.offsets == offsets:
        return Words(found.words)
    known = language_named(language)
    words: list[str] = []
    tokens: list[list[int]] = []
    number = 0
    for first, last in _segments(offsets, found.offsets):
        mine = range(number, first)
        number = first
        theirs = found.words[last[0] : last[1]]
        if len(theirs) == 1 and mine:
            words += theirs
            tokens.append(list(mine))
        else:
            words += [written(text[slice(*offsets[token])], known) for token in mine]
            tokens += [[token] for token in mine]
    return Words(words, tokens if len(words) < len(offsets) else None)


def _tokenised(text: str, start: int, end: int, language: str) -> TextSentence:
    """The words of a sentence that is this part of a text."""
    words, offsets = tokenise(text[start:end], language)
    return TextSentence(words, [(start + first, start + last) for first, last in offsets])


def _segments(ours: Sequence[tuple[int, int]], theirs: Sequence[tuple[int, int]]) -> list[tuple[int, tuple[int, int]]]:
    """Where both ways to cut a text end at the same place: tokens so far, and from which word to which."""
    segments = []
    word = begun = 0
    for token, (_, end) in enumerate(ours, 1):
        while word < len(theirs) and theirs[word][1] <= end:
            word += 1
        inside = word < len(theirs) and theirs[word][0] < end
        if not inside and (token == len(ours) or ours[token][0] >= (theirs[word - 1][1] if word else 0)):
            segments.append((token, (begun, word)))
            begun = word
    return segments
