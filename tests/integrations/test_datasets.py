from pathlib import Path

import datasets
import pytest

from permutree import DataError, Tree, read
from permutree.encoding import Codec
from permutree.encoding.labelfile import write_labels
from permutree.integrations.datasets import load_labels, load_treebank
from tiny_models import TREES


@pytest.mark.parametrize("streaming", [False, True])
def test_a_treebank_is_a_dataset(streaming: bool) -> None:
    trees = list(read(TREES))
    found = load_treebank(TREES, streaming=streaming)
    rows = list(found)
    assert [Tree.parse(row["discbracket"]) for row in rows] == trees
    assert [row["words"] for row in rows] == [list(tree.words) for tree in trees]
    assert rows[2]["sentence"] == 3


def test_datasets_can_be_worked_with() -> None:
    found = load_treebank(TREES)
    assert isinstance(found, datasets.Dataset)
    long = found.filter(lambda row: len(row["words"]) > 5, load_from_cache_file=False)
    assert 0 < len(long) < len(found)


def test_label_files(tmp_path: Path) -> None:
    trees = list(read(TREES))
    codec = Codec("pointer")
    texts = list(codec.texts(codec.encode(trees)))
    path = tmp_path / "x.labels"
    with path.open("w", encoding="utf-8") as stream:
        write_labels(trees, texts, stream, "pointer")
    found = load_labels(path, "pointer")
    assert found["words"][:] == [list(tree.words) for tree in trees]
    assert found["permutation"][0] == [label.permutation for label in texts[0]]
    path.write_text("one\ttwo\n", "utf-8")
    with pytest.raises(DataError, match=r"x\.labels:1"):
        load_labels(path, "pointer")
