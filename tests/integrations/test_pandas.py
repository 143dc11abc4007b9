from collections import Counter

import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from permutree import ConfigError, DataError, Parser, Tree, read
from permutree.integrations.pandas import frame_to_trees, trees_to_frame
from strategies import trees
from tiny_models import TREES

TREE = Tree.parse("(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))")


@given(some=st.lists(trees(), max_size=4))
def test_trees_come_back(some: list[Tree]) -> None:
    assert frame_to_trees(trees_to_frame(some, of="sentences")) == some
    words, constituents = trees_to_frame(some, of="words"), trees_to_frame(some, of="constituents")
    assert len(words) == sum(map(len, some))
    shuffled = (frame.sample(frac=1, random_state=1) for frame in (words, constituents))
    assert frame_to_trees(*shuffled) == some


def test_annotations_come_back() -> None:
    known = [*Parser.load("en").parse("What do you want to eat? Nothing."), *read(TREES)]
    known = [tree.annotated(id=f"s{number}", comment=None) for number, tree in enumerate(known)]
    found = frame_to_trees(trees_to_frame(known, "words"), trees_to_frame(known, "constituents"))
    assert [tree.annotations for tree in found] == [tree.annotations for tree in known]
    found = frame_to_trees(trees_to_frame(known))
    assert [tree.annotations for tree in found] == [tree.annotations for tree in known]


def test_questions_that_frames_answer() -> None:
    frame = trees_to_frame(read(TREES), "constituents")
    gaps = Counter(frame[frame["gap_degree"] > 0]["label"])
    assert gaps == Counter(node.label for tree in read(TREES) for node in tree.constituents if node.is_discontinuous)
    row = trees_to_frame([TREE], "words").to_dict("records")[3]
    assert [row[name] for name in ("sentence", "index", "word", "tag", "parent")] == [1, 3, "work", "VB", 1]
    assert all(pandas.isna(row[name]) for name in ("id", "lemma", "start", "end"))


def test_a_column_of_brackets_is_enough() -> None:
    assert frame_to_trees(pandas.DataFrame({"discbracket": [TREE.discbracket()], "genre": ["news"]})) == [TREE]


def test_wrong_frames() -> None:
    words, constituents = trees_to_frame([TREE], "words"), trees_to_frame([TREE], "constituents")
    with pytest.raises(ConfigError, match="give their frame"):
        frame_to_trees(words)
    with pytest.raises(ConfigError, match="words, constituents, sentences"):
        trees_to_frame([TREE], "trees")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="of words has no column 'tag'"):
        frame_to_trees(words.drop(columns="tag"), constituents)
    with pytest.raises(DataError, match="has a column discbracket; this one has label"):
        frame_to_trees(constituents[["label"]])
    with pytest.raises(DataError, match=r"sentence 1.*no constituent 1"):
        frame_to_trees(words, constituents[:1])
    with pytest.raises(DataError, match=r"sentence 1.*but no words"):
        frame_to_trees(words[:0], constituents)
    with pytest.raises(DataError, match="2 nodes have no parent"):
        frame_to_trees(words, constituents.assign(parent=-1))
