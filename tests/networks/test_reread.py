"""The second reading, and what the labeller around it gives in the order of the arrangement."""

import pytest
import torch
from torch import Tensor, nn

from permutree.model.config import RereadConfig
from permutree.model.folder import SPANS
from permutree.networks.reread import ENDS, Ends, RereadLabeller, SecondReading, arrange_states, best_ends
from permutree.networks.tensors import WordInputs

ORDER = torch.tensor([[0, 2, 3, 1]])


@pytest.mark.parametrize("length", [1, 4])
def test_states_are_joined_with_those_of_the_second_reading(length: int) -> None:
    torch.manual_seed(1)
    reading = SecondReading(6, hidden=5, dropout=0.5).eval()
    states, lengths = torch.randn(2, length, 6), torch.tensor([length, 1])
    mask = torch.arange(length) < lengths[:, None]
    read, ends = reading(states, lengths, mask)
    assert ends is None
    assert read.shape == (2, length, 16)
    torch.testing.assert_close(read[:, :, :6], states)
    torch.testing.assert_close(read[:, :, 6:], reading.context(states, lengths, mask))


def test_states_in_the_order_of_the_arrangement() -> None:
    states = torch.randn(1, 4, 6)
    assert arrange_states(states, ORDER).equal(states[:, ORDER[0]])


def test_ends_are_on_both_sides() -> None:
    torch.manual_seed(1)
    ends = Ends(6, units=4, dropout=0.5).eval()
    states, mask = torch.randn(2, 5, 6), torch.arange(5) < torch.tensor([[5], [3]])
    found, scores, probabilities = ends(states, mask)
    assert found.shape == (2, 5, 8)
    possible = scores > -1e4
    places = torch.arange(5)
    # A constituent that a word shares with the next begins at the word or before it, and ends behind it.
    assert possible[:, 0].equal((places <= places[:, None]).expand(2, 5, 5))
    assert possible[0, 1].equal(places > places[:, None])
    assert possible[1, 1].equal((places > places[:, None]) & (places < 3))
    torch.testing.assert_close(probabilities, scores.softmax(3) * possible)
    alone, _, _ = ends(states[1:, :3], mask[1:, :3])
    torch.testing.assert_close(alone, found[1:, :3])


def test_the_best_ends_and_the_probability_of_both() -> None:
    first = torch.tensor([[[1.0, 0.0, 0.0], [0.4, 0.6, 0.0], [0.2, 0.3, 0.5]]])
    last = torch.tensor([[[0.0, 0.3, 0.7], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]])
    places, sure = best_ends(torch.stack([first, last], 1))
    assert places.dtype == torch.int32
    assert places.tolist() == [[[0, 2], [1, 2], [2, 0]]]
    torch.testing.assert_close(sure, torch.tensor([[0.7, 0.6, 0.0]]).log())


@pytest.mark.parametrize("is_training", [True, False])
def test_heads_see_what_stands_at_the_ends(is_training: bool) -> None:
    torch.manual_seed(1)
    reading = SecondReading(6, hidden=5, dropout=0.0, ends=4).train(is_training)
    states, lengths, mask = torch.randn(1, 4, 6), torch.tensor([4]), torch.ones(1, 4, dtype=torch.bool)
    read, given = reading(states, lengths, mask)
    assert read.shape == (1, 4, reading.size) == (1, 4, 6 + 10 + 8)
    assert reading.ends is not None
    assert given is not None
    found, scores, probabilities = reading.ends(read[:, :, :16], mask)
    torch.testing.assert_close(read[:, :, 16:], found)
    # Training learns from scores, decoding needs probabilities.
    torch.testing.assert_close(given, scores if is_training else probabilities)


class Encoder(nn.Module):
    """Vectors of words, and nothing around them."""

    size = 6

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(9, self.size)

    def forward(self, inputs: WordInputs) -> Tensor:
        vectors: Tensor = self.table(inputs.words)
        return vectors


def make(ends: int = 4, spans: int = 0) -> tuple[RereadLabeller, WordInputs]:
    torch.manual_seed(1)
    sizes = {"shared": 5, "unary": 3, "first": 5, "last": 5, "permutation": 9, "tags": 7}
    reread = RereadConfig(hidden=5, ends=ends, spans=spans)
    labeller = RereadLabeller(Encoder(), sizes, attention=8, reread=reread, labels=5).eval()
    words = torch.tensor([[3, 1, 4, 2]])
    return labeller, WordInputs(torch.tensor([4]), words, words, words, words)


def test_heads_after_the_second_reading_stand_by_position() -> None:
    labeller, inputs = make()
    found = labeller(inputs, ORDER)
    states, first = labeller.read(inputs)
    assert first.keys() == {"permutation", "tags"}
    again = labeller.reread(states[:, ORDER[0]], inputs.lengths, inputs.mask)
    assert again.keys() == {"shared", "unary", "first", "last", ENDS}
    assert found.keys() == first.keys() | again.keys()
    for name, scores in (first | again).items():
        torch.testing.assert_close(found[name], scores)
    # The first word stays the first, so that only the order behind it can make a difference.
    assert not torch.allclose(found["shared"][0, 0], labeller(inputs, torch.arange(4)[None])["shared"][0, 0])


def test_without_ends_as_in_ablations() -> None:
    labeller, inputs = make(ends=0)
    assert ENDS not in labeller(inputs, ORDER)
    assert labeller.reading.ends is None


def test_spans_are_scored_in_the_order_of_the_arrangement() -> None:
    labeller, inputs = make(spans=8)
    found = labeller(inputs, ORDER)
    assert found[SPANS].shape == (1, 4, 4, 5)
    assert not torch.allclose(found[SPANS], labeller(inputs, torch.arange(4)[None])[SPANS])
    assert SPANS not in make()[0](inputs, ORDER)


def test_auxiliary_heads_are_for_training_alone() -> None:
    labeller, inputs = make()
    labeller.add_auxiliary("levels", 4)
    assert labeller.is_arranged("levels")
    assert "levels" not in labeller(inputs, ORDER)
    assert not any("levels" in name for name in labeller.weights())
    labeller.train()
    assert labeller(inputs, ORDER)["levels"].shape == (1, 4, 4)
