"""Random trees for property tests."""

from functools import cache

from hypothesis import strategies as st

from permutree.trees.builder import Leaf, Node, TreeBuilder
from permutree.trees.tree import Tree

#: letters and signs that every format can hold in a word
WORD_ALPHABET = "abcxyzäßéñøŁжש漢𝄞0123456789.,;:!?'\"«»&<>=+*/\\|@$€~^_-[]{}%"
words = st.text(WORD_ALPHABET, min_size=1, max_size=8)
labels = st.sampled_from(["S", "VP", "NP", "PP", "ROOT", "VROOT", "CP-REL", "NP-SBJ", "smain", "X1"])
#: how long chains of unary constituents are
_lengths = st.sampled_from([0, 0, 0, 1, 2])
tags = st.sampled_from(["NN", "VB", "DT", "$,", "$.", "ADJ-N", "PRP$", "n", "let"])


@st.composite
def trees(
    draw: st.DrawFn,
    max_words: int = 12,
    words: st.SearchStrategy[str] = words,
    tags: st.SearchStrategy[str] = tags,
    labels: st.SearchStrategy[str] = labels,
    continuous: bool = False,
) -> Tree:
    """Any tree: items are merged into constituents at random, unary ones too, until one is left.

    Discontinuous trees come from merging items that are not neighbours, up to fully random permutations.
    """
    size = draw(_integers(1, max_words))
    leaves = [Leaf(draw(words), draw(tags)) for _ in range(size)]
    items: list[Node | Leaf] = [_chain(draw, leaf, labels) for leaf in leaves]
    while len(items) > 1:
        chosen = _choose(draw, len(items), draw(_integers(2, min(4, len(items)))), continuous)
        items[chosen[0]] = _chain(draw, Node(draw(labels), [items[index] for index in chosen]), labels)
        items = [item for index, item in enumerate(items) if index not in chosen[1:]]
    root = items[0] if isinstance(items[0], Node) else Node(draw(labels), [items[0]])
    return Tree.of(TreeBuilder(root, leaves))


def _chain(draw: st.DrawFn, item: Node | Leaf, labels: st.SearchStrategy[str]) -> Node | Leaf:
    """The item under a unary chain, which is mostly empty."""
    for _ in range(draw(_lengths)):
        item = Node(draw(labels), [item])
    return item


def _choose(draw: st.DrawFn, total: int, count: int, continuous: bool) -> list[int]:
    if continuous:
        first = draw(_integers(0, total - count))
        return list(range(first, first + count))
    return sorted(draw(_sets(total, count)))


@cache
def _integers(first: int, last: int) -> st.SearchStrategy[int]:
    """Numbers between these; what is made once is validated once."""
    return st.integers(first, last)


@cache
def _sets(total: int, count: int) -> st.SearchStrategy[list[int]]:
    """So many different numbers below another."""
    return st.lists(st.sampled_from(range(total)), min_size=count, max_size=count, unique=True)
