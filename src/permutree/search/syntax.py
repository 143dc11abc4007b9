"""What the query languages share: a parser from a grammar, errors with a place, and the result of parsing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from permutree.search.formulas import Query
from permutree.search.messages import QueryError, search_packages
from permutree.search.segments import TableSet

if TYPE_CHECKING:
    from lark import Lark, Token
    from lark import Tree as Parse

__all__ = ["Mention", "ParsedQuery", "check_regex", "parse_text", "position_of"]


@dataclass(frozen=True, slots=True)
class Mention:
    """A value that a query asks for literally: one that the corpus has not is worth a hint."""

    features: tuple[str, ...]
    text: str
    position: int


@dataclass(slots=True)
class ParsedQuery:
    """A query that was understood; for each corpus, whose labels and words it may depend on, it gives a formula."""

    text: str
    #: the formula for a corpus with these tables
    query_for: Callable[[TableSet], Query]
    #: the variables that make up a match, as they are shown
    variables: tuple[str, ...]
    mentions: list[Mention] = field(default_factory=list)
    #: features of nodes and sentences that it asks for, and where
    features: dict[str, int] = field(default_factory=dict)

    #: what has been met in the corpora that were searched, and the labels of the last of them
    _met: set[Mention] = field(default_factory=set)
    _tables: TableSet | None = None

    def meet(self, tables: TableSet) -> None:
        """Take note of which labels and words of the query a corpus has."""
        self._tables = tables
        for mention in self.mentions:
            known = (tables.named(feature) for feature in mention.features)
            if mention not in self._met and any(table is not None and table.find(mention.text) for table in known):
                self._met.add(mention)

    def hints(self) -> list[QueryError]:
        """What the query asks for and no corpus that was searched has, each with names that look like it."""
        found = []
        for mention in self.mentions:
            if self._tables is None or mention in self._met:
                continue
            known = (self._tables.named(feature) for feature in mention.features)
            near = [text for table in known if table is not None for text in table.near(mention.text)][:3]
            what = " or ".join(mention.features)
            hint = f"did you mean {' or '.join(near)}?" if near else None
            found.append(QueryError(f"the corpus has no {what} {mention.text!r}", self.text, mention.position, hint))
        return found


@cache
def _parser(grammar: str) -> Lark:
    try:
        from lark import Lark
    except ModuleNotFoundError as error:
        raise search_packages(error) from None
    text = (Path(__file__).parent / grammar).read_text("utf-8")
    return Lark(text, parser="lalr", propagate_positions=True, maybe_placeholders=False)


#: names of terminals → what people call them
_CALLED = {
    "VARIABLE": "a variable (#n)",
    "RELATION": "a relation (> >* . .* $)",
    "LSQB": "a node ([…])",
    "RSQB": "]",
    "LPAR": "(",
    "RPAR": ")",
    "NAME": "a name",
    "STRING": 'a text in quotes ("NP")',
    "REGEX": "a regular expression (/N.*/)",
    "EQUALS": "= or !=",
    "AMPERSAND": "&",
    "VBAR": "|",
    "$END": "the end",
}


def parse_text(grammar: str, text: str, hints: Mapping[str, str] | None = None) -> Parse[Token]:
    """The parse of a query by a grammar; a QueryError that points at the first character that does not fit.

    ``hints`` are regular expressions for what stands there, and what to say of it.
    """
    parser = _parser(grammar)
    from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

    try:
        return parser.parse(text)
    except UnexpectedInput as error:
        position = len(text)
        if isinstance(error, UnexpectedToken) and error.token.type != "$END":
            position = error.token.start_pos or 0
        elif isinstance(error, UnexpectedCharacters):
            position = error.pos_in_stream or 0
        expected = getattr(error, "accepts", None) or getattr(error, "expected", None) or getattr(error, "allowed", ())
        names = [_CALLED[name] for name in sorted(expected or ()) if name in _CALLED]
        said = f"; expected {', '.join(names)}" if names else ""
        what = repr(text[position]) if position < len(text) else "the end of the query"
        hint = None
        for pattern, advice in (hints or {}).items():
            # A hint is for what stands at the place, or for what leads up to it.
            if re.match(pattern, text[position:]) or re.search(f"(?:{pattern})\\Z", text[:position]):
                hint = advice
                break
        raise QueryError(f"cannot understand {what}{said}", text, position, hint) from None


def position_of(tree: Parse[Token] | Token) -> int:
    """Where a part of a query begins."""
    start = getattr(tree, "start_pos", None)
    if start is None:
        start = getattr(getattr(tree, "meta", None), "start_pos", 0)
    return int(start or 0)


def check_regex(pattern: str, query: str, position: int) -> str:
    """A regular expression that Python understands, or a QueryError."""
    try:
        re.compile(pattern)
    except re.error as error:
        place = position + 1 + (error.pos or 0)
        raise QueryError(f"not a regular expression: {error.msg}", query, place) from None
    return pattern
