"""Documents: what parts of files, or rows of a table, hold before they are parsed.

Each format has a reader from bytes to documents. What cannot be read is a document as well, with an error in place of
text, so that nothing is lost on the way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from permutree.errors import ConfigError

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["READERS", "Columns", "Document", "Part", "column_names", "documents_of"]


class Document(NamedTuple):
    """A document, or a sentence of one: raw text, or words, or an error."""

    doc_id: str | None
    text: str | None = None
    words: Sequence[str] | None = None
    #: what the input says of it
    lang: str | None = None
    #: the id of a sentence
    id: str | None = None
    #: the number of its first sentence
    first: int = 1
    #: the characters of the document before it
    offset: int = 0
    #: whether the text is one sentence
    is_sentence: bool = False
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Columns:
    """What the columns of tables, and the keys of JSON records, are called."""

    text: str = "text"
    #: None is the first of doc_id and id that there is
    id: str | None = None
    lang: str = "lang"

    def ids(self) -> tuple[str, ...]:
        """The names that the id may have."""
        return ("doc_id", "id") if self.id is None else (self.id,)


class Part(NamedTuple):
    """A part of a file: its content, the name of the file, and what comes before it there."""

    data: bytes
    name: str
    lines: int = 0
    characters: int = 0
    sentences: int = 0
    #: the document that goes on, in formats that name documents
    document: str | None = None
    charset: str = "utf-8"

    def text(self) -> str:
        """The content as text; bytes that are no text are replaced by U+FFFD."""
        text = self.data.decode(self.charset, "replace")
        return text.removeprefix("\ufeff") if self.characters == 0 else text


def _read_text(part: Part, columns: Columns) -> Iterator[Document]:
    yield Document(part.document or part.name, part.text())


def _read_lines(part: Part, columns: Columns) -> Iterator[Document]:
    """A sentence a line; blank lines are none."""
    number, offset = part.sentences, part.characters
    for line in part.text().split("\n"):
        if line.strip():
            number += 1
            yield Document(part.name, line, first=number, offset=offset, is_sentence=True)
        offset += len(line) + 1


_BLANKS = re.compile(r"[ \t\n\r\f\v]+")


def _read_tokens(part: Part, columns: Columns) -> Iterator[Document]:
    """A sentence a line, blanks between words."""
    number = part.sentences
    for line in part.text().split("\n"):
        if words := [word for word in _BLANKS.split(line) if word]:
            number += 1
            yield Document(part.name, words=words, first=number)


def _read_jsonl(part: Part, columns: Columns) -> Iterator[Document]:
    """A record a line."""
    for number, line in enumerate(part.data.split(b"\n"), part.lines + 1):
        if not line.strip():
            continue
        name = f"{part.name}:{number}"
        try:
            record = json.loads(line.decode(part.charset).removeprefix("\ufeff"))
        except UnicodeDecodeError as error:
            yield Document(name, error=f"not {part.charset}: {error}")
        except (ValueError, RecursionError) as error:
            yield Document(name, error=f"not JSON: {error}")
        else:
            if isinstance(record, dict):
                yield from _of_record(record, columns, name)
            else:
                yield Document(name, error=f"not a JSON object, but of type {type(record).__name__}")


def _of_record(record: Mapping[str, Any], columns: Columns, name: str | None) -> Iterator[Document]:
    """The document of a record, or its sentences if it has words."""
    given = next((record[key] for key in columns.ids() if record.get(key) is not None), None)
    doc_id = name if given is None else str(given)
    lang = record.get(columns.lang)
    lang = lang if isinstance(lang, str) and lang else None
    text = record.get(columns.text)
    words = record.get("words")
    sentences = record.get("sentences") if words is None else [words]
    if isinstance(sentences, list) and sentences:
        number = record.get("sentence")
        first = number if isinstance(number, int) and not isinstance(number, bool) else 1
        for place, sentence in enumerate(sentences, first):
            if _are_words(sentence):
                yield Document(doc_id, words=sentence, lang=lang, first=place)
            else:
                yield Document(doc_id, first=place, error="its words are not a list of strings that are not empty")
    elif isinstance(text, str):
        yield Document(doc_id, text, lang=lang)
    elif text is None:
        yield Document(doc_id, error=f"there is no {columns.text!r}, nor 'words' or 'sentences'")
    else:
        yield Document(doc_id, error=f"its {columns.text!r} is no string but of type {type(text).__name__}")


def _are_words(given: object) -> bool:
    return isinstance(given, list) and bool(given) and all(isinstance(word, str) and word for word in given)


_NEW = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*))?$").match
_ID = re.compile(r"#\s*sent_id\s*=\s*(.*)$").match
_ROW = re.compile(r"\d+\t").match


def _read_conllu(part: Part, columns: Columns) -> Iterator[Document]:
    """The sentences of CoNLL-U; ``# newdoc`` begins a document, and a file without that is one."""
    name, number = part.document or part.name, part.sentences
    documents = 0
    for block in re.split(r"\n[ \t\r]*\n", part.text()):
        words: list[str] = []
        sentence_id = error = None
        for place, line in enumerate(block.split("\n")):
            line = line.rstrip("\r")
            if found := _NEW(line):
                documents += 1
                name, number = found[1] or f"{part.name}:{part.lines + documents}", 0
            elif found := _ID(line):
                sentence_id = found[1]
            elif _ROW(line):
                columns_of = line.split("\t")
                if len(columns_of) != 10 or not columns_of[1]:
                    error = f"line {place + 1} of the sentence has not the ten columns of CoNLL-U: {line[:80]!r}"
                words.append(columns_of[1])
            elif line.strip() and line[0] != "#" and not re.match(r"\d+[-.]\d+\t", line):
                error = f"line {place + 1} of the sentence is none of CoNLL-U: {line[:80]!r}"
        if words or error:
            number += 1
            yield Document(name, words=None if error else words, id=sentence_id, first=number, error=error)


#: format → what reads a part of a file
READERS: dict[str, Callable[[Part, Columns], Iterator[Document]]] = {
    "text": _read_text,
    "lines": _read_lines,
    "tokens": _read_tokens,
    "jsonl": _read_jsonl,
    "conllu": _read_conllu,
}


def column_names(names: Iterable[str], columns: Columns) -> list[str]:
    """Those columns of a table that documents are made of; a ConfigError if there is no text and no words."""
    known = list(names)
    wanted = [*columns.ids()[:1], *columns.ids()[1:], columns.text, columns.lang, "words", "sentences", "sentence"]
    found = [name for name in wanted if name in known]
    if not {columns.text, "words", "sentences"} & set(found):
        raise ConfigError(
            f"there is no column {columns.text!r}, nor 'words' or 'sentences', only {', '.join(known)}; name the one "
            "with the text (--text-column)"
        )
    if columns.id is not None and columns.id not in known:
        raise ConfigError(f"there is no column {columns.id!r} with ids; there are {', '.join(known)}")
    return found


def documents_of(batch: pa.RecordBatch, columns: Columns, name: str | None = None, first: int = 1) -> list[Document]:
    """The documents of a table; one without an id is named by its place, if the table has a name."""
    rows = batch.select(column_names(batch.schema.names, columns)).to_pylist()
    return [
        document
        for number, row in enumerate(rows, first)
        for document in _of_record(row, columns, None if name is None else f"{name}:{number}")
    ]
