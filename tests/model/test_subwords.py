import json
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
from transformers import AutoTokenizer

from permutree.errors import ConfigError
from permutree.model.subwords import PieceFeatures
from permutree.networks.pretrained import load_pretrained
from permutree.networks.tensors import as_tensors
from tiny_encoders import FAMILIES, SENTENCES, with_unused

#: words that tokenizers find hard: emoji, control characters, half a character, nothing, names of special sub-words
HARD = [
    "😀",
    "👩‍👩‍👧",
    "\x00",
    "\u200b",
    "\ud800",
    "",
    " ",
    "a b",
    "[SEP]",
    "<s>",
    "x<pad>y",
    "[MASK]",
    "ß" * 500,
    "中文",
]


def letters(window: int) -> PieceFeatures:
    """Features that cut words of the letters a, b and c into single letters, numbered 4 to 9."""
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "b", "c", "##a", "##b", "##c"]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=1000))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return PieceFeatures(
        tokenizer.to_str(), window=window, prefix=[2], suffix=[3], pad=0, unknown=1, special=[0, 1, 2, 3]
    )


def test_sentences_become_padded_rows_of_pieces() -> None:
    arrays = letters(10).arrays([["ab", "c"], [], ["b", "cab", "a"]], None)
    assert arrays.lengths.tolist() == [5, 0, 7]
    batch = arrays.batch(np.array([0, 1, 2]))
    assert batch.lengths.tolist() == [2, 0, 3]
    assert batch.pieces.tolist() == [[2, 4, 8, 6, 3, 0, 0], [2, 5, 6, 7, 8, 4, 3]]
    assert batch.visible.tolist() == [[True] * 5 + [False] * 2, [True] * 7]
    assert batch.places.tolist() == [[1, 3, 0], [0, 0, 0], [8, 9, 12]]
    again = as_tensors(batch).to("cpu")
    assert again.mask.tolist() == [[True, True, False], [False] * 3, [True] * 3]


def test_batches_take_sentences_in_any_order() -> None:
    arrays = letters(10).arrays([["ab", "c"], [], ["b", "cab", "a"]])
    batch = arrays.batch(np.array([2, 0]))
    assert batch.pieces.tolist() == [[2, 5, 6, 7, 8, 4, 3], [2, 4, 8, 6, 3, 0, 0]]
    assert batch.places.tolist() == [[1, 2, 5], [8, 10, 0]]


def test_long_sentences_are_read_in_windows() -> None:
    # Ten sub-words in windows of four, which begin at every second: the third letter of a window is the last that is
    # nearer to its middle than to that of the next.
    arrays = letters(6).arrays([list("abcabcabca")])
    batch = arrays.batch(np.array([0]))
    assert batch.pieces.tolist() == [
        [2, 4, 5, 6, 4, 3],
        [2, 6, 4, 5, 6, 3],
        [2, 5, 6, 4, 5, 3],
        [2, 4, 5, 6, 4, 3],
    ]
    assert arrays.lengths.tolist() == [24]
    assert (batch.places // 6).tolist() == [[0, 0, 0, 1, 1, 2, 2, 3, 3, 3]]
    assert (batch.places % 6).tolist() == [[1, 2, 3, 2, 3, 2, 3, 2, 3, 4]]


@given(st.lists(st.lists(st.text("abc", min_size=1, max_size=9), max_size=12), max_size=4), st.integers(3, 20))
def test_every_word_is_found_where_it_has_most_context(sentences: list[list[str]], window: int) -> None:
    features = letters(window)
    room = window - 2
    arrays = features.arrays(sentences)
    if not sentences:
        assert len(arrays.lengths) == 0
        return
    batch = arrays.batch(np.arange(len(sentences)))
    rows, row = batch.pieces.tolist(), 0
    assert batch.visible.sum(1).tolist() == [sum(piece != 0 for piece in pieces) for pieces in rows]
    for number, words in enumerate(sentences):
        pieces = list(chain.from_iterable(features.cut(words)))
        firsts = np.cumsum([0, *map(len, words)])[:-1].tolist()
        starts: list[int] = []
        covered = 0
        while covered < len(pieces):
            content = [piece for piece in rows[row] if piece][1:-1]
            assert rows[row][0] == 2
            assert rows[row][len(content) + 1] == 3
            place = int(arrays.window_starts[row] - sum(sum(map(len, earlier)) for earlier in sentences[:number]))
            assert content == pieces[place : place + room]
            assert place <= max(0, covered - room // 2)
            starts.append(place)
            covered = place + len(content)
            row += 1
        assert arrays.lengths[number] == sum(min(len(pieces), room) + 2 for _ in starts)
        for first, place in zip(firsts, batch.places[number].tolist(), strict=False):
            index, column = divmod(place, batch.pieces.shape[1])
            index -= row - len(starts)
            assert starts[index] + column - 1 == first
            margins = [
                min(
                    first - start if start else len(pieces),
                    start + room - 1 - first if start + room < len(pieces) else len(pieces),
                )
                for start in starts
            ]
            assert margins[index] == max(margins)
    assert row == len(rows)


def test_words_longer_than_the_window_are_read_too() -> None:
    features = letters(6)
    batch = features.arrays([["b", "a" * 50, "c"]]).batch(np.array([0]))
    assert batch.pieces.flatten()[batch.places.flatten()].tolist() == [5, 4, 6]


@pytest.mark.parametrize("family", FAMILIES)
def test_pieces_are_those_of_the_library(encoders: dict[str, Path], family: str) -> None:
    features, _ = load_pretrained(str(encoders[family]))
    # Told to put a space before words; where it does not listen, the space is written.
    tokenizer = AutoTokenizer.from_pretrained(encoders[family], add_prefix_space=True)
    for sentence in SENTENCES:
        pieces = [*features.prefix, *chain.from_iterable(features.cut(sentence.split())), *features.suffix]
        assert pieces == tokenizer(f" {sentence}" if family == "modernbert" else sentence)["input_ids"]


@pytest.mark.parametrize("family", FAMILIES)
def test_every_word_has_a_piece_and_none_is_special(encoders: dict[str, Path], family: str) -> None:
    features, _ = load_pretrained(str(encoders[family]))
    for word, pieces in zip(HARD, features.cut(HARD), strict=True):
        assert pieces, word
        assert not {features.pad, *features.prefix, *features.suffix} & {*pieces}, word


@pytest.mark.parametrize("family", FAMILIES)
def test_features_survive_json(encoders: dict[str, Path], family: str) -> None:
    features, _ = load_pretrained(str(encoders[family]))
    again = PieceFeatures.from_json(json.loads(json.dumps(features.to_json())))
    words = [*HARD, *" ".join(SENTENCES).split()]
    assert again.cut(words) == features.cut(words)
    assert again.to_json() == features.to_json()
    one, other = (some.arrays([words], [["X"] * len(words)]).batch(np.array([0])) for some in (features, again))
    assert np.array_equal(one.pieces, other.pieces)
    assert np.array_equal(one.places, other.places)


def test_capital_letters_are_told_where_the_tokenizer_makes_them_small() -> None:
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *"wxyz", *"abcof", *(f"##{one}" for one in "abcof")]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    plain = PieceFeatures(tokenizer.to_str(), window=7, prefix=[2], suffix=[3], pad=0, unknown=1, special=[0, 1, 2, 3])
    with pytest.raises(ConfigError, match=r"no unused sub-words, such as \[unused0\], to mark capital letters"):
        with_unused(plain, 3).with_case()
    plain = with_unused(plain, 4)
    cased = plain.with_case()
    words = ["ab", "Ab", "AB", "A", "aB", "Cab", "", "É"]
    small = plain.cut(words)
    assert cased.cut(words) == [
        small[0],
        [*small[1], 4],
        [*small[2], 5],
        [*small[3], 6],
        [*small[4], 7],
        [*small[5], 4],
        small[6],
        [*small[7], 6],
    ]
    # Words are still looked up at their first sub-words, in all windows.
    sentence = ["Ab", "a", "B", "CAB"] * 3
    batch = cased.arrays([sentence]).batch(np.array([0]))
    assert batch.pieces.flatten()[batch.places.flatten()].tolist() == [8, 8, 9, 10] * 3
    again = PieceFeatures.from_json(json.loads(json.dumps(cased.to_json())))
    assert again.cut(words) == cased.cut(words)
    assert again.with_case() is again
    # Folders of earlier versions have none.
    data = {name: value for name, value in cased.to_json().items() if name != "case"}
    assert PieceFeatures.from_json(data).cut(words) == small


@pytest.mark.parametrize("family", FAMILIES)
def test_tokenizers_that_keep_capital_letters_are_left_alone(encoders: dict[str, Path], family: str) -> None:
    features, _ = load_pretrained(str(encoders[family]))
    if features.cut(["of"]) != features.cut(["Of"]):
        assert features.with_case() is features
    else:
        assert with_unused(features, 9).with_case().case == [4, 5, 6, 7]


def test_tokenizers_that_cannot_be_read_are_refused() -> None:
    data = letters(10).to_json()
    with pytest.raises(ConfigError, match=r"not the text of a tokenizer\.json"):
        PieceFeatures.from_json({**data, "tokenizer": "{}"})
    with pytest.raises(ConfigError, match=r"not the text of a tokenizer\.json"):
        PieceFeatures.from_json({**data, "tokenizer": "no JSON"})
    with pytest.raises(ConfigError, match="no room"):
        PieceFeatures.from_json({**data, "window": 2})
