"""A pretrained decoder with the sub-words that some text needs, and its first layers."""

import importlib
import json
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from permutree_lab.folders import LAB
from tiny_encoders import split_bytes

WORDS = ["dogs", "Küchentisch", "can't", "2019", "(", "…"]


@pytest.fixture
def decoder(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    monkeypatch.syspath_prepend(str(LAB / "models"))
    return importlib.import_module("pypi_decoder")


def test_words_are_cut_as_by_the_whole_tokenizer(decoder: ModuleType) -> None:
    model = json.loads(split_bytes()[0].to_str())["model"]
    pieces = sorted(model["vocab"], key=model["vocab"].__getitem__)
    merges = [tuple(pair) for pair in model["merges"]]
    whole, tokenizer, rows = decoder.smaller(pieces, merges, WORDS)
    assert len(rows) < len(pieces)
    for word in WORDS:
        tokens = tokenizer.encode(f" {word}", add_special_tokens=False).tokens
        assert tokens == whole.encode(f" {word}", add_special_tokens=False).tokens
    # Other words are cut into smaller pieces, and nothing is lost.
    unknown = tokenizer.encode(" undid 漢字")
    assert tokenizer.decode(unknown.ids) == " undid 漢字"
    assert unknown.tokens[0] == decoder.START
    assert [pieces[row] for row in rows] == sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().__getitem__)


def test_layers_and_sub_words_that_stay(decoder: ModuleType) -> None:
    def tensor(name: str, data: np.ndarray) -> SimpleNamespace:
        return SimpleNamespace(name=name, data=data, tensor_type=SimpleNamespace(name="Q4_K"))

    table = np.arange(12, dtype=np.uint8).reshape(4, 3)
    given = [tensor("token_embd.weight", table), tensor("output.weight", table)]
    given += [tensor(f"blk.{layer}.attn_q.{kind}", table) for layer in range(3) for kind in ("weight", "bias")]
    kept, kinds = decoder.keep(given, [1, 3], 2)
    names = [f"layers.{layer}.self_attn.q_proj.{kind}" for layer in range(2) for kind in ("weight", "bias")]
    assert list(kept) == list(kinds) == ["embed_tokens.weight", *names]
    assert kept["embed_tokens.weight"].tolist() == table[[1, 3]].tolist()
    assert set(kinds.values()) == {"Q4_K"}
