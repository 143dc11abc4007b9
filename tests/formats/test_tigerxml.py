import io
import logging
from pathlib import Path

import pytest
from hypothesis import given

from permutree.errors import DataError
from permutree.formats import read, write
from permutree.formats.sources import Source
from permutree.formats.tigerxml import read as read_source
from permutree.formats.tigerxml import write as write_stream
from permutree.trees.annotations import SecondaryEdge
from permutree.trees.builder import TreeBuilder
from permutree.trees.tree import Tree
from strategies import trees

SENTENCE = """
<s id="s5"><graph root="s5_VROOT"><terminals>
<t id="s5_1" word="Noch" lemma="noch" pos="ADV" morph="--"/>
<t id="s5_2" word="nie" lemma="nie" pos="ADV" morph="--"/>
<t id="s5_3" word="habe" lemma="haben" pos="VAFIN" morph="1.Sg"/>
<t id="s5_4" word="ich" lemma="ich" pos="PPER" case="nom" number="sg" morph="--">
<secedge label="SB" idref="s5_502"/></t>
<t id="s5_5" word="so" pos="ADV"/><t id="s5_6" word="viel" pos="PIAT"/>
<t id="s5_7" word="gew&#228;hlt" pos="VVPP"/><t id="s5_8" word="." pos="$."/>
</terminals><nonterminals>
<nt id="s5_500" cat="AVP"><edge label="MO" idref="s5_1"/><edge label="HD" idref="s5_2"/></nt>
<nt id="s5_501" cat="NP"><edge label="MO" idref="s5_5"/><edge label="HD" idref="s5_6"/></nt>
<nt id="s5_502" cat="VP">
<edge label="OA" idref="s5_501"/><edge label="MO" idref="s5_500"/><edge label="HD" idref="s5_7"/></nt>
<nt id="s5_503" cat="S">
<edge label="OC" idref="s5_502"/><edge label="HD" idref="s5_3"/><edge label="SB" idref="s5_4"/></nt>
<nt id="s5_VROOT" cat="VROOT">
<edge label="--" idref="s5_503"/><edge label="--" idref="s5_8"/></nt>
</nonterminals></graph></s>
"""
NOCH_NIE = (
    "(VROOT (S (VP (AVP (ADV 0=Noch) (ADV 1=nie)) (NP (ADV 4=so) (PIAT 5=viel)) (VVPP 6=gewählt)) "
    "(VAFIN 2=habe) (PPER 3=ich)) ($. 7=.))"
)


def corpus(*sentences: str, subcorpus: bool = False) -> str:
    body = "".join(sentences)
    if subcorpus:
        body = f'<subcorpus name="a">{body}</subcorpus>'
    return f'<?xml version="1.0" encoding="utf-8"?><corpus id="c"><head/><body>{body}</body></corpus>'


def read_text(text: str) -> list[Tree]:
    return list(read_source(Source.of_text(text, "test.xml")))


@given(trees())
def test_graphs_in_any_shape_are_read_alike(tree: Tree) -> None:
    functions = tuple("HD" if number % 3 else None for number in range(len(tree) + len(tree.labels)))
    morphology = tuple(None if number % 2 else "Nom" for number in range(len(tree)))
    stream = io.StringIO()
    write_stream([tree.annotated(functions=functions, morphology=morphology, comment="c")], stream)
    (usual,) = read_text(stream.getvalue())
    assert usual == tree
    for sign in ("<terminals>", "</terminals>", "<nonterminals>"):
        (other,) = read_text(stream.getvalue().replace(sign, f"{sign}<other/>", 1))
        assert (other, other.annotations) == (usual, usual.annotations)


@pytest.mark.parametrize("subcorpus", [False, True])
def test_sentence(subcorpus: bool) -> None:
    first, second = read_text(corpus(SENTENCE, SENTENCE.replace("s5", "s6"), subcorpus=subcorpus))
    assert first.discbracket() == second.discbracket() == NOCH_NIE
    assert (first.id, second.id) == ("s5", "s6")
    annotations = first.annotations
    assert annotations.lemmas == ("noch", "nie", "haben", "ich", None, None, None, None)
    assert annotations.morphology == (None, None, "1.Sg", "case=nom|number=sg", None, None, None, None)
    assert annotations.functions == ("MO", "HD", "HD", "SB", "MO", "HD", "HD", None, None, None, "OC", "MO", "OA")
    assert annotations.secondary == (SecondaryEdge(3, 10, "SB"),)


def test_nodes_that_hang_from_nothing_get_a_virtual_root() -> None:
    text = SENTENCE.replace(
        '<nt id="s5_VROOT" cat="VROOT"><edge label="--" idref="s5_503"/><edge label="--" idref="s5_8"/></nt>', ""
    )
    assert read_text(corpus(text))[0].discbracket() == NOCH_NIE
    only_some = SENTENCE.replace('<edge label="--" idref="s5_8"/>', "")
    assert read_text(corpus(only_some))[0].discbracket() == NOCH_NIE


def test_a_terminal_may_be_the_root() -> None:
    terminals = '<terminals><t id="1_1" word="Ja" pos="ITJ"/></terminals>'
    text = f'<s id="1"><graph root="1_1">{terminals}<nonterminals/></graph></s>'
    assert read_text(corpus(text))[0].discbracket() == "(ITJ 0=Ja)"
    assert read_text(corpus(text.replace('root="1_1"', "")))[0].discbracket() == "(VROOT (ITJ 0=Ja))"


def test_of_two_parents_the_first_is_kept_and_it_is_said(caplog: pytest.LogCaptureFixture) -> None:
    edge = '<edge label="HD" idref="s5_3"/>'
    text = SENTENCE.replace(edge, f'{edge}<edge label="X" idref="s5_7"/>')
    with caplog.at_level(logging.WARNING):
        (tree,) = read_text(corpus(text))
    assert tree.discbracket() == NOCH_NIE
    assert "sentence s5: s5_7 has two parents; kept VP, left out S" in caplog.text


def reread(tree: Tree) -> Tree:
    stream = io.StringIO()
    write_stream([tree], stream)
    return read_text(stream.getvalue())[0]


@given(trees())
def test_identity(tree: Tree) -> None:
    assert reread(tree) == tree


def test_lone_word() -> None:
    assert reread(Tree.parse("(NN 0=dog)")).discbracket() == "(NN 0=dog)"


@given(trees())
def test_annotations_come_back(tree: Tree) -> None:
    draft = TreeBuilder.from_tree(tree)
    draft.id, draft.comment = 'a<"1"', "two\nlines"
    nodes = list(draft.nodes())
    for number, leaf in enumerate(draft.leaves):
        leaf.lemma, leaf.morphology, leaf.function = f"l{number}", None if number % 2 else "Nom.Sg", "HD"
    for node in nodes[1:]:
        node.function = "OC"
    draft.secondary = [(draft.leaves[0], nodes[-1], "SB"), (nodes[0], draft.leaves[-1], "X")]
    annotated = Tree.of(draft)
    assert reread(annotated).annotations == annotated.annotations


def test_more_than_500_words() -> None:
    words = ["w"] * 1200
    tree = Tree.from_constituents(words, words, [("S", range(1200)), ("N", range(0, 1200, 2))])
    assert reread(tree) == tree


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('idref="s5_501"', 'idref="s5_999"', r"test\.xml \(sentence s5\): an edge to 's5_999'"),
        ('cat="VP"', "", "<nt> 's5_502' without cat"),
        ('pos="VVPP"', "", "<t> 's5_7' without pos"),
        ('word="so"', 'word=""', "<t> 's5_5' without word"),
        ('id="s5_501" cat', 'id="s5_500" cat', "two nodes have the id 's5_500'"),
        ('<nt id="s5_500" cat="AVP">', '<nt id="s5_500" cat="AVP"><edge label="X" idref="s5_VROOT"/>', "cycle"),
        ("<nonterminals>", '<nonterminals><nt id="e" cat="E"/>', "'E' has no children"),
    ],
)
def test_malformed(old: str, new: str, message: str) -> None:
    assert old in SENTENCE
    with pytest.raises(DataError, match=message):
        read_text(corpus(SENTENCE.replace(old, new)))


def test_sentences_without_graph_or_words() -> None:
    with pytest.raises(DataError, match=r"sentence x\): a sentence without a graph"):
        read_text(corpus('<s id="x"/>'))
    with pytest.raises(DataError, match="empty sentence"):
        read_text(corpus('<s id="x"><graph><terminals/></graph></s>'))


def test_broken_xml_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.xml"
    path.write_text(corpus(SENTENCE).replace("</nonterminals>", ""), "utf-8")
    with pytest.raises(DataError, match=r"broken\.xml:19: not well-formed XML"):
        list(read(path))


def test_characters_that_xml_does_not_have(tmp_path: Path) -> None:
    tree = Tree.from_constituents(["a\x01b"], ["X"], [("S", [0])])
    with pytest.raises(DataError, match="sentence 1: XML cannot hold the character"):
        write([tree], tmp_path / "out.tigerxml")


def test_latin_1_is_declared(tmp_path: Path) -> None:
    path = tmp_path / "latin.tigerxml"
    write([Tree.parse("(S (X 0=gewählt))")], path, charset="latin-1")
    assert b"gew\xe4hlt" in path.read_bytes()
    assert next(iter(read(path))).words == ("gewählt",)


def test_same_trees_as_treetools(shared: Path, tmp_path: Path) -> None:
    from treetools import treeinput
    from treetools import trees as theirs

    path = tmp_path / "dev.tigerxml"
    write(read(shared / "treebanks" / "squoia_de" / "dev.discbracket.xz"), path)
    for tree, other in zip(read(path), treeinput.tigerxml(str(path), "utf-8", quiet=True), strict=True):
        brackets = [
            (node.data["label"], tuple(leaf.data["num"] - 1 for leaf in theirs.terminals(node)))
            for node in theirs.preorder(other)
            if theirs.has_children(node)
        ]
        assert [leaf.data["word"] for leaf in theirs.terminals(other)] == list(tree.words)
        assert sorted(brackets) == sorted(tree)


def test_treetools_writes_export_from_it(tmp_path: Path) -> None:
    from treetools import treeinput, treeoutput

    path = tmp_path / "x.tigerxml"
    write([Tree.parse("(S (A 0=a) (B 1=b))").annotated(lemmas=("x", None))], path)
    (other,) = treeinput.tigerxml(str(path), "utf-8", quiet=True)
    stream = io.StringIO()
    treeoutput.export(other, stream, export_four=True)
    assert [line.split()[:5] for line in stream.getvalue().splitlines()[1:3]] == [
        ["a", "x", "A", "--", "--"],
        ["b", "--", "B", "--", "--"],
    ]


def recovered(text: str | bytes) -> tuple[list[str | None], list[DataError]]:
    errors: list[DataError] = []
    data = text if isinstance(text, bytes) else text.encode()
    source = Source("test.xml", io.BufferedReader(io.BytesIO(data)))
    return [tree.id for tree in read_source(source, errors.append)], errors


FOUR = [SENTENCE.replace("s5", f"s{number}") for number in range(4)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("</terminals>", ""),
        ("</s>", ""),
        ('pos="ADV"', 'pos="ADV'),
        ("<graph ", "<graph \x00"),
        ("<terminals>", "<!-- <terminals>"),
        ("<terminals>", "<![CDATA[<terminals>"),
        ("<terminals>", "<?terminals>"),
        ("&#228;", "&nothing;"),
        ('id="s1"', 'id=s1"'),
    ],
)
@pytest.mark.parametrize("between", ["", "\n" * 20_000])
def test_a_mistake_in_xml_costs_one_sentence(old: str, new: str, between: str) -> None:
    sentences = [FOUR[0], FOUR[1].replace(old, new, 1), between, *FOUR[2:]]
    names, errors = recovered(corpus(*sentences, subcorpus=True))
    assert names == ["s0", "s2", "s3"]
    assert sum(error.skipped or 0 for error in errors) == 1


def test_a_file_that_is_cut_off() -> None:
    text = corpus(*FOUR)
    names, errors = recovered(text[: text.index('<s id="s3"') + 200])
    assert names == ["s0", "s1", "s2"]
    assert [error.skipped for error in errors] == [1]
    names, errors = recovered(text[: text.index('<s id="s3"')])
    assert names == ["s0", "s1", "s2"]
    assert [error.skipped for error in errors] == [None]
    assert "so the file is cut off" in str(errors[0])


def test_namespaces_and_declared_charsets() -> None:
    text = corpus(*FOUR)
    assert recovered(text.replace("<corpus ", '<corpus xmlns="http://example.org/tiger" ')) == (
        ["s0", "s1", "s2", "s3"],
        [],
    )
    for charset in ("big5", "shift_jis", "koi8-r", "utf-16", "latin-1"):
        written = text.replace('encoding="utf-8"', f'encoding="{charset}"').encode(charset)
        assert recovered(written) == (["s0", "s1", "s2", "s3"], [])
    names, errors = recovered(text.replace('encoding="utf-8"', 'encoding="utf-9"'))
    assert names == []
    assert "it declares the charset 'utf-9', which is not known" in str(errors[0])
