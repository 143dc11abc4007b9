"""Pointers among coarse tags (appendix A.1): fewer values, and the word pointed to is counted among more."""

from __future__ import annotations

from permutree.encoding.permutations.pointer import Pointer

__all__ = ["PointerSimplified"]


class PointerSimplified(Pointer):
    """NEXT, or how many words with a coarse tag to count back."""

    name = "pointer-simplified"
    paper = 6
    needs_tagset = True
