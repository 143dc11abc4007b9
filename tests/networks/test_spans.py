"""Scores of spans, and the constituents of the best tree at boundaries."""

import pytest
import torch

from permutree.model.config import RereadConfig
from permutree.networks.chart import span_probabilities
from permutree.networks.spans import SpanHead

NO = -9.0


def make(**settings: object) -> SpanHead:
    torch.manual_seed(1)
    return SpanHead(6, 3, RereadConfig(spans=4, **settings), dropout=0.5).eval()  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["sum", "product"])
def test_spans_do_not_depend_on_the_batch(kind: str) -> None:
    head = make(span_kind=kind)
    states, mask = torch.randn(2, 5, 6), torch.arange(5) < torch.tensor([[5], [3]])
    scores = head(states, mask)
    assert scores.shape == (2, 5, 5, 3)
    torch.testing.assert_close(head(states[1:, :3], mask[1:, :3])[0], scores[1, :3, :3])
    # The words at both ends count, and those next to them outside.
    for place in range(5):
        other = states.clone()
        other[0, place] += 1
        changed = head(other, mask)[0, 1, 2]
        assert torch.equal(changed, scores[0, 1, 2]) == (place == 4)


@pytest.mark.parametrize("loss", ["local", "crf", "margin"])
def test_smallest_constituents_of_the_best_tree(loss: str) -> None:
    scores = torch.full((2, 4, 4, 2), NO)
    # (0 (1 2)) 3 against (2 3), which scores higher than each of its spans; the whole is there whatever its score.
    scores[0, 1, 2, 1] = 2.0
    scores[0, 0, 2, 0] = 1.9
    scores[0, 2, 3, 0] = 2.5
    scores[0, 0, 3, 1] = -5.0
    scores[1, 0, 1, 1] = 3.0
    ends, labels, sure = make(span_loss=loss).choose(scores, torch.tensor([4, 2]))
    assert ends.dtype == labels.dtype == torch.int32
    assert ends[0, :3].tolist() == [[0, 2], [1, 2], [0, 3]]
    assert labels[0, :3].tolist() == [0, 1, 1]
    assert ends[1, 0].tolist() == [0, 1]
    assert labels[1, 0] == 1
    if loss == "crf":
        probable = span_probabilities(scores.logsumexp(3), torch.tensor([4, 2]))[0, 1, 2]
        torch.testing.assert_close(sure[0, 1], probable.log() + scores[0, 1, 2].log_softmax(0)[1])
    else:
        torch.testing.assert_close(sure[0, 1], torch.tensor([0.0, NO, 2.0]).log_softmax(0)[2])


@pytest.mark.parametrize(("threshold", "expected"), [(0.1, [1, 2]), (0.6, [0, 3])])
def test_constituents_that_are_not_probable_enough(threshold: float, expected: list[int]) -> None:
    scores = torch.full((1, 4, 4, 2), NO)
    scores[0, 1, 2, 1] = 0.1
    ends, _, _ = make(span_loss="local", threshold=threshold).choose(scores, torch.tensor([4]))
    assert ends[0, 1].tolist() == expected


def test_single_words() -> None:
    ends, labels, sure = make().choose(torch.zeros(2, 1, 1, 3), torch.tensor([1, 1]))
    assert ends.tolist() == [[[0, 0]], [[0, 0]]]
    assert labels.shape == sure.shape == (2, 1)
