import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permutree.encoding import ENCODINGS, Codec, Label
from permutree.encoding.labelfile import STYLES, LabelledSentence, read_labels, write_labels
from permutree.errors import DataError
from permutree.formats.sources import open_sources
from permutree.trees.tree import Tree
from strategies import trees

HOW = Tree.parse("(ROOT (S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (NP (PRP 2=it))) (-LRB- 4=-LRB-))")
OURS = """\
How	WRB	3	VP	_	INV
does	VBZ	0	S	_	-1
it	PRP	-1	ROOT	NP	-1
work	VB	-1	S	_	2
(	-LRB-	_	_	_	INV

"""
RELEASE = """\
-BOS-	-BOS-	-BOS-{}-BOS-{}-BOS-{}-BOS-
How	WRB	3{}VP{}NONE{}-INV-
does	VBZ	0{}S{}NONE{}1
it	PRP	1ROOT{}ROOT{}NP{}1
work	VB	-1{}S{}NONE{}-2
-LRB-	-LRB-	NONE{}NONE{}NONE{}-INV-
-EOS-	-EOS-	-EOS-{}-EOS-{}-EOS-{}-EOS-

"""


def written(some: list[Tree], encoding: str, style: str) -> str:
    codec = Codec(encoding)
    stream = io.StringIO()
    write_labels(some, codec.texts(codec.encode(some)), stream, encoding, style)
    return stream.getvalue()


def read(path: Path, text: str, encoding: str, style: str) -> list[LabelledSentence]:
    path.write_bytes(text.encode())
    return [sentence for source in open_sources(path) for sentence in read_labels(source, encoding, style)]


def test_columns() -> None:
    assert written([HOW], "relative", "permutree") == OURS
    assert written([HOW], "relative", "disco2labels") == RELEASE


def test_both_styles_say_the_same(tmp_path: Path) -> None:
    file = tmp_path / "labels"
    ours = read(file, OURS, "relative", "permutree")[0]
    release = read(file, RELEASE, "relative", "disco2labels")[0]
    assert ours.words == release.words == list(HOW.words)
    assert [label[1:] for label in ours.labels] == [label[1:] for label in release.labels]
    assert [label.levels for label in release.labels] == ["3", "0", "1ROOT", "-1", "_"]


def test_symbols_of_the_release() -> None:
    tree = Tree.parse("(ROOT (S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it)))")
    last = [line.split("{}")[-1] for line in written([tree], "pointer", "disco2labels").splitlines()[1:5]]
    assert last == ["0", "0", "0", "-1~WRB"]
    assert "{}ROOT~S{}" in written([tree], "pointer", "disco2labels")
    assert written([Tree.parse("(X (N 0=a))")], "lehmer", "disco2labels").splitlines()[1] == "a\tN\t1ROOT{}NONE{}X{}0"


@pytest.mark.parametrize("style", STYLES)
def test_files_lead_back(style: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("labels") / "labels"

    @given(st.lists(trees(max_words=6, tags=st.sampled_from(["N", "V", "$,"])), min_size=1, max_size=3))
    def lead_back(some: list[Tree]) -> None:
        for encoding in ENCODINGS:
            sentences = read(file, written(some, encoding, style), encoding, style)
            codec = Codec(encoding)
            labels = codec.numbers(sentence.labels for sentence in sentences)
            forest, repairs = codec.decode(labels, [one.words for one in sentences], [one.tags for one in sentences])
            assert (list(forest.trees()), list(repairs)) == (some, [])

    lead_back()


def test_strange_files(tmp_path: Path) -> None:
    file = tmp_path / "labels"
    sentences = read(file, "\n\na\tT\t\t\t\t\r\n\n\n\nb\tT\t_\t_\t_\tINV", "absolute", "permutree")
    assert [(one.words, one.labels, one.line) for one in sentences] == [
        (["a"], [Label("", "", "", "")], 3),
        (["b"], [Label("_", "_", "_", "INV")], 7),
    ]
    short = read(file, "a\tT\tfeature\t1ROOT{}S\n", "absolute", "disco2labels")
    assert short[0].labels == [Label("_", "S", "", "")]


def test_bad_files(tmp_path: Path) -> None:
    file = tmp_path / "labels"
    with pytest.raises(DataError, match=r"labels:2: expected word, tag, .* found 5 columns"):
        read(file, "a\tT\t_\t_\t_\tINV\nb\tT\t_\t_\tINV\n", "absolute", "permutree")
    with pytest.raises(DataError, match="is it --style disco2labels"):
        read(file, RELEASE, "relative", "permutree")
    with pytest.raises(DataError, match="found 2 columns"):
        read(file, "a\tb\n", "absolute", "disco2labels")


def test_what_a_file_cannot_hold() -> None:
    with pytest.raises(DataError, match=r"sentence 1: .*tab or line break"):
        written([Tree.from_constituents(["a\tb"], ["T"], [])], "absolute", "permutree")
    with pytest.raises(DataError, match="empty word"):
        written([Tree.from_constituents([""], ["T"], [])], "absolute", "permutree")
    with pytest.raises(DataError, match="disco2labels cannot hold the label 'A~B'"):
        written([Tree.parse("(A~B (N 0=a))")], "absolute", "disco2labels")
