"""Scores of spans, and the constituents of the best tree at boundaries."""

import pytest
import torch

from permutree.networks.spans import SpanHead, best_spans, span_confidence

NO = -9.0


@pytest.mark.parametrize("kind", ["sum", "product"])
def test_spans_do_not_depend_on_the_batch(kind: str) -> None:
    torch.manual_seed(1)
    head = SpanHead(6, 3, units=4, dropout=0.5, kind=kind).eval()
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


def test_smallest_constituents_of_the_best_tree() -> None:
    scores = torch.full((2, 4, 4, 2), NO)
    # (0 (1 2) 3) against (0 1 2) with a lower score; the whole is there whatever its score.
    scores[0, 1, 2, 1] = 2.0
    scores[0, 0, 2, 0] = 1.0
    scores[0, 2, 3, 0] = 2.5
    scores[0, 0, 3, 1] = -5.0
    scores[1, 0, 1, 1] = 3.0
    lengths = torch.tensor([4, 2])
    ends, labels = best_spans(scores, lengths)
    sure = span_confidence(scores, lengths, ends)
    assert ends.dtype == labels.dtype == torch.int32
    assert ends[0, :3].tolist() == [[0, 2], [1, 2], [0, 3]]
    assert labels[0, :3].tolist() == [0, 1, 1]
    assert ends[1, 0].tolist() == [0, 1]
    assert labels[1, 0] == 1
    # Of a whole sentence, only the label can be another.
    torch.testing.assert_close(sure[0, 1], torch.tensor([0.0, NO, 2.0]).log_softmax(0)[2])
    torch.testing.assert_close(sure[1, 0], torch.tensor([NO, 3.0]).log_softmax(0)[1])


def test_single_words() -> None:
    ends, labels = best_spans(torch.zeros(2, 1, 1, 3), torch.tensor([1, 1]))
    assert ends.tolist() == [[[0, 0]], [[0, 0]]]
    assert labels.shape == (2, 1)
