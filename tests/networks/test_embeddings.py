import gzip
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from permutree.errors import DataError
from permutree.model.features import UNKNOWN, WordFeatures
from permutree.networks.embeddings import CharacterCNN, CharacterLSTM, WordEmbedding, read_vectors
from permutree.networks.tensors import as_tensors

VECTORS = {"der": [0.5, -1.0, 2.0], "Straße": [1.0, 0.25, -0.125], "漢": [3.0, 4.0, 1e-3]}
TEXT = "".join(f"{word} {' '.join(map(str, numbers))}\n" for word, numbers in VECTORS.items())


def binary(newlines: bool) -> bytes:
    end = b"\n" if newlines else b""
    rows = (word.encode() + b" " + struct.pack("<3f", *numbers) + end for word, numbers in VECTORS.items())
    return b"3 3\n" + b"".join(rows)


FILES: dict[str, bytes] = {
    "text": TEXT.encode(),
    "text with counts": b"3 3\n" + TEXT.encode(),
    "text with spaces at the ends": b"3 3\n" + TEXT.replace("\n", " \n").encode(),
    "compressed": gzip.compress(TEXT.encode(), mtime=0),
    "compressed with counts": gzip.compress(b"3 3\n" + TEXT.encode(), mtime=0),
    "binary": binary(newlines=True),
    "binary without line ends": binary(newlines=False),
    "compressed binary": gzip.compress(binary(newlines=True), mtime=0),
}


@pytest.mark.parametrize("kind", FILES)
def test_vectors_of_all_kinds(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "vectors"
    path.write_bytes(FILES[kind])
    found = read_vectors(path)
    assert list(found) == list(VECTORS)
    for word, numbers in VECTORS.items():
        assert found[word].dtype == np.float32
        assert found[word].tolist() == np.array(numbers, np.float32).tolist()
    assert list(read_vectors(path, {"Straße", "absent"})) == ["Straße"]


def test_long_vectors_of_text_are_not_binary(tmp_path: Path) -> None:
    path = tmp_path / "vectors"
    # The head that is looked at ends within a number, at any place of it.
    for size in range(9000, 9012):
        path.write_text(f"1 {size}\nw {' '.join(['-1.5e-07'] * size)}\n", "utf-8")
        assert read_vectors(path)["w"].shape == (size,)


def test_words_with_spaces(tmp_path: Path) -> None:
    path = tmp_path / "vectors"
    path.write_text("a 1 2 3\nat home 4 5 6\n", "utf-8")
    assert read_vectors(path)["at home"].tolist() == [4, 5, 6]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a 1 2 3\nb 1 2\n", "vectors:2: expected a word and 3 numbers"),
        (b"2 4\na 1 2 3\n", "vectors:2: expected a word and 4 numbers"),
        (b"a 1 2 3\nb 1 x 3\n", "vectors:2: expected a word and 3 numbers"),
        (b"2 3\na 1 2 3\n\nb 1 2 3\n", "vectors:3: expected a word and 3 numbers"),
        (b"alone\n", "vectors:1: expected a word and its numbers"),
        (binary(newlines=True)[:-3], "cut off"),
        (gzip.compress(TEXT.encode() * 99, mtime=0)[:-20], "cut off: the gzip data ends too soon"),
        (struct.pack("<ii", 793712314, 12) + bytes(100), "use its .vec file"),
    ],
)
def test_bad_vectors(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "vectors"
    path.write_bytes(content)
    with pytest.raises(DataError) as caught:
        read_vectors(path)
    assert message in str(caught.value)


def embedding(features: WordFeatures, **changes: object) -> WordEmbedding:
    settings: dict[str, object] = {
        "word_size": 6,
        "character_size": 7,
        "character_embedding": 5,
        "character_kind": "cnn",
        "tag_size": 3,
        "unknown_alpha": 0.0,
        "dropout": 0.0,
    }
    torch.manual_seed(1)
    sizes = features.counts, len(features.characters), len(features.tags)
    settings = {"trained": features.trained, "fixed_size": 0} | settings
    return WordEmbedding(*sizes, **(settings | changes))  # type: ignore[arg-type]


def test_fixed_vectors_stand_beside_those_that_are_trained() -> None:
    words = [["seen", "seen", "once"]]
    features = WordFeatures.fit(words, [["T"] * 3], min_count=2, fixed_words=["once", "other", "seen"])
    assert list(features.words)[2:] == ["seen", "once", "other"]
    assert features.trained == 3
    again = WordFeatures.from_json(features.to_json())
    assert (again.trained, list(again.words)) == (features.trained, list(features.words))
    embed = embedding(features, fixed_size=2, unknown_alpha=0.0, character_size=0, tag_size=0, dropout=0.0)
    vectors = {"once": [1, 2], "other": [3, 4]}
    assert embed.load_vectors(list(features.words), {word: np.array(v, np.float32) for word, v in vectors.items()}) == 2
    for mode in (embed.train, embed.eval):
        mode()
        found = embed(as_tensors(features.arrays([["seen", "once", "other", "new"]], None).batch(np.arange(1))))[0]
        own, fixed = found[:, :-2], found[:, -2:]
        assert fixed.tolist() == [[0, 0], [1, 2], [3, 4], [0, 0]]
        assert torch.equal(own[0], embed.words.weight[2])
        for other in own[1:]:
            assert torch.equal(other, embed.words.weight[UNKNOWN])
    assert not any("fixed" in name for name, _ in embed.named_parameters())
    assert "fixed" in embed.state_dict()


def test_words_are_unknown_the_rarer_the_more_often() -> None:
    words = [["rare"], ["common"] * 9]
    features = WordFeatures.fit(words, [["T"], ["T"] * 9])
    embed = embedding(features, unknown_alpha=1.0, character_size=0, tag_size=0).train()
    for word, share in (("rare", 1 / 2), ("common", 1 / 10)):
        inputs = as_tensors(features.arrays([[word] * 20_000], None).batch(np.arange(1)))
        vectors = embed(inputs)[0]
        is_unknown = (vectors == embed.words.weight[UNKNOWN]).all(1)
        assert float(is_unknown.float().mean()) == pytest.approx(share, abs=0.02)
        assert not (embed.eval()(inputs)[0] == embed.words.weight[UNKNOWN]).all(1).any()
        embed.train()


def test_loaded_vectors() -> None:
    features = WordFeatures.fit([["a", "b"]], [["T", "T"]])
    embed = embedding(features)
    assert embed.load_vectors(list(features.words), {"b": np.full(6, 0.5, np.float32)}) == 1
    assert embed.words.weight[features.words.number("b")].tolist() == [0.5] * 6


@pytest.mark.parametrize("spell", [CharacterCNN, CharacterLSTM])
def test_a_word_is_spelled_the_same_beside_any_others(spell: Callable[..., torch.nn.Module]) -> None:
    torch.manual_seed(1)
    network = spell(20, embedding=4, size=9)
    words = [torch.randint(1, 20, (length,)) for length in (1, 2, 5, 11)]
    together = torch.nn.utils.rnn.pad_sequence(words, batch_first=True)
    vectors = network(together)
    assert vectors.shape == (4, 9)
    for row, word in enumerate(words):
        torch.testing.assert_close(network(word[None])[0], vectors[row])


def test_character_lstm_is_that_of_torch() -> None:
    torch.manual_seed(1)
    network = CharacterLSTM(20, embedding=4, size=6)
    reference = torch.nn.LSTM(4, 3, batch_first=True, bidirectional=True)
    for name, weight in network.forwards.named_parameters():
        getattr(reference, name).data = weight.data
    for name, weight in network.backwards.named_parameters():
        getattr(reference, f"{name}_reverse").data = weight.data
    words = [torch.randint(1, 20, (length,)) for length in (3, 7, 1)]
    packed = torch.nn.utils.rnn.pack_sequence([network.embedding(word) for word in words], enforce_sorted=False)
    _, (states, _) = reference(packed)
    together = torch.nn.utils.rnn.pad_sequence(words, batch_first=True)
    torch.testing.assert_close(network(together), torch.cat([states[0], states[1]], 1))


def test_parts_can_be_left_out() -> None:
    features = WordFeatures.fit([["a", "b"]], [["T", "U"]])
    inputs = as_tensors(features.arrays([["a", "b"]], [["T", "U"]]).batch(np.arange(1)))
    assert embedding(features)(inputs).shape == (1, 2, 16)
    assert embedding(features, character_size=0)(inputs).shape == (1, 2, 9)
    assert embedding(features, tag_size=0, character_kind="lstm")(inputs).shape == (1, 2, 13)
