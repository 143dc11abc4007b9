"""Trees without gaps that say the same: each block of a discontinuous constituent is a constituent with a number.

``VP*1 … VP*1`` are the blocks of one constituent. So programs that know continuous trees only can hold every tree.
"""

from __future__ import annotations

import re

from permutree.trees.builder import Leaf, Node, TreeBuilder
from permutree.trees.nodes import blocks_of
from permutree.trees.tree import Tree

__all__ = ["join_blocks", "split_blocks"]

_SPLIT = re.compile(r"(.+)\*([0-9]+)", re.DOTALL)


def split_blocks(tree: Tree) -> Tree:
    """The tree with its blocks as constituents; a continuous tree stays as it is.

    >>> split_blocks(Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))"))
    Tree('(S (VP*1 (WRB 0=How)) (VBZ 1=does) (PRP 2=it) (VP*1 (VB 3=work)))')
    """
    if not tree.is_discontinuous:
        return tree
    leaves = [Leaf(word, tag) for word, tag in zip(tree.words, tree.tags, strict=True)]
    pieces: list[tuple[Node, range]] = []
    count = 0
    for constituent in tree:
        blocks = blocks_of(constituent.words)
        count += len(blocks) > 1
        mark = f"*{count}" if len(blocks) > 1 else ""
        pieces += [(Node(constituent.label + mark), range(*block)) for block in blocks]
    return Tree.of(TreeBuilder.from_yields(leaves, pieces))


def join_blocks(builder: TreeBuilder) -> TreeBuilder:
    """The builder with constituents of the same name and number as one, without the number.

    >>> split = Tree.parse("(S (VP*1 (WRB 0=How)) (VBZ 1=does) (PRP 2=it) (VP*1 (VB 3=work)))")
    >>> Tree.of(join_blocks(TreeBuilder.from_tree(split)))
    Tree('(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))')
    """
    first: dict[str, Node] = {}
    nodes = [node for node in builder.nodes() if _SPLIT.fullmatch(node.label)]
    for node in nodes:
        first.setdefault(node.label, node)
    parents = builder.parents()
    # From below, so that a parent still has all its children when these go to another place.
    for node in reversed(nodes):
        if (known := first[node.label]) is not node:
            parents[node].children.remove(node)
            known.children += node.children
    for label, node in first.items():
        found = _SPLIT.fullmatch(label)
        assert found is not None
        node.label = found[1]
    return builder
