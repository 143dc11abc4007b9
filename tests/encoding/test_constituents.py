import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from permutree.encoding.constituents import brackets_of, describe, format_chain, parse_chain


@given(st.lists(st.text("aB+\\_e~ \t\x00\ud800", max_size=4), max_size=4))
def test_any_labels_survive_as_a_chain(labels: list[str]) -> None:
    assert parse_chain(format_chain(labels)) == (tuple(labels), True)


@given(st.text("aB+\\_e \t\x00", max_size=6))
def test_any_text_is_read_as_a_chain(text: str) -> None:
    labels, is_formed = parse_chain(text)
    assert parse_chain(format_chain(labels)) == (labels, True)
    assert is_formed or format_chain(labels) != text


def test_contract_of_chains() -> None:
    assert format_chain(["ROOT", "S"]) == "ROOT+S"
    assert format_chain(["N+D"]) == "N\\+D"
    assert format_chain([""]) == "\\e"
    assert parse_chain("+") == ((), False)
    assert parse_chain("A+_") == (("A",), False)


@pytest.mark.parametrize("text", ["-3 QQ", "a\u00a0b", "\x00", "a\\+ b", "a\\\\ b", "\u2028", " "])
def test_a_text_with_white_space_or_control_characters_is_no_label(text: str) -> None:
    assert parse_chain(text) == ((), False)
    assert parse_chain(f"S+{text}+NP") == (("S", "NP"), False)
    assert parse_chain(format_chain([text])) == ((text,), True)


def test_brackets_of_the_worked_example() -> None:
    # Noch nie so viel gewählt habe ich .
    brackets = brackets_of(np.array([4, 3, 4, 3, 2, 2, 1, 0], np.int32))
    spans = list(zip(brackets.starts.tolist(), brackets.ends.tolist(), strict=True))
    assert spans == [(0, 8), (0, 7), (0, 5), (0, 2), (2, 4)]
    assert brackets.owners[:7].tolist() == [3, 2, 4, 2, 1, 1, 0]


def test_constituents_of_several_sentences_do_not_mix() -> None:
    # a lone word, then two sentences of three words
    brackets = brackets_of(np.array([0, 2, 1, 0, 1, 2, 0], np.int32))
    spans = list(zip(brackets.starts.tolist(), brackets.ends.tolist(), strict=True))
    assert spans == [(1, 4), (1, 3), (4, 7), (5, 7)]


@given(st.lists(st.lists(st.integers(1, 5), max_size=8), min_size=1, max_size=5))
def test_brackets_describe_the_levels_they_come_from(sentences: list[list[int]]) -> None:
    levels = np.array([level for sentence in sentences for level in (*sentence, 0)], np.int32)
    brackets = brackets_of(levels)
    again, owners = describe(brackets.starts, brackets.ends, len(levels))
    assert again.tolist() == levels.tolist()
    assert owners[levels > 0].tolist() == brackets.owners[levels > 0].tolist()


def test_more_levels_than_a_byte_can_count() -> None:
    for depth in (300, 70_000):
        levels = np.array([*range(1, depth + 1), 0], np.int32)
        brackets = brackets_of(levels)
        assert brackets.starts.tolist() == list(range(depth))
        assert set(brackets.ends.tolist()) == {depth + 1}
        assert brackets.owners[:-1].tolist() == list(range(depth))
