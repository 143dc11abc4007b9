import lzma
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from permutree.model.batching import batches_by_size, padded, padding_waste, shuffled_batches

lengths = st.lists(st.integers(1, 60), max_size=80).map(lambda values: np.array(values, np.int64))


@given(lengths, st.integers(1, 200), st.integers(0, 5))
def test_every_sentence_is_in_one_batch_and_limits_are_kept(sizes: np.ndarray, limit: int, seed: int) -> None:
    batches = shuffled_batches(sizes, limit, np.random.default_rng(seed))
    assert sorted(np.concatenate([np.zeros(0, int), *batches]).tolist()) == list(range(len(sizes)))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * sizes[batch].max() <= limit


@given(lengths, st.integers(1, 200), st.integers(1, 9))
def test_batches_keep_the_order_and_are_as_full_as_it_allows(sizes: np.ndarray, limit: int, step: int) -> None:
    order = np.arange(len(sizes))
    batches = batches_by_size(sizes, order, limit, step)
    assert np.concatenate([np.zeros(0, int), *batches]).tolist() == order.tolist()
    for batch in batches:
        assert len(batch) == 1 or len(batch) * sizes[batch].max() <= limit
    for batch in batches[:-1]:
        assert len(batch) < step or len(batch) % step == 0
        larger = order[batch[0] : batch[-1] + 1 + step]
        assert len(larger) * sizes[larger].max() > limit


def test_batches_depend_on_the_seed_alone() -> None:
    sizes = np.arange(1, 300) % 37 + 1
    one, same, other = (
        [batch.tolist() for batch in shuffled_batches(sizes, 100, np.random.default_rng(seed))] for seed in (1, 1, 2)
    )
    assert one == same != other


@given(lengths, st.integers(0, 3))
def test_padded(sizes: np.ndarray, seed: int) -> None:
    offsets = np.cumsum([0, *sizes.tolist()])
    values = np.arange(int(offsets[-1])) + 5
    chosen = np.random.default_rng(seed).permutation(len(sizes))[: len(sizes) // 2 + 1]
    matrix = padded(values, offsets, chosen, -1)
    assert matrix.shape == (len(chosen), sizes[chosen].max(initial=0))
    for row, sentence in zip(matrix, chosen.tolist(), strict=True):
        wanted = values[offsets[sentence] : offsets[sentence + 1]]
        assert row[: len(wanted)].tolist() == wanted.tolist()
        assert (row[len(wanted) :] == -1).all()


def test_waste_by_hand() -> None:
    # Two batches: 2 × 4 places for 6 words, 1 × 5 for 5.
    assert padding_waste(np.array([4, 2, 5]), [np.array([0, 1]), np.array([2])]) == pytest.approx(2 / 13)
    assert padding_waste(np.zeros(0, np.int64), []) == 0


@pytest.mark.parametrize("treebank", ["alpino", "craft"])
def test_little_is_padded(shared: Path, treebank: str) -> None:
    with lzma.open(shared / "treebanks" / treebank / "train.discbracket.xz", "rt", encoding="utf-8") as lines:
        sizes = np.array([len(re.findall(r" \d+=", line)) for line in lines])
    assert padding_waste(sizes, shuffled_batches(sizes, 2500, np.random.default_rng(1))) < 0.05
