from hypothesis import given
from hypothesis import strategies as st

from permutree.encoding.permutations.absolute import Absolute
from permutree.encoding.permutations.relative import Relative
from permutree.encoding.repairs import Kind

ABSOLUTE = Absolute()
RELATIVE = Relative()


@given(st.permutations(range(9)))
def test_any_permutation_returns(order: list[int]) -> None:
    for encoding in (ABSOLUTE, RELATIVE):
        assert encoding.decode(encoding.encode(order, ()), (), order[-1]) == (order, [])


def test_the_place_of_a_fixed_point_is_taken_first() -> None:
    # word 0 wants the place of word 2, which stays: of the close places 1 and 3 it takes 1; word 3 gets what is left
    order, repairs = ABSOLUTE.decode([2, 3, None, 1], (), None)
    assert order == [3, 0, 2, 1]
    assert [tuple(change) for change in repairs] == [
        (Kind.PERMUTATION_TAKEN, 0, 1),
        (Kind.PERMUTATION_TAKEN, 3, 0),
    ]


def test_the_closest_free_place_the_left_one_of_two() -> None:
    # word 1 wants 3, which word 0 has; 2 and 4 are free and equally close
    order, repairs = ABSOLUTE.decode([3, 3, 0, 1, 2], (), None)
    assert order == [2, 3, 1, 0, 4]
    assert [tuple(change) for change in repairs] == [
        (Kind.PERMUTATION_TAKEN, 1, 2),
        (Kind.PERMUTATION_TAKEN, 4, None),
    ]


def test_places_outside_the_sentence() -> None:
    order, repairs = RELATIVE.decode([99, None, -99], (), None)
    assert order == [0, 1, 2]
    assert [tuple(change) for change in repairs] == [
        (Kind.PERMUTATION_RANGE, 0, None),
        (Kind.PERMUTATION_RANGE, 2, None),
    ]


def test_the_last_word_gets_the_last_place() -> None:
    # all stay, but word 1 is last: word 3 has to give way, and only place 1 is free
    order, repairs = ABSOLUTE.decode([None, None, None, None], (), 1)
    assert order == [0, 3, 2, 1]
    assert [tuple(change) for change in repairs] == [(Kind.PERMUTATION_LAST, 1, 3), (Kind.PERMUTATION_TAKEN, 3, 1)]


def test_scores_choose_among_free_places() -> None:
    # word 1 wants the taken place 0; its next best symbol names place 3
    order, repairs = ABSOLUTE.decode([None, 0, None, None], (), 3, lambda word: iter([0, None, 3]))
    assert order == [0, 1, 2, 3]
    order, repairs = ABSOLUTE.decode([None, 0, None, 1], (), None, lambda word: iter([0, 3]))
    assert order == [0, 3, 2, 1]
    assert [tuple(change) for change in repairs] == [(Kind.PERMUTATION_TAKEN, 1, 3)]
