"""Attributes of spaCy's Docs, Spans and Tokens that say what the parser found.

Those of benepar have its names and meanings: ``constituents``, ``labels``, ``children``, ``parent``, ``parse_string``.
A Span is continuous, a constituent need not be: the Span of a discontinuous constituent reaches from its first to its
last word, and ``span._.blocks`` are the parts that belong to it. Its ``id_`` remembers which constituent it is.

=====================  =================================================================================
``constituents``       Spans of the constituents and words in it, parents first
``labels``             labels of the constituent; several if constituents have the same words; none for a word
``children``           Spans right below
``parent``             the Span right above, or None
``parse_string``       brackets; the blocks of a discontinuous constituent have the same number, ``VP*1``
``discbracket``        brackets with indexes, which hold discontinuous constituents as they are
``tree``               a :class:`permutree.Tree` of the constituent
``blocks``             the Spans that the constituent is made of
``gap_degree``         the number of gaps
``is_discontinuous``   whether there is a gap
``confidence``         how sure the parser is of the constituent, up to 1
=====================  =================================================================================

Tokens have the same attributes, and Docs have ``trees``, one for each sentence.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any, NamedTuple

from permutree.errors import ConfigError, TreeError
from permutree.formats import ptb
from permutree.trees.annotations import Annotations
from permutree.trees.nodes import Node, blocks_of, nodes_of
from permutree.trees.splitting import split_blocks
from permutree.trees.tree import Tree
from permutree.trees.treelist import Trees

try:
    from spacy.tokens import Doc, Span, Token
except ModuleNotFoundError as error:
    raise ConfigError("the component for spaCy needs spaCy: pip install 'permutree[spacy]'") from error

__all__ = ["ATTRIBUTES", "KEY", "as_data", "set_attributes", "trees_of"]

#: where a Doc keeps its trees in user_data
KEY = "permutree"


def as_data(tree: Tree, tokens: list[int]) -> dict[str, Any]:
    """A tree over tokens as plain data, which a Doc can keep."""
    return {
        "tokens": tokens,
        "tags": list(tree.tags),
        "order": list(tree.order),
        "labels": list(tree.labels),
        "starts": list(tree.starts),
        "ends": list(tree.ends),
        "confidence": list(tree.annotations.confidence or ()),
    }


def _as_tree(doc: Doc, data: dict[str, Any]) -> Tree:
    if data["tokens"][-1] >= len(doc):
        raise TreeError("the Doc has other tokens than when it was parsed: parse it again")
    words = [doc[token].text for token in data["tokens"]]
    fields = {name: data[name] for name in ("tags", "order", "labels", "starts", "ends")}
    return Tree.from_spans(words, **fields, annotations=Annotations(confidence=tuple(data["confidence"]) or None))


def trees_of(doc: Doc) -> Trees:
    """The trees of a Doc's sentences; sentences of nothing but white space have none."""
    return Trees((_as_tree(doc, data) for data in _sentences(doc)), language=doc.lang_)


def _sentences(doc: Doc) -> list[dict[str, Any]]:
    if KEY not in doc.user_data:
        raise TreeError("this Doc was not parsed: add the component 'permutree' to the pipeline")
    found: list[dict[str, Any]] = doc.user_data[KEY]
    return found


class _Found(NamedTuple):
    """A node of a tree in a Doc: the uppermost of those with the same words."""

    doc: Doc
    tokens: list[int]
    node: Node

    def at(self, node: Node) -> _Found:
        """Another node of the same tree."""
        while node.parent is not None and len(node.parent.indices) == len(node.indices):
            node = node.parent
        return self._replace(node=node)

    @property
    def chain(self) -> list[Node]:
        """The constituents with these words, from above, and the word, if it is one."""
        chain = [self.node]
        while len(chain[-1].children) == 1:
            chain.append(chain[-1].children[0])
        return chain

    @property
    def span(self) -> Span:
        first, last = self.tokens[self.node.indices[0]], self.tokens[self.node.indices[-1]]
        label = "" if self.node.is_word else self.node.label
        number = self.node._number if self.node.is_discontinuous else None
        return Span(self.doc, first, last + 1, label=label, span_id="" if number is None else f"{KEY}:{number}")


def _find(given: Span | Token) -> _Found:
    """The constituent or word that a Span or Token is; a TreeError if it is none."""
    span = given if isinstance(given, Span) else given.doc[given.i : given.i + 1]
    doc = span.doc
    wanted = [token.i for token in span if not token.is_space]
    for data in _sentences(doc):
        tokens: list[int] = data["tokens"]
        if not wanted or wanted[0] > tokens[-1]:
            continue
        nodes = nodes_of(_as_tree(doc, data))
        kind, _, number = span.id_.partition(":")
        if kind == KEY and number.isdecimal() and int(number) < len(nodes):
            return _Found(doc, tokens, nodes[int(number)])
        places = {token: place for place, token in enumerate(tokens)}
        indices = tuple(places[token] for token in wanted if token in places)
        if len(indices) == len(wanted):
            for node in (*nodes[len(tokens) :], *nodes[: len(tokens)]):
                if node.indices == indices:
                    return _Found(doc, tokens, node)
        break
    raise TreeError(f"{span.text!r} is no constituent")


def _constituents(found: _Found) -> list[Span]:
    places = []
    stack = [found.node]
    while stack:
        here = found.at(stack.pop())
        places.append(here.span)
        stack.extend(reversed(here.chain[-1].children))
    return places


def _parent(found: _Found) -> Span | None:
    above = found.node.parent
    return None if above is None else found.at(above).span


def _parse_string(found: _Found) -> str:
    stream = io.StringIO()
    ptb.write([split_blocks(found.node.subtree)], stream)
    return stream.getvalue().rstrip("\n")


def _blocks(found: _Found) -> tuple[Span, ...]:
    runs = blocks_of(found.node.indices)
    return tuple(found.doc[found.tokens[start] : found.tokens[end - 1] + 1] for start, end in runs)


def _confidence(found: _Found) -> float | None:
    tree = found.node.tree
    known, number = tree.annotations.confidence, found.node._number - len(tree)
    return None if known is None or number < 0 else known[number]


#: attribute → what it is of a constituent
ATTRIBUTES: dict[str, Callable[[_Found], Any]] = {
    "constituents": _constituents,
    "labels": lambda found: tuple(node.label for node in found.chain if not node.is_word),
    "children": lambda found: [found.at(child).span for child in found.chain[-1].children],
    "parent": _parent,
    "parse_string": _parse_string,
    "discbracket": lambda found: found.node.subtree.discbracket(),
    "tree": lambda found: found.node.subtree,
    "blocks": _blocks,
    "gap_degree": lambda found: len(found.node.blocks) - 1,
    "is_discontinuous": lambda found: found.node.is_discontinuous,
    "confidence": _confidence,
}


def set_attributes() -> None:
    """Make the attributes known to spaCy."""
    Doc.set_extension("trees", getter=trees_of, force=True)
    for name, of in ATTRIBUTES.items():
        for kind in (Span, Token):
            kind.set_extension(name, getter=_getter(of), force=True)


def _getter(of: Callable[[_Found], Any]) -> Callable[[Span | Token], Any]:
    return lambda given: of(_find(given))
