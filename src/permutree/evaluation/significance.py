"""Whether one parser is better than another by more than chance: paired tests over the sentences of a treebank.

Approximate randomisation exchanges the two predictions of each sentence at random, and asks how often that makes a
difference as large as the real one: the p value, under the assumption that the parsers are alike. The bootstrap draws
treebanks from the treebank, sentence by sentence with replacement, and sees how the difference varies.

All measures are ratios of sums over sentences, so a sample is one row of a matrix product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from permutree.errors import TreeError
from permutree.evaluation.scores import Evaluation

__all__ = ["METHODS", "Difference", "Method", "compare"]

Method = Literal["randomisation", "bootstrap"]
METHODS = ("randomisation", "bootstrap")
Floats = npt.NDArray[np.float64]

#: cells of the matrices of samples × sentences that are made at once
_CHUNK = 1 << 22


@dataclass(frozen=True, slots=True)
class Difference:
    """A measure of two predictions, in per cent, and how sure the difference is."""

    measure: str
    first: float
    second: float
    p: float
    #: of the bootstrap: where 95 % of the differences lie
    interval: tuple[float, float] | None = None

    @property
    def difference(self) -> float:
        """How much better the second prediction is."""
        return self.second - self.first


def compare(
    first: Evaluation | Sequence[Evaluation],
    second: Evaluation | Sequence[Evaluation],
    *,
    method: Method = "randomisation",
    samples: int = 10_000,
    seed: int = 1,
) -> list[Difference]:
    """Test the differences between two predictions for the same gold trees; the same seed gives the same result.

    Each side may have several predictions, as of models from several seeds. Then the counts of a sentence are summed
    over them, and it is exchanged or drawn with all of them together.
    """
    firsts = [first] if isinstance(first, Evaluation) else list(first)
    seconds = [second] if isinstance(second, Evaluation) else list(second)
    if len(firsts) != len(seconds) or not firsts:
        raise TreeError(
            f"{len(firsts)} predictions cannot be compared with {len(seconds)}; give as many for both sides"
        )
    for other in (*firsts, *seconds):
        if not np.array_equal(firsts[0].counts.gold, other.counts.gold) or not np.array_equal(
            firsts[0].word_counts, other.word_counts
        ):
            raise TreeError(
                "only predictions for the same gold trees, scored with the same parameters, can be compared"
            )
    sides = _summed(firsts), _summed(seconds)
    real = [_measures(side.sum(axis=0, dtype=np.int64)[None]) for side in sides]
    observed = (real[1] - real[0])[0]
    draw = _randomised if method == "randomisation" else _resampled
    # Where nothing is there to be measured, the difference is nan and is left out below.
    differences = np.concatenate(list(draw(*sides, samples, np.random.default_rng(seed))))
    results = []
    for number, measure in enumerate(MEASURES):
        if np.isnan(observed[number]):
            continue
        values = differences[:, number]
        interval = None
        if method == "randomisation":
            # What differs by rounding only is as large as the real difference.
            hits = int((np.abs(values) >= abs(observed[number]) - 1e-9).sum())
        else:
            # A sample can have missed all sentences that have something to measure.
            values = values[~np.isnan(values)]
            if not len(values):
                continue
            low, high = np.percentile(values, [2.5, 97.5]).tolist()
            interval = (low, high)
            hits = 2 * int(min((values <= 1e-9).sum(), (values >= -1e-9).sum()))
        p = min(1.0, (hits + 1) / (len(values) + 1))
        results.append(Difference(measure, float(real[0][0, number]), float(real[1][0, number]), p, interval))
    return results


MEASURES = ("F1", "disc. F1", "exact match", "POS accuracy")


def _summed(evaluations: Sequence[Evaluation]) -> npt.NDArray[np.int64]:
    """The columns of several predictions, added up for each sentence."""
    columns: npt.NDArray[np.int64] = np.sum([_columns(evaluation) for evaluation in evaluations], axis=0)
    return columns


def _columns(evaluation: Evaluation) -> npt.NDArray[np.int64]:
    """What the measures are ratios of, for each sentence: shape (sentences, 8)."""
    counts, disc = evaluation.counts, evaluation.discontinuous_counts
    exact = (counts.is_exact & evaluation.is_predicted).astype(np.int64)
    columns = [2 * counts.matched, counts.gold + counts.predicted, 2 * disc.matched, disc.gold + disc.predicted]
    columns += [exact, np.ones_like(exact), evaluation.tags_right, evaluation.word_counts]
    return np.stack(columns, axis=1).astype(np.int64)


def _measures(sums: npt.NDArray[Any]) -> Floats:
    """The measures in per cent from sums of columns: shape (samples, 4); nan of nothing."""
    with np.errstate(invalid="ignore"):
        ratios: Floats = 100 * sums[:, 0::2].astype(np.float64) / sums[:, 1::2]
    return ratios


def _randomised(
    first: npt.NDArray[np.int64], second: npt.NDArray[np.int64], samples: int, random: np.random.Generator
) -> list[Floats]:
    """Differences after exchanging the predictions of about half of the sentences."""
    size = len(first)
    gain = second - first
    exact = _exact(np.abs(gain).sum(axis=0).max(initial=0))
    differences = []
    for count in _portions(samples, size):
        bits = np.unpackbits(random.integers(0, 256, (count, size // 8 + 1), dtype=np.uint8), axis=1, count=size)
        moved = (bits.astype(exact) @ gain.astype(exact)).astype(np.float64)
        changed = _measures(second.sum(axis=0) - moved) - _measures(first.sum(axis=0) + moved)
        differences.append(changed)
    return differences


def _resampled(
    first: npt.NDArray[np.int64], second: npt.NDArray[np.int64], samples: int, random: np.random.Generator
) -> list[Floats]:
    """Differences in treebanks drawn from the treebank."""
    size = len(first)
    both = np.concatenate([first, second], axis=1)
    exact = _exact(both.max(axis=0, initial=0).max(initial=0) * size)
    differences = []
    for count in _portions(samples, size):
        drawn = random.integers(0, size, (count, size)) + np.arange(count)[:, None] * size
        times = np.bincount(drawn.ravel(), minlength=count * size).reshape(count, size)
        sums = times.astype(exact) @ both.astype(exact)
        middle = first.shape[1]
        differences.append(_measures(sums[:, middle:]) - _measures(sums[:, :middle]))
    return differences


def _portions(samples: int, size: int) -> list[int]:
    """So many samples in portions that fit into memory."""
    portion = max(1, _CHUNK // max(size, 1))
    return [min(portion, samples - done) for done in range(0, samples, portion)]


def _exact(largest: int) -> type[np.floating]:
    """The quicker kind of number that still holds all sums exactly."""
    return np.float32 if largest < 1 << 24 else np.float64
