import networkx
from hypothesis import given

from permutree import SecondaryEdge, Tree
from strategies import trees

TREE = Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")


@given(tree=trees())
def test_a_graph_is_the_tree(tree: Tree) -> None:
    graph = tree.to_networkx()
    assert networkx.is_arborescence(graph)
    assert next(iter(networkx.topological_sort(graph))) == graph.graph["root"]
    words = {
        node: sorted(below for below in networkx.descendants(graph, node) | {node} if graph.nodes[below]["is_word"])
        for node in graph
    }
    assert words == {node: list(graph.nodes[node]["words"]) for node in graph}
    found = [(graph.nodes[node]["label"], graph.nodes[node]["words"]) for node in range(len(tree), len(graph))]
    assert found == [tuple(constituent) for constituent in tree]


def test_functions_and_secondary_edges() -> None:
    tree = TREE.annotated(
        id="s1", functions=("MO", "HD", "SB", "HD", None, "OC"), secondary=(SecondaryEdge(2, 5, "SB"),)
    )
    graph = tree.to_networkx()
    assert graph.graph == {"id": "s1", "root": 4}
    assert graph.edges[4, 2] == {"function": "SB"}
    assert graph.edges[5, 2] == {"function": "SB", "secondary": True}
    assert graph.nodes[2]["text"] == "it"
