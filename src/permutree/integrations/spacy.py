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
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from permutree import models
from permutree.errors import ConfigError
from permutree.integrations.spacy_attributes import forget, keep, set_attributes
from permutree.integrations.tokens import Words, words_of
from permutree.languages import split
from permutree.parsing.parser import Parser

try:
    from spacy.language import Language
    from spacy.tokens import Doc
except ModuleNotFoundError as error:
    raise ConfigError("the component for spaCy needs spaCy: pip install 'permutree[spacy]'") from error

__all__ = ["Component", "make_component"]


@Language.factory(
    "permutree",
    assigns=["doc.user_data", "token.tag"],
    default_config={"model": None, "set_tags": False, "threads": 1},
)
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
            if not doc.has_annotation("SENT_START"):
                _set_sentences(doc, self.parser.language)
            forget(doc)
            places += _places(doc, self.parser.language)
        found = self.parser.pipe((place.words.words for place in places), confidence=True)
        for place, tree in zip(places, found, strict=True):
            texts = [place.doc[token].text for token in place.tokens]
            made = place.words.expand(tree, texts)
            keep(made, place.doc, place.tokens)
            if self.set_tags:
                for token, tag in zip(place.tokens, made.tags, strict=True):
                    place.doc[token].tag_ = tag
        return docs


class _Place(NamedTuple):
    """A sentence of a Doc: its tokens that are not white space, and what the parser reads in their place."""

    doc: Doc
    tokens: list[int]
    words: Words


def _places(doc: Doc, language: str | None) -> Iterator[_Place]:
    for sentence in doc.sents:
        tokens = [token for token in sentence if not token.is_space]
        if tokens:
            start = sentence.start_char
            offsets = [(token.idx - start, token.idx + len(token) - start) for token in tokens]
            yield _Place(doc, [token.i for token in tokens], words_of(sentence.text, offsets, language))


def _set_sentences(doc: Doc, language: str | None) -> None:
    """Sentence boundaries where permutree finds them; without rules for the language, the Doc is one sentence."""
    starts = [sentence.offsets[0][0] for sentence in split(doc.text, language)][1:] if language else []
    for token in doc:
        # A sentence may begin within a token: then the next token is its first.
        reached = bool(starts) and starts[0] <= token.idx and not token.is_space
        token.is_sent_start = token.i == 0 or reached
        while starts and starts[0] <= token.idx and reached:
            del starts[0]
