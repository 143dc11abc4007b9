from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from permutree import Tree
from permutree.encoding.constituents import format_chain
from permutree.model.config import EmbeddingConfig, EncoderConfig, ModelConfig, RereadConfig
from permutree.networks.model import Model
from permutree.training.auxiliary import fit_auxiliary
from permutree.training.building import build_model
from permutree.training.config import Config
from permutree.training.data import Dataset, read_tagged, tag_values
from permutree.trees.batch import TreeBatch
from strategies import trees

CONFIG = ModelConfig(
    labeller="reread",
    attention=4,
    reread=RereadConfig(hidden=4, ends=4),
    encoder=EncoderConfig(hidden=4, layers=1),
    embeddings=EmbeddingConfig(word=4, character=4, character_embedding=4),
)
# In the arrangement: a c b d.
TREE = Tree.parse("(S (VP (V 0=a) (X 2=c)) (Y 1=b) (Z 3=d))")
TWO = Tree.parse("(S (Y 0=a) (Z 1=b))")


def prepared(some: list[Tree], config: ModelConfig = CONFIG) -> tuple[Dataset, Model]:
    forest = TreeBatch.from_trees(some)
    model = build_model(Config(model=config), forest, ())
    return Dataset.of(forest, model, some), model


@settings(max_examples=50, deadline=None)
@given(st.lists(trees(max_words=9), min_size=1, max_size=5))
def test_constituents_of_a_batch(some: list[Tree]) -> None:
    data, model = prepared(some)
    found = data.constituents(np.arange(len(some))[::-1].copy())
    longest = max(map(len, some))
    expected = []
    owned: dict[int, tuple[int, int]] = {}
    for row, tree in enumerate(some[::-1]):
        position = {word: place for place, word in enumerate(tree.order)}
        chains: dict[tuple[int, int], list[str]] = {}
        for constituent in tree:
            places = sorted(position[word] for word in constituent.words)
            if len(places) > 1:
                chains.setdefault((places[0], places[-1]), []).append(constituent.label)
        for (first, last), labels in chains.items():
            expected.append((row * longest + first, row * longest + last, format_chain(labels)))
        for boundary in range(len(tree) - 1):
            over = [span for span in chains if span[0] <= boundary < span[1]]
            owned[row * longest + boundary] = min(over, key=lambda span: span[1] - span[0])
    assert model.codec is not None
    spelled = [(model.codec.shared.values[value] if value >= 0 else None) for value in found.values.tolist()]
    assert sorted(zip(found.firsts.tolist(), found.lasts.tolist(), spelled, strict=True)) == sorted(expected)
    # Every boundary is owned by the smallest constituent over it.
    assert dict(zip(found.boundaries.tolist(), map(tuple, found.ends.tolist()), strict=True)) == owned
    rows = (found.boundaries // longest * longest).tolist()
    firsts, lasts = (values[found.owners].tolist() for values in (found.firsts, found.lasts))
    assert [(first - row, last - row) for first, last, row in zip(firsts, lasts, rows, strict=True)] == [
        *map(tuple, found.ends.tolist())
    ]


def test_gold_values_of_a_second_reading_stand_by_position() -> None:
    data, model = prepared([TWO, TREE])
    assert model.codec is not None
    codec = model.codec
    inputs, gold = data.batch(np.array([1, 0]))
    assert inputs.lengths.tolist() == [4, 2]
    assert gold.keys() == {"shared", "unary", "permutation", "tags"}
    assert [codec.shared.values[value] for value in gold["shared"][0].tolist()] == ["VP", "S", "S", "_"]
    assert gold["shared"][1, 2:].tolist() == [-1, -1]
    # Predecessors and tags stand at words: c comes right after a, b after it.
    assert [codec.permutation.values[value] for value in gold["permutation"][0].tolist()] == [
        "NEXT",
        "NEXT",
        "-2",
        "-2",
    ]
    assert [model.tags[value] for value in gold["tags"][0].tolist()] == ["V", "Y", "X", "Z"]
    assert data.order(np.array([1, 0])).tolist() == [[0, 2, 1, 3], [0, 1, 2, 3]]


def test_gold_values_of_labels_stand_at_words() -> None:
    data, model = prepared([TREE], ModelConfig(encoder=CONFIG.encoder, embeddings=CONFIG.embeddings))
    assert model.codec is not None
    _, gold = data.batch(np.arange(1))
    assert gold.keys() == {"levels", "shared", "unary", "permutation", "tags"}
    assert [model.codec.shared.values[value] for value in gold["shared"][0].tolist()] == ["VP", "S", "S", "_"]
    assert data.spans is None


def test_auxiliary_values_stand_where_their_heads_do() -> None:
    tree = TREE.annotated(functions=("A", "B", "C", "D", "--", "oc"))
    forest = TreeBatch.from_trees([tree])
    model = build_model(Config(model=CONFIG), forest, ())
    tasks = fit_auxiliary([tree], ["functions", "shared-functions"])
    data = Dataset.of(forest, model, [tree], tasks)
    spelled = {task: [*tasks[task]] for task in tasks}
    found = {task: [spelled[task][value] for value in data.gold[task].tolist() if value >= 0] for task in tasks}
    # VP between a and c, S between c and b, and b and d.
    assert found == {"functions": ["A", "B", "C", "D"], "shared-functions": ["oc", "--", "--"]}
    assert data.auxiliary == {*tasks}


def test_of_sentences_that_are_only_tagged_nothing_but_tags_is_learnt(tmp_path: Path) -> None:
    file = tmp_path / "more.tagged"
    file.write_text("b\tY\nnew\tZ\nnew\tFOREIGN\n\na\tV\n\n", "utf-8")
    forest = TreeBatch.from_trees([TREE, TWO])
    tagged = read_tagged([str(file)], tag_values(forest))
    model = build_model(Config(model=CONFIG), forest, (), tagged)
    data = Dataset.of(TreeBatch.from_trees([TREE, TWO, *tagged]), model, tagged=len(tagged))
    alone = Dataset.of(forest, model)
    assert "new" in model.features.words  # type: ignore[union-attr]
    _, gold = data.batch(np.array([2, 3, 1]))
    assert [[model.tags[value] if value >= 0 else None for value in row] for row in gold["tags"].tolist()] == [
        ["Y", "Z", None],
        ["V", None, None],
        ["Y", "Z", None],
    ]
    for name, values in gold.items():
        if name != "tags":
            assert (values[:2] == -1).all()
            assert (values[2] >= 0).any()
    # Constituents are those of the trees, wherever these stand in a batch.
    together, apart = data.constituents(np.array([2, 1])), alone.constituents(np.array([1]))
    assert together.values.tolist() == apart.values.tolist()
    assert together.firsts.tolist() == [3]
    assert data.constituents(np.array([2, 3])).values.tolist() == []


def test_tags_that_the_trees_do_not_have_are_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "more.tagged"
    file.write_text("b\tODD\nc\tY\n\n", "utf-8")
    read_tagged([str(file)], ["Y"])
    assert "the tags ODD; 1 words" in caplog.text
