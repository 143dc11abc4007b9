"""Query by example: a tree in brackets with holes, such as ``(NP (NP ...) (CP-REL ...))``.

- ``(LABEL child …)`` is a constituent whose children are these and no others, in this order. ``...`` among them stands
  for any number of children. ``(LABEL)`` and ``(LABEL ...)`` leave all of them open.
- ``(TAG word)`` is a word; ``_`` is any label, any tag or any word, and alone it is any node. A label, tag or word may
  be a choice (``NP|PP``) or a regular expression (``/N.*/``).
- Words may have indexes, as in discbracket: ``(VP (WRB 0=How) (VB 3=_))``. Words with neighbouring indexes stand side
  by side; between others, in the order of indexes, there is at least one word. So gaps can be drawn.
- ``#n:(NP ...)`` gives a node a name. The match is the root, called ``n`` (or ``root``, if another node is) unless it has a
  name, and all named nodes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count, pairwise

from permutree.search.formulas import And, Formula, Nodes, Query, Statement
from permutree.search.messages import QueryError
from permutree.search.predicates import (
    AllOf,
    AnyValue,
    EitherValue,
    Figure,
    HasValue,
    IsWord,
    Pattern,
    Predicate,
    Text,
    ValueTest,
)
from permutree.search.relations.shapes import Dominates, NthChild, Precedes, Siblings
from permutree.search.syntax import Mention, ParsedQuery, check_regex

__all__ = ["parse_example"]

_TOKEN = re.compile(
    r"(?P<blank>\s+)|(?P<open>\()|(?P<close>\))|(?P<dots>\.\.\.|…)|(?P<name>#\w+:)"
    r"|(?P<atom>(?:[0-9]+=)?(?:/(?:\\.|[^/\\])*/|\"(?:\\.|[^\"\\])*\"|[^\s()\"/]+))"
)


@dataclass
class _Piece:
    """A node of the fragment."""

    position: int
    name: str = ""
    label: str | None = None
    #: the word, if it is one; ``_`` for any
    word: str | None = None
    index: int | None = None
    #: children, with None for ``...``; None if nothing is said of them
    children: list[_Piece | None] | None = None
    is_hole: bool = False

    def all_pieces(self) -> Iterator[_Piece]:
        """This node and all below."""
        yield self
        for child in self.children or ():
            if child is not None:
                yield from child.all_pieces()


def parse_example(text: str) -> ParsedQuery:
    """The query that a fragment of a tree says."""
    reader = _Reader(text)
    root = reader.whole()
    maker = _Maker(text)
    formula = maker.formula(root)
    shown = tuple(dict.fromkeys(piece.name for piece in root.all_pieces() if not piece.name.startswith("_")))
    query = Query(formula, shown)
    return ParsedQuery(text, lambda tables: query, shown, maker.mentions)


@dataclass
class _Reader:
    text: str
    place: int = 0
    unnamed: Iterator[int] = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        self.tokens: list[tuple[str, str, int]] = []
        position = 0
        while position < len(self.text):
            match = _TOKEN.match(self.text, position)
            if match is None:
                raise QueryError(f"cannot understand {self.text[position]!r}", self.text, position)
            if match.lastgroup != "blank":
                self.tokens.append((str(match.lastgroup), match[0], position))
            position = match.end()
        self.tokens.append(("end", "", len(self.text)))

    def whole(self) -> _Piece:
        """The root; nothing may follow it."""
        root = self.piece()
        if root.name.startswith("_"):
            names = {piece.name for piece in root.all_pieces()}
            root.name = "root" if "n" in names else "n"
        kind, _, position = self.tokens[self.place]
        if kind != "end":
            raise QueryError("one tree is expected, and this is after its end", self.text, position)
        return root

    def piece(self) -> _Piece:
        """A node."""
        kind, token, position = self._next()
        name = ""
        if kind == "name":
            name = token[1:-1]
            kind, token, position = self._next()
        piece = _Piece(position, name or f"_{next(self.unnamed)}")
        if kind == "atom" and token == "_":
            piece.is_hole = True
        elif kind == "atom":
            raise QueryError("a word stands in brackets after its tag", self.text, position, f"write (_ {token})")
        elif kind == "open":
            self._inside(piece)
        else:
            what = "the end of the query" if kind == "end" else repr(token)
            raise QueryError(
                f"a node is expected, not {what}", self.text, position, "write (LABEL ...), (TAG word) or _"
            )
        return piece

    def _inside(self, piece: _Piece) -> None:
        kind, token, position = self._next()
        if kind != "atom":
            raise QueryError("a label is expected here", self.text, position, "_ is any label")
        piece.label = token
        kind, token, _ = self.tokens[self.place]
        if kind == "atom" and (token != "_" or self.tokens[self.place + 1][0] == "close"):
            self.place += 1
            index = re.match(r"([0-9]+)=(?=.)", token)
            piece.word = token[index.end() :] if index else token
            piece.index = int(index[1]) if index else None
        elif kind != "close":
            piece.children = []
            while self.tokens[self.place][0] not in ("close", "end"):
                if self.tokens[self.place][0] == "dots":
                    self.place += 1
                    piece.children.append(None)
                else:
                    piece.children.append(self.piece())
        kind, _, position = self._next()
        if kind != "close":
            raise QueryError("a ) is missing", self.text, position)

    def _next(self) -> tuple[str, str, int]:
        token = self.tokens[self.place]
        self.place += token[0] != "end"
        return token


class _Maker:
    """Makes the formula of a fragment."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.mentions: list[Mention] = []

    def formula(self, root: _Piece) -> Formula:
        """All that the fragment says."""
        parts: list[Formula] = []
        for piece in root.all_pieces():
            parts.append(Statement(piece.name, self._predicate(piece)))
            parts += self._children(piece)
        indexed = [(piece.index, piece) for piece in root.all_pieces() if piece.index is not None]
        indexed.sort(key=lambda pair: pair[0])
        for (index, piece), (next_index, following) in pairwise(indexed):
            if index == next_index:
                raise QueryError(f"the index {index} stands twice", self.text, following.position)
            side_by_side = next_index == index + 1
            relation = Precedes(1, 1) if side_by_side else Precedes(2)
            parts.append(Nodes(piece.name, relation, following.name))
        return And(tuple(parts))

    def _predicate(self, piece: _Piece) -> Predicate:
        if piece.is_hole:
            return AllOf(())
        assert piece.label is not None
        if piece.word is not None:
            tag, word = self._test(piece.label, "pos", piece), self._test(piece.word, "word", piece)
            return AllOf((HasValue("pos", tag), HasValue("word", word)))
        return AllOf((IsWord(False), HasValue("cat", self._test(piece.label, "cat", piece))))

    def _test(self, text: str, feature: str, piece: _Piece) -> ValueTest:
        if text == "_":
            return AnyValue()
        if len(text) > 1 and text[0] == text[-1] == "/":
            return Pattern(check_regex(text[1:-1].replace(r"\/", "/"), self.text, piece.position))
        if len(text) > 1 and text[0] == text[-1] == '"':
            choices = [re.sub(r"\\(.)", r"\1", text[1:-1])]
        else:
            choices = [choice.replace("-LRB-", "(").replace("-RRB-", ")") for choice in text.split("|") if choice] or [
                text
            ]
        self.mentions += [Mention((feature,), choice, piece.position) for choice in choices]
        found: ValueTest = Text(choices[0])
        for choice in choices[1:]:
            found = EitherValue(found, Text(choice))
        return found

    def _children(self, piece: _Piece) -> Iterator[Formula]:
        """How the children stand: each is one; with no ``...`` between them they are next to each other."""
        if piece.children is None:
            return
        there = [child for child in piece.children if child is not None]
        if len(there) == len(piece.children):
            yield Statement(piece.name, Figure("arity", "=", len(there)))
            for number, child in enumerate(there, 1):
                yield Nodes(piece.name, NthChild(number), child.name)
            return
        for child in there:
            yield Nodes(piece.name, Dominates(1, 1), child.name)
        if piece.children[0] is not None:
            yield Nodes(piece.name, NthChild(1), piece.children[0].name)
        if piece.children[-1] is not None:
            yield Nodes(piece.name, NthChild(-1), piece.children[-1].name)
        previous, is_next = None, True
        for one in piece.children:
            if one is None:
                is_next = False
                continue
            if previous is not None:
                yield Nodes(previous.name, Siblings(is_ordered=True, next_only=is_next), one.name)
            previous, is_next = one, True
