import json
import shutil
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from transformers import AutoModel, AutoTokenizer

from permutree.errors import ConfigError
from permutree.model.subwords import PieceFeatures
from permutree.networks.pretrained import PretrainedEncoder, load_pretrained
from permutree.networks.tensors import PieceInputs, as_tensors
from tiny_encoders import FAMILIES, SENTENCES, WINDOW, write_encoder

WORDS = [sentence.split() for sentence in SENTENCES]


def states(encoder: PretrainedEncoder, features: PieceFeatures, sentences: list[list[str]]) -> list[Tensor]:
    """The states of the words of each sentence, read in one batch without dropout."""
    inputs = as_tensors(features.arrays(sentences).batch(np.arange(len(sentences))))
    with torch.no_grad():
        batch = encoder.eval()(inputs)
    assert batch.shape == (*inputs.mask.shape, encoder.size)
    return [row[mask] for row, mask in zip(batch, inputs.mask, strict=True)]


@pytest.mark.parametrize("family", FAMILIES)
def test_states_are_those_of_first_pieces(encoders: dict[str, Path], family: str) -> None:
    features, encoder = load_pretrained(str(encoders[family]))
    model = AutoModel.from_pretrained(encoders[family]).eval()
    tokenizer = AutoTokenizer.from_pretrained(encoders[family], add_prefix_space=True)
    for words, ours in zip(WORDS, states(encoder, features, WORDS), strict=True):
        # As many sub-words as each has of its own say where the words begin.
        begins = np.cumsum([1, *map(len, features.cut(words))])[:-1]
        text = " ".join(words)
        inputs = tokenizer(f" {text}" if family == "modernbert" else text, return_tensors="pt")
        with torch.no_grad():
            theirs = model(**inputs).last_hidden_state[0, begins]
        torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-5)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_sentence_alone_is_as_in_a_batch(encoders: dict[str, Path], family: str) -> None:
    features, encoder = load_pretrained(str(encoders[family]))
    sentences = [*WORDS, [], ["Dogs"], ["a"] * 100, ["😀", "\x00"]]
    for sentence, together in zip(sentences, states(encoder, features, sentences), strict=True):
        (alone,) = states(encoder, features, [sentence])
        torch.testing.assert_close(alone, together, rtol=0, atol=1e-5)


@pytest.mark.parametrize("family", FAMILIES)
def test_windows_are_as_long_as_positions_allow(encoders: dict[str, Path], family: str) -> None:
    features, encoder = load_pretrained(str(encoders[family]))
    assert encoder.window == features.window == WINDOW
    long = (WORDS[0] * 40)[:400]
    batch = features.arrays([long]).batch(np.array([0]))
    assert batch.pieces.shape[1] == WINDOW
    (result,) = states(encoder, features, [long])
    assert result.shape == (400, encoder.size)
    assert result.isfinite().all()


def test_windows_make_no_difference_where_attention_does_not_reach_their_ends(encoders: dict[str, Path]) -> None:
    # Two layers that look four sub-words to either side, with positions that are relative.
    features, encoder = load_pretrained(str(encoders["modernbert"]))
    (cut,) = states(encoder, features, [WORDS[0] * 20])
    features.window = 10_000
    (whole,) = states(encoder, features, [WORDS[0] * 20])
    torch.testing.assert_close(cut, whole, rtol=0, atol=1e-5)


@pytest.mark.parametrize("family", ["bert", "distilbert", "roberta", "mpnet", "xlm-roberta"])
def test_words_see_all_pieces_of_other_words(encoders: dict[str, Path], family: str) -> None:
    features, encoder = load_pretrained(str(encoders[family]))
    inputs = as_tensors(features.arrays([WORDS[0]]).batch(np.array([0])))
    assert isinstance(inputs, PieceInputs)
    others = sorted({*range(1, inputs.pieces.shape[1] - 1)} - {*inputs.places[0].tolist()})
    with torch.no_grad():
        before = encoder.eval()(inputs)
        inputs.pieces[0, others[-1]] = features.unknown
        after = encoder(inputs)
    assert (before[0, 0] - after[0, 0]).abs().max() > 1e-4


@pytest.mark.parametrize("family", FAMILIES)
def test_encoders_survive_json(encoders: dict[str, Path], family: str) -> None:
    features, encoder = load_pretrained(str(encoders[family]))
    config = json.loads(json.dumps(encoder.config_json()))
    again = PretrainedEncoder.from_config(config)
    again.load_state_dict(encoder.state_dict())
    assert again.window == encoder.window
    assert again.config_json() == encoder.config_json()
    for one, other in zip(states(encoder, features, WORDS), states(again, features, WORDS), strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize("family", FAMILIES)
def test_all_parameters_learn(encoders: dict[str, Path], family: str) -> None:
    features, encoder = load_pretrained(str(encoders[family]))
    encoder.train()
    encoder(as_tensors(features.arrays(WORDS).batch(np.arange(len(WORDS))))).pow(2).sum().backward()
    assert [name for name, parameter in encoder.named_parameters() if parameter.grad is None] == []


def test_dropout_lies_on_top(encoders: dict[str, Path]) -> None:
    features, encoder = load_pretrained(str(encoders["bert"]), dropout=0.5)
    inputs = as_tensors(features.arrays(WORDS).batch(np.arange(len(WORDS))))
    dropped = encoder.train()(inputs)[inputs.mask] == 0
    assert 0.4 < dropped.float().mean() < 0.6


def test_sentences_without_words_have_no_states(encoders: dict[str, Path]) -> None:
    features, encoder = load_pretrained(str(encoders["bert"]))
    assert encoder(as_tensors(features.arrays([[], []]).batch(np.arange(2)))).shape == (2, 0, encoder.size)


def test_half_precision_becomes_single(encoders: dict[str, Path], tmp_path: Path) -> None:
    folder = altered(encoders["bert"], tmp_path, dtype="float16")
    weights = load_file(folder / "model.safetensors")
    save_file({name: weight.half() for name, weight in weights.items()}, folder / "model.safetensors", {"format": "pt"})
    _, encoder = load_pretrained(str(folder))
    assert {parameter.dtype for parameter in encoder.parameters()} == {torch.float32}
    again = PretrainedEncoder.from_config({**encoder.config_json(), "dtype": "float16"})
    assert {parameter.dtype for parameter in again.parameters()} == {torch.float32}


def altered(folder: Path, tmp_path: Path, **settings: Any) -> Path:
    """A copy of an encoder with other settings."""
    copy = tmp_path / "altered"
    shutil.copytree(folder, copy)
    config = json.loads((copy / "config.json").read_text("utf-8"))
    (copy / "config.json").write_text(json.dumps({**config, **settings}), "utf-8")
    return copy


def test_folders_that_are_not_there_are_named() -> None:
    with pytest.raises(ConfigError, match=r"there is no folder \./nowhere .* hf download"):
        load_pretrained("./nowhere")


def test_names_that_cannot_be_reached_are_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: Any) -> None:
        raise OSError("We couldn't connect.\nCheck your connection.")

    monkeypatch.setattr("transformers.AutoModel.from_pretrained", fail)
    with pytest.raises(ConfigError, match=r"'some-bert' cannot be loaded: We couldn't connect; .* hf download"):
        load_pretrained("some-bert")


def test_weights_that_are_missing_are_named(encoders: dict[str, Path], tmp_path: Path) -> None:
    folder = altered(encoders["bert"], tmp_path)
    weights = load_file(folder / "model.safetensors")
    del weights["encoder.layer.1.output.dense.weight"]
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(ConfigError, match=r": encoder\.layer\.1\.output\.dense\.weight missing or"):
        load_pretrained(str(folder))


def test_shapes_that_do_not_fit_are_refused(encoders: dict[str, Path], tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match=r": encoder\.layer\.0\.intermediate\.dense\.weight, .* and 3 more are missing"
    ):
        load_pretrained(str(altered(encoders["bert"], tmp_path, intermediate_size=48)))


@pytest.mark.parametrize("family", FAMILIES)
def test_encoders_without_vocabulary_are_refused(encoders: dict[str, Path], tmp_path: Path, family: str) -> None:
    folder = altered(encoders[family], tmp_path)
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ConfigError, match=r"without a vocabulary|cannot be loaded"):
        load_pretrained(str(folder))


def test_pickled_weights_are_refused(encoders: dict[str, Path], tmp_path: Path) -> None:
    folder = altered(encoders["bert"], tmp_path)
    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    with pytest.raises(ConfigError, match="cannot be loaded"):
        load_pretrained(str(folder))


def test_code_in_a_folder_is_never_run(encoders: dict[str, Path], tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    settings = {"model_type": "foreign", "auto_map": {"AutoModel": "code.Model", "AutoConfig": "code.Config"}}
    folder = altered(encoders["bert"], tmp_path, **settings)
    (folder / "code.py").write_text(f"open({str(trace)!r}, 'w')\n", "utf-8")
    with pytest.raises(ConfigError, match="cannot be loaded"):
        load_pretrained(str(folder))
    assert not trace.exists()


def test_configurations_cannot_ask_for_foreign_code(encoders: dict[str, Path]) -> None:
    _, encoder = load_pretrained(str(encoders["bert"]))
    config = encoder.config_json()
    foreign = {"auto_map": {"AutoModel": "code.Model"}, "attn_implementation": "someone/kernel"}
    assert PretrainedEncoder.from_config({**config, **foreign}).config_json() == config
    with pytest.raises(ConfigError, match="no encoder can be made"):
        PretrainedEncoder.from_config({**config, "model_type": "foreign"})


def test_models_that_are_no_encoders_are_refused() -> None:
    with pytest.raises(ConfigError, match="'t5' is no encoder of text"):
        PretrainedEncoder.from_config({"model_type": "t5", "d_model": 8, "d_ff": 8, "num_layers": 1, "vocab_size": 9})


def test_tokenizers_of_other_encoders_are_refused(encoders: dict[str, Path], tmp_path: Path) -> None:
    folder = altered(encoders["bert"], tmp_path)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(encoders["roberta"] / name, folder / name)
    with pytest.raises(ConfigError, match="do not belong together"):
        load_pretrained(str(folder))


@pytest.fixture(scope="module")
def decoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small random decoder."""
    folder = tmp_path_factory.mktemp("decoder")
    write_encoder(folder, "qwen2")
    return folder


def test_words_of_a_decoder_see_what_follows(decoder: Path) -> None:
    features, encoder = load_pretrained(str(decoder))
    assert encoder.is_decoder
    before = states(encoder, features, [["The", "dogs", "were", "fed"]])[0]
    after = states(encoder, features, [["The", "dogs", "were", "not"]])[0]
    assert ((before - after).abs().amax(1) > 1e-4).all()


def test_states_of_a_decoder_are_those_of_last_pieces(decoder: Path) -> None:
    features, encoder = load_pretrained(str(decoder))
    model = AutoModel.from_pretrained(decoder).eval()
    for words, ours in zip(WORDS, states(encoder, features, WORDS), strict=True):
        pieces = features.cut(words)
        numbers = torch.tensor([[*features.prefix, *chain.from_iterable(pieces)]])
        ends = np.cumsum([0, *map(len, pieces)])[1:]
        everything = torch.ones(1, 1, numbers.shape[1], numbers.shape[1], dtype=torch.bool)
        with torch.no_grad():
            theirs = model(input_ids=numbers, attention_mask=everything).last_hidden_state[0, ends]
        torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-5)


def test_a_sentence_alone_is_as_in_a_batch_of_a_decoder(decoder: Path) -> None:
    features, encoder = load_pretrained(str(decoder))
    sentences = [*WORDS, [], ["Dogs"], ["a"] * 100, ["😀", "\x00"]]
    for sentence, together in zip(sentences, states(encoder, features, sentences), strict=True):
        (alone,) = states(encoder, features, [sentence])
        torch.testing.assert_close(alone, together, rtol=0, atol=1e-5)


def test_decoders_survive_json(decoder: Path) -> None:
    features, encoder = load_pretrained(str(decoder))
    again = PretrainedEncoder.from_config(json.loads(json.dumps(encoder.config_json())))
    again.load_state_dict(encoder.state_dict())
    read_back = PieceFeatures.from_json(json.loads(json.dumps(features.to_json())))
    for one, other in zip(states(encoder, features, WORDS), states(again, read_back, WORDS), strict=True):
        assert torch.equal(one, other)


def test_parts_of_a_word_have_no_space_before_them(decoder: Path) -> None:
    features, _ = load_pretrained(str(decoder))
    tokenizer = AutoTokenizer.from_pretrained(decoder)
    for word in ("can't", "2019", "dogs"):
        assert features.cut([word]) == [tokenizer.encode(f" {word}", add_special_tokens=False)]


def test_a_folder_of_an_earlier_version_cuts_words_as_it_did(decoder: Path) -> None:
    features, _ = load_pretrained(str(decoder))
    data = features.to_json()
    tokenizer = json.loads(data["tokenizer"])
    tokenizer["normalizer"] = None
    tokenizer["pre_tokenizer"]["pretokenizers"][1]["add_prefix_space"] = True
    earlier = PieceFeatures.from_json({**data, "tokenizer": json.dumps(tokenizer)})
    space = tokenizer["model"]["vocab"]["Ġ"]
    # Every digit had a space before it.
    assert [number for number in earlier.cut(["2019"])[0] if number == space] == [space] * 4
    assert features.cut(["2019"])[0].count(space) == 1
