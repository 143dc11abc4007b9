import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from permutree.cli import permutree
from permutree.errors import ConfigError
from permutree.model.folder import Outline
from permutree.parsing.benchmark import sample


def bench(*arguments: str | Path) -> str:
    result = CliRunner().invoke(permutree, ["bench", *map(str, arguments), "--seconds", "0.1"])
    assert result.exit_code == 0, result.exception
    return result.stdout


def test_a_table(tiny_model: Path, tiny_treebank: Path) -> None:
    head, *rows = bench(tiny_model, "--input", tiny_treebank, "--threads", "1", "--threads", "1").splitlines()
    assert head.split("  ")[0] == "model"
    assert len(rows) == 1
    assert "1 thread, PyTorch" in rows[0]


def test_everything_as_json() -> None:
    (found,) = json.loads(bench("nl", "--threads", "1", "--json"))
    assert found["model"] == "nl"
    assert found["place"] == "1 thread"
    assert found["words_per_second"] > found["sentences_per_second"] > 0
    assert 0 < found["latency_p50"] <= found["latency_p95"]
    assert found["start"] > 0
    assert found["peak_memory"] > 10


def test_several_processes(tiny_treebank: Path) -> None:
    one, two = json.loads(bench("nl", "--input", tiny_treebank, "--threads", "1", "--jobs", "2", "--json"))
    assert (one["place"], two["place"]) == ("1 thread", "2 × 1 thread")
    assert (one["processes"], two["processes"]) == (1, 2)
    assert two["words_per_second"] > two["sentences_per_second"] > 0
    assert 0 < two["latency_p50"] <= two["latency_p95"]


def test_one_device(tiny_treebank: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    (found,) = json.loads(bench("nl", "--input", tiny_treebank, "--threads", "1", "--device", "cpu", "--json"))
    assert found["place"] == "1 thread"
    result = CliRunner().invoke(permutree, ["bench", "nl", "--device", "cuda"])
    assert isinstance(result.exception, ConfigError)
    assert "GPU" in str(result.exception)


def test_samples_are_of_known_words(tiny_model: Path) -> None:
    outline = Outline.read(tiny_model)
    sentences = sample(outline, 300)
    assert len(sentences) == 300
    assert {word for sentence in sentences for word in sentence.words} <= {*outline.features.known()}
    assert 15 < sum(len(sentence.words) for sentence in sentences) / 300 < 25


def test_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("permutree.cli.bench.names", list)
    result = CliRunner().invoke(permutree, ["bench"])
    assert isinstance(result.exception, ConfigError)
