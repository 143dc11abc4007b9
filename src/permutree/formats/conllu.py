"""CoNLL-U with constituents, and CoNLL columns with brackets.

CoNLL-U has a word a line and ten columns. The constituents over a word, from the root down, stand in the last one:
``Nodes=0:S,1:VP`` says that the word is in constituent 0, an S, and in constituent 1 there, a VP. Words of one
constituent name the same number wherever they stand, so that gaps need nothing special. Numbers count constituents in
preorder; signs in labels that have a meaning here are written as in addresses (``%2C`` for a comma). The tag is in the
column XPOS, heads and relations are left open.

The columns of ``conll`` are those of shared tasks: number, word, tag, and the brackets that open before and close after
the word, ``(S(VP#1*)``. A discontinuous constituent is a bracket for each of its blocks, with the same number.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TextIO
from urllib.parse import unquote

from permutree.errors import DataError, OnError, TreeError, raise_error
from permutree.formats.format import Format
from permutree.formats.sinks import texts_of
from permutree.formats.sources import Source
from permutree.trees.builder import Leaf, Node, TreeBuilder
from permutree.trees.splitting import join_blocks, split_blocks
from permutree.trees.tree import Tree

__all__ = ["FORMATS", "read", "read_columns", "write", "write_columns"]

_log = logging.getLogger("permutree")
COLUMNS = 10
#: characters of a sentence; one that is longer does not end
LONGEST = 1 << 24
_BRACKETS = re.compile(r"((?:\([^()*]+)*)\*(\)*)").fullmatch
#: signs in labels that mean something in the last column
_SIGNS = {sign: f"%{ord(sign):02X}" for sign in "%,:|= \t\n\r\f\v"}
#: the label over the words of a sentence of which no constituents are known
ROOT = "ROOT"


def read(source: Source, on_error: OnError = raise_error) -> Iterator[Tree]:
    """The trees of a file; a sentence without constituents is read as a flat tree, which is said once.

    Multi-word tokens (``1-2``) and empty nodes (``1.1``) are left out.
    """
    flat = False
    for first, last, lines in _sentences(source):
        if (fault := source.fault(first, last)) is not None:
            on_error(fault)
            continue
        try:
            tree = Tree.of(_builder(lines))
            flat = flat or _is_flat(lines)
        except TreeError as error:
            on_error(DataError(str(error), source=source.name, line=first, sentence=_facts(lines).get("sent_id")))
        else:
            yield tree
    if flat:
        _log.warning("%s: sentences without constituents (no Nodes=…) were read as flat trees", source.name)


def _sentences(source: Source) -> Iterator[tuple[int, int, list[str]]]:
    """The lines of each sentence, and the numbers of the first and last.

    A blank line ends a sentence; where it is missing, a comment after words or the number 1 does.
    """
    lines: list[str] = []
    first = last = size = 0
    has_words = is_endless = False
    for number, line in chain(source.lines(), [(0, "")]):
        is_comment = line.startswith("#")
        if lines and (not line.strip() or (has_words and (is_comment or line.startswith("1\t")))):
            yield first, last, lines
            lines, size, has_words, is_endless = [], 0, False, False
        if not line.strip():
            continue
        if not lines:
            first = number
        last, size = number, size + len(line)
        has_words = has_words or (line[0].isdecimal() and not line.partition("\t")[0].count("-"))
        if size > LONGEST and not is_endless:
            # What comes no more to an end is not kept.
            lines, is_endless = ["endless"], True
        if not is_endless:
            lines.append(line)


def _facts(lines: Sequence[str]) -> dict[str, str]:
    """What comments say, such as ``# sent_id = 7``."""
    pairs = (line[1:].partition("=") for line in lines if line.startswith("#"))
    return {name.strip(): value.strip() for name, sign, value in pairs if sign}


def _rows(lines: Sequence[str]) -> list[list[str]]:
    """The columns of the words."""
    rows: list[list[str]] = []
    for line in lines:
        if line.startswith("#"):
            continue
        columns = line.split("\t")
        if len(columns) != COLUMNS or not all(columns):
            raise TreeError(f"{len(columns)} columns, not {COLUMNS}, or an empty one, in {line[:80]!r}")
        if columns[0].isdecimal():
            if columns[0] != str(len(rows) + 1):
                raise TreeError(f"word {columns[0]} stands where word {len(rows) + 1} is expected")
            rows.append(columns)
        elif not columns[0].replace("-", "").replace(".", "").isdecimal():
            raise TreeError(f"a line must begin with the number of a word, not with {columns[0]!r}")
    if not rows:
        raise TreeError("no words")
    return rows


def _misc(column: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in column.split("|"))
    return {name: value for name, _, value in pairs}


def _is_flat(lines: Sequence[str]) -> bool:
    return not any("Nodes" in _misc(row[-1]) for row in _rows(lines))


def _builder(lines: Sequence[str]) -> TreeBuilder:
    leaves: list[Leaf] = []
    nodes: dict[str, Node] = {}
    top = Node("")
    for row in _rows(lines):
        misc = _misc(row[-1])
        tag = next((row[column] for column in (4, 3) if row[column] != "_"), "_")
        leaf = Leaf(row[1], tag, None if row[2] == "_" else row[2], unquote(misc["Morph"]) if "Morph" in misc else None)
        leaves.append(leaf)
        above = top
        for part in misc.get("Nodes", "").split(",") if misc.get("Nodes") else ():
            number, sign, label = part.partition(":")
            if not (number and sign and label):
                raise TreeError(f"Nodes={misc['Nodes']} is not number:label, with commas between them")
            node = nodes.get(number)
            if node is None:
                node = nodes[number] = Node(unquote(label))
                above.children.append(node)
            elif node not in above.children or node.label != unquote(label):
                raise TreeError(f"constituent {number} is in two places, or has two labels")
            above = node
        above.children.append(leaf)
    if len(top.children) != 1:
        if nodes:
            raise TreeError("the words have more than one root")
        top.label = ROOT
    builder = TreeBuilder(top if top.label else top.children[0], leaves)
    builder.id = _facts(lines).get("sent_id")
    return builder


def write(trees: Iterable[Tree], stream: TextIO) -> None:
    """Write trees as CoNLL-U, with constituents in the last column."""
    for text in texts_of(trees, lambda tree, _: _format(tree)):
        stream.write(text)


def _format(tree: Tree) -> str:
    notes, nothing = tree.annotations, (None,) * len(tree)
    lines = [] if tree.id is None else [f"# sent_id = {_field(tree.id)}"]
    lines.append(f"# text = {_text(tree)}")
    parents, word_parents = tree.parents, tree.word_parents
    named = [f"{number}:{_quote(label)}" for number, label in enumerate(tree.labels)]
    offsets = notes.offsets or nothing
    rows = zip(tree.words, tree.tags, notes.lemmas or nothing, notes.morphology or nothing, strict=True)
    for index, (word, tag, lemma, morphology) in enumerate(rows):
        path = []
        node = word_parents[index]
        while node >= 0:
            path.append(named[node])
            node = parents[node]
        misc = ["Nodes=" + ",".join(reversed(path))] if path else []
        if morphology is not None:
            misc.append(f"Morph={_quote(morphology)}")
        if _touches(offsets, index):
            misc.append("SpaceAfter=No")
        columns = (str(index + 1), word, lemma or "_", "_", tag, "_", "_", "_", "_", "|".join(misc) or "_")
        lines.append("\t".join(map(_field, columns)))
    return "\n".join(lines) + "\n\n"


def _touches(offsets: Sequence[tuple[int, int] | None], index: int) -> bool:
    """Whether the next word follows without a blank."""
    if index + 1 == len(offsets):
        return False
    here, then = offsets[index], offsets[index + 1]
    return here is not None and then is not None and here[1] == then[0]


def _text(tree: Tree) -> str:
    offsets = tree.annotations.offsets or (None,) * len(tree)
    words = (_field(word) + ("" if _touches(offsets, index) else " ") for index, word in enumerate(tree.words))
    return "".join(words).rstrip()


def _field(text: str) -> str:
    """A text in a column; a TreeError for one that would be two columns, two lines or nothing."""
    if not text or any(sign in text for sign in "\t\n\r\f\v\x1c\x1d\x1e\x85\u2028\u2029"):
        raise TreeError(f"a column of CoNLL cannot hold {text!r}; write jsonl instead")
    return text


def _quote(label: str) -> str:
    return "".join(_SIGNS.get(sign, sign) for sign in label)


def write_columns(trees: Iterable[Tree], stream: TextIO) -> None:
    """Write trees as columns: number, word, tag, brackets."""
    for text in texts_of(trees, lambda tree, _: _format_columns(tree)):
        stream.write(text)


def read_columns(source: Source, on_error: OnError = raise_error) -> Iterator[Tree]:
    """The trees of a file of columns: number, word, tag, brackets."""
    for first, last, lines in _sentences(source):
        if (fault := source.fault(first, last)) is not None:
            on_error(fault)
            continue
        try:
            yield Tree.of(_from_columns(lines))
        except TreeError as error:
            on_error(DataError(str(error), source=source.name, line=first))


def _from_columns(lines: Sequence[str]) -> TreeBuilder:
    top = Node("")
    stack = [top]
    leaves: list[Leaf] = []
    for line in lines:
        columns = line.split("\t")
        found = _BRACKETS(columns[-1])
        if len(columns) != 4 or not all(columns) or columns[0] != str(len(leaves) + 1) or found is None:
            raise TreeError(f"expected the number {len(leaves) + 1}, word, tag and brackets in {line[:80]!r}")
        for label in found[1].split("(")[1:]:
            node = Node(re.sub(r"#([0-9]+)$", r"*\1", label))
            stack[-1].children.append(node)
            stack.append(node)
        leaf = Leaf(columns[1], columns[2])
        leaves.append(leaf)
        stack[-1].children.append(leaf)
        closed = len(found[2])
        if closed >= len(stack):
            raise TreeError(f"more brackets close than are open at {columns[1]!r}")
        del stack[len(stack) - closed :]
    if len(stack) > 1:
        raise TreeError(f"the bracket of {stack[-1].label!r} does not close")
    if len(top.children) != 1:
        raise TreeError("the words have more than one root")
    return join_blocks(TreeBuilder(top.children[0], leaves))


def _format_columns(tree: Tree) -> str:
    split = split_blocks(tree)
    before, after = [""] * len(tree), [""] * len(tree)
    for label, start, end in zip(split.labels, split.starts, split.ends, strict=True):
        before[start] += "(" + _name(label)
        after[end - 1] += ")"
    brackets = (opened + "*" + closed for opened, closed in zip(before, after, strict=True))
    rows = zip(tree.words, tree.tags, brackets, strict=True)
    lines = ("\t".join(map(_field, (str(number), *row))) for number, row in enumerate(rows, 1))
    return "\n".join(lines) + "\n\n"


def _name(label: str) -> str:
    label, star, number = label.rpartition("*") if "*" in label else (label, "", "")
    if set("()* ") & set(label) or re.search(r"#[0-9]+$", label):
        raise TreeError(f"brackets in columns cannot hold the label {label!r}")
    return label + ("#" + number if star else "")


FORMATS = (
    Format(
        name="conllu",
        description="CoNLL-U, a word a line, constituents as Nodes=… in the last column",
        suffixes=(".conllu",),
        read=read,
        write=write,
        rank=46,
        sign=r"(?m)^1(?:-\d+)?\t[^\t\n]+(?:\t[^\t\n]+){8}$",
    ),
    Format(
        name="conll",
        description="CoNLL columns: number, word, tag, brackets",
        suffixes=(".conll",),
        read=read_columns,
        write=write_columns,
        rank=47,
        sign=r"(?m)^1\t[^\t\n]+\t[^\t\n]+\t\([^\t\n]*\*\)*$",
    ),
)
