"""A client in Python, with the methods of a parser; it needs nothing but the standard library."""

from __future__ import annotations

import http.client
import json
import math
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from permutree.encoding import Codec, Repairs
from permutree.errors import ConfigError, DataError, TreeError
from permutree.formats.jsonl import from_json
from permutree.parsing.chunks import Given, Words
from permutree.parsing.inputs import Sentence
from permutree.parsing.parser import Parsed
from permutree.trees.annotations import NO_ANNOTATIONS
from permutree.trees.batch import TreeBatch
from permutree.trees.tree import Tree
from permutree.trees.treelist import Trees

__all__ = ["Client"]

#: sentences, texts and characters of a request, and sentences of a document
CHUNK = 256
CHARACTERS = 1 << 18
TOGETHER = 32


class Client:
    """Has sentences parsed by a server, as :class:`~permutree.parsing.parser.Parser` parses them itself.

    Language and model are those of the server's ``/v1/models``; if neither is named, the server guesses the language. A
    server that is busy is asked again for ``patience`` seconds. A client may be used by several threads at once.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8000",
        *,
        language: str | None = None,
        model: str | None = None,
        patience: float = 60.0,
    ) -> None:
        try:
            parts = urlsplit(url if "//" in url else f"http://{url}")
            is_address = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        except ValueError:
            is_address = False
        if not is_address:
            raise ConfigError(f"{url!r} is no address of a server, such as http://127.0.0.1:8000")
        self.url = url
        self.language = language
        self.model = model
        self.patience = patience
        self._parts = parts
        #: the connection of each thread, and all of them
        self._local = threading.local()
        self._connections: list[http.client.HTTPConnection] = []

    def parse(self, text: str, language: str | None = None) -> Trees:
        """The trees of a raw text, one for each sentence, with the places of words in it and confidences."""
        return next(self.parse_texts([text], language))

    def parse_texts(self, texts: Iterable[str], language: str | None = None) -> Iterator[Trees]:
        """The trees of each text of a stream."""
        if isinstance(texts, str):
            raise TreeError("a list of texts is wanted; one text is parsed by parse")
        for some in _chunks(_checked(texts), len):
            documents = [self._document(language, text=text) for text in some]
            for answer in self._stream(documents):
                trees = (_tree(record, number) for number, record in enumerate(answer["sentences"], 1))
                yield Trees(trees, language=language or self.language)

    def parse_tokens(self, words: Sequence[str], tags: Sequence[str] | None = None) -> Tree:
        """The tree of one sentence. Many are parsed faster by :meth:`pipe`."""
        return next(self.pipe([Sentence(words, tags)], confidence=True))

    def pipe(self, sentences: Iterable[Given], *, chunk: int = CHUNK, confidence: bool = False) -> Iterator[Tree]:
        """The trees of a stream of sentences, in order: lists of words, with tags and more in a Sentence or a Tree."""
        first = 1
        for some in _chunks(map(_sentence, sentences), lambda one: sum(map(len, one.words)), chunk):
            documents = []
            for start in range(0, len(some), TOGETHER):
                part = some[start : start + TOGETHER]
                # Sentences with and without tags do not go into one document.
                has_tags = all(one.tags is not None for one in part)
                given: dict[str, Any] = {"tags": [list(one.tags or ()) for one in part]} if has_tags else {}
                documents.append(
                    self._document(tokens=[list(one.words) for one in part], confidence=confidence, **given)
                )
            records = (record for answer in self._stream(documents) for record in answer["sentences"])
            for number, (one, record) in enumerate(zip(some, records, strict=True), first):
                yield _annotated(_tree(record, number), one)
            first += len(some)

    def batches(self, sentences: Iterable[Given], *, chunk: int = CHUNK, confidence: bool = False) -> Iterator[Parsed]:
        """The trees of a stream of sentences as arrays."""
        trees = self.pipe(sentences, chunk=chunk, confidence=confidence)
        while some := list(islice(trees, chunk)):
            yield _parsed(some)

    def parse_batch(self, words: Words, tags: Words | None = None) -> Parsed:
        """The trees of sentences, all at once."""
        given = [None] * len(words) if tags is None else tags
        if len(given) != len(words):
            raise TreeError(f"{len(words)} sentences, but tags of {len(given)}")
        return _parsed([*self.pipe(map(Sentence, words, given))])

    def tag(self, words: Words) -> list[list[str]]:
        """The tags of sentences."""
        return [list(tree.tags) for tree in self.pipe(words)]

    def tag_all(self, sentences: Iterable[Given], *, chunk: int = CHUNK) -> Iterator[Tree | Sentence]:
        """A stream of sentences with predicted tags, in order: trees stay trees."""
        for some in _chunks(map(_given, sentences), lambda one: sum(map(len, one.words)), chunk):
            for one, tags in zip(some, self.tag([one.words for one in some]), strict=True):
                yield one.with_tags(tags) if isinstance(one, Tree) else replace(one, tags=tags)

    def models(self) -> dict[str, Any]:
        """What the server offers: models, languages, encodings, formats."""
        return self._object(self._ask("GET", "/v1/models", b"", {}))

    def _document(self, language: str | None = None, **content: Any) -> dict[str, Any]:
        named = {"lang": language or self.language, "model": self.model}
        return {name: value for name, value in named.items() if value is not None} | content

    def _stream(self, documents: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """The answers to some documents; the first error ends it."""
        body = b"".join(_json(document) + b"\n" for document in documents)
        lines = self._ask("POST", "/v1/parse", body, {"Content-Type": "application/x-ndjson"}).splitlines()
        if len(lines) != len(documents):
            raise ConnectionError(f"{self.url}: {len(lines)} answers to {len(documents)} documents")
        for line in lines:
            answer = self._object(line)
            if "sentences" not in answer:
                raise self._error(answer.get("status", 422), answer.get("error", "no answer"))
            yield answer

    def _ask(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> bytes:
        """The answer to a request; a busy server is asked again."""
        end = time.monotonic() + self.patience
        while True:
            response, content = self._exchange(method, self._parts.path.rstrip("/") + path, body, headers)
            if response.status == 200:
                return content
            wait = _seconds(response.headers.get("Retry-After"))
            if response.status != 503 or time.monotonic() + wait > end:
                raise self._error(response.status, _message(content))
            time.sleep(wait)

    def _exchange(
        self, method: str, path: str, body: bytes, headers: dict[str, str]
    ) -> tuple[http.client.HTTPResponse, bytes]:
        """Send a request; a connection that the server has closed since the last one is opened again."""
        for is_last in (False, True):
            connection: http.client.HTTPConnection | None = getattr(self._local, "connection", None)
            is_new = connection is None
            connection = connection or self._connect()
            try:
                connection.request(method, path, body, headers)
                response = connection.getresponse()
                content = response.read()
            except (OSError, http.client.HTTPException) as error:
                connection.close()
                self._connections.remove(connection)
                self._local.connection = None
                if isinstance(error, TimeoutError):
                    raise ConnectionError(f"{self.url}: no answer within {connection.timeout:g} s") from error
                if is_last or is_new:
                    raise ConnectionError(f"{self.url}: {str(error).strip() or type(error).__name__}") from error
                continue
            self._local.connection = connection
            return response, content
        raise AssertionError

    def _connect(self) -> http.client.HTTPConnection:
        kind = http.client.HTTPSConnection if self._parts.scheme == "https" else http.client.HTTPConnection
        assert self._parts.hostname is not None
        connection = kind(self._parts.hostname, self._parts.port, timeout=max(self.patience, 1.0))
        self._connections.append(connection)
        return connection

    def _object(self, content: bytes) -> dict[str, Any]:
        """An answer, which is a JSON object if it comes from such a server."""
        try:
            found = json.loads(content)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            said = content[:60].decode("utf-8", "replace")
            raise ConnectionError(f"{self.url}: what answers there is no permutree server; it says {said!r}")
        return found

    def _error(self, status: int, message: str) -> Exception:
        if status >= 500 or status == 408:
            return ConnectionError(f"{self.url}: {message}")
        return DataError(message, source=self.url)

    def close(self) -> None:
        """Close the connections; the next request opens one again."""
        while self._connections:
            self._connections.pop().close()
        self._local = threading.local()

    def __del__(self) -> None:
        # A client that could not be made has none.
        if hasattr(self, "_connections"):
            self.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client({self.url!r})"


def _json(document: dict[str, Any]) -> bytes:
    # Halves of surrogate pairs are no text, and no server takes them.
    return json.dumps(document, ensure_ascii=False).encode("utf-8", "replace")


def _seconds(retry_after: str | None) -> float:
    """The seconds to wait before the next try; proxies may name a date instead.

    >>> _seconds("2.5"), _seconds("Wed, 21 Oct 2026 07:28:00 GMT"), _seconds("-1"), _seconds(None)
    (2.5, 1.0, 1.0, 1.0)
    """
    try:
        seconds = float(retry_after or 1)
    except ValueError:
        return 1.0
    return seconds if 0 <= seconds < math.inf else 1.0


def _message(content: bytes) -> str:
    try:
        return str(json.loads(content)["error"])
    except (ValueError, KeyError, TypeError):
        return content[:200].decode("utf-8", "replace") or "no answer"


def _checked(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        if not isinstance(text, str):
            raise TreeError("a text is wanted; words are parsed by parse_tokens and pipe")
        yield text


def _given(sentence: Given) -> Sentence | Tree:
    if isinstance(sentence, Sentence | Tree):
        return sentence
    if isinstance(sentence, str) or not isinstance(sentence, Sequence):
        raise TreeError(f"a sentence is of type {type(sentence).__name__}; give a list of its words")
    return Sentence(sentence)


def _sentence(given: Given) -> Sentence:
    one = _given(given)
    return Sentence(one.words, one.tags, one.annotations) if isinstance(one, Tree) else one


def _chunks(items: Iterable[Any], size_of: Any, most: int = CHUNK) -> Iterator[list[Any]]:
    """Lists of at most so many items, fewer if they are long."""
    chunk: list[Any] = []
    size = 0
    for item in items:
        length = size_of(item)
        if chunk and (len(chunk) >= most or size + length > CHARACTERS):
            yield chunk
            chunk, size = [], 0
        chunk.append(item)
        size += length
    if chunk:
        yield chunk


def _tree(record: dict[str, Any], number: int) -> Tree:
    """The tree of a sentence; its error, if it has one in place of a tree."""
    if record.get("error") is not None:
        raise TreeError(f"sentence {number}: {record['error']}")
    constituents = [
        {"label": one["label"], "words": one["words"], "confidence": one["confidence"]}
        for one in record["constituents"]
    ]
    given = {"words": record["words"], "tags": record["tags"], "constituents": constituents}
    return from_json(given | ({"offsets": record["offsets"]} if record["offsets"] is not None else {}))


def _annotated(tree: Tree, one: Sentence) -> Tree:
    """A tree with what the input said of its sentence and words."""
    given = one.annotations
    if given is NO_ANNOTATIONS:
        return tree
    return tree.annotated(
        id=given.id,
        lemmas=given.lemmas,
        morphology=given.morphology,
        comment=given.comment,
        info=given.info,
        offsets=given.offsets,
    )


def _parsed(trees: list[Tree]) -> Parsed:
    """Trees as arrays; the server tells of no repairs."""
    return Parsed(TreeBatch.from_trees(trees), Repairs.none(Codec().spelling), [tree.annotations for tree in trees])
