"""NetworkX: a tree as a directed graph, from parents to children."""

from __future__ import annotations

from permutree.errors import ConfigError
from permutree.trees.tree import Tree

try:
    import networkx
except ModuleNotFoundError as error:
    raise ConfigError("graphs need NetworkX: pip install 'permutree[networkx]'") from error

__all__ = ["to_networkx"]


def to_networkx(tree: Tree) -> networkx.DiGraph[int]:
    """A tree as a graph whose nodes are numbers: words from 0, constituents in preorder from ``len(tree)``.

    Nodes have ``label``, ``words`` (indexes), ``is_word``, ``is_discontinuous``; words have ``text``, too. Edges go
    from parents to children and have a ``function`` where the treebank gives one. Secondary edges have
    ``secondary=True``; without them the graph is a tree. The graph has ``id`` and ``root``.

    >>> graph = to_networkx(Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))"))
    >>> sorted(graph.successors(5)), graph.nodes[5]["label"], graph.nodes[5]["is_discontinuous"]
    ([0, 3], 'VP', True)
    """
    size = len(tree)
    graph: networkx.DiGraph[int] = networkx.DiGraph(id=tree.id, root=size if tree.labels else 0)
    for index, (word, tag) in enumerate(zip(tree.words, tree.tags, strict=True)):
        graph.add_node(index, label=tag, text=word, words=(index,), is_word=True, is_discontinuous=False)
    for number, constituent in enumerate(tree, size):
        graph.add_node(
            number,
            label=constituent.label,
            words=constituent.words,
            is_word=False,
            is_discontinuous=constituent.is_discontinuous,
        )
    functions = tree.annotations.functions or (None,) * len(graph)
    for child, parent in enumerate((*tree.word_parents, *tree.parents)):
        if parent >= 0:
            facts = {} if functions[child] is None else {"function": functions[child]}
            graph.add_edge(size + parent, child, **facts)
    for edge in tree.annotations.secondary:
        graph.add_edge(edge.parent, edge.child, function=edge.label, secondary=True)
    return graph
