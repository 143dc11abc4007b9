"""Tokens of other libraries, as a parser's language would cut and write them.

Tokenisers differ: Dutch *auto-ongeluk* may be three tokens, and is one word in the treebank that the model learns from.
So the text is tokenised as the treebank does it. Where one word of the treebank is several tokens, these are
parsed as one word; everywhere else the tokens are the words, spelt as the treebank spells them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain
from typing import NamedTuple

from permutree.languages import language_named, tokenise
from permutree.languages.scanner import written
from permutree.trees.tree import Tree

__all__ = ["Words", "words_of"]


class Words(NamedTuple):
    """Words for a parser, and the tokens, by number, that each of them stands for."""

    words: list[str]
    tokens: list[list[int]]

    def expand(self, tree: Tree, texts: Sequence[str]) -> Tree:
        """The tree of these words as a tree over tokens with these texts; tokens of one word are sisters."""
        ends = list(accumulate((len(self.tokens[word]) for word in tree.order), initial=0))
        tags = [""] * len(texts)
        for word, tokens in enumerate(self.tokens):
            for token in tokens:
                tags[token] = tree.tags[word]
        return Tree.from_spans(
            texts,
            tags,
            chain.from_iterable(self.tokens[word] for word in tree.order),
            tree.labels,
            [ends[start] for start in tree.starts],
            [ends[end] for end in tree.ends],
            tree.annotations
            if len(texts) == len(tree)
            else type(tree.annotations)(confidence=tree.annotations.confidence),
        )


def words_of(text: str, offsets: Sequence[tuple[int, int]], language: str | None) -> Words:
    """The words of tokens that stand at these places of a text, as the treebanks of a language have them.

    >>> words_of("Een auto-ongeluk.", [(0, 3), (4, 8), (8, 9), (9, 16), (16, 17)], "nl")
    Words(words=['Een', 'auto-ongeluk', '.'], tokens=[[0], [1, 2, 3], [4]])
    """
    if language is None:
        return Words([text[start:end] for start, end in offsets], [[number] for number in range(len(offsets))])
    known = language_named(language)
    found = tokenise(text, language)
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
    return Words(words, tokens)


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
