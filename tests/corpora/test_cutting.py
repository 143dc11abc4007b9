import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permutree.corpora import cutting
from permutree.corpora.cutting import BOUNDARIES, segments


def cut(name: str, data: bytes, size: int) -> list[bytes]:
    return list(segments(io.BytesIO(data), size, BOUNDARIES[name]))


@pytest.mark.parametrize("name", BOUNDARIES)
@given(st.text("a .\n\té漢", max_size=200), st.integers(1, 50))
def test_nothing_is_lost_and_no_letter_is_cut(name: str, text: str, size: int) -> None:
    found = cut(name, text.encode(), size)
    assert b"".join(found) == text.encode()
    assert "".join(part.decode() for part in found) == text
    assert all(len(part) >= size for part in found[:-1])


def test_lines_stay_whole() -> None:
    assert cut("jsonl", b"aaaa\nbb\nc\ndddddd", 5) == [b"aaaa\n", b"bb\nc\n", b"dddddd"]
    assert cut("jsonl", b"aaaa\nbb\n", 100) == [b"aaaa\nbb\n"]
    assert cut("jsonl", b"", 5) == []
    # A line that ends where the first look ends is not the end of the file.
    assert cut("jsonl", b"aaaaa\nbb\ncc\n", 5) == [b"aaaaa\n", b"bb\ncc\n"]


def test_sentences_of_conllu_stay_whole() -> None:
    assert cut("conllu", b"1\n2\n\n1\n2\n\n1\n", 3) == [b"1\n2\n\n", b"1\n2\n\n", b"1\n"]


def test_text_is_cut_at_the_best_place_in_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutting, "WINDOW", 12)
    assert cut("text", b"One two. A\nb.\n\nThree. Four five.", 4)[0] == b"One two. A\nb.\n\n"
    assert cut("text", b"One two a.\nb. c three. Four five.", 4)[0] == b"One two a.\n"
    assert cut("text", b"One two a\nb c three four five six", 4)[0] == b"One two a\n"
    assert cut("text", b"One two a b c three four five six", 5)[0] == b"One two "
    assert cut("text", b"O" * 60, 4)[0] == b"O" * 15
    assert cut("text", "漢".encode() * 20, 4)[0].decode() == "漢" * 5
