from hypothesis import given
from hypothesis import strategies as st

from permutree.encoding.permutations.pointer import Pointer
from permutree.encoding.permutations.pointer_simplified import PointerSimplified
from permutree.encoding.repairs import Kind
from permutree.encoding.tagsets import TAGSETS

POINTER = Pointer()


@given(st.permutations(range(1, 9)), st.lists(st.sampled_from("AB"), min_size=9, max_size=9))
def test_any_arrangement_that_starts_with_the_first_word_returns(rest: list[int], tags: list[str]) -> None:
    order = [0, *rest]
    assert POINTER.decode(POINTER.encode(order, tags), tags, order[-1]) == (order, [])


def test_the_last_word_may_come_early_in_the_sentence() -> None:
    order = [0, 3, 2, 1]
    symbols = POINTER.encode(order, ["A", "A", "A", "A"])
    assert symbols == [None, None, (2, "A"), (3, "A")]
    assert POINTER.decode(symbols, ["A"] * 4, 1) == (order, [])


def test_too_distant_a_pointer_goes_to_the_first_word_with_the_tag() -> None:
    order, changes = POINTER.decode([None, None, None, (5, "A")], ["A", "A", "B", "B"], 2)
    assert order == [0, 3, 1, 2]
    assert [tuple(change) for change in changes] == [(Kind.PERMUTATION_POINTER, 3, (2, "A"))]


def test_a_pointer_to_a_tag_that_did_not_occur_is_next() -> None:
    order, changes = POINTER.decode([(1, "A"), None, (1, "C"), None], ["A", "A", "B", "C"], 3)
    assert order == [0, 1, 2, 3]
    assert [tuple(change) for change in changes] == [
        (Kind.PERMUTATION_POINTER, 0, None),
        (Kind.PERMUTATION_POINTER, 2, None),
    ]


def test_scores_choose_among_pointers_that_lead_somewhere() -> None:
    ranked = lambda word: iter([(5, "A"), (1, "C"), (1, "A"), None])  # noqa: E731
    assert POINTER.decode([None, None, (5, "A")], ["A", "B", "A"], None, ranked)[0] == [0, 2, 1]


def test_coarse_tags() -> None:
    pointer = PointerSimplified(TAGSETS["ptb"])
    tags = ["WRB", "VBZ", "PRP", "VB"]
    assert pointer.encode([0, 3, 1, 2], tags) == [None, None, None, (1, "W")]
    assert pointer.decode([None, None, None, (1, "W")], tags, 2) == ([0, 3, 1, 2], [])


def test_symbols_as_text() -> None:
    assert POINTER.parse("NEXT") is None
    assert POINTER.parse("-2 NN") == (2, "NN")
    assert POINTER.parse("-1 A B") == (1, "A B")
    assert POINTER.format((2, "NN")) == "-2 NN"
    for text in ("", "2 NN", "0 NN", "-0 NN", "-2", "-2NN", "INV", "-x NN"):
        assert POINTER.parse(text) == text
