"""What people do to trees before they use them: punctuation, function labels, roots, labels, unary chains.

Each transformation takes a draft and changes it in place; :func:`transform` applies several to a tree. They never
touch the order of the words, and a tree that would lose all its words is an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import pairwise

from permutree.errors import TreeError
from permutree.trees.builder import Leaf, Node, TreeBuilder
from permutree.trees.nodes import blocks_of
from permutree.trees.tree import Tree

__all__ = [
    "PENN_PUNCTUATION",
    "PUNCTUATION_TAGS",
    "SCHEMES",
    "Transformation",
    "add_root",
    "attach_punctuation",
    "close_gaps",
    "collapse_unary",
    "expand_unary",
    "join_functions",
    "map_labels",
    "move_punctuation",
    "prune",
    "remove_leaves",
    "remove_punctuation",
    "remove_root",
    "remove_unary",
    "rename_root",
    "split_functions",
    "strip_functions",
    "to_tiger",
    "transform",
]

Transformation = Callable[[TreeBuilder], None]

_STTS = ("$,", "$.", "$(", "$[", "$*LRB*")
#: tags of punctuation in the Penn Treebank and its kin; hyphens (HYPH) are parts of words there
PENN_PUNCTUATION = (",", ".", ":", "``", "''", "-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-", "NFP")
_OTHERS = ("HYPH", "LET", "let", "PUNC", "PUNCT", "punct", '"', "'", ";", "(", ")", "-", "–")

#: tags of punctuation in the tag sets of STTS, Penn, Alpino, Universal Dependencies and IcePaHC
PUNCTUATION_TAGS = frozenset(_STTS + PENN_PUNCTUATION + _OTHERS)


def transform(tree: Tree, *steps: Transformation) -> Tree:
    """The tree after some transformations, one after the other."""
    if not steps:
        return tree
    draft = TreeBuilder.from_tree(tree)
    for step in steps:
        step(draft)
    return Tree.of(draft)


def prune(draft: TreeBuilder) -> None:
    """Take away constituents without words."""
    empty: set[Node] = set()
    for node in reversed(list(draft.nodes())):
        node.children = [child for child in node.children if child not in empty]
        if not node.children:
            empty.add(node)


def remove_leaves(draft: TreeBuilder, unwanted: Collection[Leaf]) -> None:
    """Take words out of the sentence, and with them the constituents that they leave empty."""
    if not unwanted:
        return
    if len(unwanted) >= len(draft.leaves):
        raise TreeError("no word would be left in the sentence")
    draft.leaves = [leaf for leaf in draft.leaves if leaf not in unwanted]
    for node in draft.nodes():
        node.children = [child for child in node.children if child not in unwanted]
    prune(draft)


def remove_punctuation(draft: TreeBuilder, tags: Collection[str] = PUNCTUATION_TAGS) -> None:
    """Take punctuation out of the sentence; a sentence of nothing else keeps it."""
    unwanted = {leaf for leaf in draft.leaves if leaf.tag in tags}
    if len(unwanted) < len(draft.leaves):
        remove_leaves(draft, unwanted)


def attach_punctuation(draft: TreeBuilder, tags: Collection[str] = PUNCTUATION_TAGS) -> None:
    """Hang punctuation from the root; a constituent of nothing but punctuation stays as it is."""
    if isinstance(draft.root, Leaf):
        return
    parents = draft.parents()
    lasting = _over(parents, (leaf for leaf in draft.leaves if leaf.tag not in tags))
    for leaf in draft.leaves:
        if leaf.tag in tags and parents[leaf] in lasting and parents[leaf] is not draft.root:
            parents[leaf].children.remove(leaf)
            draft.root.children.append(leaf)


def move_punctuation(draft: TreeBuilder, tags: Collection[str] = PUNCTUATION_TAGS) -> None:
    """Move each punctuation mark to the lowest constituent over its nearest neighbours that are none.

    At the edges of the sentence, where there is but one neighbour, it goes to the root. A constituent of nothing but
    punctuation stays as it is.
    """
    root = draft.root
    if isinstance(root, Leaf):
        return
    parents = draft.parents()
    marks = {leaf for leaf in draft.leaves if leaf.tag in tags}
    lasting = _over(parents, (leaf for leaf in draft.leaves if leaf not in marks))
    before = _neighbours(draft.leaves, marks)
    after = _neighbours(draft.leaves[::-1], marks)
    for leaf in marks:
        if parents[leaf] not in lasting:
            continue
        left, right = before[leaf], after[leaf]
        target = root if left is None or right is None else _lowest_common(parents, left, right)
        if target is not parents[leaf]:
            parents[leaf].children.remove(leaf)
            target.children.append(leaf)


def _over(parents: Mapping[Node | Leaf, Node], leaves: Iterable[Leaf]) -> set[Node]:
    """The constituents over any of the leaves."""
    found: set[Node] = set()
    for leaf in leaves:
        node = parents.get(leaf)
        while node is not None and node not in found:
            found.add(node)
            node = parents.get(node)
    return found


def close_gaps(draft: TreeBuilder, tags: Collection[str] = PUNCTUATION_TAGS) -> None:
    """Move punctuation that alone makes a gap into the constituent that has the gap, the lowest one first."""
    parents = draft.parents()
    while (found := _punctuation_gap(draft, tags)) is not None:
        node, gap = found
        for leaf in gap:
            parents[leaf].children.remove(leaf)
            node.children.append(leaf)
            parents[leaf] = node
        prune(draft)


def _punctuation_gap(draft: TreeBuilder, tags: Collection[str]) -> tuple[Node, list[Leaf]] | None:
    """A constituent and the punctuation that fills a gap of it, if there is such a gap; children before parents."""
    words: dict[Node | Leaf, list[int]] = {leaf: [number] for number, leaf in enumerate(draft.leaves)}
    for node in reversed(list(draft.nodes())):
        words[node] = sorted(word for child in node.children for word in words[child])
        blocks = blocks_of(words[node])
        for (_, end), (start, _) in pairwise(blocks):
            gap = draft.leaves[end:start]
            if all(leaf.tag in tags for leaf in gap):
                return node, gap
    return None


def _neighbours(leaves: list[Leaf], marks: Collection[Leaf]) -> dict[Leaf, Leaf | None]:
    """For each mark, the nearest leaf before it that is none."""
    neighbours: dict[Leaf, Leaf | None] = {}
    last: Leaf | None = None
    for leaf in leaves:
        if leaf in marks:
            neighbours[leaf] = last
        else:
            last = leaf
    return neighbours


def _lowest_common(parents: Mapping[Node | Leaf, Node], left: Leaf, right: Leaf) -> Node:
    """The lowest constituent over two different leaves."""
    above = _over(parents, [left])
    node = parents[right]
    while node not in above:
        node = parents[node]
    return node


def strip_functions(draft: TreeBuilder) -> None:
    """Forget function labels: the edge labels, and what follows the first dash or equals sign inside a label."""
    for leaf in draft.leaves:
        leaf.function = None
    for node in draft.nodes():
        node.function = None
        node.label = _category(node.label)


def split_functions(draft: TreeBuilder) -> None:
    """Take functions out of labels: ``NP-SBJ`` becomes ``NP`` with the edge label ``SBJ``."""
    for node in draft.nodes():
        category = _category(node.label)
        if category != node.label:
            function = node.label[len(category) + 1 :]
            node.function = function if node.function is None else f"{function}-{node.function}"
            node.label = category


def join_functions(draft: TreeBuilder) -> None:
    """Write functions into labels: ``NP`` with the edge label ``SBJ`` becomes ``NP-SBJ``."""
    for node in draft.nodes():
        if node.function is not None:
            node.label = f"{node.label}-{node.function}"
            node.function = None


def _category(label: str) -> str:
    """The part of a label before its functions; a label such as ``-LRB-`` has none.

    >>> _category("NP-SBJ"), _category("NP=2"), _category("-LRB-"), _category("PRP$")
    ('NP', 'NP', '-LRB-', 'PRP$')
    """
    return re.split("[-=]", label, maxsplit=1)[0] or label


def add_root(draft: TreeBuilder, label: str = "ROOT") -> None:
    """Put a root with this label on top, unless the root has it already."""
    if isinstance(draft.root, Leaf) or draft.root.label != label:
        draft.root = Node(label, [draft.root])


def rename_root(draft: TreeBuilder, label: str = "ROOT") -> None:
    """Give the root this label."""
    if isinstance(draft.root, Leaf):
        draft.root = Node(label, [draft.root])
    else:
        draft.root.label = label


#: labels of roots that say nothing but where the tree starts
ROOT_LABELS = frozenset(["ROOT", "VROOT", "TOP", "top", "NOPARSE", ""])


def remove_root(draft: TreeBuilder, labels: Collection[str] = ROOT_LABELS) -> None:
    """Take away a root with one of these labels, as long as it has a single constituent below it."""
    while isinstance(draft.root, Node) and draft.root.label in labels and len(draft.root.children) == 1:
        (child,) = draft.root.children
        if isinstance(child, Leaf):
            break
        draft.root = child


def map_labels(draft: TreeBuilder, labels: Mapping[str, str], tags: Mapping[str, str] | None = None) -> None:
    """Rename constituents and tags by tables; what the tables do not name stays as it is."""
    for node in draft.nodes():
        node.label = labels.get(node.label, node.label)
    for leaf in draft.leaves:
        leaf.tag = (tags or {}).get(leaf.tag, leaf.tag)


def collapse_unary(draft: TreeBuilder, joiner: str = "+") -> None:
    """Make one constituent of each unary chain, its label joined from the top down."""
    for node in draft.nodes():
        while len(node.children) == 1 and isinstance(child := node.children[0], Node):
            node.label = f"{node.label}{joiner}{child.label}"
            node.children = child.children


def expand_unary(draft: TreeBuilder, joiner: str = "+") -> None:
    """Undo :func:`collapse_unary`."""
    for node in list(draft.nodes()):
        first, *rest = node.label.split(joiner)
        if not rest or not all((first, *rest)):
            continue
        node.label = first
        lowest = Node(rest[-1], node.children)
        for label in reversed(rest[:-1]):
            lowest = Node(label, [lowest])
        node.children = [lowest]


def remove_unary(draft: TreeBuilder, keep: str = "top") -> None:
    """Keep only the top or the bottom constituent of each unary chain."""
    for node in draft.nodes():
        while len(node.children) == 1 and isinstance(child := node.children[0], Node):
            if keep == "bottom":
                node.label, node.function = child.label, child.function
            node.children = child.children


_ADPOSITIONS = frozenset(["APPR", "APPRART", "APPO"])


def to_tiger(draft: TreeBuilder) -> None:
    """Make trees in the scheme of squoia_de, and so of the German model, comparable with TIGER's.

    The noun phrase of a prepositional phrase is merged into it; constituents of a single word are taken away, and of
    a unary chain the bottom one stays, or a name; brackets and quotation marks are ``$(``.
    """
    place = {leaf: number for number, leaf in enumerate(draft.leaves)}
    for leaf in draft.leaves:
        leaf.tag = "$(" if leaf.tag == "$[" else leaf.tag
    for node in list(draft.nodes()):
        if node.label == "PP" and (phrase := _noun_phrase_of(node, place)) is not None:
            node.children.remove(phrase)
            node.children += phrase.children
    for node in reversed(list(draft.nodes())):
        node.children = [_without_unary(child) for child in node.children]


def _noun_phrase_of(node: Node, place: Mapping[Leaf, int]) -> Node | None:
    """The noun phrase that a preposition governs: the first one after it, or before a postposition."""
    heads = [child for child in node.children if isinstance(child, Leaf) and child.tag in _ADPOSITIONS]
    phrases = [child for child in node.children if isinstance(child, Node) and child.label == "NP"]
    if not heads or not phrases:
        return None
    start = {phrase: min(place[leaf] for leaf in phrase.leaves()) for phrase in phrases}
    after = [phrase for phrase in phrases if start[phrase] > min(place[head] for head in heads)]
    return min(after or phrases, key=start.__getitem__)


def _without_unary(node: Node | Leaf) -> Node | Leaf:
    """The word of a constituent of one word, or the constituent that a unary chain leaves."""
    is_name = False
    while isinstance(node, Node) and len(node.children) == 1:
        is_name = is_name or node.label == "PN"
        node = node.children[0]
    if is_name and isinstance(node, Node):
        node.label = "PN"
    return node


#: annotation schemes that trees of other schemes can be brought into
SCHEMES: Mapping[str, Transformation] = {"tiger": to_tiger}
