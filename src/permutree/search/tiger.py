"""The query language of TIGERSearch, and what we add to it: from text to a formula.

The language is that of the TIGERSearch User's Manual (König, Lezius and Voormann 2003): node descriptions, relations
with their negations, predicates, Boolean expressions on all levels, variables for values, feature records and nodes,
types and templates. Added are quantifiers, gaps, blocks, figures and the templates of ``macros.tig``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

from permutree.search.formulas import (
    And,
    Exists,
    Formula,
    Nodes,
    Not,
    Or,
    Query,
    Record,
    Statement,
    Value,
    free_variables,
    mentioned_variables,
)
from permutree.search.messages import QueryError
from permutree.search.predicates import (
    FIGURES,
    OPERATORS,
    AllOf,
    AnyOf,
    AnyValue,
    EitherValue,
    Figure,
    HasValue,
    IsNot,
    IsRoot,
    IsWord,
    NotValue,
    Pattern,
    Predicate,
    Text,
    ValueTest,
)
from permutree.search.relations.base import NotRelated, Relation
from permutree.search.relations.gaps import Crosses, Fills, InBlock, InGap
from permutree.search.relations.shapes import Before, Corner, Dominates, Precedes, SameNode, Secondary, Siblings
from permutree.search.relations.values import Compares
from permutree.search.syntax import Mention, ParsedQuery, check_regex, parse_text, position_of

#: a part of the parse of a query; what its children are, its rule says
Parse: TypeAlias = Any

__all__ = ["FEATURES", "PREDICATES", "parse_tiger"]

#: the features of nodes: constituents have a category, words the rest; both have a function
FEATURES = ("cat", "pos", "word", "lemma", "morph", "function")
_ALIASES = {"edge": "function", "func": "function", "tag": "pos", "label": "cat", "form": "word"}
#: types of feature records that are built in, and types of values that hold for any
_RECORD_TYPES: dict[str, Predicate] = {"T": IsWord(True), "NT": IsWord(False), "FREC": AllOf(())}
_VALUE_TYPES = ("Constant", "String", "UserDefConstant")
#: relations as predicates of two nodes
_PAIRS: dict[str, Relation] = {
    "crosses": Crosses(),
    "fills": Fills(),
    "precedes": Before(),
    "adjacent": Before(next_only=True),
}
#: what can be called, beside templates
PREDICATES = ("root", "continuous", "discontinuous", *FIGURES, *_PAIRS, "gap", "block")

_HINTS = {
    r"<<|<(?!-)": "in TIGERSearch's language A > B says that A dominates B; for < use --syntax tregex",
    r"\(\w": "for brackets and < use --syntax tregex, for a tree with holes --syntax example",
    r"'": 'texts stand in double quotes: "NP"',
    r"\[\w+\]": 'a label stands in quotes after its feature: [cat="NP"] for a constituent, [pos="NN"] for a word',
    r"=\s*\w*": 'values stand in quotes: cat="NP", pos=("NN"|"NE"), word=/Ma.*/',
    r"\)?\s*(?:=>)": "=> stands in forall #m: (… => …)",
}


def parse_tiger(text: str) -> ParsedQuery:
    """The query that a text says."""
    if not text.strip():
        raise QueryError("the query is empty", text, 0, 'for all noun phrases write [cat="NP"]')
    builder = _Builder(text)
    formula = builder.whole(parse_text("tiger.lark", text, _HINTS))
    shown = tuple(dict.fromkeys(free_variables(formula)))
    if not shown:
        raise QueryError("the query has no node outside of negations and quantifiers", text, 0, "add one, such as []")
    query = Query(formula, shown)
    return ParsedQuery(text, lambda tables: query, shown, builder.mentions, builder.features)


@dataclass
class _Template:
    parameters: list[Parse]
    body: Parse
    text: str


@cache
def _macros() -> dict[tuple[str, int], _Template]:
    """The templates that every query can use."""
    text = (Path(__file__).parent / "macros.tig").read_text("utf-8")
    builder = _Builder(text, {})
    # A grammar wants a query after its definitions.
    builder.define(parse_text("tiger.lark", text + "[]").children)
    return builder.templates


@dataclass
class _Builder:
    """Makes a formula of the parse of a query."""

    text: str
    templates: dict[tuple[str, int], _Template] = field(default_factory=lambda: dict(_macros()))
    mentions: list[Mention] = field(default_factory=list)
    features: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.types: dict[str, list[Parse]] = {}
        self.unnamed = count(1)
        self.fresh = count(1)
        #: the templates that are being expanded
        self.open: list[tuple[str, int]] = []
        #: what variables are called here; in templates not what is written
        self.names: dict[str, str] | None = None

    def whole(self, parse: Parse) -> Formula:
        """The formula of a whole query."""
        *definitions, graph = parse.children
        self.define(definitions)
        return self._closed(self.graph(graph))

    def define(self, definitions: list[Any]) -> None:
        """Take note of templates and types."""
        for definition in definitions:
            if getattr(definition, "data", None) == "template":
                head, _, body = definition.children
                name, *parameters = head.children
                key = (str(name), len(parameters))
                # Those of a query come before those that are built in.
                self.templates[key] = _Template(parameters, body, self.text)
            elif getattr(definition, "data", None) == "type":
                name, *items = definition.children
                self.types[str(name)] = items

    def _closed(self, formula: Formula) -> Formula:
        """Let ``exists`` without variables bind those that occur nowhere else."""
        total = Counter(mentioned_variables(formula))

        def close(part: Formula) -> Formula:
            match part:
                case And(parts):
                    return And(tuple(map(close, parts)))
                case Or(parts):
                    return Or(tuple(map(close, parts)))
                case Not(inner):
                    return Not(close(inner))
                case Exists(variables, inner):
                    if variables == _NEW:
                        inside = Counter(mentioned_variables(inner))
                        variables = tuple(name for name in inside if inside[name] == total[name])
                    return Exists(variables, close(inner))
                case _:
                    return part

        return close(formula)

    # --- graphs -------------------------------------------------------------------------------------------------------

    def graph(self, parse: Parse) -> Formula:
        """The formula of a graph description."""
        kind, parts = str(parse.data), parse.children
        match kind:
            case "either":
                return Or(tuple(self.graph(part) for part in parts))
            case "both":
                return And(tuple(self.graph(part) for part in parts))
            case "related":
                first, token, second = parts
                return self._joined(first, self.relation(str(token), position_of(token)), second)
            case "same_node":
                first, sign, second = parts
                relation: Relation = SameNode()
                return self._joined(first, relation if sign == "=" else NotRelated(relation), second)
            case "negated":
                return Not(self._unquantified(self.graph(parts[0])))
            case "exists_new":
                return Exists(_NEW, self.graph(parts[0]))
            case "exists":
                *variables, graph = parts
                return Exists(tuple(map(self._name, variables)), self.graph(graph))
            case "forall":
                *variables, condition, _, consequence = parts
                rule = And((self.graph(condition), Not(self.graph(consequence))))
                return Not(Exists(tuple(map(self._name, variables)), rule))
            case "call":
                return self.call(parse)
            case "compared":
                return self.compared(*parts)
            case "contains":
                return self.contains(*parts)
            case _:
                return self.node(parse)[1]

    @staticmethod
    def _unquantified(formula: Formula) -> Formula:
        """``not exists X`` is ``not X``: what is new in X is bound there anyway."""
        return formula.part if isinstance(formula, Exists) and formula.variables == _NEW else formula

    def _joined(self, first: Parse, relation: Relation, second: Parse) -> Formula:
        one, said = self.node(first)
        other, also_said = self.node(second)
        return And((said, also_said, Nodes(one, relation, other)))

    def _name(self, token: Any) -> str:
        """What a variable is called; in a template another name each time."""
        name = str(token)[1:]
        if self.names is None:
            return name
        if name not in self.names:
            self.names[name] = f"{name}~{next(self.fresh)}"
        return self.names[name]

    def node(self, parse: Parse) -> tuple[str, Formula]:
        """The variable of a node, and what is said of it."""
        kind, parts = str(parse.data), parse.children
        if kind == "variable":
            name = self._name(parts[0])
            return name, Statement(name, AllOf(()))
        if kind == "named":
            name, constraint = self._name(parts[0]), parts[1:]
        elif kind == "unnamed":
            number = next(self.unnamed)
            name, constraint = f"_{number}", parts
            if self.names is not None:
                self.names[name] = name = f"{name}~{next(self.fresh)}"
        else:
            raise QueryError('a node is expected here: [cat="NP"] or #n', self.text, position_of(parse))
        if not constraint:
            return name, Statement(name, AllOf(()))
        return name, self.constraint(constraint[0], name)

    def relation(self, sign: str, position: int) -> Relation:
        """The relation that a sign stands for."""
        if sign.startswith("!"):
            return NotRelated(self.relation(sign[1:], position + 1))
        match = re.fullmatch(r"([>.])([0-9]+)(?:,([0-9]+))?", sign)
        if match:
            least, most = int(match[2]), int(match[3] or match[2])
            if not 0 < least <= most:
                raise QueryError("distances are from 1, the smaller one first", self.text, position, f"{match[1]}1,3")
            return Dominates(least, most) if match[1] == ">" else Precedes(least, most)
        simple: dict[str, Relation] = {
            ">": Dominates(1, 1),
            ">*": Dominates(),
            ">@l": Corner(True),
            ">@r": Corner(False),
            ".": Precedes(1, 1),
            ".*": Precedes(),
            "$": Siblings(),
            "$.*": Siblings(is_ordered=True),
            "$.": Siblings(is_ordered=True, next_only=True),
            ">~": Secondary(),
            ">~*": Secondary(),
        }
        if sign in simple:
            return simple[sign]
        is_secondary = sign.startswith(">~")
        label = _plain(sign.removeprefix(">").removeprefix("~"))
        features = ("edge",) if is_secondary else ("function",)
        self.mentions.append(Mention(features, label, position + 1))
        return Secondary(Text(label)) if is_secondary else Dominates(1, 1, Text(label))

    # --- predicates ---------------------------------------------------------------------------------------------------

    def call(self, parse: Parse) -> Formula:
        """A predicate or a template."""
        name, arguments = str(parse.children[0]), parse.children[1:]
        if (name, len(arguments)) in self.templates:
            return self._expanded(parse)
        nodes = [argument for argument in arguments if argument.data != "number"]
        numbers = [int(argument.children[0]) for argument in arguments if argument.data == "number"]
        if name in ("root", "continuous", "discontinuous"):
            self._check_arguments(parse, nodes, 1, numbers, (0,), f"{name}(#n)")
            predicates: dict[str, Predicate] = {
                "root": IsRoot(),
                "continuous": Figure("blocks", "=", 1),
                "discontinuous": Figure("blocks", ">", 1),
            }
            return self._said(nodes[0], predicates[name])
        if name in _PAIRS:
            self._check_arguments(parse, nodes, 2, numbers, (0,), f"{name}(#a, #b)")
            return self._joined(nodes[0], _PAIRS[name], nodes[1])
        if name in FIGURES:
            self._check_arguments(
                parse, nodes, 1, numbers, (1, 2), f"{name}(#n, 2), {name}(#n, 2, 4) or {name}(#n) = 2"
            )
            least, most = numbers[0], numbers[-1]
            return self._said(nodes[0], AllOf((Figure(name, ">=", least), Figure(name, "<=", most))))
        if name in ("gap", "block"):
            said = "gap(#n) contains #m" if name == "gap" else "block(#n, 1) contains #m"
            raise QueryError(f"{name} says nothing alone", self.text, position_of(parse), f"write {said}")
        raise self._unknown(parse, name, len(arguments))

    def _said(self, node: Parse, predicate: Predicate) -> Formula:
        name, said = self.node(node)
        return And((said, Statement(name, predicate)))

    def _check_arguments(
        self, parse: Parse, nodes: list[Any], count_nodes: int, numbers: list[int], counts: tuple[int, ...], form: str
    ) -> None:
        if len(nodes) != count_nodes or len(numbers) not in counts:
            raise QueryError("other arguments are needed here", self.text, position_of(parse), f"write {form}")

    def _unknown(self, parse: Parse, name: str, arity: int) -> QueryError:
        from difflib import get_close_matches

        templates = sorted({f"{known}/{size}" for known, size in self.templates})
        same = [known for known in templates if known.startswith(f"{name}/")]
        if same:
            hint = f"there is {', '.join(same)}: name/arguments"
        else:
            near = get_close_matches(name, [*PREDICATES, *(known for known, _ in self.templates)], 1)
            listed = f"there are {', '.join(PREDICATES)}, and the templates {', '.join(templates)}"
            hint = f"did you mean {near[0]}?" if near else listed
        return QueryError(f"no predicate or template {name}/{arity}", self.text, position_of(parse), hint)

    def _expanded(self, parse: Parse) -> Formula:
        """The body of a template, with the arguments of a call in place of its parameters."""
        name, *arguments = parse.children
        key = (str(name), len(arguments))
        if key in self.open:
            raise QueryError(f"the template {key[0]} calls itself", self.text, position_of(parse))
        template = self.templates[key]
        said, given = [], {}
        for parameter, argument in zip(template.parameters, arguments, strict=True):
            if argument.data == "number":
                raise QueryError("templates take nodes, not numbers", self.text, position_of(argument))
            node, formula = self.node(argument)
            said.append(formula)
            given[str(parameter.children[0])[1:]] = node
        outside, text = self.names, self.text
        self.names, self.text = given, template.text
        self.open.append(key)
        heads = [self.node(parameter)[1] for parameter in template.parameters]
        body = self.graph(template.body)
        self.open.pop()
        # What occurs in negations alone is bound there.
        outer = _argument_names(said)
        local = tuple(name for name in dict.fromkeys(free_variables(body)) if name not in outer)
        self.names, self.text = outside, text
        return And((*said, *heads, Exists(local, body)))

    def compared(self, call: Parse, sign: Any, figure: Parse) -> Formula:
        """``blocks(#n) = 2``, ``length(#a) > length(#b) + 1``."""
        name, node, said = self._figure(call)
        assert str(sign) in OPERATORS
        if figure.data == "number":
            return And((said, Statement(node, Figure(name, str(sign), int(figure.children[0])))))
        added = 0
        if figure.data == "added":
            figure, signed = figure.children
            added = int(str(signed).replace(" ", ""))
        other, second, also_said = self._figure(figure)
        return And((said, also_said, Nodes(node, Compares(name, str(sign), other, added), second)))

    def _figure(self, call: Parse) -> tuple[str, str, Formula]:
        name, *arguments = call.children
        if str(name) not in FIGURES:
            hint = f"figures are {', '.join(FIGURES)}"
            raise QueryError(f"{name} is not a figure to compare", self.text, position_of(call), hint)
        if len(arguments) != 1 or arguments[0].data == "number":
            raise QueryError("one node is needed here", self.text, position_of(call), f"write {name}(#n) = 2")
        node, said = self.node(arguments[0])
        return str(name), node, said

    def contains(self, call: Parse, content: Parse) -> Formula:
        """``gap(#n) contains #m``, ``gap(#n, 1) contains #m``, ``block(#n, -1) contains #m``."""
        name, *arguments = call.children
        nodes = [argument for argument in arguments if argument.data != "number"]
        numbers = [int(argument.children[0]) for argument in arguments if argument.data == "number"]
        if str(name) not in ("gap", "block"):
            hint = "write gap(#n) contains #m, or block(#n, 1) contains #m"
            raise QueryError(f"{name} contains nothing", self.text, position_of(call), hint)
        is_gap = str(name) == "gap"
        form = "gap(#n) or gap(#n, 1)" if is_gap else "block(#n, 1), or block(#n, -1) for the last"
        self._check_arguments(call, nodes, 1, numbers, (0, 1) if is_gap else (1,), form)
        if 0 in numbers:
            raise QueryError(
                "gaps and blocks are counted from 1, or from the end with -1", self.text, position_of(call)
            )
        return self._joined(nodes[0], InGap(*numbers) if is_gap else InBlock(*numbers), content)

    # --- nodes --------------------------------------------------------------------------------------------------------

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
                return Record(node, self._value_name(parts[0]))
            case "record_with":
                return And((Record(node, self._value_name(parts[0])), self.constraint(parts[1], node)))
        raise AssertionError(kind)

    def _value_name(self, token: Any) -> str:
        return self._name(token)

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
                return Value(node, feature, self._value_name(parts[0]), is_same)
            case "value_variable_with":
                variable = Value(node, feature, self._value_name(parts[0]), is_same)
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
                text = _plain(str(token))
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
            Text(_plain(str(item.children[0])))
            if item.data == "type_text"
            else self._value_type(str(item.children[0]), position, (*seen, name))
            for item in self.types[name]
        ]
        joined = tests[0]
        for test in tests[1:]:
            joined = EitherValue(joined, test)
        return joined


#: stands for the variables that occur nowhere else, until these are known
_NEW = ("",)


def _argument_names(said: list[Formula]) -> set[str]:
    return {name for formula in said for name in mentioned_variables(formula)}


def _plain(text: str) -> str:
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
