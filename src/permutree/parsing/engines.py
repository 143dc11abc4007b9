"""Engines run the network of a model: ONNX Runtime on a CPU, PyTorch on a GPU and where there is nothing else."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Protocol

import numpy as np
import numpy.typing as npt

from permutree.model.batching import Arrays, Ints
from permutree.trees.batch import Bools

__all__ = [
    "CHUNK",
    "CHUNK_WORDS",
    "CLAIMS",
    "ENDS",
    "ENDS_SCORES",
    "LABELS",
    "ORDER",
    "SURE",
    "Costs",
    "Engine",
    "Values",
    "joined",
    "ranges",
]

#: sentences, and words, that are sorted by length together on a CPU: with more, it takes more memory and is no faster
CHUNK = 1 << 11
CHUNK_WORDS = 3 << 13

#: by name, what was predicted at all words, one sentence after the other
Values = dict[str, np.ndarray]

#: what something may cost, in log-probability, for each sentence
Costs = npt.NDArray[np.float32]

#: what a second reading adds: the arrangement, the ends of constituents, and the logarithm of their probabilities
ORDER, ENDS, ENDS_SCORES = "order", "ends", "ends.scores"
#: the labels of these constituents, where spans are scored with labels
LABELS = "labels"
#: what boundaries claimed, where constituents were chosen among these
CLAIMS = "claims"
#: ends the names of the log-probabilities of the best values of heads
SURE = ".sure"


class Engine(Protocol):
    """Runs the network of a model on sentences."""

    #: what it is called where people read it
    name: str
    #: about how many scores it should be asked for at once
    room: int
    #: sentences, and words, that it is best given at once
    chunk: int
    chunk_words: int
    #: whether it works while others do: then the next sentences should be given to it before what came of the last ones
    #: is asked for
    overlaps: bool
    #: whether it chooses constituents itself where it is left to it, so that it hands over no scores of labels
    chooses: bool
    #: whether it can also say how sure it is of what it chose
    says_how_sure: bool

    def predict(self, arrays: Arrays, scores: Collection[str] = (), closed: Costs | None = None) -> Values:
        """For each head its best values [words], as int32; for those in ``scores`` the scores of all [words, values].

        Scores are log-probabilities up to a constant for each word. ``closed`` says of sentences what it may cost that
        the last word is the last of the arrangement, 0 where that is not known.

        Where there is a second reading, its heads come by position in the arrangement, with the arrangement itself
        (``order``, position to word, counted in the sentence). If it looks for the ends of constituents, these are the
        first and last position of the smallest constituent over the boundary behind each position [positions, 2], and
        how probable both are (``ends.scores``). If spans are scored, these are the constituents of the best tree, with
        their shared labels (``labels``), and how probable a constituent with this label is there.

        Sentences come in the order in which they were given, whatever order they are worked on in. Values that are
        impossible at all words may be left out at the end.
        """

    def launch(
        self,
        arrays: Arrays,
        scores: Collection[str] = (),
        closed: Costs | None = None,
        labels: Bools | None = None,
        sure: Collection[str] = (),
    ) -> Callable[[], Values]:
        """Begin to predict; what is given back waits for what :meth:`predict` would have given, and is called once.

        If it is said which shared labels constituents may have, an engine that looks for ends may choose constituents
        and their labels itself: then they come as where spans are scored, but without ``ends.scores``, and without the
        scores that were to choose them. ``sure`` are the heads whose best values' log-probabilities are wanted beside
        (``NAME.sure``), from one that says how sure it is; it then also hands over what boundaries claimed
        (``claims``), and ``ends.scores`` of that.

        An engine that does not work beside its caller predicts when it is asked.
        """
        return partial(self.predict, arrays, scores, closed)


def joined(parts: Sequence[np.ndarray]) -> np.ndarray:
    """The predictions of batches as one; the scores of some are for fewer values, as others are impossible there."""
    if len(parts) == 1:
        return parts[0]
    if parts[0].ndim == 1 or len({part.shape[1] for part in parts}) == 1:
        return np.concatenate(parts)
    whole = np.full((sum(map(len, parts)), max(part.shape[1] for part in parts)), -np.inf, np.float32)
    first = 0
    for part in parts:
        whole[first : first + len(part), : part.shape[1]] = part
        first += len(part)
    return whole


def ranges(lengths: Ints, chosen: Ints) -> Ints:
    """The places of some of the pieces that stand one after the other with these lengths.

    >>> ranges(np.array([2, 1, 3]), np.array([2, 0])).tolist()
    [3, 4, 5, 0, 1]
    """
    starts = (np.cumsum(lengths) - lengths)[chosen]
    sizes = lengths[chosen]
    places: Ints = np.repeat(starts - (np.cumsum(sizes) - sizes), sizes) + np.arange(int(sizes.sum()))
    return places
