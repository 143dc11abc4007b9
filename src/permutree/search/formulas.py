"""What a query says, whatever language it was written in: a formula over nodes, and its normal form.

A formula is built from statements about one node and about two nodes with ``And``, ``Or``, ``Not`` and ``Exists``.
The normal form is a list of conjunctions, one of which must hold. In a conjunction every variable stands for a node;
negated parts are conjunctions again, which must have no solution.

What a match is: ``And`` joins the solutions of its parts, ``Or`` has those of any part, each with the variables that
occur in it. ``Exists`` forgets its variables. ``Not`` binds the variables that also occur outside and holds if there
are no nodes for the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count, product

from permutree.errors import ConfigError
from permutree.search.predicates import AllOf, IsNot, Predicate
from permutree.search.relations.base import NotRelated, Relation
from permutree.search.relations.values import SameRecord, SameValue

__all__ = [
    "And",
    "Conjunction",
    "Exists",
    "Formula",
    "Nodes",
    "Not",
    "Or",
    "Query",
    "Record",
    "Statement",
    "Value",
    "conjunctions",
    "free_variables",
    "mentioned_variables",
]

#: a query that comes to more alternatives than this is refused
MOST_ALTERNATIVES = 4096


@dataclass(frozen=True, slots=True)
class Statement:
    """A predicate holds of a node."""

    node: str
    predicate: Predicate


@dataclass(frozen=True, slots=True)
class Nodes:
    """A relation holds between two nodes."""

    first: str
    relation: Relation
    second: str


@dataclass(frozen=True, slots=True)
class Value:
    """A feature of a node has the value that a variable stands for, or another."""

    node: str
    feature: str
    variable: str
    is_same: bool = True


@dataclass(frozen=True, slots=True)
class Record:
    """All features of a node are those that a variable stands for, or not."""

    node: str
    variable: str
    is_same: bool = True


@dataclass(frozen=True, slots=True)
class And:
    """All parts hold."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """One part holds."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part has no solution."""

    part: Formula


@dataclass(frozen=True, slots=True)
class Exists:
    """There are nodes for these variables, whichever they are, so that the part holds."""

    variables: tuple[str, ...]
    part: Formula


Literal = Statement | Nodes | Value | Record
Formula = Literal | And | Or | Not | Exists


@dataclass(frozen=True, slots=True)
class Query:
    """A formula, and the variables that make up a match, in the order in which they are shown.

    Two solutions that differ in other variables only are one match.
    """

    formula: Formula
    shown: tuple[str, ...]
    #: variables that stand for a word itself, not for the tag over it, as the leaves of Tregex do
    leaves: frozenset[str] = frozenset()


@dataclass(slots=True)
class Conjunction:
    """Statements that must all hold, and conjunctions of which none may hold."""

    predicates: dict[str, list[Predicate]] = field(default_factory=dict)
    relations: list[Nodes] = field(default_factory=list)
    values: list[Value | Record] = field(default_factory=list)
    #: alternatives that must not hold, each list with the variables that it shares with this conjunction
    absent: list[tuple[list[Conjunction], tuple[str, ...]]] = field(default_factory=list)

    @property
    def variables(self) -> list[str]:
        """The variables, in the order in which they were met."""
        return list(self.predicates)

    def add(self, literal: Literal) -> None:
        """Add a statement."""
        for name in _nodes_of(literal):
            self.predicates.setdefault(name, [])
        match literal:
            case Statement(node, predicate):
                self.predicates[node].append(predicate)
            case Nodes():
                self.relations.append(literal)
            case _:
                self.values.append(literal)

    def joined(self, other: Conjunction) -> Conjunction:
        """Both together."""
        both = Conjunction(
            {name: list(found) for name, found in self.predicates.items()},
            [*self.relations, *other.relations],
            [*self.values, *other.values],
            [*self.absent, *other.absent],
        )
        for name, found in other.predicates.items():
            both.predicates.setdefault(name, []).extend(found)
        return both


def _nodes_of(literal: Literal) -> tuple[str, ...]:
    return (literal.first, literal.second) if isinstance(literal, Nodes) else (literal.node,)


def free_variables(formula: Formula) -> Iterator[str]:
    """The variables that occur outside of negations, without those that a quantifier binds."""
    match formula:
        case And(parts) | Or(parts):
            for part in parts:
                yield from free_variables(part)
        case Exists(variables, part):
            yield from (name for name in free_variables(part) if name not in variables)
        case Not():
            return
        case _:
            yield from _nodes_of(formula)


def mentioned_variables(formula: Formula) -> Iterator[str]:
    """All variables that occur, inside negations too, without those that a quantifier binds."""
    match formula:
        case And(parts) | Or(parts):
            for part in parts:
                yield from mentioned_variables(part)
        case Exists(variables, part):
            yield from (name for name in mentioned_variables(part) if name not in variables)
        case Not(part):
            yield from mentioned_variables(part)
        case _:
            yield from _nodes_of(formula)


def conjunctions(formula: Formula) -> list[Conjunction]:
    """The normal form: the alternatives of which one must hold."""
    fresh = count(1)
    names = {name: name for name in free_variables(formula)}
    found = _normal(formula, names, fresh)
    for conjunction in found:
        _relate_values(conjunction, {})
    return found


def _normal(formula: Formula, names: Mapping[str, str], fresh: Iterator[int]) -> list[Conjunction]:
    """The alternatives of a formula; ``names`` are the variables in scope and what they are called here."""
    match formula:
        case And(parts):
            alternatives = [_normal(part, names, fresh) for part in parts]
            total = 1
            for found in alternatives:
                total *= len(found)
                _check(total)
            return [_join(chosen) for chosen in product(*alternatives)]
        case Or(parts):
            found = [one for part in parts for one in _normal(part, names, fresh)]
            _check(len(found))
            return found
        case Exists(variables, part):
            local = {name: f"{name}'{next(fresh)}" for name in variables}
            return _normal(part, {**names, **local}, fresh)
        case Not(part) if (literal := _negated_literal(part, names)) is not None:
            return _normal(literal, names, fresh)
        case Not(part):
            local = {name: f"{name}'{next(fresh)}" for name in dict.fromkeys(free_variables(part)) if name not in names}
            shared = tuple(names[name] for name in dict.fromkeys(mentioned_variables(part)) if name in names)
            conjunction = Conjunction({name: [] for name in shared})
            conjunction.absent.append((_normal(part, {**names, **local}, fresh), shared))
            return [conjunction]
        case _:
            conjunction = Conjunction()
            conjunction.add(_renamed(formula, names))
            return [conjunction]


def _negated_literal(part: Formula, names: Mapping[str, str]) -> Formula | None:
    """The negation of a statement, or of a single relation, between nodes that are in scope, without a quantifier."""
    literals = list(part.parts) if isinstance(part, And) else [part]
    while any(isinstance(literal, And) for literal in literals):
        literals = [one for literal in literals for one in (literal.parts if isinstance(literal, And) else (literal,))]
    if not all(isinstance(literal, Statement | Nodes) for literal in literals):
        return None
    if not all(name in names for name in mentioned_variables(part)):
        return None
    related = [literal for literal in literals if isinstance(literal, Nodes)]
    said = [literal for literal in literals if isinstance(literal, Statement) and literal.predicate != AllOf(())]
    if len(related) == 1 and not said:
        return replace(related[0], relation=NotRelated(related[0].relation))
    if not related and said and len({literal.node for literal in literals if isinstance(literal, Statement)}) == 1:
        return Statement(said[0].node, IsNot(AllOf(tuple(literal.predicate for literal in said))))
    return None


def _check(total: int) -> None:
    if total > MOST_ALTERNATIVES:
        raise ConfigError(f"the query comes to more than {MOST_ALTERNATIVES:,} alternatives: use fewer | in it")


def _join(parts: Iterable[Conjunction]) -> Conjunction:
    joined = Conjunction()
    for part in parts:
        joined = joined.joined(part)
    return joined


def _renamed(literal: Literal, names: Mapping[str, str]) -> Literal:
    if isinstance(literal, Nodes):
        return replace(literal, first=names[literal.first], second=names[literal.second])
    return replace(literal, node=names[literal.node])


def _relate_values(conjunction: Conjunction, known: Mapping[str, Value | Record]) -> None:
    """Turn variables for values into relations: each later node agrees with the first that has the value."""
    first = dict(known)
    for value in conjunction.values:
        if value.is_same:
            first.setdefault(value.variable, value)
    for value in conjunction.values:
        example = first.get(value.variable)
        if example is None:
            raise ConfigError(f"the variable #{value.variable} has no value: it only stands after !=")
        if type(example) is not type(value):
            raise ConfigError(f"the variable #{value.variable} stands for a value and for all features of a node")
        if value is example:
            continue
        relation: Relation
        if isinstance(value, Value):
            assert isinstance(example, Value)
            relation = SameValue(example.feature, value.feature, value.is_same)
        else:
            relation = SameRecord(value.is_same)
        conjunction.predicates.setdefault(example.node, [])
        conjunction.relations.append(Nodes(example.node, relation, value.node))
    for place, (alternatives, shared) in enumerate(conjunction.absent):
        outside = set(shared)
        for alternative in alternatives:
            _relate_values(alternative, first)
            # An example outside of the negation is a node that both share.
            examples = {example.node for example in first.values()} & set(alternative.predicates)
            outside |= examples
        for name in outside:
            conjunction.predicates.setdefault(name, [])
        conjunction.absent[place] = alternatives, tuple(outside)
