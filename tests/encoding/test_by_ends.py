import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from permutree.encoding.by_ends import levels_by_ends
from permutree.encoding.codec import depths
from permutree.encoding.constituents import brackets_of
from permutree.trees.tree import Tree
from strategies import trees

Spans = list[tuple[int, int, float]]


@st.composite
def claims(draw: st.DrawFn) -> Spans:
    """For each boundary of a sentence, ends that may be anywhere on its two sides, and how sure they are."""
    size = draw(st.integers(1, 9))
    confidences = draw(st.permutations(range(size - 1)))
    found = []
    for boundary, sure in enumerate(confidences):
        first, last = draw(st.integers(0, boundary)), draw(st.integers(boundary + 1, size - 1))
        found.append((first, last, float(sure)))
    return found


def slowly(spans: Spans) -> list[int]:
    """Take what crosses nothing and is no smaller constituent over a boundary that has its own, by confidence."""
    size = len(spans) + 1
    taken = {(0, size - 1)} if spans else set()
    settled: dict[int, int] = {}
    for boundary in sorted(range(len(spans)), key=lambda boundary: -spans[boundary][2]):
        first, last, _ = spans[boundary]
        if any(first < a <= last < b or a < first <= b < last for a, b in taken):
            continue
        if any(first <= other < last and last - first < extent for other, extent in settled.items()):
            continue
        taken.add((first, last))
        settled[boundary] = min(b - a for a, b in taken if a <= boundary < b)
    return [sum(first <= boundary < last for first, last in taken) for boundary in range(size)]


@settings(max_examples=200, deadline=None)
@given(st.lists(claims(), min_size=1, max_size=5))
def test_the_surest_that_go_together(sentences: list[Spans]) -> None:
    flat = [(*span,) for spans in sentences for span in (*spans, (0, 0, 9.0))]
    firsts, lasts, sure = (np.array(column) for column in zip(*flat, strict=True))
    offsets = np.cumsum([0, *(len(spans) + 1 for spans in sentences)]).astype(np.int32)
    found = levels_by_ends(firsts.astype(np.int32), lasts.astype(np.int32), sure, offsets)
    assert found.tolist() == [level for spans in sentences for level in slowly(spans)]


@settings(max_examples=100, deadline=None)
@given(st.lists(trees(max_words=12), min_size=1, max_size=4))
def test_true_ends_give_true_levels(some: list[Tree]) -> None:
    offsets = np.cumsum([0, *map(len, some)]).astype(np.int32)
    order = np.concatenate([np.array(tree.order) + offset for tree, offset in zip(some, offsets, strict=False)])
    levels = depths(some)[order]
    brackets = brackets_of(levels)
    owners = np.where(levels > 0, brackets.owners, 0)
    bases = np.repeat(offsets[:-1], np.diff(offsets))
    firsts, lasts = (np.zeros(len(levels), np.int32) for _ in range(2))
    if len(brackets.starts):
        firsts, lasts = brackets.starts[owners] - bases, brackets.ends[owners] - 1 - bases
    assert levels_by_ends(firsts, lasts, np.zeros(len(levels)), offsets).tolist() == levels.tolist()


def test_a_long_sentence_among_short_ones() -> None:
    offsets = np.cumsum([0, 2, 3000, 1, 2]).astype(np.int32)
    boundaries = np.concatenate([np.arange(size) for size in np.diff(offsets)])
    # Every constituent ends at the last word.
    lasts = np.repeat(np.diff(offsets) - 1, np.diff(offsets))
    found = levels_by_ends(boundaries, lasts, -boundaries.astype(float), offsets)
    assert found.tolist() == [1, 0, *range(1, 3000), 0, 0, 1, 0]
