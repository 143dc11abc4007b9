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
    closed = torch.arange(len(lengths)) % 3 > 0
    values = scores.argmax(2)
    given = scores.log_softmax(2).numpy()
    found = attention.closed_values(scores, lengths, closed)
    changes = 0
    for row, size in enumerate(lengths.tolist()):
        own = values[row, :size].tolist()
        expected = close(own, given[row, :size]) if closed[row] and last(own) != size - 1 else own
        assert found[row, :size].tolist() == expected
        changes += expected != own
    assert changes > 10
    # As a GPU does it: all are changed, and those are kept that had to be.
    every = attention._close(scores, values, lengths)
    is_wrong = closed & (attention.last_words(values, lengths) != lengths - 1)
    assert torch.equal(torch.where(is_wrong[:, None], every, values), found)
    assert torch.equal(attention.close_arrangements(scores, lengths, closed).argmax(2), found)
