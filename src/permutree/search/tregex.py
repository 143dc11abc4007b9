"""Patterns of Tregex and TGrep2 on discontinuous trees: from text to a formula.

In these languages a tree has three kinds of nodes: constituents, tags, and below each tag a leaf, the word. Our nodes
are constituents and words, and the tag and the leaf of a word are the same node. So a variable stands for the node
itself (constituent or tag) or for the leaf, which is one level deeper; a description that fits labels and words of
the corpus gives both alternatives.

Two relations are about the order of children: the n-th child and the sisters ``$+ $- $++ $--``. Children stand in the
order of their first words. Precedence (``. .. , ,,``) is about words: all blocks of one node stand before all blocks
of the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count, product
from typing import Any, TypeAlias

from permutree.search.formulas import And, Exists, Formula, Nodes, Not, Or, Query, Statement
from permutree.search.matches import LEAF
from permutree.search.messages import QueryError
from permutree.search.predicates import (
    AllOf,
    AnyOf,
    AnyValue,
    EitherValue,
    Figure,
    HasValue,
    IsNot,
    IsWord,
    NotValue,
    Pattern,
    Predicate,
    Text,
    ValueTest,
    passing,
)
from permutree.search.relations.base import Relation
from permutree.search.relations.shapes import Before, Dominates, NthChild, SameNode, SameYield, Siblings
from permutree.search.segments import TableSet
from permutree.search.syntax import Mention, ParsedQuery, check_regex, parse_text, position_of

#: a part of the parse of a pattern; what its children are, its rule says
Parse: TypeAlias = Any

__all__ = ["HEAD", "parse_tregex"]

#: what the first node of a pattern is called, unless it has a name; and if another node is called so
HEAD = "n"
OTHER_HEAD = "head"

_HINTS = {
    r"\[\w+=": 'node descriptions such as [cat="NP"] are TIGERSearch\'s: use --syntax tiger',
    r"#": "variables such as #n are TIGERSearch's; here a name follows the label: NP=n",
}


def parse_tregex(text: str) -> ParsedQuery:
    """The query that a pattern says."""
    if not text.strip():
        raise QueryError("the pattern is empty", text, 0, "for all noun phrases write NP")
    pattern = _Reader(text).chain(parse_text("tregex.lark", text, _HINTS).children[0])
    mentions: list[Mention] = []
    for node in pattern.all_nodes():
        mentions += node.mentions
    shown = tuple(dict.fromkeys(node.name for node in pattern.positive_nodes() if node.is_named))
    return ParsedQuery(text, lambda tables: _Compiler(pattern, tables, text).query(), shown, mentions)


# --- patterns ---------------------------------------------------------------------------------------------------------


@dataclass
class _Node:
    """A node of a pattern: a description, or a reference to a node with a name; and what it is related to."""

    name: str
    is_named: bool
    #: None for a reference
    test: ValueTest | None
    is_negated: bool
    position: int
    clause: _Clause | None = None
    mentions: list[Mention] = field(default_factory=list)

    def all_nodes(self) -> Iterator[_Node]:
        """This node and all that it is related to."""
        yield self
        if self.clause is not None:
            for related in self.clause.relations():
                yield from related.node.all_nodes()

    def positive_nodes(self) -> Iterator[_Node]:
        """This node and all that it is related to outside of negations."""
        yield self
        if self.clause is not None:
            yield from self.clause.positive_nodes()


@dataclass
class _Related:
    sign: str
    position: int
    node: _Node


@dataclass
class _Clause:
    """Relations of a node: ``and``, ``or``, ``not``, ``optional`` of others, or one relation."""

    kind: str
    parts: list[_Clause] = field(default_factory=list)
    related: _Related | None = None

    def relations(self) -> Iterator[_Related]:
        """All relations in it."""
        if self.related is not None:
            yield self.related
        for part in self.parts:
            yield from part.relations()

    def positive_nodes(self) -> Iterator[_Node]:
        """The nodes in it, without those below a negation."""
        if self.related is not None:
            yield from self.related.node.positive_nodes()
        for part in self.parts if self.kind != "not" else ():
            yield from part.positive_nodes()


class _Reader:
    """Makes a pattern of its parse."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.unnamed = count(1)
        self.is_first = True
        self.head = OTHER_HEAD if re.search(rf"={HEAD}\b", text) else HEAD

    def chain(self, parse: Parse) -> _Node:
        """A node with its relations."""
        node = self.node(parse.children[0])
        if len(parse.children) > 1:
            clause = self.clause(parse.children[1])
            node.clause = clause if node.clause is None else _Clause("and", [node.clause, clause])
        return node

    def node(self, parse: Any) -> _Node:
        if parse.data == "group":
            return self.chain(parse.children[0])
        position = position_of(parse.children[0])
        if parse.data == "reference":
            return _Node(str(parse.children[0])[1:], True, None, False, position)
        description, *name = map(str, parse.children)
        named = name[0][1:] if name else self.head if self.is_first else f"_{next(self.unnamed)}"
        is_named = bool(name) or self.is_first
        self.is_first = False
        mentions: list[Mention] = []
        test = self.description(description.removeprefix("!"), position, mentions)
        return _Node(named, is_named, test, description.startswith("!"), position, None, mentions)

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

    def clause(self, parse: Parse) -> _Clause:
        """Relations."""
        kinds = {"one_of": "or", "both": "and", "negated": "not", "optional": "optional"}
        kind = str(parse.data)
        if kind == "relation":
            sign, node = parse.children
            self._check(str(sign), position_of(sign))
            return _Clause("relation", [], _Related(str(sign), position_of(sign), self.node(node)))
        return _Clause(kinds[kind], [self.clause(part) for part in parse.children if hasattr(part, "data")])

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
                "no treebank here says which child is the head" if "#" in sign else "docs/search.md lists the relations"
            )
            raise QueryError(f"the relation {sign} is not supported", self.text, position, why)


# --- formulas ---------------------------------------------------------------------------------------------------------


class _Compiler:
    """Makes the formula of a pattern for the labels and words of a corpus."""

    def __init__(self, pattern: _Node, tables: TableSet, text: str) -> None:
        self.pattern = pattern
        self.tables = tables
        self.text = text
        self.fresh = count(1)
        #: name → whether it stands for a leaf; decided before, as a name may occur twice
        self.kinds: dict[str, bool] = {}

    def query(self) -> Query:
        """The formula, with the variables that are shown."""
        positive = list(self.pattern.positive_nodes())
        #: names that make up a match: those that do not stand below a negation
        names = list(dict.fromkeys(node.name for node in positive if node.is_named))
        inside = [node for node in self.pattern.all_nodes() if node.name in names]
        alternatives = [self._node(self.pattern, self.kinds[self.pattern.name]) for _ in self._choices(inside)]
        shown = [name + suffix for name in names for suffix in ("", LEAF)]
        possible = [formula for formula in alternatives if formula is not None]
        leaves = frozenset(name for name in shown if name.endswith(LEAF))
        return Query(_or(possible, shown[0]), tuple(shown), leaves)

    def _choices(self, nodes: Iterable[_Node]) -> Iterator[None]:
        """Decide, in all ways that there are, which of the names of some nodes stand for leaves."""
        named: dict[str, list[_Node]] = {}
        for node in nodes:
            if node.is_named and node.name not in self.kinds:
                named.setdefault(node.name, []).append(node)
        choices = []
        for name, found in named.items():
            described = [node for node in found if node.test is not None]
            if not described:
                raise QueryError(f"no node is called {name}", self.text, found[0].position, f"write a label: NP={name}")
            kinds = [kind for kind in (False, True) if all(self._can_be(node, kind) for node in described)]
            # If it can be neither, other alternatives of the pattern may still hold.
            choices.append([(name, kind) for kind in kinds or [False]])
        before = self.kinds
        for chosen in product(*choices):
            self.kinds = {**before, **dict(chosen)}
            yield
        self.kinds = before

    def _can_be(self, node: _Node, is_leaf: bool) -> bool:
        """Whether a description fits any word, or any label, of the corpus."""
        if node.is_negated or node.test is None:
            return True
        features = ("word",) if is_leaf else ("cat", "pos")
        return any(passing(node.test, self.tables.features[feature]).any() for feature in features)

    def _variable(self, node: _Node, is_leaf: bool) -> str:
        return node.name + LEAF if is_leaf else node.name

    def _kinds_of(self, node: _Node) -> list[bool]:
        if node.is_named:
            return [self.kinds[node.name]]
        return [kind for kind in (False, True) if self._can_be(node, kind)]

    def _node(self, node: _Node, is_leaf: bool) -> Formula | None:
        """What is said of a node and of all that it is related to; None if it cannot be."""
        parts: list[Formula] = [Statement(self._variable(node, is_leaf), self._predicate(node, is_leaf))]
        if node.clause is not None:
            said = self._clause(node, is_leaf, node.clause)
            if said is None:
                return None
            parts.append(said)
        return And(tuple(parts))

    def _predicate(self, node: _Node, is_leaf: bool) -> Predicate:
        if node.test is None:
            return AllOf(())
        if is_leaf:
            return HasValue("word", NotValue(node.test) if node.is_negated else node.test)
        either = AnyOf((HasValue("cat", node.test), HasValue("pos", node.test)))
        return IsNot(either) if node.is_negated else either

    def _clause(self, node: _Node, is_leaf: bool, clause: _Clause) -> Formula | None:
        here = Statement(self._variable(node, is_leaf), AllOf(()))
        if clause.kind == "relation":
            assert clause.related is not None
            return self._related(node, is_leaf, clause.related)
        if clause.kind == "not":
            # Names that occur only here are bound here: no choice of theirs may have a solution.
            inside = list(clause.parts[0].positive_nodes())
            tried = [self._clause(node, is_leaf, clause.parts[0]) for _ in self._choices(inside)]
            possible = [formula for formula in tried if formula is not None]
            return And((here, *(Not(formula) for formula in possible)))
        said = [self._clause(node, is_leaf, part) for part in clause.parts]
        possible = [formula for formula in said if formula is not None]
        if clause.kind == "and":
            return And(tuple(possible)) if len(possible) == len(said) else None
        if clause.kind == "optional":
            return Or((possible[0], Not(Exists(self._local(clause), possible[0])))) if possible else here
        return Or(tuple(possible)) if possible else None

    def _local(self, clause: _Clause) -> tuple[str, ...]:
        """The variables of a clause that occur nowhere else."""
        inside = [found.name for related in clause.relations() for found in related.node.all_nodes()]
        total = [node.name for node in self.pattern.all_nodes()]
        names = [name for name in dict.fromkeys(inside) if inside.count(name) == total.count(name)]
        return tuple(name + suffix for name in names for suffix in ("", LEAF))

    def _related(self, node: _Node, is_leaf: bool, related: _Related) -> Formula | None:
        """One of the alternatives that the other node has."""
        found = []
        for kind in self._kinds_of(related.node):
            relation = self._relation(related, self._variable(node, is_leaf), self._variable(related.node, kind))
            other = self._node(related.node, kind)
            if relation is not None and other is not None:
                found.append(And((*relation, other)))
        if not found:
            return None
        return found[0] if len(found) == 1 else Or(tuple(found))

    def _relation(self, related: _Related, one: str, other: str) -> tuple[Formula, ...] | None:
        """What a sign says of two nodes; None if it cannot hold of a leaf, or of the tag over it."""
        sign = related.sign
        if sign.startswith(">") or sign in ("$--", "$-", "$,,", "$,", ",,", ","):
            turned = {"$--": "$++", "$-": "$+", "$,,": "$++", "$,": "$+", ",,": "..", ",": "."}
            sign = turned.get(sign, sign.replace(">", "<"))
            one, other = other, one
        if sign.startswith("<"):
            return self._dominance(sign, related, one, other)
        is_leaf = one.endswith(LEAF), other.endswith(LEAF)
        if sign in _SISTERS:
            return None if any(is_leaf) else (Nodes(one, _SISTERS[sign], other),)
        if sign in ("..", "."):
            return (Nodes(one, Before(next_only=sign == "."), other),)
        if sign == "==":
            return (Nodes(one, SameNode(), other),) if is_leaf[0] == is_leaf[1] else None
        if sign == ":":
            return ()
        raise AssertionError(sign)

    def _dominance(self, sign: str, related: _Related, above: str, below: str) -> tuple[Formula, ...] | None:
        if above.endswith(LEAF):
            return None
        #: a leaf is one level deeper than the node of its word
        leaf = 1 if below.endswith(LEAF) else 0
        anywhere = Nodes(above, Dominates(1 - leaf), below)
        if sign == "<":
            return (Nodes(above, Dominates(1 - leaf, 1 - leaf), below),)
        if sign == "<<":
            return (anywhere,)
        if sign.startswith("<<<"):
            return self._leaf(sign[3:], above, below) if leaf else None
        if sign in ("<<,", "<<'"):
            return anywhere, Nodes(above, SameYield("left"), below)
        if sign in ("<<-", "<<`"):
            return anywhere, Nodes(above, SameYield("right"), below)
        if sign == "<<:":
            return anywhere, Nodes(above, SameYield("both"), below)
        if sign.startswith("<+"):
            return self._chain(sign[3:-1], related, above, below, leaf)
        numbers = {"<,": 1, "<'": 1, "<-": -1, "<`": -1}
        if sign == "<:":
            if leaf:
                return (Nodes(above, SameNode(), below),)
            return Nodes(above, Dominates(1, 1), below), Statement(above, Figure("arity", "=", 1))
        match = re.fullmatch(r"<(-?[0-9]+)", sign)
        number = int(match[1]) if match else numbers.get(sign)
        assert number is not None, sign
        if leaf:
            return (Nodes(above, SameNode(), below),) if number in (1, -1) else None
        return (Nodes(above, NthChild(number), below),)

    def _leaf(self, number: str, above: str, below: str) -> tuple[Formula, ...]:
        """A leaf below a node: any, the first or the last."""
        anywhere = Nodes(above, Dominates(0), below)
        if number in ("", "-"):
            return (anywhere,)
        return anywhere, Nodes(above, SameYield("left" if number == "1" else "right"), below)

    def _chain(self, description: str, related: _Related, above: str, below: str, leaf: int) -> tuple[Formula, ...]:
        """``A <+(C) B``: no node between the two is anything but C."""
        text = description.strip()
        test = _Reader(self.text).description(text.removeprefix("!"), related.position, [])
        is_c = AnyOf((HasValue("cat", test), HasValue("pos", test)))
        other: Predicate = is_c if text.startswith("!") else IsNot(is_c)
        between = f"_between{next(self.fresh)}"
        broken = And(
            (
                Statement(between, other),
                Nodes(above, Dominates(), between),
                Nodes(between, Dominates(1 - leaf), below),
            )
        )
        return Nodes(above, Dominates(1 - leaf), below), Not(Exists((between,), broken))


_SISTERS: dict[str, Relation] = {
    "$": Siblings(),
    "$++": Siblings(is_ordered=True),
    "$..": Siblings(is_ordered=True),
    "$+": Siblings(is_ordered=True, next_only=True),
    "$.": Siblings(is_ordered=True, next_only=True),
}


def _or(formulas: list[Formula], variable: str) -> Formula:
    if not formulas:
        # Nothing can be found, as no label or word fits.
        return Statement(variable, AllOf((IsWord(True), IsWord(False))))
    return formulas[0] if len(formulas) == 1 else Or(tuple(formulas))
