"""A corpus to search: an index, or treebank files that are turned into columns on the way, a segment at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from permutree.errors import ConfigError, OnError, raise_error
from permutree.search.columns import Located
from permutree.search.constraints import FEATURES
from permutree.search.engine import Control, Plan, Rows
from permutree.search.formulas import Query, conjunctions
from permutree.search.index import IndexFile, in_segments, write_index
from permutree.search.languages import parse_query
from permutree.search.matches import Match, plain_name, split_fact
from permutree.search.messages import QueryError
from permutree.search.segments import Ids, Segment, TableSet
from permutree.search.sources import Indexed, InMemory, Source, Streamed
from permutree.search.syntax import ParsedQuery

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Corpus"]

#: sentences that are searched at first if only some matches are wanted
FIRST_WINDOW = 1 << 10
#: solutions of a window that are kept at once; with more, the window is made smaller
MOST_ROWS = 1 << 22
#: solutions that become matches at once
MATCHED = 1 << 12


class Corpus:
    """Trees that can be searched again and again.

    >>> import permutree
    >>> tree = permutree.Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")
    >>> corpus = Corpus.of([tree])
    >>> [match.nodes["n"].text for match in corpus.search('#n:[cat="VP"] & discontinuous(#n)')]
    ['How … work']
    """

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = list(sources)

    @classmethod
    def open(
        cls,
        paths: str | Path | Iterable[str | Path],
        format: str | None = None,  # noqa: A002 - the word that users expect
        charset: str | None = None,
        on_error: OnError = raise_error,
    ) -> Corpus:
        """The corpus in an index that ``permutree index`` wrote, or in treebank files of any format; or in several.

        An index is mapped into memory, not read. Files are read anew by each search.
        """
        listed = [paths] if isinstance(paths, str | Path) else list(paths)
        sources: list[Source] = []
        for path in listed:
            if IndexFile.is_index(path):
                sources.append(Indexed(IndexFile(path)))
            else:
                sources.append(Streamed(path, format, charset, on_error))
        return cls(sources)

    @classmethod
    def of(cls, trees: Iterable[Any], file: str = "") -> Corpus:
        """The corpus of some trees, in memory."""
        located = (Located(tree, file, number) for number, tree in enumerate(trees, 1))
        return cls([InMemory([Segment.of(run) for run in in_segments(located)])])

    def save(self, path: str | Path) -> tuple[int, int]:
        """Write an index of all trees; gives the number of sentences and of nodes."""
        return write_index(self.sentences(), path)

    def sentences(self) -> Iterator[Located]:
        """All trees, with their places."""
        for source in self._sources:
            yield from source.sentences()

    def tables(self) -> list[TableSet]:
        """The labels, words and so on of the indexes of the corpus; what is streamed is not known before."""
        return [source.index.tables for source in self._sources if isinstance(source, Indexed)]

    def labels(self) -> dict[str, list[str]]:
        """Categories, tags and functions of the indexes, to choose from."""
        return {
            feature: sorted({text for tables in self.tables() for text in tables.features[feature].texts[1:]})
            for feature in ("cat", "pos", "function")
        }

    @property
    def size(self) -> int | None:
        """How many sentences there are; None if files would have to be read for it."""
        sizes = [source.size for source in self._sources]
        return None if None in sizes else sum(size for size in sizes if size is not None)

    def search(
        self,
        query: str | ParsedQuery,
        *,
        syntax: str = "tiger",
        limit: int | None = None,
        timeout: float | None = None,
        cancelled: Callable[[], bool] | None = None,
        unique: Sequence[str] | None = None,
        on_sentences: Callable[[int], None] | None = None,
    ) -> Iterator[Match]:
        """The matches of a query, in the order of sentences.

        Args:
            query: what to find, in the language ``syntax``: ``tiger``, ``tregex`` or ``example``.
            syntax: the language of the query.
            limit: how many matches at most; the search ends with the last of them.
            timeout: seconds after which :class:`~permutree.search.engine.SearchStopped` is raised.
            cancelled: asked between steps; the search stops the same way when it says so.
            unique: variables that make up a match; others are forgotten, and what is then the same comes once.
            on_sentences: told how many further sentences have been searched, for progress.

        """
        matches = self._matches(_parsed(query, syntax), Control.after(timeout, cancelled), limit, unique, on_sentences)
        return matches if limit is None else islice(matches, limit)

    def _matches(
        self,
        parsed: ParsedQuery,
        control: Control,
        limit: int | None,
        unique: Sequence[str] | None,
        on_sentences: Callable[[int], None] | None,
    ) -> Iterator[Match]:
        for segment, search in self._searches(parsed, unique):
            for window in _windows(segment, 1 if limit is not None else segment.sentences):
                for rows in search.windows(segment, window, control):
                    yield from search.matches(segment, rows)
                if on_sentences is not None:
                    on_sentences(window[1] - window[0])

    def count(
        self,
        query: str | ParsedQuery,
        *,
        syntax: str = "tiger",
        timeout: float | None = None,
        cancelled: Callable[[], bool] | None = None,
        unique: Sequence[str] | None = None,
    ) -> int:
        """How many matches there are; faster than making them."""
        control = Control.after(timeout, cancelled)
        total = 0
        for segment, search in self._searches(_parsed(query, syntax), unique):
            total += search.count(segment, control)
        return total

    def count_by(
        self,
        query: str | ParsedQuery,
        keys: Sequence[str],
        *,
        syntax: str = "tiger",
        timeout: float | None = None,
        cancelled: Callable[[], bool] | None = None,
        unique: Sequence[str] | None = None,
    ) -> Counter[tuple[str | int | None, ...]]:
        """How many matches there are for each value of some facts, such as ``#n.cat``, ``#m.word`` or ``file``."""
        control = Control.after(timeout, cancelled)
        counts: Counter[tuple[str | int | None, ...]] = Counter()
        for segment, search in self._searches(_parsed(query, syntax), unique):
            facts = [split_fact(key, search.names, list(segment.tables.metadata)) for key in keys]
            for rows in search.windows(segment, (0, segment.sentences), control, in_order=False):
                _count_rows(counts, segment, search, rows, facts, control)
        return counts

    def frame(self, query: str | ParsedQuery, *, syntax: str = "tiger", **options: Any) -> pd.DataFrame:
        """The matches as a pandas frame: a row for each; label, text, words, length and gaps of nodes are columns."""
        try:
            import pandas as pd
        except ModuleNotFoundError as error:
            raise ConfigError(f"frames need {error.name}, which is not here: pip install 'permutree[pandas]'") from None
        rows = []
        for match in self.search(query, syntax=syntax, **options):
            row: dict[str, object] = {**match.metadata, "sentence": match.sentence}
            for name, node in match.nodes.items():
                row |= {f"{name}.label": node.label, f"{name}.text": node.text, f"{name}.words": list(node.words)}
                row |= {f"{name}.length": node.fact("length"), f"{name}.gaps": node.fact("gaps")}
            rows.append(row)
        return pd.DataFrame(rows)

    def _searches(self, parsed: ParsedQuery, unique: Sequence[str] | None) -> Iterator[tuple[Segment, _Search]]:
        for source in self._sources:
            if isinstance(source, Indexed):
                _check_features(parsed, source.index.tables)
            tables, search = None, None
            for segment in source.segments():
                if search is None or segment.tables is not tables:
                    tables = segment.tables
                    parsed.meet(tables)
                    search = _Search(parsed.query_for(tables), tables, unique)
                yield segment, search


def _parsed(query: str | ParsedQuery, syntax: str) -> ParsedQuery:
    return parse_query(query, syntax) if isinstance(query, str) else query


def _check_features(parsed: ParsedQuery, tables: TableSet) -> None:
    for feature, position in parsed.features.items():
        if tables.named(feature) is None:
            known = ", ".join([*FEATURES, *tables.metadata])
            raise QueryError(f"no feature {feature!r} in this corpus", parsed.text, position, f"there are {known}")


def _windows(segment: Segment, first: int) -> Iterator[tuple[int, int]]:
    """Runs of sentences, each twice as long as the one before."""
    begin, size = 0, first if first >= segment.sentences else FIRST_WINDOW
    while begin < segment.sentences:
        end = min(begin + size, segment.sentences)
        yield begin, end
        begin, size = end, 2 * size


class _TooMany(Exception):
    """A window has more solutions than are kept at once."""


class _Search:
    """A query, bound to the tables of a corpus."""

    def __init__(self, query: Query, tables: TableSet, unique: Sequence[str] | None) -> None:
        self.query = query
        self.shown = query.shown
        if unique is not None:
            known = dict.fromkeys(map(plain_name, query.shown))
            for name in unique:
                if name not in known:
                    has = ", ".join(f"#{variable}" for variable in known)
                    raise ConfigError(f"the query has no variable #{name}; it has {has}")
            self.shown = tuple(name for name in query.shown if plain_name(name) in unique)
        found = conjunctions(query.formula)
        if not all(set(conjunction.variables) & set(self.shown) for conjunction in found):
            raise ConfigError(
                "an alternative of the query has no node to show, outside of negations and quantifiers: add one, as in "
                "#n:[] & (…)"
            )
        #: the variables as they are shown
        self.names = list(dict.fromkeys(map(plain_name, self.shown)))
        self.plans = [Plan(conjunction, tables) for conjunction in found]
        # Without hidden variables, and with one alternative, no solution comes twice.
        self.is_distinct = len(found) == 1 and set(found[0].variables) <= set(self.shown)

    def windows(
        self, segment: Segment, window: tuple[int, int], control: Control, *, in_order: bool = True
    ) -> Iterator[Ids]:
        """The distinct solutions in some sentences: a row each, a column for each variable, -1 for none."""
        begin, end = window
        try:
            found = self._rows(segment, window, control, MOST_ROWS if end - begin > 1 else None, in_order)
        except _TooMany:
            middle = (begin + end) // 2
            yield from self.windows(segment, (begin, middle), control, in_order=in_order)
            yield from self.windows(segment, (middle, end), control, in_order=in_order)
            return
        if len(found):
            yield found

    def _rows(
        self, segment: Segment, window: tuple[int, int], control: Control, most: int | None, in_order: bool
    ) -> Ids:
        parts = []
        total = 0
        for rows in self._solutions(segment, window, control):
            part = self._projected(rows)
            parts.append(part)
            total += len(part)
            if most is not None and total > most:
                raise _TooMany
        if not parts:
            return np.zeros((0, len(self.shown)), np.int64)
        found = np.concatenate(parts)
        if self.is_distinct and not in_order:
            return found
        control.check()
        sentences = segment.get("sentence", found.max(axis=1))
        order = np.lexsort((*found.T[::-1], sentences))
        found = found[order]
        if not self.is_distinct:
            is_new = np.append(True, (found[1:] != found[:-1]).any(axis=1))
            found = found[is_new]
        return found

    def _solutions(self, segment: Segment, window: tuple[int, int], control: Control) -> Iterator[Rows]:
        nodes = int(segment.node_offsets[window[0]]), int(segment.node_offsets[window[1]])
        for plan in self.plans:
            yield from plan.solutions(segment, control, nodes)

    def _projected(self, rows: Rows) -> Ids:
        size = len(next(iter(rows.values())))
        none = np.full(size, -1, np.int64)
        return np.stack([rows.get(name, none) for name in self.shown], axis=1)

    def count(self, segment: Segment, control: Control) -> int:
        """How many matches a segment has."""
        window = (0, segment.sentences)
        if self.is_distinct:
            return sum(len(next(iter(rows.values()))) for rows in self._solutions(segment, window, control))
        return sum(len(rows) for rows in self.windows(segment, window, control, in_order=False))

    def matches(self, segment: Segment, rows: Ids) -> Iterator[Match]:
        """The matches of rows."""
        for begin in range(0, len(rows), MATCHED):
            some = rows[begin : begin + MATCHED]
            sentences = segment.get("sentence", some.max(axis=1)).tolist()
            for sentence, row in zip(sentences, some.tolist(), strict=True):
                found = [(name, node) for name, node in zip(self.shown, row, strict=True) if node >= 0]
                leaves = frozenset(plain_name(name) for name, _ in found if name in self.query.leaves)
                yield Match(segment, sentence, {plain_name(name): node for name, node in found}, leaves)


def _count_rows(
    counts: Counter[tuple[str | int | None, ...]],
    segment: Segment,
    search: _Search,
    rows: Ids,
    facts: Sequence[tuple[str, str]],
    control: Control,
) -> None:
    """Count rows by facts: by numbers of tables as long as possible, by matches where a fact has no table."""
    from permutree.search.counting import fact_codes

    columns = [fact_codes(segment, search.shown, rows, *fact) for fact in facts]
    if all(column is not None for column in columns):
        codes = np.stack([column[0] for column in columns if column is not None], axis=1)
        values, times = np.unique(codes, axis=0, return_counts=True)
        readers = [column[1] for column in columns if column is not None]
        for row, number in zip(values.tolist(), times.tolist(), strict=True):
            counts[tuple(read_value(code) for read_value, code in zip(readers, row, strict=True))] += number
        return
    for match in search.matches(segment, rows):
        control.check()
        counts[tuple(match.fact(*fact) for fact in facts)] += 1
