"""TIGER-XML: sentences as graphs of terminals and non-terminals, in one corpus or in subcorpora.

Words and constituents have ids; edges carry function labels, secondary edges stand beside the tree. What hangs from
nothing hangs from a virtual root, labelled VROOT, unless it is the only one. If a node is given two parents, the first
is kept, and a warning says so.
"""

from __future__ import annotations

import html
import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from sys import intern
from typing import TextIO
from xml.etree import ElementTree

from permutree.errors import DataError, OnError, TreeError, raise_error
from permutree.formats.export import VIRTUAL_ROOT
from permutree.formats.format import Format
from permutree.formats.sinks import texts_of
from permutree.formats.sources import Source
from permutree.formats.xml import iterate_xml
from permutree.trees.annotations import Annotations
from permutree.trees.builder import Leaf, Node, TreeBuilder
from permutree.trees.fields import arrange
from permutree.trees.tree import Tree

__all__ = ["FORMAT", "quote_xml", "read", "write"]

_log = logging.getLogger("permutree")


def read(source: Source, on_error: OnError = raise_error) -> Iterator[Tree]:
    """The sentences of a TIGER-XML file."""
    for number, sentence in enumerate(iterate_xml(source, "s", on_error), 1):
        name = sentence.get("id") or str(number)
        try:
            tree = _usual(sentence, name) or Tree.of(_draft(sentence, source.name, name))
        except TreeError as error:
            on_error(DataError(str(error), source=source.name, sentence=name))
        else:
            yield tree


#: attributes of a terminal that hold nothing beside what the tree has
_KNOWN = frozenset({"id", "word", "pos", "lemma", "morph"})
_NO_VALUE = (None, "--", "")


def _usual(sentence: ElementTree.Element, name: str) -> Tree | None:
    """The tree of a sentence in the usual shape; None for any other, which :func:`_draft` reads.

    Every word has all attributes, there are no secondary edges, and everything hangs from one constituent.
    """
    graph = sentence.find("graph")
    if graph is None or [part.tag for part in graph] != ["terminals", "nonterminals"]:
        return None
    terminals, nonterminals = graph
    size = len(terminals)
    words: list[str] = []
    tags: list[str] = []
    lemmas: list[str | None] = []
    morphology: list[str | None] = []
    parents = [-1] * (size + len(nonterminals))
    functions: list[str | None] = [None] * len(parents)
    edges = 0
    try:
        numbers = {element.attrib["id"]: number for number, element in enumerate((*terminals, *nonterminals))}
        labels = [intern(element.attrib["cat"]) for element in nonterminals]
        for element in terminals:
            given = element.attrib
            words.append(intern(given["word"]))
            tags.append(intern(given["pos"]))
            lemmas.append(_value(given["lemma"]))
            value = _value(given["morph"])
            morphology.append(_morphology(element) if value is None and len(given) > len(_KNOWN) else value)
            if element.tag != "t" or len(element):
                return None
        for parent, element in enumerate(nonterminals):
            if element.tag != "nt":
                return None
            for edge in element:
                child = numbers[edge.attrib["idref"]]
                parents[child], functions[child] = parent, _value(edge.get("label"))
                edges += 1
                if edge.tag != "edge" or len(edge):
                    return None
    except KeyError:
        return None
    # With as many edges as there are children, none has two parents.
    if len(numbers) != len(parents) or edges != len(parents) - 1 or "" in numbers or "" in (*words, *tags, *labels):
        return None
    if (found := arrange(parents[:size], parents[size:])) is None:
        return None
    return Tree._new(
        tuple(words),
        tuple(tags),
        found.order,
        tuple([labels[node] for node in found.constituents]),
        found.starts,
        found.ends,
        Annotations(
            name,
            _known(lemmas),
            _known(morphology),
            _known([*functions[:size], *(functions[size + node] for node in found.constituents)]),
            comment=sentence.get("comment"),
        ),
    )


def _known(values: list[str | None]) -> tuple[str | None, ...] | None:
    """What is known of words or nodes, or None if it is nothing."""
    return None if values.count(None) == len(values) else tuple(values)


def _draft(sentence: ElementTree.Element, source: str, name: str) -> TreeBuilder:
    """The nodes of a sentence, hung together, whatever its shape; an error if they make no tree."""
    graph = sentence.find("graph")
    if graph is None:
        raise TreeError("a sentence without a graph")
    nodes: dict[str, Node | Leaf] = {}
    leaves: list[Leaf] = []
    for element in graph.iterfind("terminals/t"):
        leaf = Leaf(
            intern(_required(element, "word")),
            intern(_required(element, "pos")),
            _value(element.get("lemma")),
            _morphology(element),
        )
        leaves.append(leaf)
        _register(nodes, element, leaf)
    if not leaves:
        raise TreeError("empty sentence: no words")
    for element in graph.iterfind("nonterminals/nt"):
        _register(nodes, element, Node(intern(_required(element, "cat"))))
    draft = TreeBuilder(leaves[0], leaves, id=name)
    draft.comment = sentence.get("comment")
    _add_edges(draft, graph, nodes, source, name)
    return draft


def _register(nodes: dict[str, Node | Leaf], element: ElementTree.Element, node: Node | Leaf) -> None:
    name = _required(element, "id")
    if name in nodes:
        raise TreeError(f"two nodes have the id {name!r}")
    nodes[name] = node


def _add_edges(
    draft: TreeBuilder, graph: ElementTree.Element, nodes: dict[str, Node | Leaf], source: str, name: str
) -> None:
    """Hang the nodes together and find the root."""
    parents: dict[Node | Leaf, Node] = {}
    for element in graph.iterfind("nonterminals/nt"):
        parent = nodes[_required(element, "id")]
        assert isinstance(parent, Node)
        for edge in element.iterfind("edge"):
            child = _target(nodes, edge)
            if child in parents:
                kept, dropped = parents[child].label, parent.label
                what = _required(edge, "idref")
                _log.warning(
                    "%s: sentence %s: %s has two parents; kept %s, left out %s", source, name, what, kept, dropped
                )
                continue
            parents[child] = parent
            parent.children.append(child)
            child.function = _value(edge.get("label"))
    for element in graph.iter():
        for edge in element.iterfind("secedge"):
            # A secondary edge stands at the child and points to the parent.
            child = nodes[_required(element, "id")]
            draft.secondary.append((child, _target(nodes, edge), edge.get("label") or "--"))
    tops = [node for node in nodes.values() if node not in parents]
    if not tops:
        raise TreeError("the constituents form a cycle: none of them is the root")
    named = nodes.get(graph.get("root") or "")
    if len(tops) == 1 and (isinstance(tops[0], Node) or tops[0] is named):
        draft.root = tops[0]
    elif isinstance(named, Node) and named.label == VIRTUAL_ROOT and named in tops:
        named.children += [top for top in tops if top is not named]
        draft.root = named
    else:
        draft.root = Node(VIRTUAL_ROOT, tops)


def _target(nodes: dict[str, Node | Leaf], edge: ElementTree.Element) -> Node | Leaf:
    name = _required(edge, "idref")
    if name not in nodes:
        raise TreeError(f"an edge to {name!r}, which is not in the sentence")
    return nodes[name]


def _required(element: ElementTree.Element, attribute: str) -> str:
    value = element.get(attribute)
    if not value:
        identity = f" {element.get('id')!r}" if element.get("id") else ""
        raise TreeError(f"<{element.tag}>{identity} without {attribute}")
    return value


def _value(text: str | None) -> str | None:
    return None if text is None or text in _NO_VALUE else intern(text)


def _morphology(element: ElementTree.Element) -> str | None:
    """The attribute morph, or else the single features (case, number, …), as name=value."""
    if (morphology := _value(element.get("morph"))) is not None:
        return morphology
    features = [f"{name}={value}" for name, value in element.items() if name not in _KNOWN and value not in _NO_VALUE]
    return intern("|".join(features)) if features else None


def write(trees: Iterable[Tree], stream: TextIO) -> None:
    """Write a TIGER-XML corpus; sentences without an id are numbered s1, s2 and so on.

    Words without a lemma or morphology have ``--`` there, as in the releases of TIGER: other readers need them.
    """
    stream.write(_HEAD.format(encoding=getattr(stream, "encoding", None) or "utf-8"))
    stream.writelines(texts_of(trees, _format))
    stream.write("</body>\n</corpus>\n")


_HEAD = """<?xml version="1.0" encoding="{encoding}" standalone="yes"?>
<corpus id="permutree">
<head>
  <meta>
    <name>permutree</name>
    <format>TIGER-XML</format>
  </meta>
  <annotation>
    <feature name="word" domain="T"/>
    <feature name="lemma" domain="T"/>
    <feature name="pos" domain="T"/>
    <feature name="morph" domain="T"/>
    <feature name="cat" domain="NT"/>
    <edgelabel/>
    <secedgelabel/>
  </annotation>
</head>
<body>
"""


def _format(tree: Tree, number: int) -> str:
    """A sentence as an <s> element."""
    annotations, size = tree.annotations, len(tree.words)
    sentence = annotations.id if annotations.id is not None else f"s{number}"
    opening = f"<s id={quote_xml(sentence)}{_attribute('comment', annotations.comment)}>"
    # Words count from 1 and constituents from 500, as in the releases of TIGER. All names have the same beginning.
    quoted = quote_xml(f"{sentence}_")
    first = 500 if size < 500 else size + 1
    names = [
        f"{quoted[:-1]}{index}{quoted[-1]}" for index in (*range(1, size + 1), *range(first, first + len(tree.labels)))
    ]
    lines = [opening, f"<graph root={names[size] if tree.labels else names[0]}>", "  <terminals>"]
    secondary: dict[int, list[str]] = {}
    for edge in annotations.secondary:
        text = f"<secedge label={quote_xml(edge.label)} idref={names[edge.parent]}/>"
        secondary.setdefault(edge.child, []).append(text)
    columns = (tree.words, annotations.lemmas, tree.tags, annotations.morphology)
    terminals = zip(names, *(_quoted(values, size) for values in columns), strict=False)
    for index, (name, word, lemma, tag, morphology) in enumerate(terminals):
        element = f"    <t id={name} word={word} lemma={lemma} pos={tag} morph={morphology}"
        edges = "".join(secondary.get(index, ()))
        lines.append(f"{element}>{edges}</t>" if edges else f"{element}/>")
    lines += ["  </terminals>", "  <nonterminals>"]
    functions = _quoted(annotations.functions, len(names))
    children = tree.all_child_numbers()
    for node, label, below in zip(range(size, len(names)), tree.labels, children, strict=True):
        lines.append(f"    <nt id={names[node]} cat={quote_xml(label)}>")
        lines += [f"      <edge label={functions[child]} idref={names[child]}/>" for child in below]
        lines += [f"      {edge}" for edge in secondary.get(node, ())]
        lines.append("    </nt>")
    lines += ["  </nonterminals>", "</graph>", "</s>\n"]
    return "\n".join(lines)


def _quoted(values: Sequence[str | None] | None, count: int) -> list[str]:
    """The values of so many words or nodes as those of attributes; two dashes where nothing is known."""
    return ['"--"'] * count if values is None else [quote_xml(value or "--") for value in values]


def _attribute(name: str, value: str | None) -> str:
    return "" if value is None else f" {name}={quote_xml(value)}"


_LINE_ENDS = str.maketrans({"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


# Words, tags and labels come again and again.
@lru_cache(maxsize=1 << 14)
def quote_xml(text: str) -> str:
    """A text as an attribute value in quotes; a TreeError for characters that XML does not have."""
    if (match := _NOT_XML.search(text)) is not None:
        raise TreeError(f"XML cannot hold the character {match[0]!r} (in {text!r}); write jsonl instead")
    text = html.escape(text, quote=False).translate(_LINE_ENDS)
    if '"' in text and "'" not in text:
        return f"'{text}'"
    return f'"{text.replace(chr(34), "&quot;")}"'


FORMAT = Format(
    name="tigerxml",
    description="TIGER-XML, one file or a corpus with subcorpora",
    suffixes=(".tigerxml",),
    read=read,
    write=write,
    rank=30,
    sign=r"<(?:[\w.-]+:)?(?:corpus\b|subcorpus\b|s [^<>]*id=)",
)
