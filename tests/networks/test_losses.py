from dataclasses import fields, replace
from itertools import product

import pytest
import torch

from permutree.networks.chart import total_score
from permutree.networks.losses import Taught, constituent_loss, end_loss, labelling_loss, span_loss
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
    torch.testing.assert_close(end_loss({"ends": scores}, GOLD), expected)


LENGTHS = torch.tensor([2, 4])


def gold_score(scores: torch.Tensor) -> torch.Tensor:
    """The score of the gold trees; the vocabulary does not have the label of the third constituent."""
    return scores[0, 0, 1, 2] + scores[1, 0, 3, 1] + scores[1, 0, 1].logsumexp(0)


def test_spans_by_themselves() -> None:
    torch.manual_seed(1)
    scores = torch.randn(2, 4, 4, 3)
    spans = [(0, 0, 1), *((1, first, last) for first in range(4) for last in range(first + 1, 4))]
    total = sum(torch.cat([torch.zeros(1), scores[span]]).logsumexp(0) for span in spans)
    torch.testing.assert_close(span_loss({"spans": scores}, GOLD, LENGTHS, "local"), total - gold_score(scores))


def test_the_probability_of_the_gold_tree() -> None:
    torch.manual_seed(1)
    scores = torch.randn(2, 4, 4, 3)
    totals = total_score(scores.logsumexp(3), LENGTHS)[0].sum()
    torch.testing.assert_close(span_loss({"spans": scores}, GOLD, LENGTHS, "crf"), totals - gold_score(scores))


def test_the_margin_to_the_best_other_tree() -> None:
    scores = torch.full((2, 4, 4, 3), -9.0)
    for span in ((0, 0, 1, 2), (1, 0, 3, 1), (1, 0, 1, 0)):
        scores[span] = 3.0
    gold = replace(GOLD, values=torch.tensor([2, 1, 0]))
    assert float(span_loss({"spans": scores}, gold, LENGTHS, "margin")) == 0
    # A constituent too many is worth 0.5, and 1 as an error; it crosses one, which is missing then.
    scores[1, 1, 2, 0] = 0.5
    assert float(span_loss({"spans": scores}, gold, LENGTHS, "margin")) == 0
    scores[1, 1, 2, 0] = 1.5
    assert float(span_loss({"spans": scores}, gold, LENGTHS, "margin")) == 0.5
    # Another label is worth as much as the true one: two errors.
    scores[0, 0, 1, 0] = 3.0
    assert float(span_loss({"spans": scores}, gold, LENGTHS, "margin")) == 2.5


@pytest.mark.parametrize("kind", ["local", "crf", "margin"])
def test_gradients_of_spans_are_finite(kind: str) -> None:
    torch.manual_seed(1)
    scores = (50 * torch.randn(2, 4, 4, 3)).requires_grad_()
    (gradients,) = torch.autograd.grad(span_loss({"spans": scores}, GOLD, LENGTHS, kind), scores)
    assert gradients.isfinite().all()
    assert gradients.any()
    # Nothing is learnt from padding.
    assert not gradients[0, :, 2:].any()


# Agreement: every sentence is there twice.


def cross_entropy(known: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    return -(known.softmax(0) * scores.log_softmax(0)).sum()


def test_labels_that_are_to_agree() -> None:
    torch.manual_seed(1)
    scores = {"levels": torch.randn(2, 3, 5)}
    gold = {"levels": torch.tensor([[0, 4, -1], [0, 4, -1]])}
    one, other = scores["levels"]
    expected = sum(cross_entropy(other[word], one[word]) + cross_entropy(one[word], other[word]) for word in range(2))
    found = labelling_loss(scores, gold, {"levels": 0.5}, agreement=3.0) - labelling_loss(scores, gold, {"levels": 0.5})
    torch.testing.assert_close(found, 1.5 * expected)


def test_impossible_values_agree() -> None:
    scores = torch.tensor([[[0.0, -torch.inf]], [[1.0, -torch.inf]]], requires_grad=True)
    loss = labelling_loss({"permutation": scores}, {"permutation": torch.zeros(2, 1, dtype=torch.long)}, agreement=1.0)
    (gradients,) = torch.autograd.grad(loss, scores)
    assert float(loss.detach()) == 0
    assert not gradients.any()


#: a sentence of three words with two constituents, twice
TWICE = Constituents(
    firsts=torch.tensor([0, 1, 3, 4]),
    lasts=torch.tensor([2, 2, 5, 5]),
    boundaries=torch.tensor([0, 1, 3, 4]),
    owners=torch.tensor([0, 1, 2, 3]),
    values=torch.tensor([1, 0, 1, 0]),
    ends=torch.tensor([[0, 2], [1, 2], [0, 2], [1, 2]]),
)
#: its trees: the constituents beside the whole sentence
TREES = ((), ((0, 1),), ((1, 2),))


def log_probabilities(scores: torch.Tensor) -> torch.Tensor:
    """Of all trees with all labels, by the scores of spans of one sentence of three words."""
    spans = [[(0, 2), *tree] for tree in TREES]
    totals = [
        torch.stack([scores[span][label] for span, label in zip(tree, labels, strict=True)]).sum()
        for tree in spans
        for labels in product(range(scores.shape[2]), repeat=len(tree))
    ]
    return torch.stack(totals).log_softmax(0)


def test_trees_that_are_to_agree() -> None:
    torch.manual_seed(1)
    scores = torch.randn(2, 3, 3, 2)
    one, other = (log_probabilities(half) for half in scores)
    expected = -(other.exp() * one).sum() - (one.exp() * other).sum()
    lengths = torch.tensor([3, 3])
    found = span_loss({"spans": scores}, TWICE, lengths, "crf", agreement=2.0) - span_loss(
        {"spans": scores}, TWICE, lengths, "crf"
    )
    torch.testing.assert_close(found, 2 * expected)


def test_spans_by_themselves_that_are_to_agree() -> None:
    torch.manual_seed(1)
    scores = torch.randn(2, 3, 3, 2)
    expected = torch.zeros(())
    for span in ((0, 1), (0, 2), (1, 2)):
        one, other = (torch.cat([torch.zeros(1), half[span]]) for half in scores)
        expected += cross_entropy(one, other) + cross_entropy(other, one)
    lengths = torch.tensor([3, 3])
    found = span_loss({"spans": scores}, TWICE, lengths, "local", agreement=1.0) - span_loss(
        {"spans": scores}, TWICE, lengths, "local"
    )
    torch.testing.assert_close(found, expected)


def test_what_agrees_is_not_pulled_anywhere() -> None:
    torch.manual_seed(1)
    ends = torch.randn(1, 2, 3, 3).repeat(2, 1, 1, 1).requires_grad_()
    votes = {name: torch.randn(1, 3, 2).repeat(2, 1, 1).requires_grad_() for name in ("shared", "first", "last")}
    spans = torch.randn(1, 3, 3, 2).repeat(2, 1, 1, 1).requires_grad_()
    lengths = torch.tensor([3, 3])

    def gradients(agreement: float) -> tuple[torch.Tensor, ...]:
        loss = end_loss({"ends": ends}, TWICE, agreement=agreement) + constituent_loss(
            votes, TWICE, agreement=agreement
        )
        loss = loss + span_loss({"spans": spans}, TWICE, lengths, "crf", agreement=agreement)
        return torch.autograd.grad(loss, [ends, *votes.values(), spans])

    torch.testing.assert_close(gradients(5.0), gradients(0.0))


# Distillation: teachers have read the same sentences.


def test_labels_that_are_taught() -> None:
    torch.manual_seed(1)
    student, *teachers = torch.randn(3, 1, 3, 4)
    gold = {"levels": torch.tensor([[0, 2, -1]])}
    means = torch.stack([one[0].softmax(1) for one in teachers]).mean(0)
    expected = -(means * student[0].log_softmax(1))[:2].sum()
    # A teacher without the head says nothing of it.
    taught = Taught([{"levels": teachers[0]}, {"tags": student}, {"levels": teachers[1]}], 3.0)
    scores, weights = {"levels": student}, {"levels": 0.5}
    found = labelling_loss(scores, gold, weights, taught=taught) - labelling_loss(scores, gold, weights)
    torch.testing.assert_close(found, 1.5 * expected)


def test_trees_that_are_taught() -> None:
    torch.manual_seed(1)
    student, *teachers = torch.randn(3, 1, 3, 3, 2)
    once = replace(TWICE, **{field.name: getattr(TWICE, field.name)[:2] for field in fields(TWICE)})
    means = torch.stack([log_probabilities(one[0]).exp() for one in teachers]).mean(0)
    expected = -(means * log_probabilities(student[0])).sum()
    scores, lengths = {"spans": student}, torch.tensor([3])
    taught = Taught([{"spans": one} for one in teachers], 2.0)
    found = span_loss(scores, once, lengths, "crf", taught=taught) - span_loss(scores, once, lengths, "crf")
    torch.testing.assert_close(found, 2 * expected)


@pytest.mark.parametrize("kind", ["local", "crf"])
def test_who_is_like_the_teacher_learns_nothing_from_it(kind: str) -> None:
    torch.manual_seed(1)
    scores = {name: torch.randn(2, 3, 2).requires_grad_() for name in ("shared", "first", "last")}
    scores |= {"ends": torch.randn(2, 2, 3, 3).requires_grad_(), "spans": torch.randn(2, 3, 3, 2).requires_grad_()}
    teacher = {name: one.detach() for name, one in scores.items()}
    # Ends come as logarithms of probabilities.
    teacher["ends"] = teacher["ends"].log_softmax(3)
    lengths = torch.tensor([3, 3])

    def gradients(taught: Taught) -> tuple[torch.Tensor, ...]:
        loss = end_loss(scores, TWICE, taught=taught) + constituent_loss(scores, TWICE, taught=taught)
        loss = loss + span_loss(scores, TWICE, lengths, kind, taught=taught)
        return torch.autograd.grad(loss, [*scores.values()])

    torch.testing.assert_close(gradients(Taught([teacher, teacher], 5.0)), gradients(Taught()))


def test_scores_of_spans_teach_labels() -> None:
    torch.manual_seed(1)
    scores = {name: torch.randn(2, 3, 2) for name in ("shared", "first", "last")}
    spans = torch.randn(2, 3, 3, 2)
    votes = torch.stack([one for half in range(2) for one in (_votes(scores, half, 0, 2), _votes(scores, half, 1, 2))])
    told = torch.stack([spans[half, first, 2] for half in range(2) for first in (0, 1)])
    expected = sum(cross_entropy(one, other) for one, other in zip(told, votes, strict=True))
    found = constituent_loss(scores, TWICE, taught=Taught([{"spans": spans}], 1.0)) - constituent_loss(scores, TWICE)
    torch.testing.assert_close(found, expected)


def _votes(scores: dict[str, torch.Tensor], half: int, first: int, last: int) -> torch.Tensor:
    """The votes on the label of a constituent of TWICE, which owns the boundary behind its first word."""
    return scores["first"][half, first] + scores["last"][half, last] + scores["shared"][half, first]
