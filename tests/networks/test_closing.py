import math

import numpy as np
import pytest
import torch

from permutree.encoding.final_punctuation import close, last
from permutree.networks import attention


def drawn(seed: int, step: float) -> tuple[torch.Tensor, torch.Tensor]:
    """Scores of predecessors [B, T, T], many of them equal, and the lengths of sentences."""
    random = np.random.default_rng(seed)
    lengths = random.integers(2, 13, 60)
    length = int(lengths.max())
    scores = np.round(random.normal(size=(60, length, length)) / step) * step
    possible = np.arange(length)[None] < np.maximum(np.arange(length), 1)[:, None]
    return torch.from_numpy(np.where(possible, scores, -np.inf).astype(np.float32)), torch.from_numpy(lengths)


@pytest.mark.parametrize("step", [0.01, 0.5])
@pytest.mark.parametrize("seed", range(4))
def test_all_sentences_at_once_are_closed_as_each_is(seed: int, step: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attention, "TRIES", 5)
    monkeypatch.setattr("permutree.encoding.final_punctuation.TRIES", 5)
    scores, lengths = drawn(seed, step)
    # Some are left alone, some closed whatever it costs, and some if it does not cost much.
    closed = torch.tensor([0.0, math.inf, 0.7])[torch.arange(len(lengths)) % 3]
    values = scores.argmax(2)
    given = scores.log_softmax(2).numpy()
    found = attention.closed_values(scores, lengths, closed)
    changes, limited = 0, 0
    for row, size in enumerate(lengths.tolist()):
        own = values[row, :size].tolist()
        most = float(closed[row])
        expected = close(own, given[row, :size], most) if most and last(own) != size - 1 else own
        assert found[row, :size].tolist() == expected
        changes += expected != own
        limited += most == pytest.approx(0.7) and expected == own and last(own) != size - 1
    assert changes > 10
    assert limited
    # As a GPU does it: all are changed, and those are kept that had to be.
    every = attention._close(scores, values, lengths, closed)
    is_wrong = (closed > 0) & (attention.last_words(values, lengths) != lengths - 1)
    assert torch.equal(torch.where(is_wrong[:, None], every, values), found)
    assert torch.equal(attention.close_arrangements(scores, lengths, closed).argmax(2), found)
