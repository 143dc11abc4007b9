"""Predecessors by attention, and the arrangement that they make."""

import math
import random

import pytest
import torch
from permutree.encoding.predecessor import Predecessor
from permutree.networks.rereading import Ends, SecondReading

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


@pytest.mark.parametrize("length", [1, 4])
def test_reading_in_sentence_order_is_reading_twice(length: int) -> None:
    torch.manual_seed(1)
    reading = SecondReading(6, hidden=5, dropout=0.5).eval()
    states, lengths = torch.randn(2, length, 6), torch.tensor([length, 1])
    mask = torch.arange(length) < lengths[:, None]
    order = torch.arange(length).expand(2, -1)
    read, ends = reading(states, order, lengths, mask)
    assert ends is None
    assert read.shape == (2, length, 16)
    torch.testing.assert_close(read[:, :, :6], states)
    torch.testing.assert_close(read[:, :, 6:], reading.context(states, lengths, mask))


def test_states_stay_at_their_words_in_any_order() -> None:
    torch.manual_seed(1)
    reading = SecondReading(6, hidden=5, dropout=0.5).eval()
    states, lengths = torch.randn(1, 4, 6), torch.tensor([4])
    mask = torch.ones(1, 4, dtype=torch.bool)
    order = torch.tensor([[0, 2, 3, 1]])
    read = reading(states, order, lengths, mask)[0][:, :, 6:]
    in_order = reading.context(states[:, order[0]], lengths, mask)
    for position, word in enumerate(order[0].tolist()):
        torch.testing.assert_close(read[:, word], in_order[:, position])


def test_ends_are_on_both_sides() -> None:
    torch.manual_seed(1)
    ends = Ends(6, units=4, dropout=0.5).eval()
    states, mask = torch.randn(2, 5, 6), torch.arange(5) < torch.tensor([[5], [3]])
    found, scores = ends(states, mask)
    assert found.shape == (2, 5, 8)
    possible = scores > -1e4
    places = torch.arange(5)
    # A constituent that a word shares with the next begins at the word or before it, and ends behind it.
    assert possible[:, 0].equal((places <= places[:, None]).expand(2, 5, 5))
    assert possible[0, 1].equal(places > places[:, None])
    assert possible[1, 1].equal((places > places[:, None]) & (places < 3))
    alone, _ = ends(states[1:, :3], mask[1:, :3])
    torch.testing.assert_close(alone, found[1:, :3])


def test_heads_see_what_stands_at_the_ends() -> None:
    torch.manual_seed(1)
    reading = SecondReading(6, hidden=5, dropout=0.5, ends=4).eval()
    states, lengths = torch.randn(1, 4, 6), torch.tensor([4])
    mask, order = torch.ones(1, 4, dtype=torch.bool), torch.tensor([[0, 2, 3, 1]])
    read, scores = reading(states, order, lengths, mask)
    assert read.shape == (1, 4, reading.size) == (1, 4, 6 + 10 + 8)
    assert scores is not None
    assert reading.ends is not None
    arranged = torch.cat([states[:, order[0]], reading.context(states[:, order[0]], lengths, mask)], 2)
    found, by_position = reading.ends(arranged, mask)
    torch.testing.assert_close(scores, by_position)
    for position, word in enumerate(order[0].tolist()):
        torch.testing.assert_close(read[:, word, 16:], found[:, position])
