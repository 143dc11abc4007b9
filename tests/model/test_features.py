import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import strategies
from permutree.model.features import LONGEST_WORD, PAD, UNKNOWN, WordFeatures

WORDS = [["the", "dog", "saw", "the", "Cat"], ["the", "dog", "slept"]]
TAGS = [["DT", "NN", "VB", "DT", "NN"], ["DT", "NN", "VB"]]


def test_vocabularies_are_sorted_by_count() -> None:
    features = WordFeatures.fit(WORDS, TAGS, min_count=2)
    assert list(features.words) == ["<pad>", "<unknown>", "the", "dog"]
    assert features.counts == [0, 0, 3, 2]
    assert list(features.tags) == ["<pad>", "<unknown>", "DT", "NN", "VB"]
    assert set(features.characters) == {"<pad>", "<unknown>", *"thedogsawCslp"}


def test_words_of_vectors_are_known_however_rare() -> None:
    features = WordFeatures.fit(WORDS, TAGS, min_count=2, more_words=["dog", "cat", "saw"])
    assert list(features.words)[2:] == ["the", "dog", "cat", "saw"]
    assert features.counts[2:] == [3, 2, 0, 1]


def test_unknown_words_characters_and_tags() -> None:
    features = WordFeatures.fit(WORDS, TAGS)
    arrays = features.arrays([["The", "cat", "ж"]], [["DT", "XX", "VB"]])
    assert arrays.words.tolist() == [features.words.number("the"), UNKNOWN, UNKNOWN]
    assert arrays.tags.tolist() == [features.tags.number("DT"), UNKNOWN, features.tags.number("VB")]
    assert arrays.characters[2, 0] == UNKNOWN
    assert features.arrays([["the"]], None).tags.tolist() == [UNKNOWN]


@given(st.text("aéz\0\u2026\ud800𝄞\U0010ffff", min_size=1), st.text("aéz\0\u2026\ud800𝄞", min_size=1))
def test_characters_are_numbered_as_in_the_vocabulary(word: str, known: str) -> None:
    features = WordFeatures.fit([[known]], [["T"]])
    spelled = features.arrays([[word[:LONGEST_WORD]]], None).characters[0].tolist()
    assert spelled == [features.characters.number(sign) if sign in known else UNKNOWN for sign in word[:LONGEST_WORD]]


def test_words_and_tags_spelled_like_special_ones_are_unknown() -> None:
    features = WordFeatures.fit([["<pad>", "<unknown>", "a"]], [["<pad>", "<unknown>", "A"]])
    assert list(features.words) == ["<pad>", "<unknown>", "a"]
    assert len(features.counts) == 3
    arrays = features.arrays([["<pad>", "<unknown>", "a"]], [["<pad>", "<unknown>", "A"]])
    assert arrays.words.tolist() == arrays.tags.tolist() == [UNKNOWN, UNKNOWN, 2]


def test_long_words_are_cut_in_the_middle() -> None:
    features = WordFeatures.fit([["ab"]], [["T"]])
    word = "a" * 100 + "b" * 100
    spelled = features.arrays([[word]], None).characters[0].tolist()
    first, second = (features.characters.number(sign) for sign in "ab")
    assert spelled == [first] * (LONGEST_WORD // 2) + [second] * (LONGEST_WORD // 2)


@given(st.lists(st.lists(strategies.words, min_size=1, max_size=9), max_size=6), st.randoms(use_true_random=False))
def test_batches_hold_what_was_put_in(sentences: list[list[str]], random: object) -> None:
    features = WordFeatures.fit(sentences, [["T"] * len(sentence) for sentence in sentences])
    arrays = features.arrays(sentences, None)
    assert arrays.lengths.tolist() == list(map(len, sentences))
    order = np.arange(len(sentences))[::-1].copy()
    if not len(order):
        return
    batch = arrays.batch(order)
    assert batch.lengths.tolist() == [len(sentences[number]) for number in order.tolist()]
    for row, number in enumerate(order.tolist()):
        sentence = sentences[number]
        assert [features.words[word] for word in batch.words[row, : len(sentence)].tolist()] == sentence
        for place, word in enumerate(sentence):
            signs = batch.characters[batch.types[row, place]].tolist()
            assert "".join(features.characters[sign] for sign in signs if sign != PAD) == word
        assert (batch.words[row, len(sentence) :] == PAD).all()
        # Padding has no characters.
        assert (batch.characters[batch.types[row, len(sentence) :]] == PAD).all()


def test_json_round_trip() -> None:
    features = WordFeatures.fit(WORDS, TAGS, min_count=2)
    assert WordFeatures.from_json(features.to_json()).to_json() == features.to_json()


def test_no_sentences() -> None:
    arrays = WordFeatures.fit(WORDS, TAGS).arrays([], None)
    assert arrays.lengths.tolist() == []
    assert arrays.words.shape == (0,)
