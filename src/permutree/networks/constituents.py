"""Constituents and their labels chosen on the device that has scored them, a whole batch at once.

What :mod:`permutree.parsing.spans` and :mod:`permutree.parsing.structured` do with arrays, so that a GPU need not hand
over the scores of all labels, and nobody waits for it: nothing here depends on what was computed before.
"""

from __future__ import annotations

from itertools import islice

import torch
from torch import Tensor

__all__ = ["choose_labels", "choose_spans"]


def choose_spans(ends: Tensor, scores: Tensor, lengths: Tensor) -> Tensor:
    """The first and last position [B, T, 2] of the smallest constituent over the boundary behind each position.

    ``ends`` [B, T, 2] are claims, and ``scores`` [B, T] how probable they are. The most probable are taken first, if
    they go with those that were taken before. What is said of last positions and of padding means nothing.
    """
    _, length = scores.shape
    places = torch.arange(length, device=scores.device)
    counts = (lengths - 1)[:, None]
    firsts = torch.minimum(ends[:, :, 0].long().clamp(min=0), places)
    lasts = torch.minimum(torch.maximum(ends[:, :, 1].long(), places + 1), torch.maximum(counts, places + 1))
    order = torch.where(places < counts, -scores.float(), torch.inf).sort(dim=1, stable=True).indices
    # By rank: where claims begin and end.
    firsts, lasts = firsts.gather(1, order), lasts.gather(1, order)
    # A boundary has the slot behind its position; the first and the last slot stand for all that is outside.
    slots = torch.arange(length + 2, device=scores.device)
    # Of the smallest constituent over each boundary so far, its last position, minus its first one, and how long it is;
    # at first that is the whole sentence. What is outside crosses nothing.
    whole = torch.stack([counts, torch.zeros_like(counts), counts]).expand(3, -1, length + 2)
    smallest = torch.where((slots == 0) | (slots == length + 1), 2 * length, whole)
    # A claim crosses no constituent if that of the boundary before it ends behind it, and that of the boundary behind
    # it begins before it. What claims nothing wants too much.
    claims = torch.stack([lasts, -firsts, lasts - firsts])
    claims = claims.masked_fill(order >= counts, 4 * length)
    around = torch.stack([firsts, torch.where(lasts >= counts, length + 1, lasts + 1)])
    inside = (slots > firsts[:, :, None]) & (slots <= lasts[:, :, None])
    own = slots == order[:, :, None] + 1
    is_settled = torch.zeros_like(own[:, 0])
    # A GPU waits for each of these steps to be given to it, so that there are as few as possible.
    by_rank = zip(
        claims[:, :, :, None].unbind(2),
        around[:, :, :, None].unbind(2),
        inside.unbind(1),
        own.unbind(1),
        strict=True,
    )
    for claim, at, window, place in islice(by_rank, length - 1):
        fits = (smallest[:2].gather(2, at) >= claim[:2]).all(0)
        is_smallest = window & (smallest[2] > claim[2])
        is_taken = fits > (is_smallest & is_settled).any(1, keepdim=True)
        is_settled = is_settled | (place & is_taken)
        smallest = torch.where(is_smallest & is_taken, claim, smallest)
    return torch.stack([-smallest[1], smallest[0]], 2)[:, 1:-1]


def choose_labels(spans: Tensor, lengths: Tensor, scores: dict[str, Tensor], is_label: Tensor) -> Tensor:
    """The label [B, T] of the constituent over the boundary behind each position, of those that ``is_label`` allows.

    ``scores`` are those of labels [B, T, labels] at the boundaries of a constituent (``shared``), which are added from
    left to right, and, if there are such, at its ``first`` and ``last`` word.
    """
    batch, length, _ = spans.shape
    places = torch.arange(batch * length, device=spans.device)
    positions, bases = places % length, places // length * length
    # Boundaries of a constituent have the same key; what is no boundary has one of its own.
    starts, ends = (bases + spans[:, :, side].flatten() for side in (0, 1))
    is_boundary = positions < (lengths - 1)[:, None].expand(batch, length).flatten()
    keys = torch.where(is_boundary, starts * len(places) + ends, len(places) ** 2 + places)
    keys, order = keys.sort(dim=0, stable=True)
    owners = torch.cat([torch.zeros_like(places[:1]), (keys[1:] != keys[:-1]).long()]).cumsum(0)
    counts = torch.zeros_like(places).scatter_add(0, owners, torch.ones_like(places))
    votes = torch.segment_reduce(scores["shared"].float().flatten(0, 1)[order], "sum", lengths=counts, unsafe=True)
    # There are fewer constituents than places, and what follows the last of them means nothing.
    lowest = order[(counts.cumsum(0) - counts).clamp(max=len(places) - 1)]
    for name, at in (("first", starts), ("last", ends)):
        if name in scores:
            votes = votes + scores[name].float().flatten(0, 1)[at[lowest]]
    best = votes.masked_fill(~is_label, -torch.inf).argmax(1)
    found = torch.empty_like(places).scatter(0, order, best[owners])
    return found.view(batch, length)
