"""Penn Treebank brackets, plain and with traces.

Plain brackets hold continuous trees, one or more to a line or over many lines; labels are kept as they are written.
Brackets with traces, as in the .mrg files of the Penn Treebank, are resolved into discontinuous trees: labels are split
into category and function, and displaced parts go where their traces stand (:mod:`permutree.formats.traces`). Every
tree can be written so too: what makes it discontinuous is displaced again, with traces of the kind ``*ICH*``.

Parentheses in words are written ``-LRB-`` and ``-RRB-``; in labels and tags they become square brackets.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import TextIO

from permutree.errors import DataError, OnError, TreeError, raise_error
from permutree.formats.brackets import Bracket, check, escape, read_brackets, unescape
from permutree.formats.format import Format
from permutree.formats.sinks import texts_of
from permutree.formats.sources import Source
from permutree.formats.traces import (
    KINDS,
    Empty,
    Label,
    displace,
    resolve,
    split_empty,
    split_label,
    split_tag,
)
from permutree.trees.builder import Leaf, Node, TreeBuilder
from permutree.trees.tree import Tree

__all__ = ["FORMATS", "bracket_with_traces", "join_functions", "plant", "read", "read_traces", "write", "write_traces"]

NONE = "-NONE-"
#: the root of a sentence that is more than one tree
ROOT = "ROOT"


def read(source: Source, on_error: OnError = raise_error) -> Iterator[Tree]:
    """The trees of a file of plain brackets.

    Nameless brackets around a tree are left away, those around several trees are named ROOT.
    """
    for line, bracket in read_brackets(source, on_error):
        try:
            check(bracket)
            yield Tree.of(_named(_plain(bracket)))
        except TreeError as error:
            on_error(DataError(str(error), source=source.name, line=line))


def _plain(bracket: Bracket) -> TreeBuilder:
    """A draft with all labels as they are written."""
    nodes: dict[Bracket | str, Node | Leaf] = {}
    leaves: list[Leaf] = []
    for item in reversed(list(bracket.subtrees())):
        word = item.word
        if word is None:
            nodes[item] = Node(item.label, [nodes[child] for child in item.children])
            continue
        if item.label == NONE:
            raise TreeError(f"an empty element, ({NONE} {word}): read this file as ptb-traces")
        leaf = nodes[item] = Leaf(unescape(word), item.label)
        leaves.append(leaf)
    return TreeBuilder(nodes[bracket], leaves[::-1])


def _named(draft: TreeBuilder, root: str | None = None) -> TreeBuilder:
    """The draft with a name for every bracket: see :func:`read_traces`."""
    while isinstance(draft.root, Node) and not draft.root.label and len(draft.root.children) == 1:
        draft.root = draft.root.children[0]
    if root is not None and (isinstance(draft.root, Leaf) or draft.root.label not in ("", root)):
        draft.root = Node(root, [draft.root])
    for node in draft.nodes():
        if not node.label:
            if root is None and node is not draft.root:
                raise TreeError("a nameless bracket inside a tree")
            node.label = root or ROOT
    return draft


def write(trees: Iterable[Tree], stream: TextIO, *, arrange: bool = False, functions: bool = False) -> None:
    """Write trees as plain brackets, one a line.

    With ``arrange``, the words of a discontinuous tree are written in the order of its continuous arrangement; else it
    is an error. With ``functions``, a node or word that has one is written as LABEL-FUNCTION.
    """
    for line in texts_of(trees, lambda tree, _: _format_plain(tree, arrange, functions)):
        stream.write(line + "\n")


def _format_plain(tree: Tree, arrange: bool, functions: bool) -> str:
    if tree.is_discontinuous and not arrange:
        raise TreeError(
            "plain brackets cannot hold a discontinuous tree: write discbracket or ptb-traces, of which `permutree "
            "convert --arrange` makes plain brackets with the words in the order of the continuous arrangement"
        )
    size = len(tree)
    names = [*tree.tags, *tree.labels]
    if functions and tree.annotations.functions:
        names = [
            name if function is None else f"{name}-{function}"
            for name, function in zip(names, tree.annotations.functions, strict=True)
        ]
    names = [_name(name) for name in names]
    parts = [f"({names[word]} {_word(tree.words[word])})" for word in tree.order]
    for label, start in zip(reversed(names[size:]), reversed(tree.starts), strict=True):
        parts[start] = f"({label} {parts[start]}"
    for end in tree.ends:
        parts[end - 1] += ")"
    return " ".join(parts)


def read_traces(
    source: Source,
    on_error: OnError = raise_error,
    *,
    traces: Collection[str] = KINDS,
    functions: bool = True,
    without: Collection[str] = (),
    root: str | None = None,
    index_on_parent: bool = False,
) -> Iterator[Tree]:
    """The trees of a file of brackets with traces, resolved.

    Only the kinds of ``traces`` given are resolved; all other empty elements are deleted. A trace that finds no node
    with its index is deleted as well: treebanks have such, it is no error. With ``functions``, labels are split and
    the functions go to the tree's annotations; without, they stay in the label. Terminals whose tag is in ``without``
    (``CODE``, say) are left out, and a tree of nothing else is left out whole. With ``root``,
    nameless brackets get this name, and trees without a bracket around them get one; without, nameless brackets
    around a tree are left away, those around several trees are named ROOT, and others are errors. With
    ``index_on_parent``, the index of a trace stands on the node right above it, as in CRAFT.
    """
    for line, bracket in read_brackets(source, on_error):
        try:
            check(bracket)
            top, indexes = plant(bracket, without)
            if all(leaf.tag in without for leaf in _leaves(top)):
                continue
            if index_on_parent:
                _hand_down(indexes)
            draft = _named(resolve(top, indexes, traces), root)
            if not functions:
                join_functions(draft)
            yield Tree.of(draft)
        except TreeError as error:
            on_error(DataError(str(error), source=source.name, line=line))


def plant(bracket: Bracket, without: Collection[str] = ()) -> tuple[Node | Leaf, dict[Node | Leaf, str]]:
    """The nodes of a bracket, empty elements among them, and which of them carry which index, in document order."""
    indexes: dict[Node | Leaf, str] = {}
    top = Node("")
    stack = [(bracket, top)]
    while stack:
        item, parent = stack.pop()
        word = item.word
        node: Node | Leaf
        if word is None:
            label = split_label(item.label)
            node = Node(label.category, [], label.function)
            stack.extend((child, node) for child in reversed(item.children) if isinstance(child, Bracket))
        elif item.label == NONE:
            label = Label(NONE)
            kind, index = split_empty(word)
            node = Empty(word, NONE, kind=kind, index=index)
        elif item.label in without:
            label = Label(item.label)
            node = Empty(word, item.label)
        else:
            label = split_tag(item.label)
            node = Leaf(unescape(word), label.category)
        if label.index is not None:
            indexes[node] = label.index
        parent.children.append(node)
    return top.children[0], indexes


def _hand_down(indexes: dict[Node | Leaf, str]) -> None:
    """Give the index of a node over nothing but an empty element to the element."""
    for node in list(indexes):
        if isinstance(node, Node) and len(node.children) == 1 and isinstance(node.children[0], Empty):
            node.children[0].index = indexes.pop(node)


def write_traces(
    trees: Iterable[Tree], stream: TextIO, *, functions: bool = True, index_on_parent: bool = False
) -> None:
    """Write trees as brackets with traces, one a line.

    With ``functions``, constituents that have one are written as LABEL-FUNCTION; without, functions are left out.
    What would not be read back as it is, such as a label that holds a hyphen, is an error.
    """
    for line in texts_of(
        trees, lambda tree, _: str(bracket_with_traces(tree, functions=functions, index_on_parent=index_on_parent))
    ):
        stream.write(line + "\n")


def bracket_with_traces(tree: Tree, *, functions: bool = False, index_on_parent: bool = False) -> Bracket:
    """A nameless bracket around a tree with traces: see :func:`write_traces`."""
    root, indexes = displace(TreeBuilder.from_tree(tree))
    top = Bracket("")
    stack = [(root, top)]
    while stack:
        node, parent = stack.pop()
        index = indexes.get(node)
        if isinstance(node, Empty):
            bracket = Bracket(NONE, [node.word if index_on_parent else f"{node.word}-{node.index}"])
        elif isinstance(node, Leaf):
            bracket = Bracket(_tag(node, functions), [_word(node.word)])
        else:
            if isinstance(node.children[0], Empty):
                # A function here would be added to what comes in its place.
                bracket = Bracket(_name(split_label(node.label).category))
                index = node.children[0].index if index_on_parent else None
            else:
                bracket = Bracket(_label(node, functions))
            stack.extend((child, bracket) for child in reversed(node.children))
        if index is not None:
            bracket.label += f"-{index}"
        parent.children.append(bracket)
    return top


def _label(node: Node, functions: bool) -> str:
    """The label to write for a constituent; a TreeError if it would be read as another."""
    label, function = _name(node.label), node.function if functions else None
    written = _join(label, function)
    found = split_label(written)
    if found.index is not None or _join(found.category, found.function) != written:
        raise TreeError(f"the label {written!r} cannot be written: its number would be read as an index")
    if functions and found != Label(label, function):
        raise TreeError(
            f"the label {label!r} cannot be written beside functions: it would be read as {found.category!r} with the "
            f"function {found.function!r}; leave functions out, in writing and in reading (--whole-labels)"
        )
    return _name(written)


def _tag(leaf: Leaf, functions: bool) -> str:
    """The tag to write for a word; a TreeError if it would be read as another."""
    tag = _name(leaf.tag)
    if tag == NONE:
        raise TreeError(f"the tag {NONE} of the word {leaf.word!r} would be read as an empty element")
    if split_tag(tag).index is not None:
        raise TreeError(f"the tag {tag!r} cannot be written: its number would be read as the index of a trace")
    if functions and leaf.function is not None:
        raise TreeError(
            f"the word {leaf.word!r} has the function {leaf.function!r}, but only constituents can have one here: "
            "leave functions out (--whole-labels)"
        )
    return tag


_SPACE = re.compile(r"[ \t\n\r\f\v]").search
_SQUARE = str.maketrans("()", "[]")


def _name(name: str) -> str:
    """A label or tag as it is written."""
    if not name or _SPACE(name) or name.isspace():
        raise TreeError(f"brackets cannot hold the label or tag {name!r}; write jsonl instead")
    return name.translate(_SQUARE)


def _word(word: str) -> str:
    """A word as it is written."""
    if not word or _SPACE(word) or word.isspace():
        raise TreeError(f"brackets cannot hold the word {word!r}; write jsonl instead")
    return escape(word)


def join_functions(draft: TreeBuilder) -> None:
    """Put the functions of constituents back into their labels."""
    for node in draft.nodes():
        node.label, node.function = _join(node.label, node.function), None


def _join(label: str, function: str | None) -> str:
    return label if function is None else f"{label}-{function}"


def _leaves(root: Node | Leaf) -> list[Leaf]:
    return list(root.leaves()) if isinstance(root, Node) else [root]


FORMATS = (
    Format(
        name="ptb-traces",
        description="Penn brackets, traces resolved",
        suffixes=(".mrg",),
        read=read_traces,
        write=write_traces,
        rank=80,
        sign=r"^\s*\((?s:.*)\(-NONE- ",
        splits_labels=True,
    ),
    Format(
        name="ptb",
        description="Penn brackets without traces",
        suffixes=(".ptb", ".bracket", ".brackets", ".penn"),
        read=read,
        write=write,
        rank=90,
        sign=r"^\s*\(",
        is_discontinuous=False,
    ),
)
