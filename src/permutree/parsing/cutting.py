"""Sentences that are too long to be parsed whole: cut into pieces, whose trees are joined under one root.

Attention compares all words of a sentence, so that memory grows with the square of its length, and nothing that long
was ever learnt from. What has more than :data:`LONGEST` words is mostly a text whose sentences were not split, a table
or a list. It is cut at sentence-final punctuation; what is still too long, at other punctuation, and where there is
none, anywhere. The words alone decide where, so that a tree stays a function of its sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from permutree.errors import DataError, OnError, raise_error
from permutree.parsing.blocks import Block
from permutree.parsing.chunks import Given, sentences_in
from permutree.parsing.inputs import Sentence
from permutree.trees.tree import Tree

__all__ = ["LONGEST", "groups_of", "piece_lengths", "refuse_long"]

#: words of the longest sentence that is parsed whole
LONGEST = 500
#: characters of a sentence that a message quotes
_QUOTED = 40

_FINAL = re.compile(r"[.!?…。！？।۔]+").fullmatch
#: what may follow a full stop and still belong to its sentence
_CLOSING = re.compile(r"[\"'”’»)\]}]+|-RRB-|-RSB-").fullmatch
#: punctuation inside sentences, the strongest first
_INNER = (re.compile(r"[;:–—]+|--+").fullmatch, re.compile(r"[,，、)\]]|-RRB-").fullmatch)


def piece_lengths(words: Sequence[str], longest: int = LONGEST) -> list[int]:
    """How many words the pieces of a sentence have; a sentence that is not too long is one piece.

    >>> piece_lengths("One . Two . ) Three , four five six seven eight".split(), 4)
    [2, 3, 4, 3]
    """
    if len(words) <= longest:
        return [len(words)]
    bounds = [0]
    is_over = False
    for place, word in enumerate(words):
        if _FINAL(word):
            is_over = True
        elif is_over and not _CLOSING(word):
            bounds.append(place)
            is_over = False
    lengths: list[int] = []
    for start, end in pairwise([*bounds, len(words)]):
        while end - start > longest:
            length = _inner_cut(words, start, longest)
            lengths.append(length)
            start += length
        lengths.append(end - start)
    return lengths


def _inner_cut(words: Sequence[str], start: int, longest: int) -> int:
    """After how many words a stretch is cut: behind the last of the strongest marks in the second half of them."""
    for is_mark in _INNER:
        for length in range(longest, longest // 2, -1):
            if is_mark(words[start + length - 1]):
                return length
    return longest


def refuse_long(
    sentences: Iterable[Given | Block], most: int | None, on_error: OnError = raise_error
) -> Iterable[Given | Block]:
    """Pass on sentences of at most so many words, if there is a limit; others are errors that name the sentence."""
    return sentences if most is None else _refuse_long(sentences_in(sentences), most, on_error)


def _refuse_long(sentences: Iterable[Given], most: int, on_error: OnError) -> Iterator[Given]:
    for number, sentence in enumerate(sentences, 1):
        words = sentence.words if isinstance(sentence, Sentence | Tree) else sentence
        if len(words) <= most:
            yield sentence
            continue
        name = sentence.annotations.id if isinstance(sentence, Sentence | Tree) else None
        start = " ".join(words[:_QUOTED])[:_QUOTED]
        what = f"{start!r} …" if name is None else f"{name!r}, {start!r} …,"
        message = f"{what} has {len(words):,} words, and --max-words allows {most:,}: split it, or allow more"
        on_error(DataError(message, sentence=number))


def groups_of(lengths: Sequence[int], most: int) -> Iterator[slice]:
    """Pieces that stand together and have about so many words."""
    first = words = 0
    for number, length in enumerate(lengths):
        if words and words + length > most:
            yield slice(first, number)
            first, words = number, 0
        words += length
    if first < len(lengths):
        yield slice(first, len(lengths))
