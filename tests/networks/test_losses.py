import pytest
import torch

from permutree.networks.losses import constituent_loss, end_loss, labelling_loss
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
