import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from permutree.errors import ConfigError, DataError
from permutree.formats import write
from permutree.search.corpus import Corpus
from permutree.trees.tree import Tree

TREES = [
    Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (NP (PRP 2=it)))"),
    Tree.parse("(S (NP (DT 0=the) (NN 1=dog)) (VP (VBZ 2=sleeps)))"),
]


@pytest.mark.parametrize("name", ["x.discbracket.gz", "x.export", "x.jsonl", "x.parquet"])
def test_files_of_any_format_are_searched(tmp_path: Path, name: str) -> None:
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    write(TREES, tmp_path / name)
    matches = list(Corpus.open(tmp_path / name).search("#n & discontinuous(#n)"))
    assert [(match.file, match.sentence, match.nodes["n"].text) for match in matches] == [
        (str(tmp_path / name), 1, "How … work")
    ]
    assert matches[0].tree == TREES[0]


def test_documents_of_parquet_folders_are_facts(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    from pyarrow import Table, parquet

    from permutree.formats.arrow import from_trees

    for number, document in enumerate("ab"):
        rows = Table.from_batches([from_trees(TREES, doc_id=document, lang="en")])
        parquet.write_table(rows, tmp_path / f"part-{number}.parquet")
    Corpus.open(tmp_path).save(tmp_path / "x.ptidx")
    for corpus in (
        Corpus.open(tmp_path / "x.ptidx"),
        Corpus.open([tmp_path / "part-0.parquet", tmp_path / "part-1.parquet"]),
    ):
        assert corpus.count_by('#n:[cat="NP"]', ["doc", "#n.text", "sentence"]) == {
            ("a", "it", 1): 1, ("a", "the dog", 2): 1, ("b", "it", 1): 1, ("b", "the dog", 2): 1,
        }  # fmt: skip
        assert corpus.count('[doc="b" & cat="S"]') == 2


def test_indexes_and_files_are_searched_together(tmp_path: Path) -> None:
    write(TREES, tmp_path / "x.discbracket")
    Corpus.of(TREES, "memory").save(tmp_path / "x.ptidx")
    corpus = Corpus.open([tmp_path / "x.ptidx", tmp_path / "x.discbracket"])
    assert [match.file for match in corpus.search('[cat="VP"]')] == ["memory"] * 2 + [
        str(tmp_path / "x.discbracket")
    ] * 2
    assert corpus.size is None
    assert Corpus.open(tmp_path / "x.ptidx").size == 2
    assert Corpus.open(tmp_path / "x.ptidx").labels()["cat"] == ["NP", "S", "VP"]


def test_bad_sentences_are_reported(tmp_path: Path) -> None:
    (tmp_path / "x.discbracket").write_text("(S (A 0=a))\n(S (A\n(S (A 0=a))\n")
    errors: list[DataError] = []
    assert Corpus.open(tmp_path / "x.discbracket", on_error=errors.append).count('[pos="A"]') == 2
    assert len(errors) == 1
    with pytest.raises(DataError, match=r"x\.discbracket:2"):
        Corpus.open(tmp_path / "x.discbracket").count('[pos="A"]')


def test_counts_by_facts() -> None:
    corpus = Corpus.of(TREES, "f")
    assert corpus.count_by("#n:[NT] > #m", ["#n", "#m.word", "#n.gaps"])[("VP", "work", 1)] == 1
    assert corpus.count_by("#n:[T]", ["#n.length", "file"]) == {(1, "f"): 7}
    assert corpus.count_by('#n:[cat="VP"]', ["#n.text"]) == {("How … work",): 1, ("sleeps",): 1}
    assert corpus.count_by('#n:[cat="NP"] | #m:[cat="VP"]', ["#n.cat"]) == {("NP",): 2, (None,): 2}
    with pytest.raises(ConfigError, match="no variable #x"):
        corpus.count_by("#n", ["#x.cat"])
    with pytest.raises(ConfigError, match="there are label, cat, pos"):
        corpus.count_by("#n", ["#n.colour"])


def test_frames() -> None:
    pytest.importorskip("pandas")
    frame = Corpus.of(TREES).frame('#n:[cat="VP"]')
    assert frame["n.text"].tolist() == ["How … work", "sleeps"]
    assert frame["n.gaps"].tolist() == [1, 0]


def test_nothing_is_found_in_nothing() -> None:
    assert list(Corpus.of([]).search("[]")) == []
    assert Corpus.of([]).count("[]") == 0


def test_languages_have_names() -> None:
    with pytest.raises(ConfigError, match="there are tiger, tregex, example"):
        Corpus.of(TREES).count("[]", syntax="xpath")


def test_without_lark_a_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from permutree.search import syntax

    monkeypatch.setitem(sys.modules, "lark", None)
    syntax._parser.cache_clear()
    with pytest.raises(ConfigError, match=r"pip install 'permutree\[search\]'"):
        Corpus.of(TREES).count("NP", syntax="tregex")
    syntax._parser.cache_clear()


def test_threads_search_the_same_index(tmp_path: Path) -> None:
    Corpus.of(TREES * 50).save(tmp_path / "x.ptidx")
    corpus = Corpus.open(tmp_path / "x.ptidx")
    queries = [f"[word=/{letter}.*/]" for letter in "abcdefghijklmnopqrstuvwxyz"] * 4
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(corpus.count, queries))
    assert found == [corpus.count(query) for query in queries]
    assert sum(found) == 4 * 50 * 6  # all words but "How", which is not in lower case
