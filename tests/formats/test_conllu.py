import io
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permutree import DataError, Parser, Tree, read, write
from permutree.formats import conllu
from permutree.formats.sources import Source
from strategies import trees

TREE = Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")
names = st.text(st.sampled_from("NP-SBJ,:|=% $*é"), min_size=1, max_size=6)


def written(tree: Tree, write: Callable[[list[Tree], TextIO], None] = conllu.write) -> str:
    stream = io.StringIO()
    write([tree], stream)
    return stream.getvalue()


@given(trees(labels=names))
def test_every_tree_comes_back(tree: Tree) -> None:
    assert list(conllu.read(Source.of_text(written(tree), "x"))) == [tree]


@given(trees(labels=names.filter(lambda name: not {*"* ()"} & {*name})))
def test_columns_come_back(tree: Tree) -> None:
    text = written(tree, conllu.write_columns)
    assert list(conllu.read_columns(Source.of_text(text, "x"))) == [tree]


def test_what_is_written() -> None:
    assert written(TREE).splitlines()[:2] == [
        "# text = How does it work",
        "1\tHow\t_\t_\tWRB\t_\t_\t_\t_\tNodes=0:S,1:VP",
    ]
    assert written(TREE, conllu.write_columns) == (
        "1\tHow\tWRB\t(S(VP#1*)\n2\tdoes\tVBZ\t*\n3\tit\tPRP\t*\n4\twork\tVB\t(VP#1*))\n\n"
    )


def test_annotations_come_back(tmp_path: Path) -> None:
    tree = TREE.annotated(id="s 1", lemmas=("how", "do", None, "work"), morphology=(None, "3|Sg", None, None))
    write([tree, *Parser.load("en").parse("What's this?")], tmp_path / "x.conllu")
    found = list(read(tmp_path / "x.conllu"))
    assert (found[0], found[0].annotations) == (tree, tree.annotations)
    assert "# text = What's this?\n" in (tmp_path / "x.conllu").read_text("utf-8")


UD = """\
# sent_id = 7
1-2\tzum\t_\t_\t_\t_\t_\t_\t_\t_
1\tzu\tzu\tADP\tAPPR\t_\t3\tcase\t_\t_
2\tdem\tder\tDET\tART\tCase=Dat\t3\tdet\t_\t_
3\tHaus\tHaus\tNOUN\t_\t_\t0\troot\t_\tSpaceAfter=No
"""


def test_files_of_universal_dependencies(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "x.conllu"
    path.write_text(UD, "utf-8")
    with caplog.at_level(logging.WARNING, "permutree"):
        (tree,) = read(path)
    assert tree == Tree.parse("(ROOT (APPR 0=zu) (ART 1=dem) (NOUN 2=Haus))")
    assert (tree.id, tree.annotations.lemmas) == ("7", ("zu", "der", "Haus"))
    assert "read as flat trees" in caplog.text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("\tADP\t", "\t"), r"9 columns, not 10"),
        (("2\tdem", "4\tdem"), "word 4 stands where word 2"),
        (("1\tzu", "x\tzu"), "number of a word, not with 'x'"),
        (("SpaceAfter=No", "Nodes=0:S,x"), "is not number:label"),
        (("SpaceAfter=No", "Nodes=0:S"), "more than one root"),
    ],
)
def test_bad_sentences_are_named(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    path = tmp_path / "x.conllu"
    path.write_text(written(TREE) + UD.replace(*change) + "\n" + written(TREE), "utf-8")
    with pytest.raises(DataError, match=rf"x\.conllu:7 .*{message}"):
        list(read(path))
    bad: list[DataError] = []
    assert list(read(path, on_error=bad.append)) == [TREE, TREE]
    assert len(bad) == 1


def test_two_places() -> None:
    text = written(TREE).replace("does\t_\t_\tVBZ\t_\t_\t_\t_\tNodes=0:S", "does\t_\t_\tVBZ\t_\t_\t_\t_\tNodes=1:VP")
    with pytest.raises(DataError, match="two places"):
        list(conllu.read(Source.of_text(text, "x")))
