"""Charts over spans, beside all trees of short sentences, one by one."""

from collections.abc import Iterator

import pytest
import torch
from torch import Tensor

from permutree.networks.chart import best_score, best_tree, span_probabilities, total_score

Spans = frozenset[tuple[int, int]]

LENGTHS = torch.tensor([6, 4, 2, 1])


def constituents(first: int, last: int) -> Iterator[Spans]:
    """All constituents from one position to another, each with all that is in it; a word is none."""
    if first == last:
        yield frozenset()
    else:
        yield from (inside | {(first, last)} for inside in sequences(first, last, 2))


def sequences(first: int, last: int, least: int) -> Iterator[Spans]:
    """All sequences of at least so many constituents and words."""
    if least == 1:
        yield from constituents(first, last)
    for middle in range(first, last):
        for one in constituents(first, middle):
            yield from (one | rest for rest in sequences(middle + 1, last, max(1, least - 1)))


def score(spans: Spans, scores: Tensor) -> Tensor:
    return sum((scores[span] for span in spans), torch.zeros(()))


@pytest.fixture(params=[1, 2, 3])
def scores(request: pytest.FixtureRequest) -> Tensor:
    torch.manual_seed(request.param)
    return (2 * torch.randn(len(LENGTHS), 6, 6)).requires_grad_()


def test_the_sum_over_all_trees(scores: Tensor) -> None:
    totals, probabilities = total_score(scores, LENGTHS)
    (shares,) = torch.autograd.grad(totals.sum(), scores)
    expected = torch.zeros_like(scores)
    for row, length in enumerate(LENGTHS.tolist()):
        trees = [*constituents(0, length - 1)]
        weights = torch.stack([score(tree, scores[row].detach()) for tree in trees])
        torch.testing.assert_close(totals[row], weights.logsumexp(0))
        for tree, share in zip(trees, weights.softmax(0), strict=True):
            for first, last in tree:
                expected[row, first, last] += share
    torch.testing.assert_close(shares, expected)
    torch.testing.assert_close(probabilities, expected)
    assert not probabilities.requires_grad
    torch.testing.assert_close(span_probabilities(scores.detach(), LENGTHS), expected)


def test_the_best_tree(scores: Tensor) -> None:
    best = best_score(scores, LENGTHS)
    (found,) = torch.autograd.grad(best.sum(), scores)
    assert (found > 0).equal(best_tree(scores, LENGTHS))
    for row, length in enumerate(LENGTHS.tolist()):
        tree = max(constituents(0, length - 1), key=lambda spans: float(score(spans, scores[row].detach())))
        assert {(first, last) for first, last in found[row].nonzero().tolist()} == tree
        torch.testing.assert_close(best[row], score(tree, scores[row]))


def test_sentences_do_not_depend_on_each_other(scores: Tensor) -> None:
    together = best_tree(scores, LENGTHS)
    for row, length in enumerate(LENGTHS.tolist()):
        alone = best_tree(scores[row : row + 1, :length, :length], LENGTHS[row : row + 1])
        assert alone[0].equal(together[row, :length, :length])
        assert not together[row, length:].any()
