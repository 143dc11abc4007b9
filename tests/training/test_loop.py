import json
import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

from permutree.errors import ConfigError, DataError
from permutree.model.batching import Ints
from permutree.networks.labeller import Labeller
from permutree.networks.model import Model
from permutree.networks.tensors import PieceInputs
from permutree.parsing.parser import Parser
from permutree.training import loop, validation
from permutree.training.building import build_model, prepare
from permutree.training.config import Config
from permutree.training.data import read_trees
from permutree.training.loop import Trainer, train
from permutree.training.objective import Objective
from permutree.trees.batch import TreeBatch
from permutree.trees.tree import Tree
from tiny_models import TREES, tiny_config

#: settings with everything that is random, and several steps an epoch
RANDOM: dict[str, Any] = {
    "model": {"encoder": {"dropout": 0.2}, "embeddings": {"dropout": 0.2, "unknown_alpha": 0.5}},
    "training": {"epochs": 3, "evaluate": 1, "batch": 80, "average": 0.9, "checkpoint": 2, "checkpoint_epochs": 1},
}


def timeless(history: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What was measured, but for how long it took."""
    return [{name: value for name, value in row.items() if not name.endswith("/s")} for row in history]


@pytest.mark.parametrize("encoder", ["bilstm", "rotary", "bert"])
def test_the_same_seed_gives_the_same_weights(tmp_path: Path, pretrained: dict[str, str], encoder: str) -> None:
    encoder = pretrained.get(encoder, encoder)
    results = [train(tiny_config(tmp_path / name, encoder, **RANDOM)) for name in ("one", "two")]
    assert timeless(results[0].history) == timeless(results[1].history)
    one, two = ((tmp_path / name / "model.safetensors").read_bytes() for name in ("one", "two"))
    assert one == two
    other = train(tiny_config(tmp_path / "other", encoder, seed=2, **RANDOM))
    assert other.history[0]["loss"] != results[0].history[0]["loss"]


def test_folder_has_model_log_curve_and_card(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = []
    result = train(tiny_config(tmp_path / "model", **RANDOM), on_epoch=rows.append)
    assert {path.name for path in result.folder.iterdir()} == {
        "README.md",
        "config.json",
        "curve.svg",
        "done.json",
        "log.jsonl",
        "model.safetensors",
        "tags.json",
        "training.json",
        "words.json",
    }
    log = [json.loads(line) for line in (result.folder / "log.jsonl").read_text("utf-8").splitlines()]
    assert log == result.history == rows
    assert [row["epoch"] for row in log] == [1, 2, 3]
    assert result.best == max(log, key=lambda row: row["score"])
    assert log[0].keys() >= {"loss", "f1", "discontinuous f1", "repairs/sentence", "sentences/s", "train sentences/s"}
    training = (result.folder / "training.json").read_text("utf-8")
    assert json.loads(training)["training"]["seed"] == 1
    assert str(TREES.parent) not in training
    settings = json.loads((result.folder / "config.json").read_text("utf-8"))
    assert settings["facts"]["dev"]["f1"] == result.best["f1"]
    # What only training reads stands beside it.
    assert "training" not in settings["facts"]
    assert "dropout" not in settings["model"]["encoder"]
    assert "bilstm, 1 layers of 32" in (result.folder / "README.md").read_text("utf-8")


def test_training_that_is_done_is_not_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tiny_config(tmp_path / "model", **RANDOM)
    result = train(config)

    def fail(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(loop, "prepare", fail)
    assert train(config) == result
    with pytest.raises(DataError, match=r"other settings \(optimiser.rate, training.seed\)"):
        train(tiny_config(tmp_path / "model", seed=2, **RANDOM, optimiser={"rate": 0.1}))


class InterruptedTrainingError(Exception):
    pass


def interrupt(monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    """Fail in this step of training."""
    before = Trainer._step

    def fail(self: Trainer, group: list[Ints]) -> Tensor:
        if self.progress.step == step:
            raise InterruptedTrainingError
        return before(self, group)

    monkeypatch.setattr(Trainer, "_step", fail)


#: every other step, or every other epoch
OFTEN, RARELY = RANDOM["training"], RANDOM["training"] | {"checkpoint": 1000, "checkpoint_epochs": 2}


@pytest.mark.parametrize(("optimiser", "training"), [("adamw", OFTEN), ("sgd", OFTEN), ("adamw", RARELY)])
def test_interrupted_training_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, optimiser: str, training: dict[str, Any]
) -> None:
    changes = RANDOM | {"optimiser": {"kind": optimiser}, "training": training}
    whole = train(tiny_config(tmp_path / "whole", **changes))
    with monkeypatch.context() as patch:
        interrupt(patch, 8)
        with pytest.raises(InterruptedTrainingError):
            train(tiny_config(tmp_path / "parts", **changes))
    resumed = train(tiny_config(tmp_path / "parts", **changes))
    assert timeless(resumed.history) == timeless(whole.history)
    one, two = ((tmp_path / name / "model.safetensors").read_bytes() for name in ("whole", "parts"))
    assert one == two


def test_checkpoint_of_other_settings_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        interrupt(patch, 4)
        with pytest.raises(InterruptedTrainingError):
            train(tiny_config(tmp_path / "model", **RANDOM))
    with pytest.raises(DataError, match=r"checkpoint\.safetensors: .* other settings \(model\.encoding\)"):
        train(tiny_config(tmp_path / "model", encoding="relative", **RANDOM))
    # Where the folder is and how long training may take changes nothing.
    (tmp_path / "model").rename(tmp_path / "moved")
    assert train(tiny_config(tmp_path / "moved", **RANDOM, **{"training.minutes": 5.0})).history


def test_half_written_files_of_killed_runs_are_removed(tmp_path: Path) -> None:
    (tmp_path / ".checkpoint.safetensors.ab12cd34").write_bytes(b"half")
    (tmp_path / ".tmpAb12cD").write_bytes(b"safetensors writes to such files")
    (tmp_path / ".hidden").write_bytes(b"mine")
    train(tiny_config(tmp_path, **RANDOM))
    assert [path.name for path in tmp_path.glob(".*")] == [".hidden"]


def test_patience_counts_from_the_best_evaluation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = iter([10.0, 20.0, 15.0, 20.0, 99.0])
    monkeypatch.setattr(validation.Validator, "score", lambda *_: {"score": next(scores)})
    changes = {"training.epochs": 20, "training.evaluate": 2, "training.patience": 3}
    result = train(tiny_config(tmp_path / "model", **changes))
    # The best is epoch 4; at epoch 6 only two have passed, at epoch 7 nobody looked, at epoch 8 it is over.
    assert (len(result.history), result.best["epoch"]) == (8, 4)


def test_nothing_stops_before_it_was_evaluated(tmp_path: Path) -> None:
    result = train(tiny_config(tmp_path / "model", **{"training.epochs": 5, "training.patience": 2}))
    assert len(result.history) == 5
    assert "f1" in result.best


def test_time_is_up(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "permutree")
    result = train(tiny_config(tmp_path / "model", **{"training.minutes": 1e-6}))
    assert len(result.history) == 1
    assert "stopped after 1e-06 minutes" in caplog.text
    assert "f1" in result.best
    Parser.load(result.folder, "cpu")


class Grabbed(dict[int, dict[str, Tensor]]):
    """The gradients of each step."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        clip = torch.nn.utils.clip_grad_norm_

        def grab(parameters: Any, longest: float) -> Tensor:
            kept = list(parameters)
            gradients = {str(number): weight.grad.clone() for number, weight in enumerate(kept)}
            self[len(self)] = gradients
            return clip(kept, longest)

        monkeypatch.setattr(torch.nn.utils, "clip_grad_norm_", grab)


@pytest.mark.parametrize("where", ["forward", "backward"])
def test_out_of_memory_splits_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, where: str
) -> None:
    caplog.set_level(logging.WARNING, "permutree")
    changes = {"training.batch": 150, "training.accumulate": 2, "training.epochs": 1}
    with monkeypatch.context() as patch:
        wanted = Grabbed(patch)
        whole = train(tiny_config(tmp_path / "whole", **changes))
    assert "out of memory" not in caplog.text

    def fail(gradient: Tensor) -> Tensor:
        # The heads have their gradients already, the encoder has not.
        if gradient.shape[0] > 7:
            raise torch.OutOfMemoryError
        return gradient

    class Small(Labeller):
        def forward(self, inputs: Any, *_: Any, **__: Any) -> dict[str, Tensor]:
            if where == "forward" and self.training and len(inputs.lengths) > 7:
                raise torch.OutOfMemoryError
            states = self.encoder(inputs)
            if where == "backward" and states.requires_grad:
                states.register_hook(fail)
            return {name: head(states) for name, head in self.heads.items()}

    with monkeypatch.context() as patch:
        patch.setattr(Labeller, "forward", Small.forward)
        found = Grabbed(patch)
        split = train(tiny_config(tmp_path / "split", **changes))
    assert "out of memory with 16 sentences: the batch is split" in caplog.text
    assert found.keys() == wanted.keys()
    for step, gradients in wanted.items():
        for name, gradient in gradients.items():
            torch.testing.assert_close(found[step][name], gradient, rtol=1e-3, atol=1e-5)
    assert split.history[0]["loss"] == pytest.approx(whole.history[0]["loss"], rel=1e-4)


def test_one_sentence_that_is_too_much_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise torch.OutOfMemoryError("no memory at all")

    monkeypatch.setattr(Labeller, "forward", fail)
    with pytest.raises(torch.OutOfMemoryError, match="no memory at all"):
        train(tiny_config(tmp_path / "model"))


def test_accumulation_equals_one_large_batch(tmp_path: Path) -> None:
    # With sentences in one batch or in many, a step that sees all of them has the same gradients.
    changes = {"training.epochs": 4, "training.evaluate": 4}
    one = train(tiny_config(tmp_path / "one", **changes, **{"training.batch": 10_000}))
    many = train(tiny_config(tmp_path / "many", **changes, **{"training.batch": 40, "training.accumulate": 1000}))
    for row, other in zip(one.history, many.history, strict=True):
        assert row["loss"] == pytest.approx(other["loss"], rel=1e-3)


def test_batches_of_few_sentences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    before = Trainer._backward

    def note(self: Trainer, sentences: Ints, scale: float, *, is_last: bool) -> Tensor:
        sizes.append(len(sentences))
        return before(self, sentences, scale, is_last=is_last)

    monkeypatch.setattr(Trainer, "_backward", note)
    train(tiny_config(tmp_path / "model", **{"training.batch_sentences": 8, "training.epochs": 2}))
    assert sum(sizes) == 60
    assert max(sizes) == 8


MULTIPLIES_BF16 = loop.multiplies_bf16()
#: mixed precision, without and with instructions of the CPU for it
CPUS = [{}, pytest.param({"avx512_bf16": True}, marks=pytest.mark.skipif(not MULTIPLIES_BF16, reason="no bf16"))]


@pytest.mark.parametrize("capabilities", CPUS)
def test_mixed_precision_where_the_hardware_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capabilities: dict[str, bool]
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: capabilities, raising=False)
    settings = RANDOM | {"training": RANDOM["training"] | {"precision": "bf16"}}
    half, again = (train(tiny_config(tmp_path / name, **settings)) for name in ("half", "again"))
    full = train(tiny_config(tmp_path / "full", **RANDOM))
    assert half.history[-1]["loss"] == pytest.approx(full.history[-1]["loss"], rel=0.05)
    # What one training chose does not bind the next.
    is_mixed = torch.cuda.is_available() or bool(capabilities)
    assert (half.history[-1]["loss"] != full.history[-1]["loss"]) == is_mixed
    assert timeless(half.history) == timeless(again.history)
    one, two = (load_file(run.folder / "model.safetensors") for run in (half, again))
    assert all(weight.dtype == torch.float and weight.equal(two[name]) for name, weight in one.items())


def test_predictions_agree_more_if_that_counts(tmp_path: Path) -> None:
    """How far two readings with different dropout are apart after training, with and without agreement."""
    apart = {}
    for agreement in (0.0, 3.0):
        training = {"epochs": 15, "evaluate": 15, "average": 0.0, "agreement": agreement}
        config = tiny_config(tmp_path / str(agreement), model={"encoder": {"dropout": 0.4}}, training=training)
        train(config)
        _, data, _ = prepare(config)
        model = Model.load(tmp_path / str(agreement))
        model.labeller.train()
        inputs, gold = data.batch(np.arange(len(data)))
        torch.manual_seed(1)
        with torch.no_grad():
            one, other = (model.labeller(inputs)["permutation"][gold["permutation"] >= 0] for _ in range(2))
        apart[agreement] = float((one.softmax(-1) - other.softmax(-1)).abs().sum(-1).mean())
    assert apart[3.0] < 0.8 * apart[0.0]


def test_tagger(tmp_path: Path, trees: list[Tree]) -> None:
    result = train(tiny_config(tmp_path / "tagger", **{"model.task": "tag"}, tags="none"))
    assert result.best["tag accuracy"] == result.best["score"] == 100
    tagger = Parser.load(result.folder, "cpu")
    assert tagger.tag([tree.words for tree in trees]) == [list(tree.tags) for tree in trees]
    assert (result.folder / "README.md").read_text("utf-8").startswith("# tagger\n\nA permutree PoS tagger")


def test_predicted_tags_come_from_other_files(tmp_path: Path, trees: list[Tree]) -> None:
    tagged = tmp_path / "tagged.discbracket"
    lines = [tree.with_tags(["X"] * len(tree)).discbracket() for tree in trees]
    tagged.write_text("\n".join(lines) + "\n", "utf-8")
    changes = {"train_tags": str(tagged), "dev_tags": str(tagged)}
    result = train(tiny_config(tmp_path / "model", tags="predicted", **changes))
    assert result.best["f1"] == 100
    words = json.loads((result.folder / "words.json").read_text("utf-8"))
    assert words["tags"][2:] == ["X"]
    with pytest.raises(ConfigError, match=r"data\.dev_tags are for model\.tags = 'predicted', not 'gold'"):
        tiny_config(tmp_path / "model", tags="gold", **changes)
    tagged.write_text("\n".join(lines[1:]) + "\n", "utf-8")
    with pytest.raises(DataError, match="29 tagged sentences for 30 trees"):
        train(tiny_config(tmp_path / "other", tags="predicted", **changes))


def test_vectors_are_loaded_and_fine_tuned(tmp_path: Path) -> None:
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("hat " + "0.5 " * 24 + "\nHund " + "0.25 " * 24 + "\nabsent " + "1 " * 24 + "\n", "utf-8")
    config = tiny_config(tmp_path / "model", **{"model.embeddings": {"vectors": str(vectors)}})
    trees = TreeBatch.from_trees(read_trees([str(TREES)]))
    model = build_model(config, trees, trees.words)
    features: Any = model.features
    weights = model.labeller.state_dict()["encoder.embedding.words.weight"]
    assert torch.equal(weights[features.words.number("hat")], torch.full((24,), 0.5))
    assert features.words.number("absent") == -1
    wrong = tiny_config(tmp_path / "model", **{"model.embeddings": {"vectors": str(vectors), "word": 23}})
    with pytest.raises(ConfigError, match=r"embeddings\.word is 23, but the vectors have 24 numbers"):
        build_model(wrong, trees, trees.words)
    vectors.write_text("absent 1 2 3\n", "utf-8")
    with pytest.raises(ConfigError, match="no vector for any word"):
        build_model(config, trees, trees.words)


def test_fixed_vectors_are_kept_for_words_to_come(tmp_path: Path) -> None:
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("hat 0.5 1\nHund 2 3\nabsent 4 5\n", "utf-8")
    settings = {"vectors": str(vectors), "fixed": 2}
    result = train(tiny_config(tmp_path / "model", **{"model.embeddings": settings}))
    assert result.best["f1"] == 100
    weights = load_file(result.folder / "model.safetensors")["encoder.embedding.fixed"]
    words = json.loads((result.folder / "words.json").read_text("utf-8"))["words"]
    assert weights[[words.index(word) for word in ("hat", "absent")]].tolist() == [[0.5, 1], [4, 5]]
    parser = Parser.load(result.folder, "cpu")
    assert parser.parse_tokens(["absent", "hat"]).words == ("absent", "hat")
    wrong = tiny_config(tmp_path / "wrong", **{"model.embeddings": settings | {"fixed": 3}})
    with pytest.raises(ConfigError, match=r"embeddings\.fixed is 3, but the vectors have 2 numbers"):
        train(wrong)


@pytest.mark.parametrize(("labeller", "spans"), [("paper", 0), ("reread", 0), ("reread", 4)])
def test_every_weight_has_a_gradient(tmp_path: Path, pretrained: dict[str, str], labeller: str, spans: int) -> None:
    # Processes that exchange gradients wait for all of them.
    for encoder in ("bilstm", "rotary", "learned", pretrained["bert"], pretrained["distilbert"]):
        config = tiny_config(tmp_path, encoder, **{"model.labeller": labeller, "model.reread.spans": spans})
        model, data, _ = prepare(config)
        sentences = np.arange(3)
        inputs, gold = data.batch(sentences)
        assert isinstance(inputs, PieceInputs) == (encoder not in ("bilstm", "rotary", "learned"))
        scores = model.labeller(inputs, data.order(sentences))
        torch.autograd.backward(Objective(config, data).loss(scores, gold, sentences))
        assert [name for name, weight in model.labeller.named_parameters() if weight.grad is None] == []


def test_training_needs_a_folder_and_trees(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="name the folder"):
        train(Config())
    with pytest.raises(ConfigError, match=r"data\.train and data\.dev"):
        train(tiny_config(tmp_path, train=[], dev=[]))


def test_long_sentences_are_left_out_aloud(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "permutree")
    result = train(tiny_config(tmp_path, **{"data.max_length": 8, "training.epochs": 1}))
    facts = json.loads((result.folder / "config.json").read_text("utf-8"))["facts"]
    assert f"{30 - facts['sentences']} sentences of more than 8 words are not trained on" in caplog.text
