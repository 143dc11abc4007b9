"""Constituents and their labels chosen on the device that has scored them, a whole batch at once.

What :mod:`permutree.parsing.spans` and :mod:`permutree.parsing.structured` do with arrays, so that a GPU need not hand
over the scores of all labels, and nobody waits for it: nothing here depends on what was computed before.
"""

from __future__ import annotations

import torch
from torch import Tensor

__all__ = ["choose_labels", "choose_spans"]


def choose_spans(ends: Tensor, scores: Tensor, lengths: Tensor) -> Tensor:
    """The first and last position [B, T, 2] of the smallest constituent over the boundary behind each position.

    ``ends`` [B, T, 2] are claims, and ``scores`` [B, T] how probable they are. The most probable are taken first, if
    they go with those that were taken before. What is said of last positions and of padding means nothing.
    """
    batch, length = scores.shape
    places = torch.arange(length, device=scores.device)
    counts = (lengths - 1)[:, None]
    firsts = torch.minimum(ends[:, :, 0].long().clamp(min=0), places)
    lasts = torch.minimum(torch.maximum(ends[:, :, 1].long(), places + 1), torch.maximum(counts, places + 1))
    order = torch.where(places < counts, -scores.float(), torch.inf).sort(dim=1, stable=True).indices
    # By rank: where claims begin and end, and whether there is a boundary at all.
    firsts, lasts = firsts.gather(1, order), lasts.gather(1, order)
    is_boundary = order < counts
    before, behind = (firsts - 1).clamp(min=0), lasts.clamp(max=length - 1)
    is_first, is_last, extents = firsts == 0, lasts >= counts, lasts - firsts
    # The smallest constituent over each boundary so far, which at first is the whole sentence.
    begin, end = torch.zeros_like(firsts), counts.expand(batch, length).clone()
    extent = end.clone()
    is_settled = torch.zeros_like(is_boundary)
    for rank in range(length - 1):
        at = slice(rank, rank + 1)
        first, last, size = firsts[:, at], lasts[:, at], extents[:, at]
        is_taken = is_boundary[:, at] & (is_first[:, at] | (end.gather(1, before[:, at]) >= last))
        is_taken &= is_last[:, at] | (begin.gather(1, behind[:, at]) <= first)
        is_smallest = (places >= first) & (places < last) & (extent > size)
        is_taken &= ~(is_smallest & is_settled).any(1, keepdim=True)
        is_settled |= is_taken & (places == order[:, at])
        is_smallest &= is_taken
        begin = torch.where(is_smallest, first, begin)
        end = torch.where(is_smallest, last, end)
        extent = torch.where(is_smallest, size, extent)
    return torch.stack([begin, end], 2)


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
