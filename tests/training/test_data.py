import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from permutree import Tree
from permutree.encoding import Codec
from permutree.encoding.constituents import format_chain
from permutree.model.config import EmbeddingConfig, EncoderConfig, ModelConfig
from permutree.model.features import WordFeatures
from permutree.networks.labeller import constituent_loss, end_loss
from permutree.networks.model import Model
from permutree.training.data import Dataset
from strategies import trees


def dataset(some: list[Tree]) -> tuple[Dataset, Codec]:
    codec = Codec.fit(some, "predecessor")
    words, tags = [tree.words for tree in some], [tree.tags for tree in some]
    config = ModelConfig(
        encoding="predecessor",
        repair="scores",
        edges=True,
        encoder=EncoderConfig(hidden=4, layers=1),
        embeddings=EmbeddingConfig(word=4, character=4, character_embedding=4),
    )
    return Dataset.of(some, Model.build(config, WordFeatures.fit(words, tags), codec, ())), codec


@settings(max_examples=50, deadline=None)
@given(st.lists(trees(max_words=9), min_size=1, max_size=5))
def test_constituents_of_a_batch(some: list[Tree]) -> None:
    data, codec = dataset(some)
    found = data.constituents(np.arange(len(some))[::-1].copy())
    longest = max(map(len, some))
    expected = []
    for row, tree in enumerate(some[::-1]):
        position = {word: place for place, word in enumerate(tree.order)}
        chains: dict[frozenset[int], list[str]] = {}
        for constituent in tree:
            if len(constituent.words) > 1:
                chains.setdefault(frozenset(constituent.words), []).append(constituent.label)
        for indices, labels in chains.items():
            in_order = sorted(indices, key=position.__getitem__)
            first, last = (row * longest + word for word in (in_order[0], in_order[-1]))
            expected.append((first, last, format_chain(labels)))
    spelled = [(codec.shared.values[value] if value >= 0 else None) for value in found.values.tolist()]
    assert sorted(zip(found.firsts.tolist(), found.lasts.tolist(), spelled, strict=True)) == sorted(expected)
    # Every constituent owns a boundary, and every boundary has one owner.
    assert sorted(set(found.owners.tolist())) == list(range(len(expected)))
    assert len(found.boundaries) == sum(len(tree) - 1 for tree in some)


def test_words_vote_on_constituents() -> None:
    tree = Tree.parse("(S (VP (V 0=a) (X 2=c)) (Y 1=b) (Z 3=d))")
    data, codec = dataset([tree])
    gold = data.constituents(np.arange(1))
    torch.manual_seed(1)
    scores = {name: torch.randn(1, 4, len(codec.shared)) for name in ("shared", "first", "last")}
    shared, first, last = (scores[name][0] for name in ("shared", "first", "last"))
    # Arranged, the words are a c b d: between a and c is the VP, and S is between c and b, and b and d.
    votes = {"VP": shared[0] + first[0] + last[2], "S": shared[2] + shared[1] + first[0] + last[3]}
    expected = sum(-votes[label].log_softmax(0)[codec.shared.values.index(label)] for label in votes)
    torch.testing.assert_close(constituent_loss(scores, gold), expected)


def test_ends_of_the_constituents_at_boundaries() -> None:
    trees = [Tree.parse("(S (Y 0=a) (Z 1=b))"), Tree.parse("(S (VP (V 0=a) (X 2=c)) (Y 1=b) (Z 3=d))")]
    gold = dataset(trees)[0].constituents(np.arange(2))
    # a b; a c b d: by place in a batch of two rows of four, and where the constituent begins and ends in its row
    assert gold.positions.tolist() == [0, 4, 5, 6]
    assert gold.ends.tolist() == [[0, 1], [0, 1], [0, 3], [0, 3]]
    torch.manual_seed(1)
    scores = torch.randn(2, 2, 4, 4)
    expected = torch.zeros(())
    for place, ends in zip(gold.positions.tolist(), gold.ends.tolist(), strict=True):
        for side, end in enumerate(ends):
            expected -= scores[place // 4, side, place % 4].log_softmax(0)[end]
    torch.testing.assert_close(end_loss(scores, gold), expected)
