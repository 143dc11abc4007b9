"""The chart without PyTorch finds what the one with it finds."""

import numpy as np
import pytest
import torch

from permutree.networks.chart import best_tree as best_tree_of_torch
from permutree.networks.spans import best_spans
from permutree.parsing.chart import best_tree, smallest_spans


@pytest.mark.parametrize("lengths", [[1], [2, 1], [7, 5, 3, 1], [20, 20, 12]])
def test_the_same_as_with_pytorch(lengths: list[int]) -> None:
    random = np.random.default_rng(len(lengths))
    size = max(lengths)
    scores = random.normal(-0.5, 2, (len(lengths), size, size)).astype(np.float32)
    found = best_tree(scores, np.array(lengths))
    assert found.tolist() == best_tree_of_torch(torch.from_numpy(scores), torch.tensor(lengths)).tolist()
    ends, _ = best_spans(torch.from_numpy(scores)[:, :, :, None], torch.tensor(lengths))
    smallest = smallest_spans(found)
    for row, length in enumerate(lengths):
        assert smallest[row, : length - 1].tolist() == ends[row, : length - 1].tolist()
