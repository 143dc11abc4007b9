"""Searches in a worker: within limits of time and size, and stopped when nobody waits for them any more."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from permutree.errors import ConfigError, TreeError
from permutree.search.corpus import Corpus
from permutree.search.engine import SearchStopped
from permutree.search.languages import parse_query
from permutree.search.matches import Match
from permutree.search.syntax import ParsedQuery
from permutree.serving.messages import SearchRequest
from permutree.serving.records import sentence
from permutree.serving.settings import Settings
from permutree.serving.treebanks import TooMuch

__all__ = ["CANCEL", "Searches"]

#: the signal that tells a worker to stop its search
CANCEL = signal.SIGUSR1
#: matches that are shown if a request says nothing
SHOWN = 100
#: words of all sentences and nodes in an answer: some megabytes
WORDS = 400_000
#: seconds that a search may be late, before it is stopped wherever it is
LATE = 0.5


class Searches:
    """Answers queries; corpora are opened when they are first searched."""

    def __init__(self, settings: Settings) -> None:
        self.limits = settings.limits
        self.corpora = {corpus.name: corpus for corpus in settings.corpora}
        #: a search must end before the pool gives the worker up
        self.seconds = min(self.limits.search, 0.8 * self.limits.seconds)
        self._opened: dict[str, Corpus] = {}
        self._is_searching = False
        self._has_alarm = False

    def listen(self) -> None:
        """Let signals stop searches: an alarm, since regular expressions may take for ever, and the pool."""
        signal.signal(CANCEL, self._stop)
        signal.signal(signal.SIGALRM, self._stop)
        self._has_alarm = True

    def _stop(self, number: int, frame: FrameType | None) -> None:
        if self._is_searching:
            raise SearchStopped("the search was stopped")

    @contextmanager
    def _searching(self) -> Iterator[None]:
        try:
            self._is_searching = True
            if self._has_alarm:
                signal.setitimer(signal.ITIMER_REAL, self.seconds + LATE)
            yield
        finally:
            self._is_searching = False
            if self._has_alarm:
                signal.setitimer(signal.ITIMER_REAL, 0)

    def search(self, request: SearchRequest) -> dict[str, Any]:
        """The answer to a query."""
        most = self.limits.matches
        if request.limit is not None and request.limit > most:
            raise TooMuch(f"more than {most:,} matches, the limit of this server")
        wanted = min(SHOWN, most) if request.limit is None else request.limit
        corpus = self._corpus(request.corpus)
        end = time.monotonic() + self.seconds
        unique = request.unique and [name.strip().removeprefix("#") for name in request.unique]
        total: int | None
        counts = None
        try:
            with self._searching():
                parsed = parse_query(request.query, request.syntax)
                options: dict[str, Any] = {"unique": unique}
                found: list[Match] = []
                if wanted:
                    found = list(corpus.search(parsed, limit=wanted + 1, timeout=self.seconds, **options))
                if request.count_by is not None:
                    by = [key.strip() for key in request.count_by]
                    counted = corpus.count_by(parsed, by, timeout=end - time.monotonic(), **options)
                    total = counted.total()
                    rows = sorted(counted.items(), key=lambda item: (-item[1], tuple(map(str, item[0]))))
                    shown_rows = [{"values": values, "count": number} for values, number in rows[:most]]
                    counts = {"by": by, "rows": shown_rows, "values": len(rows)}
                elif wanted and len(found) <= wanted:
                    total = len(found)
                else:
                    total = _count(corpus, parsed, end, is_needed=not wanted, **options)
        except SearchStopped:
            raise SearchStopped(
                f"the search took longer than {self.seconds:g} s, the limit of this server: say more of the rarest "
                "node, or ask less"
            ) from None
        matches = list(_within(WORDS, found[:wanted]))
        return {
            "corpus": request.corpus,
            "variables": unique or list(parsed.variables),
            "total": total,
            "matches": matches,
            "more": total is None or total > len(matches),
            **({"counts": counts} if counts is not None else {}),
            "hints": []
            if total != 0
            else [{"error": one.message, "position": one.position, "hint": one.hint} for one in parsed.hints()],
        }

    def _corpus(self, name: str) -> Corpus:
        if name not in self.corpora:
            there_are = ", ".join(self.corpora)
            way_out = f"there are {there_are}" if there_are else "the server was started without --corpus"
            raise ConfigError(f"no corpus {name!r}: {way_out}")
        if name not in self._opened:
            self._opened[name] = Corpus.open(self.corpora[name].files)
        return self._opened[name]


def _count(corpus: Corpus, parsed: ParsedQuery, end: float, *, is_needed: bool, **options: Any) -> int | None:
    """The number of all matches; None if there is not the time to count them, unless they are all that is asked for."""
    try:
        return corpus.count(parsed, timeout=end - time.monotonic(), **options)
    except SearchStopped:
        if is_needed:
            raise
        return None


def _within(words: int, matches: Iterable[Match]) -> Iterator[dict[str, Any]]:
    """Matches as records, as long as they have so many words."""
    for match in matches:
        words -= len(match.words) + sum(len(node.words) for node in match.nodes.values())
        if words < 0:
            return
        yield _record(match)


def _record(match: Match) -> dict[str, Any]:
    record: dict[str, Any] = {**match.as_dict(), "words": match.words}
    record["nodes"] = {
        name: {"label": node.label, "words": node.words, "node": node.number} for name, node in match.nodes.items()
    }
    try:
        record["discbracket"] = match.tree.discbracket()
    except TreeError:
        # A word with a blank in it.
        shown = sentence(match.tree, offsets=False)
        record |= {"discbracket": None, "tags": shown["tags"], "constituents": shown["constituents"]}
    return record
