"""What decoding by scores of spans is worth: the best tree, greedily chosen spans, and spans by their probabilities.

    python lab/benchmarks/span_decoding.py MODEL… --gold TREES [--device cuda]

``exact`` is the best tree of a chart, as the parser has it. ``greedy`` takes spans by their scores, the best first, if
they cross none that was taken. ``probable`` is the tree whose constituents have the highest sum of probabilities, each
less a threshold. ``gold order`` is the best tree over the arrangements of the gold trees.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor

from permutree import Tree, evaluate
from permutree.formats import read
from permutree.model.folder import SPANS
from permutree.networks.attention import arrange, close_arrangements
from permutree.networks.chart import best_tree
from permutree.networks.model import Model
from permutree.networks.reread import RereadLabeller, arrange_states
from permutree.networks.spans import SpanHead
from permutree.networks.tensors import as_tensors
from permutree.parsing.chart import smallest_spans
from permutree.parsing.engines import ENDS, LABELS, ORDER, Values
from permutree.parsing.parser import Parser
from permutree.parsing.structured import decode_spans
from permutree.parsing.torch_engine import TorchEngine

#: scores of spans [B, T, T, labels] and lengths to the spans that are taken [B, T, T]
Choose = Callable[[Tensor, Tensor], Tensor]

BATCH = 64


def exact(scores: Tensor, lengths: Tensor) -> Tensor:
    return best_tree(scores.amax(3), lengths)


def greedy(scores: Tensor, lengths: Tensor) -> Tensor:
    best = scores.amax(3).cpu()
    taken = torch.zeros_like(best, dtype=torch.bool)
    for row, length in enumerate(lengths.tolist()):
        spans = [(0, length - 1)] if length > 1 else []
        places = (best[row, :length, :length].triu(1) > 0).nonzero().tolist()
        for first, last in sorted(places, key=lambda span: -float(best[row, span[0], span[1]])):
            if not any(first < other <= last < end or other < first <= end < last for other, end in spans):
                spans.append((first, last))
        for first, last in spans:
            taken[row, first, last] = True
    return taken


def probable(head: SpanHead, threshold: float) -> Choose:
    return lambda scores, lengths: best_tree(head.probabilities(scores, lengths) - threshold, lengths)


@torch.no_grad()
def parse(model: Model, trees: Sequence[Tree], choose: Choose, device: str, *, gold_order: bool) -> list[Tree]:
    """The trees of the words of some trees."""
    labeller, codec = model.labeller, model.codec
    assert isinstance(labeller, RereadLabeller)
    assert codec is not None
    parser = Parser(model.outline, TorchEngine(labeller, device))
    parsed: list[Tree] = []
    for start in range(0, len(trees), BATCH):
        some = trees[start : start + BATCH]
        words = [tree.words for tree in some]
        inputs = as_tensors(model.features.arrays(words, None).batch(np.arange(len(words)))).to(device)
        states, heads = labeller.read(inputs)
        given = heads["permutation"]
        if (closed := parser.closed_sentences(words)) is not None:
            given = close_arrangements(given, inputs.lengths, torch.from_numpy(closed).to(device))
        order = arrange(given.argmax(2), inputs.lengths)
        if gold_order:
            for row, tree in enumerate(some):
                order[row, : len(tree)] = torch.tensor(tree.order, device=device)
        heads |= labeller.reread(arrange_states(states, order), inputs.lengths, inputs.mask)
        scores = heads[SPANS].float()
        ends = smallest_spans(choose(scores, inputs.lengths).cpu().numpy())
        labels = scores.argmax(3).cpu().numpy()[np.arange(len(words))[:, None], ends[:, :, 0], ends[:, :, 1]]
        inside = inputs.mask.cpu().numpy()
        found: Values = {ORDER: order.int().cpu().numpy()[inside], ENDS: ends[inside], LABELS: labels[inside]}
        found["unary"] = heads["unary"].argmax(2).int().cpu().numpy()[inside]
        parsed += decode_spans(codec, found, words, [tree.tags for tree in some]).trees()
    return parsed


def main() -> None:
    """Print a table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("models", nargs="+")
    options.add_argument("--gold", required=True)
    options.add_argument("--device", default="cpu")
    given = options.parse_args()
    gold = list(read(given.gold))
    print("| model | decoding | F1 | P | R | disc. F1 |")
    print("|---|---|---:|---:|---:|---:|")
    for folder in given.models:
        model = Model.load(folder, given.device)
        head = model.labeller.get_submodule("spans")
        assert isinstance(head, SpanHead)
        ways: dict[str, Choose] = {"exact": exact, "greedy": greedy}
        ways |= {f"probable, {threshold}": probable(head, threshold) for threshold in (0.2, 0.25, 0.3, 0.35, 0.4, 0.5)}
        for name, choose in (*ways.items(), ("gold order", exact)):
            scores = evaluate(gold, parse(model, gold, choose, given.device, gold_order=name == "gold order"))
            whole, disc = scores.overall, scores.discontinuous
            figures = (whole.f1, whole.precision, whole.recall, disc.f1)
            print(f"| {folder} | {name} | {' | '.join(f'{figure or 0:.2f}' for figure in figures)} |", flush=True)


if __name__ == "__main__":
    main()
