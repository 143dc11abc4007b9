import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from permutree.cli import permutree
from permutree.errors import DataError
from permutree.networks.model import Model


def test_a_parser(tiny_model: Path, tiny_treebank: Path) -> None:
    result = CliRunner().invoke(permutree, ["info", str(tiny_model)])
    rows = dict(line.split("  ", 1) for line in result.stdout.splitlines())
    rows = {name: value.strip() for name, value in rows.items()}
    assert rows["task"] == "parse"
    assert rows["encoding"] == "predecessor"
    assert rows["tags"] == "gold"
    assert rows["encoder"] == "bilstm, 1 layer of 32"
    assert rows["train"] == "/".join(tiny_treebank.parts[-2:])
    assert rows["trained on"] == "20 sentences"
    assert rows["dev f1"] == "100.00"
    assert rows["labeller"] == "reread"
    assert rows["values of unary"] == "4"
    assert rows["different words"] == "22"


def test_everything_as_json(tiny_model: Path) -> None:
    result = CliRunner().invoke(permutree, ["info", str(tiny_model), "--json"])
    found = json.loads(result.stdout)
    model = Model.load(tiny_model)
    assert found["weights"] == model.parameters
    assert found["bytes"] == (tiny_model / "model.safetensors").stat().st_size
    assert found["model"]["encoder"]["hidden"] == 32
    assert found["training"]["training"]["seed"] == 1
    assert found["dev"]["discontinuous f1"] == 100.0
    assert found["labels"].keys() == {"shared", "unary", "permutation", "first", "last"}


def test_a_bundled_model() -> None:
    result = CliRunner().invoke(permutree, ["info", "nl"])
    rows = {name: value.strip() for name, value in (line.split("  ", 1) for line in result.stdout.splitlines())}
    assert rows["language"] == "nl"
    assert rows["licence"] == "LGPL 2.1 or later"
    assert rows["data"] == (
        "5 × alpino/train, 3 × alpino/extra-train, 2 × teaching/nl.rewritten, 2 × teaching/nl.grammar, "
        "silver/nl-decoder, 2 × teaching/nl.tags-only"
    )
    assert float(rows["alpino test f1"]) > 75


def test_a_tagger(tiny_tagger: Path) -> None:
    result = CliRunner().invoke(permutree, ["info", str(tiny_tagger)])
    assert "encoding" not in result.stdout
    assert "dev tag accuracy" in result.stdout
    found = json.loads(CliRunner().invoke(permutree, ["info", str(tiny_tagger), "--json"]).stdout)
    assert found["labels"] == {"tags": 10}
    assert found["vocabularies"].keys() == {"words", "characters"}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("config.json", None, "is this the folder of a permutree model"),
        ("config.json", "{}", "not that of a permutree model"),
        ("config.json", "{", "damaged"),
        ("config.json", '{"format_version": 99}', "model format 99 is not known"),
        ("model.safetensors", None, "the weights are missing"),
        ("model.safetensors", "nonsense", "damaged weights"),
    ],
)
def test_damaged_folders(name: str, content: str | None, message: str, tiny_model: Path, tmp_path: Path) -> None:
    for file in tiny_model.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / name).unlink()
    if content is not None:
        (tmp_path / name).write_text(content, "utf-8")
    result = CliRunner().invoke(permutree, ["info", str(tmp_path)])
    assert isinstance(result.exception, DataError)
    assert message in str(result.exception)
