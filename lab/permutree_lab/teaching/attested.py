"""Whether lessons follow the scheme of a treebank: each constituent with its children should be found there, too.

A rule is the label of a constituent with the labels and tags of its children, in order, punctuation left out. A long
flat rule may be new to a treebank although it is right, since adverbials come in any number; so rules are also taken
apart into edges (a label and one of its children), which a sound scheme knows all of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from permutree.treebanks.transforms import PUNCTUATION_TAGS
from permutree.trees.nodes import Node
from permutree.trees.tree import Tree

__all__ = ["Comparison", "Edge", "Rule", "compare", "edges", "rules"]

#: a label, and the labels and tags of the children
Rule: TypeAlias = tuple[str, tuple[str, ...]]
Edge: TypeAlias = tuple[str, str]


def rules(tree: Tree) -> Iterator[Rule]:
    """The rules of a tree; children are in the order of their first words.

    >>> list(rules(Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it) (. 4=?))")))
    [('S', ('VP', 'VBZ', 'PRP')), ('VP', ('WRB', 'VB'))]
    """

    def walk(node: Node) -> Iterator[Rule]:
        children = [child for child in node.children if not (child.is_word and child.label in PUNCTUATION_TAGS)]
        if children:
            yield node.label, tuple(child.label for child in children)
        for child in children:
            if not child.is_word:
                yield from walk(child)

    yield from walk(tree.root)


def edges(rule: Rule) -> Iterator[Edge]:
    """The edges of a rule; a constituent with one child only is marked by a plus, as it needs to be known as such."""
    label, children = rule
    if len(children) == 1:
        yield f"{label}+", children[0]
    for child in children:
        yield label, child


@dataclass(slots=True)
class Comparison:
    """Rules of trees, and what of them a treebank does not have, by how often it occurs."""

    rules: int = 0
    new_rules: Counter[Rule] = field(default_factory=Counter)
    new_edges: Counter[Edge] = field(default_factory=Counter)

    @property
    def share(self) -> float:
        """The share of rules, by occurrence, that the treebank has."""
        return 1 - self.new_rules.total() / self.rules if self.rules else 1.0


def compare(trees: Iterable[Tree], treebank: Iterable[Tree]) -> Comparison:
    """Compare trees with a treebank. The order of children does not count in rules, as it is free in most languages."""
    known_rules: set[Rule] = set()
    known_edges: set[Edge] = set()
    for tree in treebank:
        for rule in rules(tree):
            known_rules.add(_sorted(rule))
            known_edges.update(edges(rule))
    found = Comparison()
    for tree in trees:
        for rule in rules(tree):
            found.rules += 1
            if _sorted(rule) not in known_rules:
                found.new_rules[_sorted(rule)] += 1
            found.new_edges.update(edge for edge in edges(rule) if edge not in known_edges)
    return found


def _sorted(rule: Rule) -> Rule:
    return rule[0], tuple(sorted(rule[1]))
