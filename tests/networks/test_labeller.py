import numpy as np
import pytest
import torch

from permutree.model.config import EmbeddingConfig, EncoderConfig, ModelConfig
from permutree.model.features import WordFeatures
from permutree.networks.labeller import Labeller, WordEncoder
from permutree.networks.tensors import as_tensors

WORDS = [["der", "Hund", "bellte", "laut"], ["er"], ["der", "Unbekannte", "schlief"] * 4]


def make(kind: str, characters: str = "cnn", positions: str = "rotary") -> tuple[Labeller, WordFeatures]:
    tags = [["T"] * len(sentence) for sentence in WORDS]
    features = WordFeatures.fit(WORDS, tags)
    config = ModelConfig(
        encoder=EncoderConfig(kind=kind, hidden=16, heads=2, feedforward=20, positions=positions),  # type: ignore[arg-type]
        embeddings=EmbeddingConfig(word=8, character=8, character_embedding=4, tag=4, characters=characters),  # type: ignore[arg-type]
    )
    torch.manual_seed(1)
    return Labeller(WordEncoder(config, features), {"levels": 5, "tags": 3}), features


@pytest.mark.parametrize("characters", ["cnn", "lstm"])
@pytest.mark.parametrize(
    ("kind", "positions"), [("bilstm", "rotary"), ("transformer", "rotary"), ("transformer", "learned")]
)
def test_a_sentence_alone_is_scored_as_in_a_batch(kind: str, positions: str, characters: str) -> None:
    labeller, features = make(kind, characters, positions)
    labeller.eval()
    arrays = features.arrays(WORDS, None)
    together = labeller(as_tensors(arrays.batch(np.arange(3))))
    assert {name: tuple(scores.shape) for name, scores in together.items()} == {
        "levels": (3, 12, 5),
        "tags": (3, 12, 3),
    }
    for number, sentence in enumerate(WORDS):
        alone = labeller(as_tensors(features.arrays([sentence], None).batch(np.arange(1))))
        for name, scores in alone.items():
            torch.testing.assert_close(scores[0], together[name][number, : len(sentence)], rtol=1e-4, atol=1e-5)
