"""What a treebank, or a parser, says about a sentence beside its tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["NO_ANNOTATIONS", "Annotations", "SecondaryEdge"]


class SecondaryEdge(NamedTuple):
    """An edge beside the tree. Nodes are numbered: words from 0, then constituents in preorder."""

    child: int
    parent: int
    label: str


@dataclass(frozen=True, slots=True)
class Annotations:
    """Facts about a sentence, its words and its constituents; to parse, none of them is needed.

    The tuples are None where nothing is known, and hold None for a word or node that has no value.
    """

    id: str | None = None
    lemmas: tuple[str | None, ...] | None = None
    morphology: tuple[str | None, ...] | None = None
    #: edge labels, one per node: words first, then constituents in preorder
    functions: tuple[str | None, ...] | None = None
    secondary: tuple[SecondaryEdge, ...] = ()
    comment: str | None = None
    #: further facts about the sentence: (name, value)
    info: tuple[tuple[str, str], ...] = ()
    #: where each word stands in the text that it was found in: half-open intervals of characters
    offsets: tuple[tuple[int, int] | None, ...] | None = None
    #: how sure the parser is of each constituent, in preorder: 1 is certain
    confidence: tuple[float | None, ...] | None = None


NO_ANNOTATIONS = Annotations()
