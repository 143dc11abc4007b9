import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permutree.errors import DataError
from permutree.formats import read, write
from permutree.formats.export import read as read_source
from permutree.formats.export import write as write_stream
from permutree.formats.sources import Source
from permutree.trees.annotations import SecondaryEdge
from permutree.trees.builder import Node, TreeBuilder
from permutree.trees.tree import Tree
from strategies import trees

VERSION_3 = """%% a comment
#FORMAT 3
#BOT ORIGIN
0\t--\t<unknown>
1\tFR\tFrankfurter Rundschau
#EOT ORIGIN
#BOT EDITOR
7\tsomeone
#EOT EDITOR
#BOS 1 7 1098266456 1 %% checked twice
Noch\t\t\tADV\t--\t\tMO\t500
nie\t\t\tADV\t--\t\tHD\t500
habe\t\t\tVAFIN\t1.Sg\t\tHD\t503
ich\t\t\tPPER\t1.Sg.*.Nom\tSB\t503\tSB\t502
so\t\t\tADV\t--\t\tMO\t501
viel\t\t\tPIAT\t--\t\tHD\t501
gewählt\t\t\tVVPP\tPsp\t\tHD\t502 %% comment
.\t\t\t$.\t--\t\t--\t0
#500\t\t\tAVP\t--\t\tMO\t502
#501\t\t\tNP\t--\t\tOA\t502
#502\t\t\tVP\t--\t\tOC\t503
#503\t\t\tS\t--\t\t--\t0
#EOS 1
"""

NOCH_NIE = (
    "(VROOT (S (VP (AVP (ADV 0=Noch) (ADV 1=nie)) (NP (ADV 4=so) (PIAT 5=viel)) (VVPP 6=gewählt)) "
    "(VAFIN 2=habe) (PPER 3=ich)) ($. 7=.))"
)


def read_text(text: str, tmp_path: Path, charset: str = "utf-8") -> list[Tree]:
    path = tmp_path / "test.export"
    path.write_text(text, charset)
    return list(read(path, charset=charset))


#: as disco-dop writes it: six columns, and no line that tells the version
WITHOUT_VERSION = """%% word\tlemma\ttag\tmorph\tedge\tparent\tsecedge
#BOS 1
Noch\tnoch\tADV\t--\tMO\t500
nie\tnie\tADV\t--\thd\t500\tMO\t501
.\t--\t$.\t--\t--\t0
#500\t--\tAVP\t--\tMO\t501
#501\t--\tS\t--\t--\t0
#EOS 1
"""


def test_the_column_of_parents_tells_the_version(tmp_path: Path) -> None:
    (tree,) = read_text(WITHOUT_VERSION, tmp_path)
    assert tree.discbracket() == "(VROOT (S (AVP (ADV 0=Noch) (ADV 1=nie))) ($. 2=.))"
    assert tree.annotations.lemmas == ("noch", "nie", None)
    assert tree.annotations.secondary == (SecondaryEdge(1, 4, "MO"),)
    (tree,) = read_text(VERSION_3.replace("#FORMAT 3\n", ""), tmp_path)
    assert tree.discbracket() == NOCH_NIE
    assert tree.annotations.lemmas is None


def test_a_bad_parent_does_not_change_the_version(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"test.export:4 \(sentence 1\): unknown parent '5x'"):
        read_text(WITHOUT_VERSION.replace("hd\t500", "hd\t5x"), tmp_path)


@pytest.mark.parametrize("charset", ["utf-8", "latin-1"])
def test_version_3(tmp_path: Path, charset: str) -> None:
    (tree,) = read_text(VERSION_3, tmp_path, charset)
    assert tree.discbracket() == NOCH_NIE
    annotations = tree.annotations
    assert annotations.id == "1"
    assert annotations.comment == "checked twice"
    assert dict(annotations.info)["origin"] == "1"
    assert dict(annotations.info)["origin name"] == "FR Frankfurter Rundschau"
    assert annotations.morphology is not None
    assert annotations.morphology[2] == "1.Sg"
    assert annotations.functions == ("MO", "HD", "HD", "SB", "MO", "HD", "HD", None, None, None, "OC", "MO", "OA")
    # words 0–7, then VROOT 8, S 9, VP 10
    assert annotations.secondary == (SecondaryEdge(3, 10, "SB"),)


def test_version_4_has_lemmas(tmp_path: Path) -> None:
    rows = "Ich\tich\tPPER\t--\tSB\t500\nbin\tsein\tVAFIN\t--\tHD\t500\n#500\t--\tS\t--\t--\t0\n"
    text = f"#FORMAT 4\n#BOS 5\n{rows}#EOS 5\n"
    (tree,) = read_text(text, tmp_path)
    assert tree.discbracket() == "(S (PPER 0=Ich) (VAFIN 1=bin))"
    assert tree.annotations.lemmas == ("ich", "sein")


def test_a_single_constituent_on_top_is_the_root_and_anything_else_gets_a_virtual_one(tmp_path: Path) -> None:
    one_word = "#FORMAT 3\n#BOS 1\nJa\tITJ\t--\t--\t0\n#EOS 1\n"
    assert read_text(one_word, tmp_path)[0].discbracket() == "(VROOT (ITJ 0=Ja))"


def test_a_word_that_looks_like_a_constituent(tmp_path: Path) -> None:
    text = "#FORMAT 3\n#BOS 1\n#500\tNN\t--\t--\t500\nist\tVV\t--\t--\t500\n#500\tS\t--\t--\t0\n#EOS 1\n"
    tree = read_text(text, tmp_path)[0]
    assert tree.words == ("#500", "ist")


@pytest.mark.parametrize("version", [3, 4])
@given(tree=trees())
def test_identity(version: int, tree: Tree) -> None:
    stream = io.StringIO()
    write_stream([tree], stream, version=version)
    assert reread(stream.getvalue()) == tree


@pytest.mark.parametrize("line", ["(NN 0=dog)", "(VROOT 0=dog)", "(VROOT (NN 0=dog))", "(NP (NN 0=dog))"])
@pytest.mark.parametrize("annotations", [{}, {"id": "a-1"}, {"comment": "x %% y"}, {"id": "a", "comment": "x"}])
def test_sentences_of_one_word_come_back(line: str, annotations: dict[str, str]) -> None:
    tree = Tree.parse(line).annotated(**{"id": "1", **annotations})
    stream = io.StringIO()
    write_stream([tree], stream)
    found = reread(stream.getvalue())
    assert (found, found.annotations) == (tree, tree.annotations)


def reread(text: str) -> Tree:
    (tree,) = read_source(Source.of_text(text))
    return tree


@given(trees())
def test_annotations_come_back(tree: Tree) -> None:
    draft = TreeBuilder.from_tree(tree)
    draft.id, draft.comment = "a-1", "two words"
    draft.info = {"editor": "3", "date": "1", "origin": "9"}
    nodes = list(draft.nodes())
    for number, leaf in enumerate(draft.leaves):
        leaf.lemma, leaf.morphology, leaf.function = f"l{number}", None if number % 2 else "Nom.Sg", "HD"
    for node in nodes[1:]:
        node.function = "OC"
    draft.secondary = [(draft.leaves[0], nodes[-1], "SB"), (nodes[0], nodes[-1], "X")]
    annotated = Tree.of(draft)
    stream = io.StringIO()
    write_stream([annotated], stream)
    assert reread(stream.getvalue()).annotations == annotated.annotations


@pytest.mark.parametrize("version", [3, 4])
@given(tree=trees())
def test_rows_in_any_shape_are_read_alike(version: int, tree: Tree) -> None:
    functions = tuple("HD" if number % 3 else None for number in range(len(tree) + len(tree.labels)))
    lemmas = tuple(None if number % 2 else "l" for number in range(len(tree)))
    stream = io.StringIO()
    write_stream([tree.annotated(functions=functions, lemmas=lemmas)], stream, version=version)
    usual, others = reread(stream.getvalue()), [stream.getvalue().replace("\t", sign) for sign in ("\t\t", "  ")]
    assert usual == tree
    for text in others:
        found = reread(text)
        assert (found, found.annotations) == (usual, usual.annotations)


@given(trees(words=st.sampled_from(["a", "b c", "#x", "é"]), labels=st.sampled_from(["NP", "VROOT", "#5"])))
def test_rows_in_any_shape_are_written_alike(tree: Tree) -> None:
    number = {word: rank for rank, word in enumerate(dict.fromkeys(tree.words))}
    plain = Tree.from_spans(
        [f"w{number[word]}" for word in tree.words], tree.tags, tree.order, tree.labels, tree.starts, tree.ends
    )
    texts = []
    for one in (tree, plain):
        stream = io.StringIO()
        write_stream([one], stream)
        texts.append(stream.getvalue().splitlines())
    words = {f"w{rank}": word for word, rank in number.items()}
    for row, (written, usual) in enumerate(zip(*texts, strict=True), -2):
        form, tab, rest = usual.partition("\t")
        assert written == (words[form] + tab + rest if 0 <= row < len(tree) else usual)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\t502 %% comment", "\t999", r"test\.export:17 \(sentence 1\): unknown parent '999'"),
        (
            "#503\t\t\tS\t--\t\t--\t0",
            "#503\t\t\tS\t--\t\t--\t502",
            "two parents or is its own ancestor|not in the tree",
        ),
        ("#EOS 1\n", "", "the file ends before the #EOS"),
        ("#EOS 1\n", "#BOS 2\n#EOS 2\n", "#BOS before the #EOS"),
        ("#501\t\t\tNP", "#500\t\t\tNP", "two constituents are called #500"),
        ("nie\t\t\tADV\t--\t\tHD\t500", "nie\t\t\tADV", r"2 columns where export version 3 has 5"),
        ("SB\t503\tSB\t502", "SB\t503\tSB", "secondary edge without a parent"),
        ("SB\t503\tSB\t502", "SB\t503\tSB\t777", "secondary edge to unknown constituent '777'"),
        ("#FORMAT 3", "#FORMAT 7", "export version '7'"),
        ("#FORMAT 3", "#FORMAT 3\nstray text", "text outside a sentence: 'stray text'"),
        ("#FORMAT 3", "#FORMAT 3\n#BOS 0\n#EOS 0", r"\(sentence 0\): empty sentence"),
        ("#FORMAT 3", "#FORMAT 3\n#EOS 0", "#EOS without #BOS"),
    ],
)
def test_malformed(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in VERSION_3
    with pytest.raises(DataError, match=message):
        read_text(VERSION_3.replace(old, new), tmp_path)


def test_cycle(tmp_path: Path) -> None:
    text = "#FORMAT 3\n#BOS 1\nJa\tITJ\t--\t--\t500\n#500\tA\t--\t--\t501\n#501\tB\t--\t--\t500\n#EOS 1\n"
    with pytest.raises(DataError, match="form a cycle"):
        read_text(text, tmp_path)


def test_wrong_charset_names_line_and_way_out(tmp_path: Path) -> None:
    path = tmp_path / "latin.export"
    path.write_text(VERSION_3, "latin-1")
    with pytest.raises(DataError, match=r"latin\.export:17: not utf-8 text .* --charset latin-1"):
        list(read(path))


def test_what_it_cannot_hold_is_said(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="sentence 1: export cannot hold the word '#500'"):
        write([Tree.parse("(S (NN 0=#500))")], tmp_path / "out.export")
    assert not (tmp_path / "out.export").exists()


def test_more_than_500_constituents() -> None:
    words = ["w"] * 1200
    tree = Tree.from_constituents(words, words, [("S", range(1200)), *(("N", [index]) for index in range(1200))])
    stream = io.StringIO()
    write_stream([tree], stream)
    assert reread(stream.getvalue()) == tree


def test_same_trees_as_treetools(shared: Path, tmp_path: Path) -> None:
    from treetools import treeinput
    from treetools import trees as theirs

    path = tmp_path / "dev.export"
    write(read(shared / "treebanks" / "alpino" / "dev.discbracket.xz"), path, "export3")
    compared = 0
    for tree, other in zip(read(path), treeinput.export(str(path), "utf-8", quiet=True), strict=True):
        brackets = []
        for node in theirs.preorder(other):
            if theirs.has_children(node):
                brackets.append((node.data["label"], tuple(leaf.data["num"] - 1 for leaf in theirs.terminals(node))))
        assert [leaf.data["word"] for leaf in theirs.terminals(other)] == list(tree.words)
        assert [leaf.data["label"] for leaf in theirs.terminals(other)] == list(tree.tags)
        assert sorted(brackets) == sorted([("VROOT", tuple(range(len(tree)))), *tree])
        compared += 1
    assert compared == 714


def test_virtual_root_over_one_constituent_is_written_out() -> None:
    stream = io.StringIO()
    write_stream([Tree.parse("(VROOT (S (A 0=a) (B 1=b)))")], stream)
    assert "#501\t--\tVROOT\t--\t--\t0" in stream.getvalue()
    assert isinstance(TreeBuilder.from_tree(reread(stream.getvalue())).root, Node)
