import numpy as np
import pytest
import torch

from permutree.encoding.decoding import sums_by_owner
from permutree.networks.constituents import choose_labels, choose_spans
from permutree.parsing import spans as arrays


def claims(seed: int, noise: float) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Lengths of sentences, the ends that their boundaries claim, and how probable these are."""
    random = np.random.default_rng(seed)
    lengths = random.integers(1, 14, 40)
    length = int(lengths.max())
    places = np.arange(length)
    # The halves of halves go together; the noisier, the fewer do.
    ends = np.zeros((40, length, 2), np.int32)
    for row, size in enumerate(lengths.tolist()):
        for place in range(size - 1):
            first, last = 0, size - 1
            while (middle := (first + last) // 2) != place:
                first, last = (first, middle) if place < middle else (middle + 1, last)
            ends[row, place] = first, last
    is_noisy = random.random((40, length)) < noise
    ends[is_noisy, 0] = random.integers(-1, places + 1, (40, length))[is_noisy]
    ends[is_noisy, 1] = random.integers(places, length + 2, (40, length))[is_noisy]
    scores = np.round(random.normal(size=(40, length)).astype(np.float32), 1)
    return torch.from_numpy(lengths), torch.from_numpy(ends), torch.from_numpy(scores)


@pytest.mark.parametrize("noise", [0.0, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("seed", range(5))
def test_the_same_constituents_as_by_arrays(seed: int, noise: float) -> None:
    lengths, ends, scores = claims(seed, noise)
    inside = torch.arange(scores.shape[1]) < lengths[:, None]
    offsets = np.append(0, np.cumsum(lengths.numpy())).astype(np.int32)
    starts, stops = arrays.choose_spans(ends[inside].numpy(), scores[inside].numpy(), offsets)
    found = choose_spans(ends, scores, lengths)[inside].numpy()
    bases = np.repeat(offsets[:-1], lengths.numpy())
    is_boundary = np.ones(len(bases), bool)
    is_boundary[offsets[1:] - 1] = False
    assert (found[:, 0] == starts - bases)[is_boundary].all()
    assert (found[:, 1] == stops - 1 - bases)[is_boundary].all()


def test_the_same_labels_as_by_arrays_to_the_last_bit() -> None:
    lengths, ends, sure = claims(1, 0.2)
    batch, length = sure.shape
    spans = choose_spans(ends, sure, lengths)
    random = torch.Generator().manual_seed(1)
    scores = {name: torch.randn(batch, length, 9, generator=random) for name in ("shared", "first", "last")}
    is_label = torch.tensor([False, *[True] * 8])
    found = choose_labels(spans, lengths, scores, is_label)
    shared, first, last = (scores[name].flatten(0, 1).numpy() for name in ("shared", "first", "last"))
    for row, size in enumerate(lengths.tolist()):
        by_span: dict[tuple[int, ...], list[int]] = {}
        for place in range(size - 1):
            by_span.setdefault(tuple(spans[row, place].tolist()), []).append(place)
        for (start, end), places in by_span.items():
            rows = row * length + np.array(places)
            votes = sums_by_owner(shared, rows, np.zeros(len(rows), np.int32))[1][0]
            votes += first[row * length + start]
            votes += last[row * length + end]
            votes[0] = -np.inf
            assert found[row, places].tolist() == [int(votes.argmax())] * len(places)
