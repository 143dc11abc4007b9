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
from collections.abc import Callable, Sequence
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

__all__ = ["ATTRIBUTES", "KEY", "forget", "keep", "set_attributes", "trees_of"]

#: Trees are kept under the name of an attribute of Spans, by the characters of the sentence. So spaCy moves them along
#: when Docs are joined or cut: ``Doc.from_docs``, ``span.as_doc(copy_user_data=True)``.
KEY = "permutree"
_MARK = "._."
_Key = tuple[str, str, int, int]


def keep(doc: Doc, interval: tuple[int, int], tokens: Sequence[int], fields: dict[str, list[Any]]) -> None:
    """Keep the tree of a sentence, given by its characters, its tokens and the fields of the tree, as plain data."""
    _data(doc)[_MARK, KEY, *interval] = {"tokens": [token - tokens[0] for token in tokens], **fields}


def forget(doc: Doc) -> None:
    """Remove the trees of a Doc that is parsed again."""
    data = _data(doc)
    for _, _, key in _kept(doc) if data else ():
        del data[key]


def trees_of(doc: Doc) -> Trees:
    """The trees of a Doc's sentences; sentences of nothing but white space have none."""
    kept = sorted(_kept(doc))
    if not kept and any(not token.is_space for token in doc):
        raise _unparsed()
    return Trees((_read(doc, key)[1] for _, _, key in kept), language=doc.lang_)


def _kept(doc: Doc) -> list[tuple[int, int, _Key]]:
    """The sentences that a Doc has trees of: first and last character, and the key of the data."""
    end = doc[-1].idx + len(doc[-1]) if len(doc) else 0
    keys = (key for key in _data(doc) if isinstance(key, tuple) and key[:2] == (_MARK, KEY))
    # A Doc that was cut out of another has keys of what is not in it, too.
    return [(key[2], key[3], key) for key in keys if key[2] >= 0 and key[3] <= end]


def _data(doc: Doc) -> dict[Any, Any]:
    """The data of a Doc, whose keys need not be texts."""
    return doc.user_data


def _read(doc: Doc, key: _Key) -> tuple[list[int], Tree]:
    """A tree, and the tokens in the Doc that are its words."""
    data = _data(doc)[key]
    span = doc.char_span(key[2], key[3])
    if span is None or len(span) != data["tokens"][-1] + 1:
        raise TreeError("the Doc has other tokens than when it was parsed: parse it again")
    tokens = [span.start + token for token in data["tokens"]]
    fields = {name: data[name] for name in ("tags", "order", "labels", "starts", "ends")}
    sure = Annotations(confidence=tuple(data["confidence"]) or None)
    return tokens, Tree.from_spans([doc[token].text for token in tokens], **fields, annotations=sure)


def _unparsed() -> TreeError:
    return TreeError("this Doc was not parsed: add the component 'permutree' to the pipeline")


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
    key = _key_at(doc[wanted[0]]) if wanted else None
    if key is None:
        if not _kept(doc):
            raise _unparsed()
        raise TreeError(f"{span.text!r} is no constituent")
    tokens, tree = _read(doc, key)
    nodes = nodes_of(tree)
    kind, _, number = span.id_.partition(":")
    if kind == KEY and number.isdecimal() and int(number) < len(nodes):
        return _Found(doc, tokens, nodes[int(number)])
    places = {token: place for place, token in enumerate(tokens)}
    indices = tuple(places[token] for token in wanted if token in places)
    if len(indices) == len(wanted):
        for node in (*nodes[len(tokens) :], *nodes[: len(tokens)]):
            if node.indices == indices:
                return _Found(doc, tokens, node)
    raise TreeError(f"{span.text!r} is no constituent")


def _key_at(token: Token) -> _Key | None:
    """The key of the tree that a token is in."""
    try:
        words = [one for one in token.sent if not one.is_space]
    except ValueError:
        words = [token]
    key = (_MARK, KEY, words[0].idx, words[-1].idx + len(words[-1]))
    if key in _data(token.doc):
        return key
    # Something has set other sentence boundaries since.
    return next((key for start, end, key in _kept(token.doc) if start <= token.idx < end), None)


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
