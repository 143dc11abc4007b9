"""Whether a second reading can tell which of several arrangements is the right one.

    python lab/benchmarks/arrangements.py MODEL TREEBANK… [--words 2] [--weights 0.5 1 2]

For the words whose best predecessor is hardly better than the next best one, sentences are also read with that. Of all
arrangements that is taken which the log-probabilities of its predecessors, and those of the ends of its constituents
times a weight, are highest for. Prints F1 / discontinuous F1 of a model that looks for ends (a folder with PyTorch's
weights), from words without tags.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from torch import Tensor, nn

from permutree import Parser, read
from permutree.networks.attention import arrange, close_arrangements
from permutree.networks.labeller import ENDS, Labeller, ends_at_words
from permutree.networks.tensors import Inputs
from permutree.parsing.torch_engine import TorchEngine
from scoring import both_scores

#: nats that another predecessor may be worse
_MARGIN = 6.0


class Rearranging(nn.Module):
    """A labeller that reads several arrangements."""

    def __init__(self, labeller: Labeller, words: int) -> None:
        super().__init__()
        self.labeller = labeller
        #: so many words of each sentence may have other predecessors, one at a time
        self.words = words
        #: of the second reading
        self.weight = 0.0

    def forward(self, inputs: Inputs, closed: Tensor | None = None) -> dict[str, Tensor]:
        """What the labeller says, of the arrangement that both readings like best."""
        states, scores = self.labeller.read(inputs)
        given = scores["permutation"]
        best, best_again, best_score = self._read(given, given, states, inputs, closed)
        if self.weight and given.shape[2] > 1:
            rows = torch.arange(len(given))
            values, top = best.argmax(2, keepdim=True), given.amax(2, keepdim=True) + 1
            others = given.log_softmax(2).scatter(2, values, -torch.inf).max(2)
            margins = given.log_softmax(2).gather(2, values)[:, :, 0] - others.values
            nearest = margins.masked_fill(~inputs.mask, torch.inf).topk(
                min(self.words, given.shape[1]), 1, largest=False
            )
            kept = given.scatter(2, values, top)
            for margin, word in zip(nearest.values.T, nearest.indices.T, strict=True):
                changed = kept.clone()
                changed[rows, word] = given[rows, word].scatter(1, others.indices[rows, word, None], top[rows, word])
                found, again, score = self._read(changed, given, states, inputs, closed)
                is_better = (margin < _MARGIN) & (score > best_score)
                best_score = torch.where(is_better, score, best_score)
                best = torch.where(is_better[:, None, None], found, best)
                best_again = {
                    name: torch.where(is_better[:, None, None], again[name], best_again[name]) for name in again
                }
        return scores | {"permutation": best} | best_again

    def _read(
        self, scores: Tensor, given: Tensor, states: Tensor, inputs: Inputs, closed: Tensor | None
    ) -> tuple[Tensor, dict[str, Tensor], Tensor]:
        """The scores of predecessors as they are used, what the second reading says, and how good both are [B]."""
        if closed is not None:
            scores = close_arrangements(scores, inputs.lengths, closed)
        values = scores.argmax(2)
        order = arrange(values, inputs.lengths)
        again = self.labeller.reread(states, order, inputs)
        again[ENDS] = ends_at_words(again[ENDS], order)
        first = given.log_softmax(2).gather(2, values[:, :, None])[:, :, 0]
        return scores, again, ((first + self.weight * again[ENDS][:, :, 2]) * inputs.mask).sum(1)


def main() -> None:
    """Print a row for each treebank."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("model", type=Path)
    options.add_argument("treebanks", type=Path, nargs="+")
    options.add_argument("--words", type=int, default=2)
    options.add_argument("--weights", type=float, nargs="+", default=[0.5, 1, 2])
    given = options.parse_args()
    parser = Parser.load(given.model, "cpu")
    assert isinstance(parser.engine, TorchEngine)
    labeller = parser.engine.labeller = Rearranging(parser.engine.labeller, given.words).eval()
    for treebank in given.treebanks:
        gold = list(read(treebank))
        figures = []
        for labeller.weight in [0.0, *given.weights]:
            figures.append(both_scores(parser, gold))
        print(f"| {treebank} | {' | '.join(figures)} |", flush=True)


if __name__ == "__main__":
    main()
