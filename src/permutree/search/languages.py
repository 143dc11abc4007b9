"""The languages that queries are written in."""

from __future__ import annotations

from collections.abc import Callable

from permutree.errors import ConfigError
from permutree.search.example import parse_example
from permutree.search.syntax import ParsedQuery
from permutree.search.tiger import parse_tiger
from permutree.search.tregex import parse_tregex

__all__ = ["LANGUAGES", "parse_query"]

#: name → what reads it
LANGUAGES: dict[str, Callable[[str], ParsedQuery]] = {
    "tiger": parse_tiger,
    "tregex": parse_tregex,
    "example": parse_example,
}


def parse_query(text: str, syntax: str = "tiger") -> ParsedQuery:
    """A query in one of the languages; a QueryError points at the character that cannot be understood."""
    if syntax not in LANGUAGES:
        raise ConfigError(f"no query language {syntax!r}: there are {', '.join(LANGUAGES)}")
    return LANGUAGES[syntax](text)
