"""Vectors of words out of what a pretrained model says of them in text."""

import importlib
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import torch

from permutree.errors import ConfigError
from permutree.networks.embeddings import read_vectors
from permutree.networks.pretrained import load_pretrained
from permutree.networks.tensors import PieceInputs, as_tensors
from permutree_lab.folders import LAB
from tiny_encoders import write_encoder

SENTENCES = [
    ("The", "dogs", "were", "fed", "."),
    ("Dogs", "were", "not", "fed", "yesterday", "."),
    ("The", "dogs", "undid", "it", "."),
]
WORDS = ["dogs", "fed", "were", "."]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    monkeypatch.syspath_prepend(str(LAB / "models"))
    return importlib.import_module("context_vectors")


@torch.no_grad()
def states(script: ModuleType, folder: Path, sentence: tuple[str, ...], layer: int) -> torch.Tensor:
    """The states of the words of one sentence."""
    features, encoder = load_pretrained(str(folder))
    inputs = as_tensors(features.arrays([sentence]).batch(np.array([0])))
    assert isinstance(inputs, PieceInputs)
    found: torch.Tensor = script.word_states(encoder.eval(), inputs, layer)[0]
    return found


@pytest.mark.parametrize("family", ["mpnet", "qwen2"])
def test_a_vector_is_the_mean_over_all_places(script: ModuleType, tmp_path: Path, family: str) -> None:
    write_encoder(tmp_path, family)
    found = script.mean_states(str(tmp_path), SENTENCES, WORDS, 1, "cpu")
    at: dict[str, list[torch.Tensor]] = {word: [] for word in WORDS}
    for sentence in SENTENCES:
        for word, state in zip(sentence, states(script, tmp_path, sentence, 1), strict=True):
            if word in at:
                at[word].append(state)
    means = torch.stack([torch.stack(at[word]).mean(0) for word in WORDS])
    expected = (means - means.mean(0)) / means.std(0)
    assert np.allclose(found, expected.numpy(), atol=1e-3)


def test_a_decoder_reads_from_left_to_right(script: ModuleType, tmp_path: Path) -> None:
    write_encoder(tmp_path, "qwen2")
    one, other = (states(script, tmp_path, ("The", "dogs", last), 2) for last in ("slept", "."))
    assert torch.allclose(one[:2], other[:2], atol=1e-5)
    assert not torch.allclose(one[2], other[2], atol=1e-2)


def test_a_layer_that_is_not_there(script: ModuleType, tmp_path: Path) -> None:
    write_encoder(tmp_path, "mpnet")
    with pytest.raises(ConfigError, match="has 2 layers: there is no layer 3"):
        script.mean_states(str(tmp_path), SENTENCES, WORDS, 3, "cpu")


def test_other_vectors_stand_beside(script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_encoder(tmp_path / "encoder", "mpnet")
    (tmp_path / "text.tokens").write_text("".join(" ".join(sentence) + "\n" for sentence in SENTENCES), "utf-8")
    (tmp_path / "known.vec").write_text("dogs 1 0\nfed 0 1\n", "utf-8")
    out = tmp_path / "vectors" / "context.bin.xz"
    given = [tmp_path / "encoder", out, tmp_path / "text.tokens", "--beside", tmp_path / "known.vec"]
    given += ["--layer", 1, "--size", 3, "--at-least", 2, "--device", "cpu"]
    monkeypatch.setattr(sys, "argv", ["context_vectors.py", *map(str, given)])
    script.main()
    found = read_vectors(out)
    # Words that are there once have none.
    assert {*found} == {"The", "dogs", "were", "fed", "."}
    assert all(len(vector) == 3 for vector in found.values())
    assert np.isclose(np.mean(np.square([*found.values()])), 1, atol=0.1)
