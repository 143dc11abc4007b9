"""The step that every engine runs: documents in, sentences with trees out, as Arrow records.

A :class:`Step` holds settings only, so it goes to other processes and machines as it is. The models are loaded once in
each process, when the first sentence in their language comes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from permutree.corpora.documents import Columns, Document, documents_of
from permutree.errors import ConfigError, PermutreeError
from permutree.formats.arrow import arrow, from_forest, schema
from permutree.languages import split, tokenise
from permutree.languages.guessing import judge_language
from permutree.languages.registry import all_languages
from permutree.models import name_for

if TYPE_CHECKING:
    import pyarrow as pa

    from permutree.parsing.parser import Parser

__all__ = ["Step", "parse_batch"]

#: words, and sentences, that are parsed at once
CHUNK_WORDS = 1 << 15
CHUNK = 4096
#: an engine that works on while trees are made gets so many times as many
OVERLAPPING = 32
#: characters that a language is guessed by
_ENOUGH = 1 << 14


class _Sentence(NamedTuple):
    """A row to be."""

    doc_id: str | None
    number: int
    lang: str | None = None
    words: Sequence[str] | None = None
    offsets: Sequence[tuple[int, int]] | None = None
    text: str | None = None
    id: str | None = None
    error: str | None = None


@dataclass(frozen=True)
class Step:
    """How documents are parsed; call it, or :meth:`parse_batch`, with Arrow records.

    ``languages`` are the languages to parse, all that there are models for if it is empty; a document that is surely
    in another keeps its row, with an error. ``model`` is a folder, or the name of a model, for all documents; without
    one, each language has its own.
    """

    languages: tuple[str, ...] = ()
    model: str | None = None
    tagger: str | None = None
    #: leave out documents, too, whose language is unsure
    only_sure: bool = False
    #: sentences with more words keep their row, with an error
    max_words: int | None = None
    device: str | None = None
    columns: Columns = field(default_factory=Columns)

    def __post_init__(self) -> None:
        known = all_languages()
        for code in self.languages:
            if code not in known:
                raise ConfigError(f"no language {code!r}: there are {', '.join(known)}")
            if self.model is None:
                name_for(code)

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Parse a batch: see :meth:`parse_batch`."""
        return self.parse_batch(batch)

    def on_worker(self, number: int) -> Step:
        """The step for one of several workers of a machine: they share its GPUs."""
        if self.device != "cuda":
            return self
        import torch

        return replace(self, device=f"cuda:{number % max(torch.cuda.device_count(), 1)}")

    def parse_batch(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """The sentences of documents, in their order; see :class:`~permutree.corpora.documents.Columns`."""
        return self.parse(documents_of(batch, self.columns))

    def models(self) -> list[str]:
        """The models that may be used."""
        if self.model is not None:
            return [self.model]
        return [name_for(code) for code in self.languages or _with_models()]

    def parse(self, documents: Iterable[Document]) -> pa.RecordBatch:
        """The rows of documents."""
        pa = arrow()
        rows = list(self._sentences(documents))
        wanted = [number for number, row in enumerate(rows) if row.error is None]
        # The same words are parsed once.
        places: dict[tuple[str | None, tuple[str, ...]], int] = {}
        for number in wanted:
            row = rows[number]
            places.setdefault((self._model(row.lang), tuple(row.words or ())), len(places))
        trees, errors = self._trees(list(places))
        at: list[int | None] = [None] * len(rows)
        for number in wanted:
            row = rows[number]
            place = places[self._model(row.lang), tuple(row.words or ())]
            if place in errors:
                rows[number] = row._replace(error=errors[place])
            at[number] = place
        found = trees.take(pa.array(at, pa.int64()))
        return _assembled(rows, found)

    def _model(self, lang: str | None) -> str | None:
        return self.model if self.model is not None else lang

    def _sentences(self, documents: Iterable[Document]) -> Iterator[_Sentence]:
        """The sentences of documents, those that are not to be parsed with an error."""
        for _, group in groupby(enumerate(documents), key=_document_key):
            parts = [document for _, document in group]
            guess: tuple[str | None, str | None] | None = None
            for part in parts:
                if part.error is not None:
                    yield _Sentence(part.doc_id, part.first, part.lang, id=part.id, error=part.error)
                    continue
                if guess is None or part.lang is not None:
                    guess = self._language(part, parts)
                lang, error = guess
                yield from self._split(part, lang, error)

    def _split(self, part: Document, lang: str | None, error: str | None) -> Iterator[_Sentence]:
        """The sentences of a document."""
        if error is not None or lang is None:
            yield _Sentence(part.doc_id, part.first, lang, part.words, text=part.text, id=part.id, error=error)
            return
        if part.words is not None:
            yield self._checked(_Sentence(part.doc_id, part.first, lang, part.words, id=part.id))
            return
        text = _without_halves(part.text or "")
        found = [tokenise(text, lang)] if part.is_sentence else split(text, lang)
        found = [sentence for sentence in found if sentence.words]
        if not found:
            yield _Sentence(part.doc_id, part.first, lang, text=text, error="there are no words")
        for number, (words, offsets) in enumerate(found, part.first):
            places = [(start + part.offset, end + part.offset) for start, end in offsets]
            said = text[offsets[0][0] : offsets[-1][1]]
            yield self._checked(_Sentence(part.doc_id, number, lang, words, places, said, part.id))

    def _checked(self, sentence: _Sentence) -> _Sentence:
        words = sentence.words or ()
        try:
            "".join(words).encode()
        except UnicodeEncodeError:
            sentence = sentence._replace(words=[_without_halves(word) for word in words])
        if self.max_words is not None and len(words) > self.max_words:
            return sentence._replace(error=f"{len(words)} words are more than the {self.max_words} that are parsed")
        return sentence

    def _language(self, part: Document, parts: Sequence[Document]) -> tuple[str | None, str | None]:
        """The language of a document, and why it is not parsed, if so."""
        if part.lang is not None:
            lang = part.lang.lower().replace("_", "-").partition("-")[0]
            if lang not in (self.languages or all_languages()):
                wanted = f"none of {', '.join(self.languages)}" if self.languages else "not known"
                return part.lang, f"its language, {part.lang}, is {wanted}"
        else:
            known = self._known_language()
            if known is not None and not self.only_sure and not self.languages:
                return known, None
            guess = judge_language(_sample(parts))
            lang = guess.language
            if self.only_sure and not guess.is_sure:
                return None, f"its language is unsure; it may be {lang}"
            if self.languages and lang not in self.languages:
                if guess.is_sure:
                    return lang, f"its language, {lang}, is none of {', '.join(self.languages)}"
                lang = self.languages[0]
        if self.model is None and all_languages()[lang].model is None:
            return lang, f"there is no model for its language, {lang}"
        return lang, None

    def _known_language(self) -> str | None:
        """The language of the one model that all documents are parsed by."""
        return None if self.model is None else self._parser(self.model).language

    def _parser(self, model: str) -> Parser:
        return _load(model, self.tagger, self.device)

    def _trees(self, sentences: Sequence[tuple[str | None, tuple[str, ...]]]) -> tuple[pa.RecordBatch, dict[int, str]]:
        """A row with the tree of each sentence, and why some have none."""
        pa = arrow()
        order: list[int] = []
        batches = []
        errors: dict[int, str] = {}
        by_model: dict[str, list[int]] = {}
        for number, (model, _) in enumerate(sentences):
            assert model is not None
            by_model.setdefault(model, []).append(number)
        for model, numbers in by_model.items():
            parser = self._parser(self.model or name_for(model))
            times = OVERLAPPING if parser.engine.overlaps else 1
            for chunk in _chunks(numbers, [len(sentences[number][1]) for number in numbers], times):
                for done, batch in _parsed(parser, chunk, sentences, errors):
                    order += done
                    batches.append(batch)
        if not batches:
            return pa.RecordBatch.from_pylist([{}] * len(sentences), schema()), errors
        joined = pa.Table.from_batches(batches, schema()).combine_chunks().to_batches()[0]
        at: list[int | None] = [None] * len(sentences)
        for place, number in enumerate(order):
            at[number] = place
        return joined.take(pa.array(at, pa.int64())), errors


def parse_batch(batch: pa.RecordBatch, **settings: Any) -> pa.RecordBatch:
    """The sentences of documents with their trees; settings are those of :class:`Step`."""
    return Step(**settings).parse_batch(batch)


def _parsed(
    parser: Parser, numbers: list[int], sentences: Sequence[tuple[str | None, tuple[str, ...]]], errors: dict[int, str]
) -> Iterator[tuple[list[int], pa.RecordBatch]]:
    """The rows of some sentences. If they cannot be parsed, halves are tried, down to the sentence that is to blame."""
    try:
        found = list(parser.batches([sentences[number][1] for number in numbers], confidence=True))
        batches = [from_forest(parsed.forest, confidence=parsed.confidence) for parsed in found]
    except (PermutreeError, RuntimeError, MemoryError, ArithmeticError, ValueError) as error:
        if isinstance(error, ConfigError):
            raise
        if len(numbers) == 1:
            errors[numbers[0]] = f"{type(error).__name__}: {error}"
            return
        half = len(numbers) // 2
        for part in (numbers[:half], numbers[half:]):
            yield from _parsed(parser, part, sentences, errors)
        return
    done = 0
    for batch in batches:
        yield numbers[done : done + len(batch)], batch
        done += len(batch)


def _chunks(numbers: Sequence[int], lengths: Sequence[int], times: int = 1) -> Iterator[list[int]]:
    chunk: list[int] = []
    words = 0
    for number, length in zip(numbers, lengths, strict=True):
        chunk.append(number)
        words += length
        if words >= times * CHUNK_WORDS or len(chunk) >= times * CHUNK:
            yield chunk
            chunk, words = [], 0
    if chunk:
        yield chunk


def _document_key(numbered: tuple[int, Document]) -> object:
    """What sentences of one document have in common; a text is a document by itself."""
    number, document = numbered
    is_part = document.doc_id is not None and (document.is_sentence or document.text is None)
    return document.doc_id if is_part else number


@lru_cache(maxsize=8)
def _load(model: str, tagger: str | None, device: str | None) -> Parser:
    """The parser of a process: on one thread, as each core has a process."""
    # Before a library starts its threads.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    from permutree.parsing.parser import Parser

    parser = Parser.load(model, device, tagger=tagger, threads=1)
    if "torch" in sys.modules:
        import torch

        torch.set_num_threads(1)
    if parser.model.codec is None:
        raise ConfigError(f"{model} is a tagger; name a parser, and this one as --tagger")
    if parser.needs_tags:
        raise ConfigError(f"the model {model} reads tags, which text does not have; name a tagger (--tagger)")
    return parser


def _with_models() -> list[str]:
    return [code for code, language in all_languages().items() if language.model is not None]


def _sample(parts: Sequence[Document]) -> str:
    """The beginning of a document."""
    found: list[str] = []
    size = 0
    for part in parts:
        text = part.text[:_ENOUGH] if part.text is not None else " ".join(part.words or ())
        found.append(text)
        size += len(text)
        if size >= _ENOUGH:
            break
    return "\n".join(found)


def _without_halves(text: str) -> str:
    """A text with halves of surrogate pairs, which no file can hold, replaced."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in text)
    return text


def _assembled(rows: Sequence[_Sentence], found: pa.RecordBatch) -> pa.RecordBatch:
    """The records of rows and their trees."""
    pa = arrow()
    columns = dict(zip(found.schema.names, found.columns, strict=True))
    columns["doc_id"] = pa.array([row.doc_id for row in rows], pa.string())
    columns["sentence"] = pa.array([row.number for row in rows], pa.int32())
    columns["id"] = pa.array([row.id for row in rows], pa.string())
    columns["lang"] = pa.array([row.lang for row in rows], pa.string())
    columns["text"] = pa.array([row.text for row in rows], pa.string())
    columns["error"] = pa.array([row.error for row in rows], pa.string())
    columns["words"] = _lists([row.words for row in rows], pa.string())
    for side, name in enumerate(("starts", "ends")):
        values = [None if row.offsets is None else [pair[side] for pair in row.offsets] for row in rows]
        columns[name] = _lists(values, pa.int32())
    return pa.RecordBatch.from_arrays([columns[name] for name in schema().names], schema=schema())


def _lists(values: Sequence[Sequence[Any] | None], kind: Any) -> Any:
    """Lists as a column; None is null."""
    import numpy as np

    pa = arrow()
    offsets = np.cumsum([0, *(len(value or ()) for value in values)], dtype=np.int32)
    flat = pa.array(list(chain.from_iterable(value or () for value in values)), kind)
    missing = pa.array([value is None for value in values], pa.bool_())
    return pa.ListArray.from_arrays(pa.array(offsets), flat, mask=missing)
