"""spaCy: a pipeline component that parses a Doc's own tokens, and attributes for what it found.

>>> import spacy
>>> nlp = spacy.blank("en")
>>> _ = nlp.add_pipe("permutree")
>>> sentence = next(nlp("What do you want to eat?").sents)
>>> [(span._.labels, span._.blocks) for span in sentence._.constituents if span._.is_discontinuous]
[(('VP',), (What, want to eat)), (('S', 'VP'), (What, to eat)), (('VP',), (What, eat))]

Trees are kept as plain data in ``doc.user_data``, so that they go with the Doc through ``to_bytes``, pickle,
``Doc.from_docs`` and, with ``store_user_data=True``, DocBin.
:mod:`permutree.integrations.spacy_attributes` has the attributes.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, get_type_hints

import numpy as np

from permutree import models
from permutree.errors import ConfigError
from permutree.integrations.spacy_attributes import forget, keep, set_attributes
from permutree.integrations.tokens import Interval, Words, words_of
from permutree.languages import TextSentence, split
from permutree.parsing.parser import Parser

try:
    from spacy.language import Language
    from spacy.tokens import Doc
except ModuleNotFoundError as error:
    raise ConfigError("the component for spaCy needs spaCy: pip install 'permutree[spacy]'") from error

__all__ = ["Component", "make_component"]

#: of each token: its first character, how many it has, and whether it is white space
_COLUMNS: list[int | str] = ["IDX", "LENGTH", "IS_SPACE"]


def make_component(nlp: Language, name: str, model: str | None, set_tags: bool, threads: int) -> Component:
    """The component; without a model, the bundled one for the pipeline's language."""
    return Component(model or models.name_for(str(nlp.lang)), set_tags=set_tags, threads=threads)


class Component:
    """Parses the sentences of Docs; a Doc without sentence boundaries gets those of permutree's rules."""

    def __init__(self, model: str, *, set_tags: bool = False, threads: int = 1) -> None:
        self.model = model
        self.set_tags = set_tags
        self.threads = threads
        self._parser: tuple[int, Parser] | None = None
        # A wrong name is told now, not at the first text.
        if self.parser.needs_tags:
            raise ConfigError(f"the model {model!r} reads tags; use one that predicts them, such as a bundled one")
        set_attributes()

    @property
    def parser(self) -> Parser:
        """The parser. Each process loads its own: threads of the runtime do not survive a fork."""
        if self._parser is None or self._parser[0] != os.getpid():
            self._parser = os.getpid(), Parser.load(self.model, threads=self.threads)
        return self._parser[1]

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_parser": None}

    def __call__(self, doc: Doc) -> Doc:
        """The Doc with trees."""
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 256) -> Iterator[Doc]:
        """The Docs of a stream with trees, parsed in batches."""
        docs = iter(stream)
        while batch := list(islice(docs, batch_size)):
            yield from self._parse(batch)

    def _parse(self, docs: list[Doc]) -> list[Doc]:
        places: list[_Place] = []
        for doc in docs:
            forget(doc)
            places += _places(doc, self.parser.language)
        found = self.parser.pipe((place.words.words for place in places), confidence=True)
        for place, tree in zip(places, found, strict=True):
            fields = place.words.fields(tree)
            keep(place.doc, place.interval, place.tokens, fields)
            if self.set_tags:
                for token, tag in zip(place.tokens, fields["tags"], strict=True):
                    place.doc[token].tag_ = tag
        return docs


# Versions of spaCy that check arguments with pydantic cannot read annotations that are strings, as all here are.
make_component.__annotations__ = get_type_hints(make_component)
Language.factory(
    "permutree",
    assigns=["doc.user_data", "token.tag"],
    default_config={"model": None, "set_tags": False, "threads": 1},
    func=make_component,
)


class _Place(NamedTuple):
    """A sentence of a Doc: its tokens that are not white space, and what the parser reads in their place."""

    doc: Doc
    #: its characters, from the first of these tokens to the last
    interval: Interval
    tokens: Sequence[int]
    words: Words


def _places(doc: Doc, language: str | None) -> Iterator[_Place]:
    """The sentences of a Doc; those that permutree's own rules find are not tokenised a second time."""
    text = doc.text
    starts, sizes, spaces = doc.to_array(_COLUMNS).T.tolist()
    known: dict[Interval, TextSentence] = {}
    if not doc.has_annotation("SENT_START"):
        found = split(text, language) if language else []
        known = {(sentence.offsets[0][0], sentence.offsets[-1][1]): sentence for sentence in found}
        _set_sentences(doc, starts, spaces, [start for start, _ in known][1:])
    has_spaces = any(spaces)
    for sentence in doc.sents:
        tokens: Sequence[int] = range(sentence.start, sentence.end)
        if has_spaces:
            tokens = [token for token in tokens if not spaces[token]]
        if tokens:
            offsets = [(starts[token], starts[token] + sizes[token]) for token in tokens]
            interval = offsets[0][0], offsets[-1][1]
            yield _Place(doc, interval, tokens, words_of(text, offsets, language, known.get(interval)))


def _set_sentences(doc: Doc, starts: list[int], spaces: list[int], begins: Iterable[int]) -> None:
    """Set sentence boundaries at these characters: before the first token from there on that is not white space."""
    marks: Any = np.full(len(starts), -1)
    marks[0] = 1
    for begin in begins:
        # A sentence may begin within a token: then the next token is its first.
        token = bisect_left(starts, begin)
        while token < len(starts) and spaces[token]:
            token += 1
        marks[token : token + 1] = 1
    # Not one by one: for every boundary that is set, spaCy looks through the whole Doc.
    doc.from_array(["SENT_START"], marks.astype(np.uint64))
