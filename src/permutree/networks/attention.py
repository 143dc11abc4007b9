"""The predecessor of each word, chosen by biaffine attention among the words before it."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F  # noqa: N812 - as everybody calls it
from torch import Tensor, nn

from permutree.encoding.final_punctuation import TRIES

__all__ = ["PredecessorHead", "arrange", "close_arrangements", "closed_values", "last_words"]


class PredecessorHead(nn.Module):
    """Biaffine attention (Dozat and Manning 2017) from each word to the words before it.

    Its values are those of the encoding ``predecessor``: 0 is NEXT, the word just before, 1 the word before that, and
    so on, so that it takes the place of a layer with softmax.
    """

    def __init__(self, inputs: int, values: int, *, size: int, dropout: float = 0.33) -> None:
        super().__init__()
        self.values = values
        self.words = nn.Linear(inputs, size)
        self.predecessors = nn.Linear(inputs, size)
        self.weight = nn.Parameter(torch.zeros(size, size))
        nn.init.orthogonal_(self.weight)
        self.prior = nn.Linear(size, 1)
        #: how likely NEXT is, whatever the words
        self.next = nn.Parameter(torch.full((), 4.0))
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: Tensor) -> Tensor:
        """States [B, T, inputs] to scores [B, T, min(T, values)]; values that lead nowhere are impossible."""
        words = self.dropout(F.gelu(self.words(states)))
        before = self.dropout(F.gelu(self.predecessors(states)))
        scores = (words @ self.weight @ before.transpose(1, 2)).float() / math.sqrt(words.shape[2])
        scores = scores + self.prior(before).float().transpose(1, 2)
        length = states.shape[1]
        places = torch.arange(length, device=states.device)
        # From the numbers of words to how far back they are.
        back = places[:, None] - 1 - torch.arange(min(length, self.values), device=states.device)
        far = scores.gather(2, back.clamp(min=0).expand(len(scores), -1, -1))
        far = far.masked_fill(back < 0, -math.inf)
        # The first word has nothing before it and is always NEXT.
        first = torch.zeros_like(far[:, :1]).masked_fill(places[: far.shape[2]] > 0, -math.inf)
        far = torch.cat([first, far[:, 1:]], 1)
        return torch.cat([far[:, :, :1] + self.next, far[:, :, 1:]], 2)


def close_arrangements(scores: Tensor, lengths: Tensor, closed: Tensor) -> Tensor:
    """The scores of predecessors [B, T, values], changed so that the best make arrangements that end as they must.

    That is, with the last word of the sentence, where that costs no more than ``closed`` [B] allows: see
    :mod:`permutree.encoding.final_punctuation`.
    """
    values = closed_values(scores, lengths, closed)
    is_changed = (values != scores.argmax(2)).any(1)[:, None, None]
    raised = scores.scatter(2, values[:, :, None], scores.amax(2, keepdim=True) + 1)
    return torch.where(is_changed, raised, scores)


def closed_values(scores: Tensor, lengths: Tensor, closed: Tensor) -> Tensor:
    """The best predecessors [B, T] by scores [B, T, values], with one change where an arrangement ends as it must not.

    A GPU changes all sentences and keeps what it needs, as it would be waited for to say which these are.
    """
    values = scores.argmax(2)
    is_wrong = (closed > 0) & (last_words(values, lengths) != lengths - 1)
    if scores.device.type != "cpu":
        return torch.where(is_wrong[:, None], _close(scores, values, lengths, closed), values)
    wrong = is_wrong.nonzero()[:, 0]
    if not len(wrong):
        return values
    return values.index_copy(0, wrong, _close(scores[wrong], values[wrong], lengths[wrong], closed[wrong]))


def _close(scores: Tensor, values: Tensor, lengths: Tensor, most: Tensor) -> Tensor:
    """The values of sentences with the one change that costs least of those that make the last word the last.

    What :func:`permutree.encoding.final_punctuation.close` does, for all sentences at once.
    """
    batch, length, size = scores.shape
    words = torch.arange(length, device=scores.device)
    given = scores.float().log_softmax(2)
    losses = given.gather(2, values[:, :, None]) - given
    is_open = (words > 0) & (words < lengths[:, None])
    is_open = is_open[:, :, None] & (torch.arange(size, device=scores.device) != values[:, :, None])
    losses = losses.masked_fill(~is_open, math.inf).flatten(1)
    # No loss is negative, so that their bits are in their order; of equal ones, the first counts.
    keys = (losses.view(torch.int32).long() << 32) + torch.arange(length * size, device=scores.device)
    cheapest = keys.topk(min(TRIES, length * size), dim=1, largest=False).values & ((1 << 32) - 1)
    tried = values[:, None].expand(-1, cheapest.shape[1], -1)
    tried = tried.scatter(2, (cheapest // size)[:, :, None], (cheapest % size)[:, :, None])
    many = lengths[:, None].expand(-1, cheapest.shape[1]).flatten()
    is_good = last_words(tried.flatten(0, 1), many).view(batch, -1) == lengths[:, None] - 1
    costs = losses.gather(1, cheapest)
    is_good &= costs.isfinite() & (costs <= most[:, None])
    best = is_good.int().argmax(1)[:, None, None].expand(-1, 1, length)
    # Whatever it costs, the last word can come behind the one that would be last without it.
    far = lengths - 2 - last_words(values, lengths - 1)
    is_last = (words == lengths[:, None] - 1) & ((far < size) & most.isinf())[:, None]
    behind = torch.where(is_last, far[:, None], values)
    return torch.where(is_good.any(1, keepdim=True), tried.gather(1, best)[:, 0], behind)


def last_words(values: Tensor, lengths: Tensor) -> Tensor:
    """The last words [B] of the arrangements of predecessors [B, T], which are sooner found than all of them.

    In the tree of :func:`arrange`, the last node is found by going from the root to the earliest child of each node.
    """
    length = values.shape[1]
    words = torch.arange(length, device=values.device).expand_as(values)
    parents = (words - 1 - values).clamp(min=0)
    children = words.masked_fill((words == 0) | (words >= lengths[:, None]), length)
    earliest = torch.full_like(words, length).scatter_reduce(1, parents, children, "amin")
    step = torch.where(earliest < length, earliest, words)
    for _ in range(length.bit_length()):
        step = step.gather(1, step)
    return step[:, 0]


def arrange(values: Tensor, lengths: Tensor) -> Tensor:
    """The arrangements [B, T], position to word, of predecessors [B, T] given as values of the encoding.

    A value that leads out of the sentence leads to its first word. Padding stays where it is.

    Predecessors are the parents of a tree, in which the later of two children comes first, as it was inserted nearer
    to their parent; the arrangement is its preorder. Parents come before their children in the sentence, so that sizes
    of subtrees and places in the preorder, which are sums along paths, are the solutions of triangular equations: all
    words at once, instead of one after the other.
    """
    batch, length = values.shape
    words = torch.arange(length, device=values.device)
    parents = (words - 1 - values).clamp(min=0)[:, :, None]
    is_word = words < lengths[:, None]
    children = torch.zeros(batch, length, length, device=values.device).scatter(2, parents, 1.0)
    children = children * (is_word & (words > 0))[:, :, None]
    own = torch.eye(length, device=values.device)
    ones = is_word[:, :, None].float()
    sizes = torch.linalg.solve_triangular(own - children.transpose(1, 2), ones, upper=True, unitriangular=True)
    # What comes between a parent and its child: the parent itself, and the subtrees of later children.
    subtrees = children * sizes
    later = subtrees.flip(1).cumsum(1).flip(1) - subtrees
    steps = (1 + later.gather(2, parents)) * (words > 0)[:, None]
    places = torch.linalg.solve_triangular(own - children, steps, upper=False, unitriangular=True)
    places = torch.where(is_word, places[:, :, 0].round().long(), words)
    return torch.empty_like(places).scatter(1, places, words.expand(batch, length))
