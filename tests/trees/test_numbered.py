import pickle

import numpy as np

from permutree.trees.numbered import Numbered, numbered

TAGS = Numbered(["DT", "NN"], np.array([0, 1, 1]), np.array([0, 2, 3]))


def test_sentences_by_number_and_slice() -> None:
    assert len(TAGS) == 2
    assert TAGS[0] == ["DT", "NN"]
    assert TAGS[-1] == ["NN"]
    assert TAGS[1:] == [["NN"]]
    assert TAGS == [["DT", "NN"], ["NN"]]
    assert TAGS != [["DT", "NN"], ["DT"]]


def test_an_index_beyond_the_last_sentence_is_an_error() -> None:
    fresh = Numbered(["DT"], np.array([0]), np.array([0, 1]))
    for index in (1, -2):
        try:
            fresh[index]
        except IndexError:
            continue
        raise AssertionError(index)


def test_given_rows_are_kept() -> None:
    rows = [("a", "b"), ("b",)]
    assert Numbered(["a", "b"], np.array([0, 1, 1]), np.array([0, 2, 3]), rows)[0] is rows[0]


def test_they_travel_to_other_processes() -> None:
    assert pickle.loads(pickle.dumps(TAGS)) == TAGS


def test_rows_are_numbered_by_their_first_occurrence() -> None:
    values, numbers = numbered([["b", "a"], ["b"]])
    assert list(values) == ["b", "a"]
    assert numbers.tolist() == [0, 1, 0]
    assert numbered(TAGS)[1] is TAGS.numbers
