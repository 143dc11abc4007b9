"""The chart without PyTorch finds what the one with it finds."""

import numpy as np
import numpy.typing as npt
import pytest
import torch

from permutree.networks import chart
from permutree.parsing.chart import best_tree, smallest_spans, span_probabilities


def scores_of(lengths: list[int]) -> npt.NDArray[np.float32]:
    size = max(lengths)
    random = np.random.default_rng(len(lengths))
    return random.normal(-0.5, 2, (len(lengths), size, size)).astype(np.float32)


@pytest.mark.parametrize("lengths", [[1], [2, 1], [7, 5, 3, 1], [20, 20, 12]])
def test_the_same_as_with_pytorch(lengths: list[int]) -> None:
    scores, counts = scores_of(lengths), np.array(lengths)
    given = torch.from_numpy(scores), torch.tensor(lengths)
    assert best_tree(scores, counts).tolist() == chart.best_tree(*given).tolist()
    found, expected = span_probabilities(scores, counts), chart.span_probabilities(*given)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected.numpy(), atol=1e-5)


def test_spans_over_boundaries() -> None:
    is_span = np.zeros((2, 4, 4), bool)
    for span in ((0, 0, 3), (0, 1, 2), (0, 0, 2), (1, 0, 1)):
        is_span[span] = True
    found = smallest_spans(is_span)
    assert found[0, :3].tolist() == [[0, 2], [1, 2], [0, 3]]
    assert found[1, 0].tolist() == [0, 1]
