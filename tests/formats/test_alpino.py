import io
import tarfile
from pathlib import Path

import pytest
from hypothesis import given

from permutree.errors import DataError, OnError, raise_error
from permutree.formats import read, write
from permutree.formats.alpino import read as read_source
from permutree.formats.alpino import write as write_stream
from permutree.formats.sources import Source
from permutree.trees.annotations import SecondaryEdge
from permutree.trees.builder import TreeBuilder
from permutree.trees.tree import Tree
from strategies import trees

#: "Jan wil slapen", in which Jan is the subject of both verbs
SENTENCE = """<?xml version="1.0" encoding="UTF-8"?>
<alpino_ds version="1.3">
  <node begin="0" cat="top" end="4" id="0" rel="top">
    <node begin="0" cat="smain" end="3" id="1" rel="--">
      <node begin="0" end="1" id="2" index="1" lemma="Jan" postag="N(eigen)" pt="n" rel="su" word="Jan"/>
      <node begin="1" end="2" id="3" lemma="willen" postag="WW(pv)" pt="ww" rel="hd" word="wil"/>
      <node begin="0" cat="inf" end="3" id="4" rel="vc">
        <node begin="0" end="1" id="5" index="1" rel="su"/>
        <node begin="2" end="3" id="6" lemma="slapen" pos="verb" rel="hd" word="slapen"/>
      </node>
    </node>
    <node begin="3" end="4" id="7" lemma="." postag="LET()" pt="let" rel="--" word="."/>
  </node>
  <sentence>Jan wil slapen .</sentence>
  <comments><comment>mooi</comment><comment>kort</comment></comments>
</alpino_ds>
"""


def read_text(text: str, name: str = "cdb/12.xml", on_error: OnError = raise_error) -> list[Tree]:
    return list(read_source(Source.of_text(text, name, member=name), on_error))


def test_sentence() -> None:
    (tree,) = read_text(SENTENCE)
    assert tree.discbracket() == "(top (smain (n 0=Jan) (ww 1=wil) (inf (verb 2=slapen))) (let 3=.))"
    annotations = tree.annotations
    assert annotations.id == "cdb/12"
    assert annotations.lemmas == ("Jan", "willen", "slapen", ".")
    assert annotations.morphology == ("N(eigen)", "WW(pv)", None, "LET()")
    assert annotations.functions == ("su", "hd", "hd", "--", "top", "--", "vc")
    # words 0–3, top 4, smain 5, inf 6: Jan is the subject of inf, too
    assert annotations.secondary == (SecondaryEdge(0, 6, "su"),)
    assert annotations.comment == "mooi\nkort"


def test_constituents_that_only_repeat_others_are_taken_away() -> None:
    text = SENTENCE.replace(
        '<node begin="2" end="3" id="6"',
        '<node cat="np" id="8" rel="obj1"><node index="1" id="9" rel="hd"/></node><node begin="2" end="3" id="6"',
    )
    (tree,) = read_text(text)
    assert "np" not in tree.labels


def reread(tree: Tree) -> Tree:
    stream = io.StringIO()
    write_stream([tree], stream)
    return read_text(stream.getvalue())[0]


@given(trees())
def test_identity(tree: Tree) -> None:
    assert reread(tree) == tree


@given(trees())
def test_annotations_come_back(tree: Tree) -> None:
    draft = TreeBuilder.from_tree(tree)
    draft.id, draft.comment = "a/<1>", "two\nlines & more"
    nodes = list(draft.nodes())
    for number, node in enumerate(nodes):
        node.function = f"f{number}"
    for number, leaf in enumerate(draft.leaves):
        leaf.function, leaf.lemma, leaf.morphology = "hd", None if number % 2 else f"l{number}", "N(eigen)"
    draft.secondary = [(draft.leaves[0], nodes[-1], "su"), (nodes[-1], nodes[0], "obj1")]
    annotated = Tree.of(draft)
    assert reread(annotated).annotations == annotated.annotations


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('<node begin="1" end="2" id="3"', '<node begin="0" end="2" id="3"', "two words at position 0: '.*' and '.*'"),
        ('pos="verb"', "", "'slapen' has neither pt nor pos"),
        ('<node begin="2" end="3" id="6"', '<node id="6"', "'slapen' has no position"),
        ("</comments>", "", "not well-formed XML"),
    ],
)
def test_malformed(old: str, new: str, message: str) -> None:
    assert old in SENTENCE
    with pytest.raises(DataError, match=message):
        read_text(SENTENCE.replace(old, new))


SHORT = '<alpino_ds version="1.3"><node cat="top"><node begin="0" word="a" pt="n"/></node></alpino_ds>\n'
#: one that does not end
OPEN = SHORT.removesuffix("</alpino_ds>\n")


@pytest.mark.parametrize(
    ("number", "old", "new"),
    [
        (1, "version", "versi<n"),
        (2, "version", "versi<n"),
        (2, "<alpino_ds", "<alp&ino_ds"),
        (2, "<alpino_ds", "<alpino_dx"),
    ],
)
def test_a_sentence_with_a_damaged_tag_is_lost_beside_one_that_did_not_end(number: int, old: str, new: str) -> None:
    sentences = [OPEN, SHORT, SHORT, SHORT]
    sentences[number] = SHORT.replace(old, new)
    errors: list[DataError] = []
    found = read_text(f"<treebank>{''.join(sentences)}</treebank>", on_error=errors.append)
    assert len(found) == 2
    assert [error.skipped for error in errors] == [2]


@pytest.mark.parametrize("name", ["alpino_dx", "alpino_ds.", "node"])
def test_sentences_that_cannot_be_told_as_such_are_counted_by_their_ends(name: str) -> None:
    broken = SHORT.replace("word=", "word==")
    unknown = SHORT.replace("<alpino_ds", f"<{name}")
    for sentences, lost in (
        ([broken, SHORT, unknown, SHORT], [1, 1]),
        ([broken, unknown, unknown, SHORT], [3]),
        ([broken, SHORT, unknown.replace("</node>", "</oode>")], [1, 1]),
    ):
        errors: list[DataError] = []
        found = read_text(f"<treebank>{''.join(sentences)}</treebank>", on_error=errors.append)
        assert [error.skipped for error in errors] == lost
        assert len(found) + sum(lost) == len(sentences)


def test_a_sentence_that_did_not_end_is_one() -> None:
    errors: list[DataError] = []
    found = read_text(f"<treebank>{OPEN}{SHORT}</treebank>", on_error=errors.append)
    assert len(found) == 1
    assert [error.skipped for error in errors] == [1]


def test_empty_sentences() -> None:
    with pytest.raises(DataError, match=r"cdb/12\.xml \(sentence cdb/12\): no node"):
        read_text("<alpino_ds/>")
    with pytest.raises(DataError, match="empty sentence"):
        read_text('<alpino_ds><node cat="top"/></alpino_ds>')


@pytest.mark.parametrize("name", ["new/", "out.zip", "out.tar", "out.tar.gz", "out.tgz", "out.alpino", "out.alpino.xz"])
def test_directories_and_archives(name: str, tmp_path: Path) -> None:
    some = [Tree.parse(f"(top (n 0=a{number}))").annotated(id=f"cdb/{number}") for number in (2, 10, 1)]
    target = f"{tmp_path}/{name}"
    write(some, target, "alpino")
    back = {tree.id: tree for tree in read(target)}
    assert back == {tree.id: tree for tree in some}
    if name in ("new/", "out.zip"):
        assert list(back) == ["cdb/1", "cdb/2", "cdb/10"]


def test_nothing_is_written_over_a_full_directory(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "note.txt").write_text("mine")
    with pytest.raises(OSError, match="not empty"):
        write([Tree.parse("(top (n 0=a))")], f"{tmp_path}/full/", "alpino")
    assert [path.name for path in tmp_path.rglob("*")] == ["full", "note.txt"]


def test_stray_files_of_an_archive_are_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with tarfile.open(tmp_path / "raw.tar", "w") as archive:
        for name, text in (("raw/README", "read me"), ("raw/cdb/1.xml", SENTENCE)):
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
    assert [tree.id for tree in read(tmp_path / "raw.tar")] == ["raw/cdb/1"]
    assert "raw/README: left out, not a treebank file" in caplog.text


def test_words_without_lemmas_have_the_attributes_that_other_readers_need() -> None:
    tree = Tree.parse("(top (n 0=a) (let 1=--) (let 2=--) (n 3=b))").annotated(lemmas=("x", "--", None, None))
    stream = io.StringIO()
    write_stream([tree], stream)
    text = stream.getvalue()
    assert 'word="a" pt="n" lemma="x" postag="--"' in text
    assert 'word="b" pt="n" lemma="--" postag="--"' in text
    (found,) = read_source(Source.of_text(text))
    assert found.annotations.lemmas == tree.annotations.lemmas
    assert found.annotations.morphology is None


def test_sentences_with_the_same_id_have_files_of_their_own(tmp_path: Path) -> None:
    some = [Tree.parse(f"(S (A 0={word}))").annotated(id=name) for word, name in (("a", "x"), ("b", "x"), ("c", "X"))]
    write(some, f"{tmp_path}/out/", "alpino")
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["X.3.xml", "x.2.xml", "x.xml"]
    assert sorted((tree.words[0], tree.id) for tree in read(tmp_path / "out")) == [("a", "x"), ("b", "x"), ("c", "X")]
