"""Feature constraints: what stands between the brackets of a node in TIGERSearch's language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from permutree.search.formulas import And, Formula, Or, Record, Statement, Value
from permutree.search.messages import QueryError
from permutree.search.predicates import AllOf, AnyOf, HasValue, IsNot, IsWord, Predicate
from permutree.search.syntax import Mention, check_regex, position_of
from permutree.search.value_tests import AnyValue, EitherValue, NotValue, Pattern, Text, ValueTest

__all__ = ["FEATURES", "ConstraintReader", "Parse", "plain_text"]

#: a part of the parse of a query; what its children are, its rule says
Parse: TypeAlias = Any

#: the features of nodes: constituents have a category, words the rest; both have a function
FEATURES = ("cat", "pos", "word", "lemma", "morph", "function")
_ALIASES = {"edge": "function", "func": "function", "tag": "pos", "label": "cat", "form": "word"}
#: types of feature records that are built in, and types of values that hold for any
_RECORD_TYPES: dict[str, Predicate] = {"T": IsWord(True), "NT": IsWord(False), "FREC": AllOf(())}
_VALUE_TYPES = ("Constant", "String", "UserDefConstant")


@dataclass
class ConstraintReader:
    """Makes formulas of what is said of single nodes, and takes note of the labels and features that occur."""

    text: str
    mentions: list[Mention] = field(default_factory=list)
    features: dict[str, int] = field(default_factory=dict)
    #: the types of values that a query defines
    types: dict[str, list[Parse]] = field(default_factory=dict)

    def name(self, token: Any) -> str:
        """What a variable is called."""
        return str(token)[1:]

    def constraint(self, parse: Parse, node: str) -> Formula:
        """What a node description says of a node: a predicate, unless variables for values are in it."""
        kind, parts = str(parse.data), parse.children
        match kind:
            case "constraint_either":
                return _either([self.constraint(part, node) for part in parts], node)
            case "constraint_both":
                return _both([self.constraint(part, node) for part in parts], node)
            case "constraint_not":
                return _negated(self.constraint(parts[0], node))
            case "feature":
                name, sign, value = parts
                feature = self._feature(str(name), position_of(name))
                return self.value(value, node, feature, is_same=sign == "=")
            case "record_type":
                return Statement(node, self._record_type(str(parts[0]), position_of(parse)))
            case "record":
                return Record(node, self.name(parts[0]))
            case "record_with":
                return And((Record(node, self.name(parts[0])), self.constraint(parts[1], node)))
        raise AssertionError(kind)

    def _feature(self, name: str, position: int) -> str:
        feature = _ALIASES.get(name, name)
        self.features.setdefault(feature, position)
        return feature

    def _record_type(self, name: str, position: int) -> Predicate:
        if name in _RECORD_TYPES:
            return _RECORD_TYPES[name]
        hint = f'for a label write [cat="{name}"] or [pos="{name}"]; types are T (words), NT (constituents) and FREC'
        raise QueryError(f"no type of nodes {name!r}", self.text, position, hint)

    def value(self, parse: Parse, node: str, feature: str, is_same: bool) -> Formula:
        """What is said of the value of a feature. A node without the feature never passes, whatever is negated."""
        kind, parts = str(parse.data), parse.children
        match kind:
            case "value_either" | "value_both":
                said = [self.value(part, node, feature, is_same) for part in parts]
                # De Morgan: the negation of a disjunction is the conjunction of negations.
                return _either(said, node) if (kind == "value_either") == is_same else _both(said, node)
            case "value_not":
                return self.value(parts[0], node, feature, not is_same)
            case "value_variable":
                return Value(node, feature, self.name(parts[0]), is_same)
            case "value_variable_with":
                variable = Value(node, feature, self.name(parts[0]), is_same)
                said = [variable, self.value(parts[1], node, feature, is_same)]
                return And(tuple(said)) if is_same else Or(tuple(said))
            case _:
                test = self._test(parse, feature)
                return Statement(node, HasValue(feature, test if is_same else NotValue(test)))

    def _test(self, parse: Parse, feature: str) -> ValueTest:
        token = parse.children[0]
        position = position_of(token)
        match str(parse.data):
            case "text":
                text = plain_text(str(token))
                self.mentions.append(Mention((feature,), text, position))
                return Text(text)
            case "bare":
                return Text(str(token))
            case "regex":
                pattern = str(token)[1:-1].replace(r"\/", "/")
                return Pattern(check_regex(pattern, self.text, position))
            case _:
                return self._value_type(str(token), position, ())

    def _value_type(self, name: str, position: int, seen: tuple[str, ...]) -> ValueTest:
        if name in _VALUE_TYPES:
            return AnyValue()
        if name not in self.types or name in seen:
            fault = f"the type {name} is defined by itself" if name in seen else f"no type of values {name!r}"
            hint = f'for a text write "{name}"; a type is defined before the query: {name} := "NN", "NE" ;'
            raise QueryError(fault, self.text, position, hint)
        tests: list[ValueTest] = [
            Text(plain_text(str(item.children[0])))
            if item.data == "type_text"
            else self._value_type(str(item.children[0]), position, (*seen, name))
            for item in self.types[name]
        ]
        joined = tests[0]
        for test in tests[1:]:
            joined = EitherValue(joined, test)
        return joined


def plain_text(text: str) -> str:
    """A text without its quotes and the backslashes before signs."""
    if len(text) > 1 and text[0] == text[-1] == '"':
        text = text[1:-1]
    return re.sub(r"\\(.)", r"\1", text)


def _predicates(parts: list[Formula]) -> Iterator[Predicate]:
    for part in parts:
        if isinstance(part, Statement):
            yield part.predicate


def _either(parts: list[Formula], node: str) -> Formula:
    """One of them; a single statement, if all are statements about the node."""
    if all(isinstance(part, Statement) for part in parts):
        return Statement(node, AnyOf(tuple(_predicates(parts))))
    return Or(tuple(parts))


def _both(parts: list[Formula], node: str) -> Formula:
    if all(isinstance(part, Statement) for part in parts):
        return Statement(node, AllOf(tuple(_predicates(parts))))
    return And(tuple(parts))


def _negated(formula: Formula) -> Formula:
    """The negation of what is said of one node, down to its statements."""
    match formula:
        case Statement(node, predicate):
            return Statement(node, IsNot(predicate))
        case Value(node, feature, variable, is_same):
            has_none = Statement(node, IsNot(HasValue(feature, AnyValue())))
            return Or((Value(node, feature, variable, not is_same), has_none))
        case Record(node, variable, is_same):
            return Record(node, variable, not is_same)
        case And(parts):
            return Or(tuple(map(_negated, parts)))
        case Or(parts):
            return And(tuple(map(_negated, parts)))
    raise AssertionError(formula)
