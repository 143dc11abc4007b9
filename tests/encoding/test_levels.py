import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from permutree.encoding.levels import LevelKind, compress, parse_level, resolve


def resolved(sentences: list[list[str]], absolute: bool = False) -> list[int]:
    parsed = [parse_level(text, absolute=absolute) for sentence in sentences for text in sentence]
    kinds, numbers = zip(*parsed, strict=True)
    offsets = np.cumsum([0, *map(len, sentences)], dtype=np.int32)
    levels, _ = resolve(np.array(kinds, np.int8), np.array(numbers, np.int32), offsets)
    return [int(level) for level in levels]


def test_symbols() -> None:
    assert parse_level("+2", absolute=False) == (LevelKind.RELATIVE, 2)
    assert parse_level("3", absolute=True) == (LevelKind.ABSOLUTE, 3)
    assert parse_level("2ROOT", absolute=False) == (LevelKind.ABSOLUTE, 2)
    for text in ("", "ROOT", "1.0", "²", "NONE", "--1", " 1"):
        assert parse_level(text, absolute=False)[0] == LevelKind.INVALID


def test_relative_levels_add_up_and_start_anew_in_each_sentence() -> None:
    assert resolved([["4", "-1", "1", "-1", "-1", "0", "-1", "_"], ["_"], ["1", "_"]]) == [
        4,
        3,
        4,
        3,
        2,
        2,
        1,
        0,
        0,
        1,
        0,
    ]


def test_a_level_below_one_is_one_and_the_next_counts_from_there() -> None:
    assert resolved([["2", "-5", "2", "-1", "-9", "1", "_"]]) == [2, 1, 3, 2, 1, 2, 0]
    assert resolved([["-3", "0", "1", "_"]]) == [1, 1, 2, 0]


def test_what_says_nothing_is_one_level() -> None:
    assert resolved([["3", "_", "1", "what", "2", "_"]]) == [3, 1, 2, 1, 3, 0]
    assert resolved([["3", "1ROOT", "2", "_"]]) == [3, 1, 3, 0]


def test_absolute_levels() -> None:
    assert resolved([["3", "1", "0", "-2", "4", "_"]], absolute=True) == [3, 1, 1, 1, 4, 0]


@given(
    st.lists(st.lists(st.sampled_from(["-9", "-1", "0", "1", "3", "_", "x", "1ROOT", "0ROOT"]), min_size=1), min_size=1)
)
def test_step_by_step(sentences: list[list[str]]) -> None:
    expected = []
    for sentence in sentences:
        level = 0
        for text in sentence[:-1]:
            kind, number = parse_level(text, absolute=False)
            if kind == LevelKind.RELATIVE:
                level += number
            else:
                level = number if kind == LevelKind.ABSOLUTE else 1
            level = max(level, 1)
            expected.append(level)
        expected.append(0)
    assert resolved(sentences) == expected


def test_compressed_levels_keep_their_order() -> None:
    assert compress([5, 2, 9, 2, 0]) == [2, 1, 3, 1, 0]
