from collections.abc import Iterator
from pathlib import Path

import pytest

from permutree.errors import DataError
from permutree.search.columns import Located
from permutree.search.corpus import Corpus
from permutree.search.index import MAGIC, IndexFile, write_index
from permutree.trees.tree import Tree

TREES = [
    Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))"),
    Tree.parse("(S (NP (DT 0=the) (NN 1=dog)) (VP (VBZ 2=sleeps)))").annotated(id="second"),
    Tree.parse("(NN 0=dog)"),
] * 4


@pytest.fixture
def index(tmp_path: Path) -> Path:
    sentences = (Located(tree, "some.discbracket", number, (("doc", "d"),)) for number, tree in enumerate(TREES, 1))
    assert write_index(sentences, tmp_path / "some.ptidx") == (12, 4 * (6 + 6 + 1))
    return tmp_path / "some.ptidx"


def test_an_index_holds_the_trees(index: Path) -> None:
    sentences = list(Corpus.open(index).sentences())
    assert [located.tree for located in sentences] == TREES
    assert [located.number for located in sentences] == list(range(1, 13))
    assert {located.file for located in sentences} == {"some.discbracket"}
    IndexFile(index).check()


def test_an_index_of_an_index_is_the_same(index: Path, tmp_path: Path) -> None:
    Corpus.open(index).save(tmp_path / "again.ptidx")
    assert (tmp_path / "again.ptidx").read_bytes() == index.read_bytes()


def test_many_segments_are_one_corpus(index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("permutree.search.index.in_segments.__defaults__", (8, 5))
    Corpus.open(index).save(tmp_path / "parts.ptidx")
    assert len(IndexFile(tmp_path / "parts.ptidx")) > 3
    for query in ("[] > #n", '#n:[word="dog"]', "discontinuous(#n)"):
        one, parts = ([match.as_dict() for match in Corpus.open(path).search(query)]
                      for path in (index, tmp_path / "parts.ptidx"))  # fmt: skip
        assert one == parts
        assert one


def test_damage_is_found(index: Path, tmp_path: Path) -> None:
    raw = index.read_bytes()
    bad = tmp_path / "bad.ptidx"
    bad.write_bytes(raw[: len(raw) // 2])
    with pytest.raises(DataError, match="cut off"):
        IndexFile(bad)
    middle = bytearray(raw)
    middle[64] ^= 1
    bad.write_bytes(middle)
    with pytest.raises(DataError, match=r"segment 1, column .*: damaged"):
        IndexFile(bad).check()
    end = bytearray(raw)
    end[-len(MAGIC) - 40] ^= 1
    bad.write_bytes(end)
    with pytest.raises(DataError, match="the index is damaged"):
        IndexFile(bad)
    bad.write_bytes(MAGIC + b"\x63\0\0\0" + raw[len(MAGIC) + 4 :])
    with pytest.raises(DataError, match="version 99"):
        IndexFile(bad)
    bad.write_bytes(b"")
    with pytest.raises(DataError, match="empty"):
        IndexFile(bad)


def test_nothing_is_left_of_an_index_that_failed(tmp_path: Path) -> None:
    def sentences() -> Iterator[Located]:
        yield Located(TREES[0], "f", 1)
        raise DataError("bad")

    with pytest.raises(DataError):
        write_index(sentences(), tmp_path / "x.ptidx")
    assert list(tmp_path.iterdir()) == []
