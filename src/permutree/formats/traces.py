"""Traces: empty elements that say where a displaced part of the sentence belongs, and trees without them.

Penn-style treebanks keep every constituent continuous. A displaced part stands where it is heard, and an empty element
with the same index, its trace, stands where it belongs. Readers of such dialects build nodes in which empty elements
are leaves of the class :class:`Empty`, and note which nodes carry an index; :func:`resolve` makes a discontinuous tree
of that. :func:`displace` is the way back: it makes any discontinuous tree continuous and leaves traces.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from permutree.errors import TreeError
from permutree.trees.builder import Leaf, Node, TreeBuilder

__all__ = ["KINDS", "Empty", "Label", "displace", "resolve", "split_empty", "split_label", "split_tag"]

#: the kinds of traces that stand for words elsewhere in the sentence: wh-movement and topicalisation (T), other
#: discontinuity (ICH, "interpret constituent here"), extraposition with "it" (EXP) and right node raising (RNR)
KINDS = ("T", "ICH", "EXP", "RNR")


@dataclass(slots=True, eq=False)
class Empty(Leaf):
    """An empty element: a leaf without a word. Its kind is what stands between the stars, as ``T`` in ``*T*``."""

    kind: str = ""
    index: str | None = None


@dataclass(frozen=True, slots=True)
class Label:
    """The parts of a Penn label such as ``NP-SBJ-1``; gapping indexes as in ``NP=2`` are not among them."""

    category: str
    function: str | None = None
    index: str | None = None


_LABEL = re.compile(r"(-[^-=]+-|.+?)((?:[-=][^-=]+)*)")
_PART = re.compile(r"([-=])([^-=]+)")


def split_label(label: str) -> Label:
    """The parts of a label.

    >>> split_label("PP-LOC-TPC-2")
    Label(category='PP', function='LOC-TPC', index='2')
    >>> split_label("ADVP|PRT=3"), split_label("-LRB-")
    (Label(category='ADVP|PRT', function=None, index=None), Label(category='-LRB-', function=None, index=None))
    """
    match = _LABEL.fullmatch(label)
    if match is None or not match[2]:
        return Label(label)
    index = None
    functions = []
    for sign, part in _PART.findall(match[2]):
        if not part.isdecimal():
            functions.append(part)
        elif sign == "-":
            index = part
    return Label(match[1], "-".join(functions) or None, index)


_TAG = re.compile(r"(.+)-([0-9]+)")


def split_tag(tag: str) -> Label:
    """The parts of the tag of a word, which has no function but may have an index.

    >>> split_tag("NNS-4"), split_tag("ADJ-N")
    (Label(category='NNS', function=None, index='4'), Label(category='ADJ-N', function=None, index=None))
    """
    match = _TAG.fullmatch(tag)
    return Label(match[1], None, match[2]) if match else Label(tag)


_EMPTY = re.compile(r"\*([^*]*?)\*?(?:-([0-9]+))?")


def split_empty(word: str) -> tuple[str, str | None]:
    """The kind and the index of an empty element as it is written.

    >>> split_empty("*T*-1"), split_empty("*-2"), split_empty("0")
    (('T', '1'), ('', '2'), ('0', None))
    """
    match = _EMPTY.fullmatch(word)
    return (match[1], match[2]) if match else (word, None)


def resolve(root: Node | Leaf, indexes: Mapping[Node | Leaf, str], kinds: Collection[str] = KINDS) -> TreeBuilder:
    """A draft without empty elements, in which displaced parts hang where their traces stood.

    ``indexes`` holds the index of every node that has one, in document order; nodes that are not in the tree, such as
    those that held nothing but comments, are no antecedents. If several nodes have the index of a trace, which is a
    slip of the annotators, it takes the one most like the node right above the trace, then one that is not around it,
    then the one closest in the tree and the nearest in words. Of several traces of one node the nearest in words gets
    it: each part moves once. It takes the place of the trace, and of the node right above it if the trace is alone
    there, and adds the function of that node to its own.

    A trace inside its own antecedent, as in a sentence around a parenthetical *he said*, turns the two around: the
    child of the antecedent that holds the trace goes up in its place. All other empty elements, and traces whose index
    nobody has, are deleted, with the nodes that hold nothing else.
    """
    top = Node("", [root])
    parents = {child: node for node in top.subtrees() for child in node.children}
    leaves = [leaf for leaf in top.leaves() if not isinstance(leaf, Empty)]
    if not leaves:
        raise TreeError("no words, only empty elements")
    # The nodes whose place a part takes, so that nothing of them is left but what hangs there in the end.
    replaced: list[Node] = []
    moves = list(_moves(top, parents, indexes, kinds))
    is_inverted = {trace for antecedent, trace in moves if antecedent in _path(trace, parents)}
    is_alone = {trace for _, trace in moves if len(parents[trace].children) == 1}
    for antecedent, trace in moves:
        path = list(_path(trace, parents))
        if antecedent in path:
            host = path[path.index(antecedent) - 1]
            if host is trace or trace not in is_inverted:
                continue
            parents[host].children.remove(host)
            _replace(antecedent, host, parents)
        else:
            parents[antecedent].children.remove(antecedent)
        if trace in is_alone:
            replaced.append(parents[trace])
        _replace(trace, antecedent, parents)
    for node in replaced:
        (part,) = node.children
        part.function = _merge(part.function, node.function)
        _replace(node, part, parents)
    _prune(top)
    return TreeBuilder(top.children[0], leaves)


def _moves(
    top: Node,
    parents: Mapping[Node | Leaf, Node],
    indexes: Mapping[Node | Leaf, str],
    kinds: Collection[str],
) -> Iterator[tuple[Node | Leaf, Empty]]:
    """Which node goes to which trace, in document order of the traces."""
    spans = _spans(top)
    bearers: dict[str, list[Node | Leaf]] = defaultdict(list)
    for node, index in indexes.items():
        if node in spans:
            bearers[index].append(node)

    def distance(node: Node | Leaf, trace: Empty) -> int:
        (start, end), (place, _) = spans[node], spans[trace]
        return max(start - place, place - end, 0)

    def fitness(node: Node | Leaf, trace: Empty) -> tuple[int, bool, bool, int, int]:
        # A node without words may get some from traces inside it, but one that has words goes first.
        above = list(_path(trace, parents))
        common = next(above.index(one) for one in _path(node, parents) if one in above)
        is_empty = spans[node][0] == spans[node][1]
        return _strangeness(node, trace, parents[trace]), is_empty, node in above, common, distance(node, trace)

    traces: dict[Node | Leaf, list[Empty]] = defaultdict(list)
    for leaf in top.leaves():
        if isinstance(leaf, Empty) and leaf.kind in kinds and leaf.index in bearers:
            candidates = bearers[leaf.index]
            antecedent = candidates[0] if len(candidates) == 1 else min(candidates, key=partial(fitness, trace=leaf))
            traces[antecedent].append(leaf)
    for antecedent, wanting in traces.items():
        yield antecedent, min(wanting, key=partial(distance, antecedent))


def _strangeness(node: Node | Leaf, trace: Empty, place: Node) -> int:
    """How little a node looks like what left the trace: a wh-phrase, the same label, the same category or neither."""
    label = node.tag if isinstance(node, Leaf) else node.label
    category = split_label(place.label).category
    if trace.kind == "T" and label in (f"W{category}", f"WH{category}"):
        return 0
    if label == place.label:
        return 1
    return 2 if split_label(label).category == category else 3


def _spans(top: Node) -> dict[Node | Leaf, tuple[int, int]]:
    """The span of words under every node and leaf; that of an empty element is where it stands."""
    spans: dict[Node | Leaf, tuple[int, int]] = {}
    position = 0
    for leaf in top.leaves():
        end = position if isinstance(leaf, Empty) else position + 1
        spans[leaf] = (position, end)
        position = end
    for node in reversed(list(top.subtrees())):
        spans[node] = (spans[node.children[0]][0], spans[node.children[-1]][1])
    return spans


def _path(node: Node | Leaf, parents: Mapping[Node | Leaf, Node]) -> Iterator[Node | Leaf]:
    """The node and all those above it."""
    yield node
    while node in parents:
        node = parents[node]
        yield node


def _replace(old: Node | Leaf, new: Node | Leaf, parents: dict[Node | Leaf, Node]) -> None:
    """Hang one node where another hangs."""
    parent = parents.pop(old)
    parent.children[parent.children.index(old)] = new
    parents[new] = parent


def _merge(function: str | None, inherited: str | None) -> str | None:
    """Both functions, the parts that they share once."""
    parts = function.split("-") if function else []
    parts += [part for part in (inherited or "").split("-") if part and part not in parts]
    return "-".join(parts) or None


def _prune(top: Node) -> None:
    """Delete empty elements and the nodes that hold nothing else."""
    for node in reversed(list(top.subtrees())):
        node.children = [
            child
            for child in node.children
            if not isinstance(child, Empty) and (isinstance(child, Leaf) or child.children)
        ]


class _Piece(NamedTuple):
    """A part of the continuous tree that is being made: a node or word and its span."""

    start: int
    end: int
    node: Node | Leaf


def displace(draft: TreeBuilder, kind: str = "ICH") -> tuple[Node | Leaf, dict[Node | Leaf, str]]:
    """A continuous tree with traces, and the nodes that carry an index: what :func:`resolve` makes the draft of.

    Works for every draft. Nodes are cut from below: of a node with gaps the part with most of its children stays, the
    children in other parts go up, each with a trace left in its place, to the first node above in which they stand
    beside the rest. The nodes of the draft are used up.
    """
    indexes: dict[Node | Leaf, str] = {}
    # Above a finished node: its own piece first, then those that left it or the nodes below.
    pieces: dict[Node | Leaf, list[_Piece]] = {
        leaf: [_Piece(number, number + 1, leaf)] for number, leaf in enumerate(draft.leaves)
    }
    for node in reversed(list(draft.nodes())):
        own = set(node.children)
        runs = _runs(sorted(piece for child in node.children for piece in pieces.pop(child)))
        whole = max(runs, key=lambda run: sum(piece.node in own for piece in run))
        node.children = [piece.node for piece in whole]
        lifted = [piece for run in runs if run is not whole for piece in run]
        for piece in lifted:
            if piece.node in own:
                index = indexes[piece.node] = str(len(indexes) + 1)
                label = piece.node.tag if isinstance(piece.node, Leaf) else piece.node.label
                node.children.append(Node(label, [Empty(f"*{kind}*", "-NONE-", kind=kind, index=index)]))
        pieces[node] = [_Piece(whole[0].start, whole[-1].end, node), *lifted]
    return draft.root, indexes


def _runs(pieces: list[_Piece]) -> list[list[_Piece]]:
    """Sorted pieces, grouped into runs without gaps."""
    runs = [[pieces[0]]]
    for piece in pieces[1:]:
        if piece.start == runs[-1][-1].end:
            runs[-1].append(piece)
        else:
            runs.append([piece])
    return runs
