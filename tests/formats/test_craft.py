"""CRAFT's dialect: the index of a trace on the node above it."""

import io
import lzma
from pathlib import Path

import pytest
from hypothesis import given

from permutree.errors import DataError
from permutree.formats import craft
from permutree.formats.sources import Source, open_sources
from permutree.trees.tree import Tree
from strategies import trees


def read(text: str, functions: bool = True) -> list[Tree]:
    return list(craft.read(Source("test", io.BufferedReader(io.BytesIO(text.encode()))), functions=functions))


def written(tree: Tree, functions: bool = True) -> str:
    stream = io.StringIO()
    craft.write([tree], stream, functions=functions)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "( (NP (NP (CD 7) (NML-2 (-NONE- *RNR*))) (SYM –) (NP (CD 11) (NML-2 (-NONE- *RNR*))) (NML-2 (NN dpc))) )",
            "(NP (NP (CD 0=7)) (SYM 1=–) (NP (CD 2=11) (NML (NN 3=dpc))))",
            id="right node raising",
        ),
        pytest.param(
            """( (S (NP-SBJ-1 (PRP We)) (VP (VBP use) (NP (NP (NN x)) (SBAR (WHNP-1 (WDT that))
                (S (NP-SBJ-1 (-NONE- *T*)) (VP (VBZ is) (VP (VBN bound) (NP-1 (-NONE- *)))))))))  )""",
            "(S (NP (PRP 0=We)) (VP (VBP 1=use) (NP (NP (NN 2=x)) (SBAR (S (WHNP (WDT 3=that)) "
            "(VP (VBZ 4=is) (VP (VBN 5=bound))))))))",
            id="an index that others have too",
        ),
        pytest.param(
            "( (S (NP-SBJ (NP (PRP It)) (S-1 (-NONE- *EXP*))) (VP (VBZ helps) (S-1 (VP (TO to) (VP (VB ask)))))) )",
            "(S (NP (NP (PRP 0=It)) (S (VP (TO 2=to) (VP (VB 3=ask))))) (VP (VBZ 1=helps)))",
            id="extraposition",
        ),
    ],
)
def test_resolved_by_hand(text: str, expected: str) -> None:
    (tree,) = read(text)
    assert tree.discbracket() == expected


def test_written_by_hand() -> None:
    tree = Tree.parse("(S (NP (NP (PRP 0=It)) (S (TO 2=to) (VB 3=ask))) (VP (VBZ 1=helps)))")
    assert written(tree) == "( (S (NP (NP (PRP It)) (S-1 (-NONE- *ICH*))) (VP (VBZ helps)) (S-1 (TO to) (VB ask))))\n"


def test_errors_name_the_place() -> None:
    with pytest.raises(DataError, match=r"test:1: empty bracket \(NP\)"):
        read("( (S (NP)))")


@given(trees())
def test_any_tree_comes_back(tree: Tree) -> None:
    (found,) = read(written(tree, functions=False), functions=False)
    assert found == tree


@pytest.fixture(scope="module")
def document(shared: Path) -> list[Tree]:
    """A whole document of the treebank with the reader's own roots."""
    return [
        tree
        for source in open_sources(shared / "treebanks" / "craft" / "raw.tar.xz")
        if source.member and source.member.endswith("11532192.tree")
        for tree in craft.read(source, root="ROOT")
    ]


def test_trees_of_a_document_come_back(document: list[Tree]) -> None:
    assert sum(tree.is_discontinuous for tree in document) > 5
    for tree in document:
        (again,) = read(written(tree))
        assert again == tree
        assert again.annotations == tree.annotations


def test_a_document_as_in_the_reference_conversion(document: list[Tree], shared: Path) -> None:
    folder = shared / "treebanks" / "craft"
    with lzma.open(folder / "train.ids.xz", "rt") as ids, lzma.open(folder / "train.discbracket.xz", "rt") as lines:
        named = zip(ids, lines, strict=True)
        reference = [Tree.parse(line.rstrip("\n")) for name, line in named if name.startswith("11532192,")]
    assert document == reference
