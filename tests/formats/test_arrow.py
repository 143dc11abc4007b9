from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permutree.errors import DataError
from permutree.formats import read
from permutree.formats.arrow import arrow, from_trees, schema, to_forest, to_trees
from permutree.trees.tree import Tree
from strategies import trees

pa = arrow()
TREE = Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")


@given(st.lists(trees(), max_size=5))
def test_records_and_back(some: list[Tree]) -> None:
    batch = from_trees(some)
    assert batch.schema == schema()
    assert list(to_trees(batch)) == some
    for tree, row in zip(some, batch.to_pylist(), strict=True):
        assert tuple(row["labels"]) == tree.labels
        assert tuple(row["parents"]) == tree.parents
        assert tuple(row["word_parents"]) == tree.word_parents
        assert row["discbracket"] == tree.discbracket()
    only_lines = batch.select(["discbracket"])
    assert list(to_trees(only_lines)) == some


def test_treebanks_with_annotations(shared: Path) -> None:
    file = next((shared / "treebanks").rglob("*.discbracket.xz"))
    some = [tree for tree, _ in zip(read(file), range(300), strict=False)]
    assert list(to_trees(from_trees(some))) == some


def test_annotations_come_back() -> None:
    tree = TREE.annotated(
        id="s1", lemmas=("how", "do", None, "work"), functions=(None, "HD", "SB", None, None, "OC"), comment="x",
        info=(("source", "book"),), offsets=((0, 3), (4, 8), (9, 11), None), confidence=(0.25, 0.5),
    )  # fmt: skip
    batch = from_trees([TREE, tree])
    plain, found = to_trees(batch)
    assert found.annotations == tree.annotations
    assert plain.annotations == TREE.annotations
    row = batch.to_pylist()[1]
    assert (row["sentence"], row["id"], row["confidence"]) == (2, "s1", 0.25)
    assert (row["functions"], row["word_functions"]) == ([None, "OC"], [None, "HD", "SB", None])


def test_words_with_blanks_have_no_discbracket() -> None:
    tree = Tree.from_constituents(["10 000", "men"], ["CD", "NN"], [("NP", [0, 1])])
    batch = from_trees([tree, TREE])
    assert batch["discbracket"].to_pylist() == [None, TREE.discbracket()]
    assert list(to_trees(batch)) == [tree, TREE]


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("parents", [-1, 1]),
        ("parents", [0, -1]),
        ("parents", [-1]),
        ("word_parents", [1, 0, 0, 2]),
        ("word_parents", [-1, 0, 0, 1]),
        ("word_parents", [0, 0, 0, 0]),
        ("tags", ["A"]),
    ],
)
def test_arrays_that_are_no_tree_are_told(column: str, value: list[int]) -> None:
    rows = from_trees([TREE] * 3).to_pylist()
    rows[1][column] = value
    rows[1]["id"] = "bad"
    batch = pa.RecordBatch.from_pylist(rows, schema())
    errors: list[DataError] = []
    assert list(to_trees(batch, errors.append, source="x.parquet")) == [TREE, TREE]
    assert [str(error) for error in errors] == ["x.parquet (sentence bad): its arrays are not those of a tree"]


def test_rows_with_errors_have_no_tree() -> None:
    rows = from_trees([TREE, TREE], doc_id="d").to_pylist()
    rows[0] |= dict.fromkeys(("tags", "discbracket", "labels", "parents", "word_parents")) | {"error": "too long"}
    batch = pa.RecordBatch.from_pylist(rows, schema())
    assert to_forest(batch).rows.tolist() == [1]
    errors: list[DataError] = []
    assert list(to_trees(batch, errors.append)) == [TREE]
    assert str(errors[0]) == "sentence d:1: too long"


def test_columns_that_are_missing_or_of_another_type() -> None:
    with pytest.raises(DataError, match="has neither a column discbracket nor the columns words, tags, labels"):
        list(to_trees(from_trees([TREE]).select(["words", "tags"])))
    batch = pa.RecordBatch.from_pydict({"discbracket": pa.array([1])})
    with pytest.raises(DataError):
        list(to_trees(batch))
