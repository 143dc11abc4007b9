from concurrent.futures import ThreadPoolExecutor
from itertools import chain

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from permutree.encoding.final_punctuation import last
from permutree.encoding.permutations.predecessor import Predecessor
from permutree.model.features import WordFeatures
from permutree.model.folder import VOTES
from permutree.networks.attention import arrange, last_words
from permutree.parsing import onnx_engine
from permutree.parsing.benchmark import sample
from permutree.parsing.engines import ENDS_SCORES, LABELS, joined, ranges
from permutree.parsing.onnx_engine import OnnxEngine, _by_distance, arrangements
from permutree.parsing.parser import Parser

predecessors = st.lists(st.lists(st.sampled_from([0, 0, 0, 1, 2, 5, 30]), min_size=1, max_size=12), min_size=1)


def test_a_jump_takes_the_words_behind_it_along() -> None:
    # The paper's example: words 4 to 6 follow word 1, and word 7 comes after word 3.
    forth = arrangements(np.array([[0, 0, 0, 0, 2, 0, 0, 3]]), np.array([8]))
    assert forth.tolist() == [0, 1, 4, 5, 6, 2, 3, 7]


@given(predecessors)
def test_arrangements_are_those_of_the_encoding_and_of_the_network(sentences: list[list[int]]) -> None:
    lengths = np.array([len(sentence) for sentence in sentences])
    values = np.zeros((len(sentences), int(lengths.max())), np.int32)
    # What stands at padding does not matter.
    values[:] = 3
    for row, sentence in enumerate(sentences):
        values[row, : len(sentence)] = sentence
    forth = arrangements(values, lengths)
    places = forth.reshape(values.shape) - np.arange(len(sentences))[:, None] * values.shape[1]
    assert places.tolist() == arrange(torch.from_numpy(values).long(), torch.from_numpy(lengths)).tolist()
    lasts = last_words(torch.from_numpy(values).long(), torch.from_numpy(lengths)).tolist()
    for row, sentence in enumerate(sentences):
        assert lasts[row] == last(sentence) == places[row, len(sentence) - 1]
        symbols = [(min(value + 1, word), "") if value and word else None for word, value in enumerate(sentence)]
        assert Predecessor().decode(symbols, [""] * len(sentence), None)[0] == places[row, : len(sentence)].tolist()


def test_scores_of_words_are_those_of_values() -> None:
    scores = np.arange(32, dtype=np.float32).reshape(2, 4, 4)
    first, second = _by_distance(scores, 3).tolist()
    never = -np.inf
    assert first == [[0, never, never], [4, never, never], [9, 8, never], [14, 13, 12]]
    assert second == [[16, never, never], [20, never, never], [25, 24, never], [30, 29, 28]]
    assert _by_distance(scores[:, :1, :1], 3).tolist() == [[[0]], [[16]]]


def test_scores_of_fewer_values_are_filled_up() -> None:
    parts = [np.array([[0.5, -1]], np.float32), np.array([[-2, -3, -4], [0, 1, 2]], np.float32)]
    assert joined(parts).tolist() == [[0.5, -1, -np.inf], [-2, -3, -4], [0, 1, 2]]
    assert joined([np.array([1, 2]), np.array([3])]).tolist() == [1, 2, 3]


def test_ranges() -> None:
    assert ranges(np.array([2, 0, 3]), np.array([2, 1, 0])).tolist() == [2, 3, 4, 0, 1]


def test_constituents_are_chosen_for_any_number_of_words_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = Parser.load("nl", threads=1)
    words = [list(sentence.words) for sentence in sample(parser.model, 40)]
    # Scores are handed over where someone wants to know how sure the parser is.
    trees = list(parser.pipe(words, confidence=True))
    assert list(parser.pipe(words)) == trees
    monkeypatch.setattr(onnx_engine, "TOGETHER", 50)
    assert list(parser.pipe(words)) == trees
    monkeypatch.setattr(onnx_engine, "CHOICES", 1)
    assert list(parser.pipe(words)) == trees
    arrays, labels = parser.model.features.arrays(words, None), parser._labels_of_constituents()
    found = parser.engine.launch(arrays, parser.scored, None, labels)()
    assert LABELS in found
    assert not found.keys() & {ENDS_SCORES, *VOTES}


def test_vectors_that_are_kept_are_those_that_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    # Unknown words, frequent ones, some that are too rare to be kept, and some that are known by lower-case forms.
    sentences = [["dAs", "Haus", "xqzzw", "."], ["xqzzv", "das", "Bundesregierung"], ["DaS", "und", "dAs", "xqzzw"]]
    monkeypatch.setattr(onnx_engine, "KEPT", 0)
    fresh = Parser.load("de", threads=1).engine
    monkeypatch.setattr(onnx_engine, "KEPT", 600 * 4 * 258)
    kept = Parser.load("de", threads=1).engine
    assert isinstance(fresh, OnnxEngine)
    assert isinstance(kept, OnnxEngine)
    features = fresh.outline.features
    assert isinstance(features, WordFeatures)
    for words in [*sentences, [*chain.from_iterable(sentences)], *sentences]:
        arrays = features.arrays([words], [[""] * len(words)])
        np.testing.assert_array_equal(kept._vectors(arrays), fresh._vectors(arrays))
    known = features.arrays([["das", "dAs", "xqzzw", "Bundesregierung"]], [[""] * 4])
    assert known.has_own_number.tolist() == [True, False, False, True, False]
    assert kept._kept.has(known.numbers).tolist() == [True, True, False, False, False]
    assert not fresh._kept.has(known.numbers).any()


def test_threads_share_the_vectors_that_are_kept() -> None:
    parser = Parser.load("de", threads=1)
    sentences = [list(sentence.words) for sentence in sample(parser.model, 40)]
    expected = [str(tree) for tree in Parser.load("de", threads=1).pipe(sentences)]
    with ThreadPoolExecutor(8) as pool:
        found = [*pool.map(lambda words: str(parser.parse_tokens(words)), sentences)]
    assert found == expected


def test_the_files_of_graphs_are_not_kept_in_memory() -> None:
    engine = Parser.load("en", threads=1).engine
    assert isinstance(engine, OnnxEngine)
    for graph in (engine.words, engine.model, engine.second, engine.labels):
        assert graph is not None
        held = [name for name, value in vars(graph._session).items() if isinstance(value, bytes)]
        assert not held, graph.source
