"""Chunks of a stream of sentences that are parsed together, and checks that they are sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from permutree.errors import TreeError
from permutree.parsing.blocks import Block
from permutree.parsing.inputs import Sentence
from permutree.trees.annotations import Annotations
from permutree.trees.numbered import Numbered, offsets_of
from permutree.trees.tree import Tree

__all__ = ["Chunk", "Given", "Words", "checked", "chunks_of", "no_tags", "sentences_in"]

Words = Sequence[Sequence[str]]
Given = Sequence[str] | Sentence | Tree

_KNOWN = (Sentence, Tree, Block)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Words of sentences, and the sentences themselves, unless these are nothing but words."""

    words: Words
    sentences: Sequence[Sentence | Tree] = ()

    @property
    def untagged(self) -> int | None:
        """The place of the first sentence without tags, if there is one."""
        if not self.sentences:
            return 0
        return next((place for place, one in enumerate(self.sentences) if one.tags is None), None)

    def tags(self) -> Words:
        """The tags of all sentences; where there are none, such as say so."""
        if all(one.tags is None for one in self.sentences):
            return no_tags(self.words)
        return [["_"] * len(one.words) if one.tags is None else one.tags for one in self.sentences]

    def annotations(self) -> list[Annotations]:
        """What else the input says of the sentences; empty if that is nothing."""
        return [one.annotations for one in self.sentences]


def no_tags(words: Words) -> Numbered:
    """Tags of sentences that have none."""
    offsets = offsets_of(words)
    return Numbered(("_",), np.zeros(int(offsets[-1]), np.int64), offsets)


def chunks_of(sentences: Iterable[Given | Block], size: int, most_words: int) -> Iterator[Chunk]:
    """Chunks of at most so many sentences, fewer if they are long; a block goes into a chunk as a whole."""
    chunk: list[Sentence | Tree] = []
    blocks: list[Block] = []
    count = words = 0
    for known in _known(sentences):
        is_block = isinstance(known, Block)
        if chunk if is_block else blocks:
            yield _chunk(chunk, blocks)
            chunk, blocks, count, words = [], [], 0, 0
        if isinstance(known, Block):
            blocks.append(known)
            count += known.count
            words += known.size
        else:
            chunk.append(known)
            count += 1
            words += len(known.words)
        if count >= size or words >= most_words:
            yield _chunk(chunk, blocks)
            chunk, blocks, count, words = [], [], 0, 0
    if chunk or blocks:
        yield _chunk(chunk, blocks)


def _chunk(sentences: list[Sentence | Tree], blocks: list[Block]) -> Chunk:
    return Chunk(Block.words(blocks)) if blocks else Chunk([one.words for one in sentences], sentences)


def _known(sentences: Iterable[Given | Block]) -> Iterator[Sentence | Tree | Block]:
    """Sentences as such, also where only words were given."""
    for number, sentence in enumerate(sentences, 1):
        if isinstance(sentence, _KNOWN):
            yield sentence
        elif isinstance(sentence, (list, tuple, Sequence)):
            yield Sentence(sentence)
        else:
            raise TreeError(f"sentence {number} is of type {type(sentence).__name__}; give a list of its words")


def sentences_in(given: Iterable[Given | Block]) -> Iterator[Given]:
    """The sentences, also those of blocks, one by one."""
    for one in given:
        if isinstance(one, Block):
            yield from one.rows()
        else:
            yield one


def checked(words: Words, tags: Words, first: int = 1) -> Numbered:
    """The words of sentences, numbered; what is no sentence is refused, in messages that count from ``first``."""
    if len(words) == len(tags):
        found = _sound(words)
        is_sound = found is not None and (words is tags or _sound(tags) is not None)
        if found is not None and is_sound and np.array_equal(found.offsets, offsets_of(tags)):
            return found
    _refuse(words, tags, first)
    raise TreeError("sentences that cannot be parsed: give lists of words")


def _sound(rows: Words) -> Numbered | None:
    """The texts of sentences, numbered, if each sentence has some, and nothing else: seen of all different ones."""
    if not isinstance(rows, Numbered) and (not all(rows) or any(issubclass(kind, str) for kind in {*map(type, rows)})):
        return None
    try:
        found = Numbered.of(rows)
        "".join(found.values)
    except TypeError:
        return None
    return found if "" not in found.values and (np.diff(found.offsets) > 0).all() else None


def _refuse(words: Words, tags: Words, first: int) -> None:
    """Say what is no sentence."""
    if len(words) != len(tags):
        raise TreeError(f"{len(words)} sentences, but tags of {len(tags)}")
    for number, (sentence, given) in enumerate(zip(words, tags, strict=True), first):
        if isinstance(sentence, str):
            raise TreeError(f"sentence {number} is a text; give a list of its words")
        if not sentence:
            raise TreeError(f"sentence {number} has no words")
        _check_strings(sentence, "word", number)
        _check_strings(given, "tag", number)
        if "" in sentence or "" in given:
            raise TreeError(f"sentence {number} has an empty word or tag")
        if len(sentence) != len(given):
            raise TreeError(f"sentence {number} has {len(sentence)} words, but {len(given)} tags")


def _check_strings(texts: Sequence[str], what: str, sentence: int) -> None:
    try:
        # Much faster than to look at each.
        "".join(texts)
    except TypeError:
        wrong = next(text for text in texts if not isinstance(text, str))
        raise TreeError(
            f"sentence {sentence} has the {what} {wrong!r}, which is no string but of type {type(wrong).__name__}"
        ) from None
