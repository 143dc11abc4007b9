"""Damaged copies of treebanks, to try evaluation on: relabelled, moved, flattened and retagged at random.

    python lab/benchmarks/damage.py GOLD DAMAGED [--seed N] [--rate R]

The same seed and rate give the same copy. Words are left alone.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Iterator

from permutree import Tree, read, write
from permutree.trees.builder import Node, TreeBuilder


def damage(trees: Iterable[Tree], seed: int = 1, rate: float = 0.1) -> Iterator[Tree]:
    """Copies of trees in which about this share of constituents and tags is wrong."""
    trees = list(trees)
    source = random.Random(seed)
    labels = sorted({label for tree in trees for label in tree.labels})
    tags = sorted({tag for tree in trees for tag in tree.tags})
    for tree in trees:
        draft = TreeBuilder.from_tree(tree)
        for leaf in draft.leaves:
            if source.random() < rate / 4:
                leaf.tag = source.choice(tags)
        for node in list(draft.nodes()):
            if source.random() < rate:
                source.choice([_relabel, _move, _flatten, _wrap, _repeat])(draft, node, labels, source)
        yield Tree.of(draft)


def _relabel(draft: TreeBuilder, node: Node, labels: list[str], source: random.Random) -> None:
    node.label = source.choice(labels)


def _move(draft: TreeBuilder, node: Node, labels: list[str], source: random.Random) -> None:
    """Hang a constituent from another one that is not below it, which often opens a gap."""
    parent = draft.parents().get(node)
    below = set(node.subtrees())
    places = [place for place in draft.nodes() if place not in below]
    if parent is not None and len(parent.children) > 1 and places:
        parent.children.remove(node)
        source.choice(places).children.append(node)


def _flatten(draft: TreeBuilder, node: Node, labels: list[str], source: random.Random) -> None:
    """Take a constituent away and leave its children to its parent."""
    parent = draft.parents().get(node)
    if parent is not None:
        place = parent.children.index(node)
        parent.children[place : place + 1] = node.children
        node.children = []


def _wrap(draft: TreeBuilder, node: Node, labels: list[str], source: random.Random) -> None:
    """Put a new constituent over some of the children."""
    chosen = source.sample(node.children, source.randint(1, len(node.children))) if node.children else []
    if chosen:
        node.children = [child for child in node.children if child not in chosen]
        node.children.append(Node(source.choice(labels), chosen))


def _repeat(draft: TreeBuilder, node: Node, labels: list[str], source: random.Random) -> None:
    """Put a second constituent with the same label and the same words under this one."""
    if node.children:
        node.children = [Node(node.label, node.children)]


def main() -> None:
    parser = argparse.ArgumentParser(description="Write a damaged copy of a treebank.")
    parser.add_argument("gold")
    parser.add_argument("damaged")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=0.1)
    options = parser.parse_args()
    write(damage(read(options.gold), options.seed, options.rate), options.damaged)


if __name__ == "__main__":
    main()
