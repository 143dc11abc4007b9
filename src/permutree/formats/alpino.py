"""Alpino and Lassy XML: Dutch trees, discontinuous by nature; one sentence a file, or many in a <treebank>.

Constituents are nodes with a ``cat``, words nodes with a ``word``; the tag is ``pt`` (or ``pos``, in files that have
no other), the morphology is ``postag``, the edge label ``rel``. A node with only an ``index`` repeats the node of that
index elsewhere: it becomes a secondary edge. A lemma or morphology ``--`` is none, unless it is that of a dash.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import tee
from pathlib import PurePath
from sys import intern
from typing import TextIO
from xml.etree import ElementTree

from permutree.errors import DataError, OnError, TreeError, raise_error
from permutree.formats.format import Format
from permutree.formats.sinks import texts_of
from permutree.formats.sources import Source
from permutree.formats.tigerxml import quote_xml
from permutree.formats.xml import iterate_xml
from permutree.trees.builder import Leaf, Node, TreeBuilder
from permutree.trees.tree import Tree

__all__ = ["FORMAT", "files", "read", "write"]


#: stands for a lemma or morphology that is not there: other readers need these attributes
_NO_VALUE = "--"


def read(source: Source, on_error: OnError = raise_error) -> Iterator[Tree]:
    """The sentences of an Alpino file; a sentence without an id of its own is called after the file."""
    stem = str(PurePath(source.member or PurePath(source.name).name).with_suffix(""))
    for number, sentence in enumerate(iterate_xml(source, "alpino_ds", on_error)):
        name = _sentence_id(sentence) or (f"{stem}.{number + 1}" if number else stem)
        try:
            tree = Tree.of(_draft(sentence, name))
        except TreeError as error:
            on_error(DataError(str(error), source=source.name, sentence=name))
        else:
            yield tree


def _sentence_id(sentence: ElementTree.Element) -> str | None:
    element = sentence.find("sentence")
    return sentence.get("id") or (element.get("sentid") if element is not None else None)


def _draft(sentence: ElementTree.Element, name: str) -> TreeBuilder:
    top = sentence.find("node")
    if top is None:
        raise TreeError("no node: the sentence has no tree")
    leaves: dict[int, Leaf] = {}
    nodes: list[Node] = []
    indexed: dict[str, Node | Leaf] = {}
    repeated: list[tuple[str, Node, str]] = []
    root: Node | Leaf | None = None
    stack: list[tuple[ElementTree.Element, Node | None]] = [(top, None)]
    while stack:
        element, parent = stack.pop()
        relation = element.get("rel")
        node: Node | Leaf
        if (word := element.get("word")) is not None:
            node = Leaf(
                intern(word),
                _tag(element),
                _value(word, element.get("lemma")),
                _value(word, element.get("postag") or element.get("morph")),
                relation,
            )
            position = _position(element)
            if position in leaves:
                raise TreeError(f"two words at position {position}: {leaves[position].word!r} and {word!r}")
            leaves[position] = node
        elif (category := element.get("cat")) is not None:
            node = Node(intern(category), function=relation)
            nodes.append(node)
            stack.extend((child, node) for child in element.iterfind("node"))
        else:
            if parent is not None and (index := element.get("index")) is not None:
                repeated.append((index, parent, relation or "--"))
            continue
        if (index := element.get("index")) is not None:
            indexed[index] = node
        if parent is None:
            root = node
        else:
            parent.children.append(node)
    if not leaves or root is None:
        raise TreeError("empty sentence: no words")
    _prune(nodes)
    draft = TreeBuilder(root, [leaf for _, leaf in sorted(leaves.items(), key=lambda item: item[0])], id=name)
    draft.secondary = [(indexed[index], parent, relation) for index, parent, relation in repeated if index in indexed]
    draft.comment = "\n".join(element.text or "" for element in sentence.iterfind("comments/comment")) or None
    return draft


def _value(word: str, text: str | None) -> str | None:
    return None if text == _NO_VALUE != word else text


def _tag(element: ElementTree.Element) -> str:
    tag = element.get("pt") or element.get("pos")
    if not tag:
        raise TreeError(f"the word {element.get('word')!r} has neither pt nor pos")
    return intern(tag)


def _position(element: ElementTree.Element) -> int:
    begin = element.get("begin") or ""
    if not begin.isdecimal() or len(begin) > 9:
        raise TreeError(f"the word {element.get('word')!r} has no position: begin is {begin[:20]!r}")
    return int(begin)


def _prune(nodes: list[Node]) -> None:
    """Take away constituents without words, which only repeat others. Parents come before children."""
    empty: set[Node] = set()
    for node in reversed(nodes):
        node.children = [child for child in node.children if child not in empty]
        if not node.children:
            empty.add(node)


def write(trees: Iterable[Tree], stream: TextIO) -> None:
    """Write all sentences into one <treebank>."""
    stream.write(f'<?xml version="1.0" encoding="{getattr(stream, "encoding", None) or "utf-8"}"?>\n<treebank>\n')
    stream.writelines(texts_of(trees, _format))
    stream.write("</treebank>\n")


def files(trees: Iterable[Tree]) -> Iterator[tuple[str, str]]:
    """A file name and its text for each sentence, for a directory or an archive.

    Sentences with the same id have files of their own; the id inside is what it was.
    """
    trees, again = tee(trees)
    used: set[str] = set()
    for number, (tree, text) in enumerate(zip(trees, texts_of(again, _format), strict=True), 1):
        name = _unused(tree.id or str(number), used)
        yield f"{name}.xml", f'<?xml version="1.0" encoding="utf-8"?>\n{text}'


def _unused(name: str, used: set[str]) -> str:
    """The name of a sentence, or one with a number if another sentence has it; capitals make no difference."""
    found, number = name, 1
    while found.lower() in used:
        number += 1
        found = f"{name}.{number}"
    used.add(found.lower())
    return found


def _format(tree: Tree, _: int) -> str:
    """A sentence as an <alpino_ds> element."""
    lines = ['<alpino_ds version="1.3">', *_node_lines(tree)]
    identity = f" sentid={quote_xml(tree.id)}" if tree.id is not None else ""
    lines.append(f"  <sentence{identity}>{escape(' '.join(tree.words), quote=False)}</sentence>")
    if tree.annotations.comment is not None:
        comments = (f"<comment>{escape(line, quote=False)}</comment>" for line in tree.annotations.comment.split("\n"))
        lines.append(f"  <comments>{''.join(comments)}</comments>")
    return "\n".join([*lines, "</alpino_ds>\n"])


def _node_lines(tree: Tree) -> Iterator[str]:
    """The <node> elements, numbered in the order in which they stand."""
    size, secondary = len(tree.words), tree.annotations.secondary
    indexes = {child: rank for rank, child in enumerate(dict.fromkeys(edge.child for edge in secondary), 1)}
    identity = 0
    # Nodes still to be written with the depth they stand at; a text closes an element.
    stack: list[tuple[int | str, int]] = [(size if tree.labels else 0, 1)]
    while stack:
        node, depth = stack.pop()
        indent = "  " * depth
        if isinstance(node, str):
            yield indent + node
            continue
        attributes = f'id="{identity}"{_attributes(tree, node)}'
        identity += 1
        if node in indexes:
            attributes += f' index="{indexes[node]}"'
        if node < size:
            yield f"{indent}<node {attributes}/>"
            continue
        yield f"{indent}<node {attributes}>"
        stack.append(("</node>", depth))
        for edge in secondary:
            if edge.parent == node:
                words = _extent(tree, edge.child)
                yield (
                    f'{indent}  <node id="{identity}" begin="{words[0]}" end="{words[-1] + 1}" '
                    f'index="{indexes[edge.child]}" rel={quote_xml(edge.label)}/>'
                )
                identity += 1
        stack.extend((child, depth + 1) for child in reversed(tree.child_numbers(node - size)))


def _extent(tree: Tree, node: int) -> tuple[int, ...]:
    return (node,) if node < len(tree.words) else tree.yield_of(node - len(tree.words))


def _attributes(tree: Tree, node: int) -> str:
    annotations, size = tree.annotations, len(tree.words)
    words = _extent(tree, node)
    attributes = f' begin="{words[0]}" end="{words[-1] + 1}"'
    function = annotations.functions[node] if annotations.functions else None
    if node >= size:
        attributes += f" cat={quote_xml(tree.labels[node - size])}"
    else:
        attributes += f" word={quote_xml(tree.words[node])} pt={quote_xml(tree.tags[node])}"
        attributes += _given("lemma", annotations.lemmas, tree.words, node)
        attributes += _given("postag", annotations.morphology, tree.words, node)
    return attributes if function is None else f"{attributes} rel={quote_xml(function)}"


def _given(name: str, values: Sequence[str | None] | None, words: Sequence[str], word: int) -> str:
    """The attribute of a word, with ``--`` for what is not there; a dash without the attribute has none."""
    value = values[word] if values else None
    if value is None and words[word] == _NO_VALUE:
        return ""
    return f" {name}={quote_xml(value if value is not None else _NO_VALUE)}"


FORMAT = Format(
    name="alpino",
    description="Alpino and Lassy XML; a file, directory or archive",
    suffixes=(".alpino",),
    read=read,
    write=write,
    files=files,
    rank=20,
    sign=r"<(?:[\w.-]+:)?(?:alpino_ds|treebank)\b",
)
