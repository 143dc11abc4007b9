from hypothesis import given
from hypothesis import strategies as st

from permutree.errors import DataError
from permutree.parsing.cutting import groups_of, piece_lengths, refuse_long
from permutree.parsing.inputs import Sentence
from permutree.trees.annotations import Annotations

WORDS = st.lists(st.sampled_from(["so", "it", "goes", ".", "?!", ",", ";", "''", ")", "…"]), min_size=1, max_size=60)


@given(WORDS, st.integers(1, 20))
def test_pieces_are_the_sentence_and_short_enough(words: list[str], longest: int) -> None:
    lengths = piece_lengths(words, longest)
    assert sum(lengths) == len(words)
    assert 1 <= min(lengths) <= max(lengths) <= longest


def test_a_sentence_that_is_not_too_long_stays_whole() -> None:
    assert piece_lengths(["a", "."] * 250) == [500]
    assert piece_lengths(["a", "."] * 251) == [2] * 251


def test_cuts_prefer_strong_punctuation() -> None:
    final = ["He", "said", ":", "“", "So", "!", "”", "Then", "he", "left", ",", "and", "that", "was", "it", "."]
    assert piece_lengths(final, 12) == [7, 9]
    assert piece_lengths(["a", "b", "c", ";", "d", ",", "e", "f", "g", "h"], 6) == [4, 6]
    assert piece_lengths(["a", "b", "c", "d", ",", "e", "f", "g", "h"], 6) == [5, 4]
    assert piece_lengths(["a", "b", "c", "d", "e", "f", "g"], 3) == [3, 3, 1]
    # Marks in the first half of what there is room for would make many small pieces.
    assert piece_lengths(["a", ",", "b", "c", "d", "e", "f", "g", "h"], 6) == [6, 3]
    # Nothing but full stops is no sequence of sentences.
    assert piece_lengths(["."] * 10, 4) == [4, 4, 2]


def test_long_sentences_are_refused_by_name() -> None:
    errors: list[DataError] = []
    named = Sentence(["So", "it", "goes", "."], annotations=Annotations(id="s7"))
    sentences: list[list[str] | Sentence] = [["a"], ["so", "it", "goes"], named]
    assert list(refuse_long(sentences, None)) == sentences
    assert list(refuse_long(sentences, 2, errors.append)) == [["a"]]
    first, second = map(str, errors)
    assert first == "sentence 2: 'so it goes' … has 3 words, and --max-words allows 2: split it, or allow more"
    assert second.startswith("sentence 3: 's7', 'So it goes .' …, has 4 words")


def test_groups_hold_so_many_words() -> None:
    assert list(groups_of([3, 3, 3, 9, 1], 6)) == [slice(0, 2), slice(2, 3), slice(3, 4), slice(4, 5)]
    assert list(groups_of([], 6)) == []
