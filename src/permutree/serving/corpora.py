"""The corpora that are searched: named at the start, so that no request names a file."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from permutree.errors import ConfigError, DataError
from permutree.formats.sources import strip_compression
from permutree.search.columns import Located
from permutree.search.corpus import Corpus
from permutree.search.index import IndexFile, write_index
from permutree.search.messages import search_packages
from permutree.serving.messages import CorpusEntry
from permutree.serving.settings import Searched

__all__ = ["corpora_to_serve", "described", "indexed"]

_log = logging.getLogger("permutree")


def corpora_to_serve(given: Iterable[str]) -> tuple[Searched, ...]:
    """The corpora in files, each named FILE or NAME=FILE; a name that is given again adds a file to its corpus.

    >>> corpora_to_serve([])
    ()
    """
    found: dict[str, Searched] = {}
    for one in given:
        name, equals, path = one.partition("=")
        path = path if equals else one
        if not Path(path).exists():
            raise ConfigError(f"--corpus {one}: there is no such file")
        # A folder of Parquet files has no suffix.
        name = name if equals else Path(strip_compression(path)).stem
        if not name or (name in found and not equals):
            raise ConfigError(f"--corpus {one}: give it a name of its own, as in NAME={path}")
        found[name] = Searched(name, (*(found[name].files if name in found else ()), path))
    if found:
        try:
            import lark  # noqa: F401 - a missing package is said at the start, not at the first query
        except ModuleNotFoundError as error:
            raise search_packages(error) from None
    return tuple(found.values())


@contextmanager
def indexed(corpora: Iterable[Searched]) -> Iterator[tuple[Searched, ...]]:
    """Corpora with indexes in place of treebank files; these are temporary, and all workers map them."""
    with ExitStack() as stack:
        ready = []
        for corpus in corpora:
            treebanks = [file for file in corpus.files if not IndexFile.is_index(file)]
            indexes = [str(Path(file).resolve()) for file in corpus.files if file not in treebanks]
            for path in indexes:
                # What is damaged is said at the start.
                IndexFile(path)
            if treebanks:
                folder = stack.enter_context(TemporaryDirectory(prefix="permutree-"))
                path = str(Path(folder, "corpus.ptidx"))
                sentences, _ = write_index(_named(Corpus.open(treebanks).sentences()), path)
                if not sentences:
                    raise DataError("there is no tree to search", source=", ".join(treebanks))
                _log.info("corpus %s is indexed; sentences: %s", corpus.name, f"{sentences:,}")
                indexes.append(path)
            ready.append(Searched(corpus.name, tuple(indexes)))
        yield tuple(ready)


def _named(sentences: Iterable[Located]) -> Iterator[Located]:
    """Sentences whose files are known by their names alone: where they are is nobody's business."""
    for located in sentences:
        yield located._replace(file=Path(located.file).name)


def described(corpora: Iterable[Searched]) -> list[CorpusEntry]:
    """What the server says of its corpora."""
    entries = []
    for one in corpora:
        corpus = Corpus.open(one.files)
        facts = list(dict.fromkeys(name for tables in corpus.tables() for name in tables.metadata))
        entries.append(CorpusEntry(name=one.name, sentences=corpus.size or 0, facts=facts, **corpus.labels()))
    return entries
