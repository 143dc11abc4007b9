"""Predecessors by attention, and the arrangement that they make."""

import math
import random

import torch

from permutree.encoding.permutations.predecessor import Predecessor
from permutree.networks.attention import PredecessorHead, arrange


def test_arrangements_are_those_of_the_encoding() -> None:
    rng = random.Random(1)
    for _ in range(50):
        lengths = [rng.randint(1, 9) for _ in range(rng.randint(1, 5))]
        longest = max(lengths)
        values = torch.tensor([[rng.randint(0, 11) for _ in range(longest)] for _ in lengths])
        expected = []
        for row, length in zip(values.tolist(), lengths, strict=True):
            symbols = [None if value == 0 else (value + 1, "") for value in row[:length]]
            order, _ = Predecessor().decode([None, *symbols[1:]], [""] * length, None)
            expected.append([*order, *range(length, longest)])
        assert arrange(values, torch.tensor(lengths)).tolist() == expected


def test_only_words_before_can_be_chosen() -> None:
    torch.manual_seed(1)
    head = PredecessorHead(8, 20, size=16).eval()
    scores = head(torch.randn(2, 5, 8))
    assert scores.shape == (2, 5, 5)
    possible = torch.isfinite(scores).sum(2).tolist()
    assert possible == [[1, 1, 2, 3, 4]] * 2
    # The first word is NEXT for certain, and there is nothing to learn about it.
    assert scores[:, 0].log_softmax(1)[:, 0].tolist() == [0.0, 0.0]


def test_what_comes_later_does_not_matter() -> None:
    torch.manual_seed(1)
    head = PredecessorHead(8, 20, size=16).eval()
    states = torch.randn(1, 6, 8)
    torch.testing.assert_close(head(states[:, :3])[:, :, :3], head(states)[:, :3, :3])


def test_a_sentence_longer_than_the_values() -> None:
    head = PredecessorHead(8, 4, size=16).eval()
    scores = head(torch.randn(1, 9, 8))
    assert scores.shape == (1, 9, 4)
    assert torch.isfinite(scores[0, 8]).all()
    assert scores[0, 2].tolist()[2:] == [-math.inf] * 2


def test_scores_are_of_the_right_words() -> None:
    torch.manual_seed(1)
    head = PredecessorHead(8, 20, size=16).eval()
    states = torch.randn(1, 6, 8)
    changed = states.clone()
    changed[0, 1] += 1
    difference = (head(states) - head(changed)).nan_to_num().abs() > 1e-6
    # Word 1 is value 0 of word 2, value 1 of word 3, and so on; its own scores change as well.
    for word in range(2, 6):
        assert difference[0, word].nonzero().flatten().tolist() == [word - 2]
