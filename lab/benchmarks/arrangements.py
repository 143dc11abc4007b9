"""How much better trees would be with better arrangements, and whether the second reading can tell which is better.

    python lab/benchmarks/arrangements.py nl DEV [--sentences N] [--least 0.002] [--most 24]

Prints F1 and discontinuous F1 of a model that reads constituents by their ends

- as it is;
- if the second reading gets the gold arrangement;
- if it gets the gold arrangement where that is one of MOST candidates, which have other predecessors for one to three
  words, each at least as probable as LEAST; and how many sentences have it among them;
- if it gets the candidate whose log-probability, and that of the ends and labels that are then found, with weights, is
  the largest.

Weights are the best of some on these very sentences, so that the last line is an upper bound.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from permutree import Parser, Tree, evaluate, read
from permutree.encoding.permutations.predecessor import Predecessor
from permutree.models import folder
from permutree.networks.attention import arrange, closed_values
from permutree.networks.model import Model
from permutree.networks.reread import ENDS, RereadLabeller, arrange_states, best_ends
from permutree.parsing.torch_engine import TorchEngine

#: words whose predecessors are changed at once, and changes that are combined
TOGETHER, CHANGES = 3, 8
WEIGHTS = (0.0, 0.1, 0.2, 0.5, 1.0)


@dataclass(slots=True)
class Candidates:
    """The arrangements of a sentence, the one that the model takes first, with log-probabilities."""

    orders: list[list[int]]
    arrangement: Tensor
    ends: Tensor
    labels: Tensor


class Forced(TorchEngine):
    """An engine for single sentences that reads them in the arrangement that it is told."""

    def __init__(self, labeller: RereadLabeller, least: float, most: int) -> None:
        super().__init__(labeller)
        self.labeller, self.least, self.most = labeller, math.log(least), most
        self.order: Sequence[int] | None = None
        self.candidates: Candidates | None = None

    def _label(
        self, inputs: Any, scores: Any, closed: Tensor | None, is_label: Any = None, sure: Any = ()
    ) -> dict[str, Tensor]:
        if self.order is None:
            self.candidates = self._find(inputs, closed)
            return super()._label(inputs, scores, closed, is_label, sure)
        # The arrangement as the only one that predecessors allow.
        heads = self._read[0]

        def read_forced(given: Any) -> tuple[Tensor, dict[str, Tensor]]:
            states, found = heads(given)
            values = predecessors(self.order or ())
            table = torch.full_like(found["permutation"], -math.inf).scatter(2, values[None, :, None], 0.0)
            return states, found | {"permutation": table}

        self._read[0] = read_forced
        try:
            return super()._label(inputs, scores, None, is_label, sure)
        finally:
            self._read[0] = heads

    def _find(self, inputs: Any, closed: Tensor | None) -> Candidates:
        """The candidates of a sentence."""
        states, heads = self.labeller.read(inputs)
        table = heads["permutation"].float().log_softmax(2)[0]
        scores = heads["permutation"]
        best = scores.argmax(2) if closed is None else closed_values(scores, inputs.lengths, closed)
        is_closed = closed is not None and bool(closed[0].isinf())
        values, orders = [best[0]], [arrange(best, inputs.lengths)[0].tolist()]
        for other in changed(table, best[0], self.least):
            order = arrange(other[None], inputs.lengths)[0].tolist()
            if order not in orders and not (is_closed and order[-1] != len(order) - 1):
                values.append(other)
                orders.append(order)
            if len(orders) == self.most:
                break
        many = len(orders)
        arranged = arrange_states(states.expand(many, -1, -1), torch.tensor(orders))
        again = self.labeller.reread(arranged, inputs.lengths.expand(many), inputs.mask.expand(many, -1))
        sure = {name: again[name].float().log_softmax(2).amax(2) for name in ("shared", "unary")}
        return Candidates(
            orders,
            table.gather(1, torch.stack(values).T).sum(0),
            best_ends(again[ENDS])[1][:, :-1].sum(1),
            sure["shared"][:, :-1].sum(1) + sure["unary"].sum(1),
        )


def changed(table: Tensor, best: Tensor, least: float) -> Iterator[Tensor]:
    """Predecessors with one to three others, the most probable first."""
    words, values = (table > least).nonzero(as_tuple=True)
    costs = table[words, best[words]] - table[words, values]
    found = zip(costs.tolist(), words.tolist(), values.tolist(), strict=True)
    changes = sorted(one for one in found if one[2] != best[one[1]] and one[1] > 0)[:CHANGES]
    sets = [some for size in range(1, TOGETHER + 1) for some in combinations(changes, size)]
    for some in sorted(sets, key=lambda some: sum(cost for cost, _, _ in some)):
        if len({word for _, word, _ in some}) == len(some):
            other = best.clone()
            for _, word, value in some:
                other[word] = value
            yield other


def predecessors(order: Sequence[int]) -> Tensor:
    """The values of the encoding ``predecessor`` that give an arrangement."""
    symbols = map(Predecessor().format, Predecessor().encode(order, [""] * len(order)))
    return torch.tensor([0 if symbol == Predecessor.plain else -int(symbol) - 1 for symbol in symbols])


def scores(gold: Sequence[Tree], found: Sequence[Tree]) -> str:
    """F1 / discontinuous F1."""
    result = evaluate(gold, found)
    return f"{result.f1:.2f} / {result.discontinuous.f1:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="name of a model, or a folder")
    parser.add_argument("trees", type=Path)
    parser.add_argument("--sentences", type=int)
    parser.add_argument("--least", type=float, default=0.002)
    parser.add_argument("--most", type=int, default=24)
    given = parser.parse_args()
    torch.set_num_threads(1)
    gold = list(read(given.trees))[: given.sentences]
    model = Model.load(folder(given.model))
    assert isinstance(model.labeller, RereadLabeller)
    engine = Forced(model.labeller, given.least, given.most)
    parse = Parser(model.outline, engine)

    def tree(words: Sequence[str], order: Sequence[int] | None) -> Tree:
        engine.order = order
        (found,) = parse.pipe([words])
        return found

    plain, best, candidates, trees = [], [], [], []
    for one in gold:
        plain.append(tree(one.words, None))
        assert engine.candidates is not None
        candidates.append(engine.candidates)
        best.append(tree(one.words, list(one.order)))
        others = [tree(one.words, order) for order in candidates[-1].orders[1:]]
        trees.append([plain[-1], *others])
    places = [
        found.orders.index(list(one.order)) if list(one.order) in found.orders else None
        for one, found in zip(gold, candidates, strict=True)
    ]
    among = [some[place or 0] for some, place in zip(trees, places, strict=True)]
    has_it = sum(place is not None for place in places)
    print(f"as it is: {scores(gold, plain)}; arrangements right: {places.count(0)} of {len(gold)}")
    print(f"gold arrangements: {scores(gold, best)}")
    mean = sum(map(len, trees)) / len(gold)
    print(f"gold ones among {mean:.1f} candidates: {scores(gold, among)}; {has_it} of {len(gold)} have it")
    tried = []
    for of_ends, of_labels in product(WEIGHTS, WEIGHTS):
        sums = (one.arrangement + of_ends * one.ends + of_labels * one.labels for one in candidates)
        chosen = [some[int(total.argmax())] for some, total in zip(trees, sums, strict=True)]
        result = evaluate(gold, chosen)
        tried.append((result.f1, scores(gold, chosen), of_ends, of_labels))
    _, figures, of_ends, of_labels = max(tried)
    print(f"by log-probabilities, those of ends × {of_ends} and labels × {of_labels}: {figures}")


if __name__ == "__main__":
    main()
