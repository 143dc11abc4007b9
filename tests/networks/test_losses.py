from dataclasses import replace

import pytest
import torch

from permutree.networks.chart import total_score
from permutree.networks.losses import constituent_loss, end_loss, labelling_loss, span_loss
from permutree.networks.tensors import Constituents


def test_loss_is_the_sum_of_cross_entropies() -> None:
    scores = {"levels": torch.randn(2, 3, 5), "tags": torch.randn(2, 3, 4)}
    gold = {"levels": torch.tensor([[0, 4, 2], [1, -1, -1]]), "tags": torch.tensor([[3, -1, 0], [1, -1, -1]])}
    wanted = dict.fromkeys(gold, 0.0)
    for name, values in gold.items():
        for sentence, word in ((0, 0), (0, 1), (0, 2), (1, 0)):
            if values[sentence, word] >= 0:
                wanted[name] -= float(scores[name][sentence, word].log_softmax(0)[values[sentence, word]])
    assert float(labelling_loss(scores, gold)) == pytest.approx(sum(wanted.values()), rel=1e-5)
    weighted = float(labelling_loss(scores, gold, {"levels": 0.25}))
    assert weighted == pytest.approx(0.25 * wanted["levels"] + wanted["tags"], rel=1e-5)


def test_labels_that_nobody_knows_cost_nothing() -> None:
    loss = labelling_loss({"levels": torch.randn(1, 2, 3)}, {"levels": torch.full((1, 2), -1)})
    assert float(loss) == 0


# Two sentences in rows of four positions: one constituent over both words; one over the first two positions, in
# another over all four.
GOLD = Constituents(
    firsts=torch.tensor([0, 4, 4]),
    lasts=torch.tensor([1, 7, 5]),
    boundaries=torch.tensor([0, 4, 5, 6]),
    owners=torch.tensor([0, 2, 1, 1]),
    values=torch.tensor([2, 1, -1]),
    ends=torch.tensor([[0, 1], [0, 1], [0, 3], [0, 3]]),
)


def test_positions_vote_on_constituents() -> None:
    torch.manual_seed(1)
    scores = {name: torch.randn(2, 4, 3) for name in ("shared", "first", "last")}
    shared, first, last = (scores[name].flatten(0, 1) for name in ("shared", "first", "last"))
    small = shared[0] + first[0] + last[1]
    large = shared[5] + shared[6] + first[4] + last[7]
    # The vocabulary does not have the label of the third.
    torch.testing.assert_close(constituent_loss(scores, GOLD), -small.log_softmax(0)[2] - large.log_softmax(0)[1])


def test_both_ends_of_the_constituents_at_boundaries() -> None:
    torch.manual_seed(1)
    scores = torch.randn(2, 2, 4, 4)
    expected = torch.zeros(())
    for place, ends in zip(GOLD.boundaries.tolist(), GOLD.ends.tolist(), strict=True):
        for side, end in enumerate(ends):
            expected -= scores[place // 4, side, place % 4].log_softmax(0)[end]
    torch.testing.assert_close(end_loss(scores, GOLD), expected)


LENGTHS = torch.tensor([2, 4])


def gold_score(scores: torch.Tensor) -> torch.Tensor:
    """The score of the gold trees; the vocabulary does not have the label of the third constituent."""
    return scores[0, 0, 1, 2] + scores[1, 0, 3, 1] + scores[1, 0, 1].logsumexp(0)


def test_spans_by_themselves() -> None:
    torch.manual_seed(1)
    scores = torch.randn(2, 4, 4, 3)
    spans = [(0, 0, 1), *((1, first, last) for first in range(4) for last in range(first + 1, 4))]
    total = sum(torch.cat([torch.zeros(1), scores[span]]).logsumexp(0) for span in spans)
    torch.testing.assert_close(span_loss(scores, GOLD, LENGTHS, "local"), total - gold_score(scores))


def test_the_probability_of_the_gold_tree() -> None:
    torch.manual_seed(1)
    scores = torch.randn(2, 4, 4, 3)
    totals = total_score(scores.logsumexp(3), LENGTHS).sum()
    torch.testing.assert_close(span_loss(scores, GOLD, LENGTHS, "crf"), totals - gold_score(scores))


def test_the_margin_to_the_best_other_tree() -> None:
    scores = torch.full((2, 4, 4, 3), -9.0)
    for span in ((0, 0, 1, 2), (1, 0, 3, 1), (1, 0, 1, 0)):
        scores[span] = 3.0
    gold = replace(GOLD, values=torch.tensor([2, 1, 0]))
    assert float(span_loss(scores, gold, LENGTHS, "margin")) == 0
    # A constituent too many is worth 0.5, and 1 as an error; it crosses one, which is missing then.
    scores[1, 1, 2, 0] = 0.5
    assert float(span_loss(scores, gold, LENGTHS, "margin")) == 0
    scores[1, 1, 2, 0] = 1.5
    assert float(span_loss(scores, gold, LENGTHS, "margin")) == 0.5
    # Another label is worth as much as the true one: two errors.
    scores[0, 0, 1, 0] = 3.0
    assert float(span_loss(scores, gold, LENGTHS, "margin")) == 2.5


@pytest.mark.parametrize("kind", ["local", "crf", "margin"])
def test_gradients_of_spans_are_finite(kind: str) -> None:
    torch.manual_seed(1)
    scores = (50 * torch.randn(2, 4, 4, 3)).requires_grad_()
    (gradients,) = torch.autograd.grad(span_loss(scores, GOLD, LENGTHS, kind), scores)
    assert gradients.isfinite().all()
    assert gradients.any()
    # Nothing is learnt from padding.
    assert not gradients[0, :, 2:].any()
