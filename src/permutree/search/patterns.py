"""Patterns of Tregex and TGrep2 as objects: nodes with descriptions, and their relations to other nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeAlias

from permutree.search.messages import QueryError
from permutree.search.syntax import Mention, check_regex, position_of
from permutree.search.value_tests import AnyValue, EitherValue, Pattern, Text, ValueTest

__all__ = ["Clause", "Parse", "PatternNode", "PatternReader", "Related"]

#: a part of the parse of a pattern; what its children are, its rule says
Parse: TypeAlias = Any

#: what the first node of a pattern is called, unless it has a name; and if another node is called so
HEAD = "n"
OTHER_HEAD = "head"


@dataclass
class PatternNode:
    """A node of a pattern: a description, or a reference to a node with a name; and what it is related to."""

    name: str
    is_named: bool
    #: None for a reference
    test: ValueTest | None
    is_negated: bool
    position: int
    clause: Clause | None = None
    mentions: list[Mention] = field(default_factory=list)

    def all_nodes(self) -> Iterator[PatternNode]:
        """This node and all that it is related to."""
        yield self
        if self.clause is not None:
            for related in self.clause.relations():
                yield from related.node.all_nodes()

    def positive_nodes(self) -> Iterator[PatternNode]:
        """This node and all that it is related to outside of negations."""
        yield self
        if self.clause is not None:
            yield from self.clause.positive_nodes()


@dataclass
class Related:
    """A relation of a node to another: its sign, and where that stands."""

    sign: str
    position: int
    node: PatternNode


@dataclass
class Clause:
    """Relations of a node: ``and``, ``or``, ``not``, ``optional`` of others, or one relation."""

    kind: str
    parts: list[Clause] = field(default_factory=list)
    related: Related | None = None

    def relations(self) -> Iterator[Related]:
        """All relations in it."""
        if self.related is not None:
            yield self.related
        for part in self.parts:
            yield from part.relations()

    def positive_nodes(self) -> Iterator[PatternNode]:
        """The nodes in it, without those below a negation."""
        if self.related is not None:
            yield from self.related.node.positive_nodes()
        for part in self.parts if self.kind != "not" else ():
            yield from part.positive_nodes()


class PatternReader:
    """Makes a pattern of its parse."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.unnamed = count(1)
        self.is_first = True
        self.head = OTHER_HEAD if re.search(rf"={HEAD}\b", text) else HEAD

    def chain(self, parse: Parse) -> PatternNode:
        """A node with its relations."""
        node = self.node(parse.children[0])
        if len(parse.children) > 1:
            clause = self.clause(parse.children[1])
            node.clause = clause if node.clause is None else Clause("and", [node.clause, clause])
        return node

    def node(self, parse: Any) -> PatternNode:
        """A node: described, meant by its name, or in brackets with its relations."""
        if parse.data == "group":
            return self.chain(parse.children[0])
        position = position_of(parse.children[0])
        if parse.data == "reference":
            return PatternNode(str(parse.children[0])[1:], True, None, False, position)
        description, *name = map(str, parse.children)
        named = name[0][1:] if name else self.head if self.is_first else f"_{next(self.unnamed)}"
        is_named = bool(name) or self.is_first
        self.is_first = False
        mentions: list[Mention] = []
        test = self.description(description.removeprefix("!"), position, mentions)
        return PatternNode(named, is_named, test, description.startswith("!"), position, None, mentions)

    def description(self, text: str, position: int, mentions: list[Mention]) -> ValueTest:
        """The test of labels or words that a description stands for."""
        is_basic = text.startswith("@")
        found: ValueTest | None = None
        for piece in re.findall(r'@?(?:/(?:\\.|[^/\\])*/i?|"(?:\\.|[^"\\])*"|[^|\s]+)', text):
            test = self._piece(piece.removeprefix("@"), is_basic or piece.startswith("@"), position, mentions)
            found = test if found is None else EitherValue(found, test)
        assert found is not None
        return found

    def _piece(self, piece: str, is_basic: bool, position: int, mentions: list[Mention]) -> ValueTest:
        if piece == "__":
            return AnyValue()
        if piece.startswith("/"):
            pattern, _, flag = piece[1:].rpartition("/")
            expression = check_regex(pattern.replace(r"\/", "/"), self.text, position)
            return Pattern(expression, is_whole=False, ignores_case=flag == "i")
        text = re.sub(r"\\(.)", r"\1", piece[1:-1]) if piece.startswith('"') else piece
        if is_basic:
            return Pattern(re.escape(text) + r"(?:[-=|#+^~].*)?")
        mentions.append(Mention(("cat", "pos", "word"), text, position))
        return Text(text)

    def clause(self, parse: Parse) -> Clause:
        """Relations."""
        kinds = {"one_of": "or", "both": "and", "negated": "not", "optional": "optional"}
        kind = str(parse.data)
        if kind == "relation":
            sign, node = parse.children
            self._check(str(sign), position_of(sign))
            return Clause("relation", [], Related(str(sign), position_of(sign), self.node(node)))
        return Clause(kinds[kind], [self.clause(part) for part in parse.children if hasattr(part, "data")])

    def _check(self, sign: str, position: int) -> None:
        """A QueryError for a relation that has no meaning here."""
        if re.fullmatch(r"[<>]-?0+", sign):
            raise QueryError("children are counted from 1", self.text, position)
        is_known = re.fullmatch(
            r"[<>]|<<|>>|[<>]-?[0-9]+|(?:<|<<|>|>>)[,\-`':]|[<>]{3}(?:-?1|-)?|[<>]\+\(.*\)|\$(?:\+\+?|--?|\.\.?|,,?)?"
            r"|\.\.?|,,?|==|:",
            sign,
        )
        if not is_known:
            why = (
                "no treebank here says which child is the head"
                if "#" in sign
                else "docs/reference/queries.md lists the relations"
            )
            raise QueryError(f"the relation {sign} is not supported", self.text, position, why)
