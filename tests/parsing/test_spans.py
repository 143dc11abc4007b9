import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from permutree.parsing.spans import choose_spans

Claims = list[tuple[int, int, float]]


@st.composite
def claims(draw: st.DrawFn) -> Claims:
    """For each boundary of a sentence, ends that may be anywhere on its two sides, and how probable they are."""
    size = draw(st.integers(1, 9))
    scores = draw(st.permutations(range(size - 1)))
    found = []
    for boundary, score in enumerate(scores):
        first, last = draw(st.integers(0, boundary)), draw(st.integers(boundary + 1, size - 1))
        found.append((first, last, float(score)))
    return found


def slowly(spans: Claims) -> list[tuple[int, int]]:
    """Take what crosses nothing and is no smaller constituent over a boundary that has its own, by probability."""
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
    over = [[span for span in taken if span[0] <= boundary < span[1]] for boundary in range(len(spans))]
    return [min(spans, key=lambda span: span[1] - span[0]) for spans in over]


def chosen(sentences: list[Claims]) -> list[list[tuple[int, int]]]:
    """The smallest constituents over all boundaries: first and last position."""
    flat = [span for spans in sentences for span in (*spans, (0, 0, 9.0))]
    offsets = np.cumsum([0, *(len(spans) + 1 for spans in sentences)]).astype(np.int32)
    ends = np.array([span[:2] for span in flat], np.int32)
    starts, stops = choose_spans(ends, np.array([span[2] for span in flat]), offsets)
    found = []
    for base, end in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        places = range(base, end - 1)
        found.append([(int(starts[place]) - base, int(stops[place]) - 1 - base) for place in places])
    return found


@settings(max_examples=200, deadline=None)
@given(st.lists(claims(), min_size=1, max_size=5))
def test_the_most_probable_that_go_together(sentences: list[Claims]) -> None:
    assert chosen(sentences) == [slowly(spans) for spans in sentences]


def test_ends_out_of_the_sentence_are_taken_for_its_ends() -> None:
    assert chosen([[(-5, 99, 0.0), (7, 0, -1.0)]]) == [[(0, 2), (1, 2)]]


def test_a_long_sentence_among_short_ones() -> None:
    # Every constituent ends at the last word.
    sentences = [[(place, size - 1, -float(place)) for place in range(size - 1)] for size in (2, 3000, 1, 2)]
    assert chosen(sentences) == [[(place, size - 1) for place in range(size - 1)] for size in (2, 3000, 1, 2)]
