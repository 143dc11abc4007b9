from hypothesis import given
from hypothesis import strategies as st

from permutree.encoding.permutations.inverse_lehmer import InverseLehmer
from permutree.encoding.permutations.lehmer import Lehmer, lehmer_code
from permutree.encoding.repairs import Kind

LEHMER = Lehmer()
INVERSE = InverseLehmer()


def test_the_example_of_the_paper() -> None:
    assert LEHMER.encode([0, 1, 3, 4, 2], ()) == [0, 0, 1, 1, 0]
    assert INVERSE.encode([0, 1, 3, 4, 2], ()) == [0, 0, 2, 0, 0]


@given(st.permutations(range(9)))
def test_any_permutation_returns(order: list[int]) -> None:
    for encoding in (LEHMER, INVERSE):
        assert encoding.decode(encoding.encode(order, ()), (), order[-1]) == (order, [])


@given(st.permutations(range(8)))
def test_the_code_counts_smaller_ones_to_the_right(order: list[int]) -> None:
    assert lehmer_code(order) == [sum(b < a for b in order[i + 1 :]) for i, a in enumerate(order)]


def test_beyond_the_words_left_the_last_one_is_selected() -> None:
    order, changes = LEHMER.decode([5, 0, 3, 0], (), None)
    assert order == [3, 0, 2, 1]
    assert [tuple(change) for change in changes] == [(Kind.PERMUTATION_RANGE, 0, 3), (Kind.PERMUTATION_RANGE, 2, 1)]
    assert LEHMER.decode([-1, 0, 0], (), None)[0] == [2, 0, 1]


def test_beyond_the_blanks_left_the_last_one_is_filled() -> None:
    order, changes = INVERSE.decode([5, 0, 3, 0], (), None)
    assert order == [1, 3, 2, 0]
    assert [tuple(change) for change in changes] == [(Kind.PERMUTATION_RANGE, 0, 3), (Kind.PERMUTATION_RANGE, 2, 1)]


def test_scores_choose_among_numbers_in_range() -> None:
    order, _ = LEHMER.decode([9, 0, 0], (), None, lambda word: iter([9, 1, 0]))
    assert order == [1, 0, 2]
