import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permutree.errors import DataError, TreeError
from permutree.formats import read, write
from permutree.formats.jsonl import from_json, to_json
from permutree.formats.jsonl import write as write_stream
from permutree.trees.builder import TreeBuilder
from permutree.trees.tree import Tree
from strategies import trees

anything = st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=5)


@given(trees(words=anything, tags=anything, labels=anything))
def test_identity_for_any_text(tree: Tree) -> None:
    stream = io.StringIO()
    write_stream([tree], stream)
    line = stream.getvalue()
    assert line.count("\n") == 1
    assert from_json(json.loads(line)) == tree


@given(trees())
def test_annotations_come_back(tree: Tree) -> None:
    draft = TreeBuilder.from_tree(tree)
    draft.id, draft.comment, draft.info = "s 1", "why\nnot", {"origin": "x"}
    nodes = list(draft.nodes())
    draft.leaves[0].lemma = draft.leaves[0].morphology = "x"
    draft.leaves[-1].offsets = (7, 9)
    nodes[-1].function = "OC"
    nodes[0].confidence = 0.25
    draft.secondary = [(draft.leaves[0], nodes[-1], "SB"), (nodes[0], draft.leaves[-1], "X")]
    annotated = Tree.of(draft)
    assert from_json(json.loads(json.dumps(to_json(annotated)))).annotations == annotated.annotations


def test_record() -> None:
    tree = Tree.parse("(S (VP (A 0=a) (B 2=c)) (C 1=b))").annotated(id="7")
    assert to_json(tree) == {
        "id": "7",
        "words": ["a", "b", "c"],
        "tags": ["A", "C", "B"],
        "constituents": [{"label": "S", "words": [0, 1, 2]}, {"label": "VP", "words": [0, 2]}],
    }


def test_lone_word_and_depth() -> None:
    assert from_json(to_json(Tree.parse("(NN 0=dog)"))).discbracket() == "(NN 0=dog)"
    deep = Tree.from_constituents("ab", "XY", [(f"L{depth}", [0, 1]) for depth in range(3_000)])
    assert from_json(json.loads(json.dumps(to_json(deep)))) == deep


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"words": []}, "0 words but 2 tags"),
        ({"words": ["a", ""]}, "'words' must be a list of strings that are not empty"),
        ({"tags": ["X"]}, "2 words but 1 tags"),
        ({"lemmas": ["x"]}, "2 words but 1 lemmas"),
        ({"id": 7}, "'id' must be a string"),
        ({"colour": "red"}, "unknown key 'colour'"),
        ({"constituents": [{"label": "S", "words": [0]}]}, "no constituent spans all"),
        ({"constituents": [{"label": "S", "words": [0, "1"]}]}, "'constituents' must be"),
        ({"constituents": []}, "no constituent"),
        ({"secondary": [{"child": 0, "parent": 9, "label": "X"}]}, "node that does not exist"),
        ({"secondary": [{"child": 0}]}, "'secondary' must be"),
        ({"info": {"a": 1}}, "'info' must be"),
        ({"offsets": [[0, 1]]}, "2 words but 1 offsets"),
        ({"offsets": [[0, 1], [1]]}, "'offsets' must be"),
        ({"offsets": [[0, 1], [3, 1]]}, "'offsets' must be"),
        ({"constituents": [{"label": "S", "words": [0, 1], "confidence": 2}]}, "'constituents' must be"),
    ],
)
def test_records_that_break_the_schema(change: dict[str, Any], message: str) -> None:
    record = {"words": ["a", "b"], "tags": ["X", "Y"], "constituents": [{"label": "S", "words": [0, 1]}]}
    with pytest.raises(TreeError, match=message):
        from_json(record | change)


def test_missing_keys_and_other_types() -> None:
    with pytest.raises(TreeError, match="'words' is missing"):
        from_json({})
    with pytest.raises(TreeError, match="expected an object, found list"):
        from_json([])


def test_errors_name_line_and_sentence(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('\n{"id": "s9", "words": ["a"], "tags": []}\nno json\n' + "[" * 100_000 + "\n", "utf-8")
    errors: list[DataError] = []
    assert list(read(path, on_error=errors.append)) == []
    assert [error.line for error in errors] == [2, 3, 4]
    assert "bad.jsonl:2 (sentence s9): 'constituents' is missing" in str(errors[0])


def test_shared_treebank(shared: Path, tmp_path: Path) -> None:
    source = shared / "treebanks" / "alpino" / "dev.discbracket.xz"
    write(read(source), tmp_path / "out.jsonl.gz")
    assert list(read(tmp_path / "out.jsonl.gz")) == list(read(source))
