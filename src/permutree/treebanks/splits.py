"""Deterministic splits of a treebank into named parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b

from permutree.trees.tree import Tree

__all__ = ["parse_shares", "split_by_hash", "split_by_order"]


def parse_shares(text: str) -> dict[str, float]:
    """The parts and their shares: ``train=80,dev=10,test=10``, or short ``80/10/10``.

    >>> parse_shares("80/10/10")
    {'train': 0.8, 'dev': 0.1, 'test': 0.1}
    """
    if "/" in text:
        parts = dict(zip(("train", "dev", "test"), text.split("/"), strict=True))
    else:
        parts = dict(part.split("=", 1) for part in text.split(","))
    shares = {name.strip(): float(share) for name, share in parts.items()}
    total = sum(shares.values())
    if total <= 0 or min(shares.values()) < 0 or not all(shares):
        raise ValueError("shares must be positive and parts must have names")
    return {name: share / total for name, share in shares.items()}


def split_by_order(trees: Iterable[Tree], shares: Mapping[str, float]) -> Iterator[tuple[str, Tree]]:
    """The first sentences to the first part, and so on; holds all trees in memory, as it must know their number."""
    trees = list(trees)
    start, so_far = 0, 0.0
    for number, (name, share) in enumerate(shares.items(), 1):
        so_far += share
        end = len(trees) if number == len(shares) else round(so_far * len(trees))
        for tree in trees[start:end]:
            yield name, tree
        start = end


def split_by_hash(trees: Iterable[Tree], shares: Mapping[str, float]) -> Iterator[tuple[str, Tree]]:
    """Each sentence to a part that its words alone decide: stable when the corpus grows, and repeats stay together."""
    for tree in trees:
        digest = blake2b("\0".join(tree.words).encode("utf-8", "surrogatepass"), digest_size=8).digest()
        place = int.from_bytes(digest, "big") / 2**64
        so_far = 0.0
        name = ""
        for name, share in shares.items():  # noqa: B007 - the last part takes what rounding leaves over
            so_far += share
            if place < so_far:
                break
        yield name, tree
