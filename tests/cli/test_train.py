import json
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from click.testing import CliRunner, Result

import permutree as package
from permutree import Parser, read
from permutree.cli import main, permutree
from permutree.errors import ConfigError, DataError
from permutree.training.config import Config, config_names
from permutree.training.overrides import configure
from tiny_encoders import write_encoder

SMALL = """\
[model.encoder]
hidden = 8
layers = 1

[model.embeddings]
word = 8
character = 8

[training]
epochs = 2
batch = 100
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    torch.set_num_threads(1)
    file = tmp_path / "small.toml"
    file.write_text(SMALL, "utf-8")
    return file


def train(*arguments: str | Path) -> Result:
    return CliRunner().invoke(permutree, ["train", *map(str, arguments)])


def test_the_list_of_settings() -> None:
    result = train("--list")
    assert [line.split()[0] for line in result.stdout.splitlines()] == config_names()
    assert "A PoS tagger" in result.stdout


def test_a_line_an_epoch_and_the_scores(small: Path, tiny_treebank: Path, tmp_path: Path) -> None:
    out = tmp_path / "model"
    arguments: list[str | Path] = [small]
    arguments += ["--train", tiny_treebank, "--train", tiny_treebank, "--dev", tiny_treebank, "--out", out]
    result = train(*arguments)
    assert result.exit_code == 0, result.exception
    lines = result.stderr.splitlines()
    assert [line[:9] for line in lines[:2]] == ["epoch   1", "epoch   2"]
    for what in ("loss ", "F1 ", "discontinuous F1 ", "repairs/sentence ", " sentences/s"):
        assert what in lines[0]
    assert [line.rsplit(None, 1)[0].strip() for line in result.stdout.splitlines()] == [
        "tag accuracy", "F1", "discontinuous F1", "exact match", "repairs/sentence",
    ]  # fmt: skip
    assert list(Parser.load(out).pipe(read(tiny_treebank)))
    # The same command again trains no more, and says the same.
    again = train(*arguments)
    assert again.stdout == result.stdout
    assert "epoch   1 " not in again.stderr
    assert "the model is there already" in again.stderr
    # Another one must not take the first for its own.
    other = train(*arguments, "--seed", "2")
    assert isinstance(other.exception, DataError)
    assert "training.seed" in str(other.exception)


def test_options_become_settings(small: Path, tiny_treebank: Path, tmp_path: Path) -> None:
    out = tmp_path / "model"
    result = train(
        small, "--train", tiny_treebank, "--dev", tiny_treebank, "--out", out, "--json",
        "--encoding", "lehmer", "--encoder", "transformer", "--tags", "none", "--seed", "7", "--epochs", "1",
        "--set", "model.encoder.heads=2", "--set", "optimiser.rate=0.01",
    )  # fmt: skip
    assert result.exit_code == 0, result.exception
    found = json.loads(result.stdout)
    assert found["model"] == str(out)
    assert found["dev"]["epoch"] == 1
    described = json.loads(CliRunner().invoke(permutree, ["info", str(out), "--json"]).stdout)
    assert described["model"]["encoding"] == "lehmer"
    assert described["model"]["tags"] == "none"
    assert described["model"]["encoder"]["kind"] == "transformer"
    assert described["model"]["encoder"]["heads"] == 2
    assert described["training"]["training"]["seed"] == 7
    assert described["training"]["optimiser"]["rate"] == 0.01


def test_a_pretrained_encoder(small: Path, tiny_treebank: Path, tmp_path: Path) -> None:
    write_encoder(tmp_path / "bert", "bert")
    out = tmp_path / "model"
    result = train(
        small, "--train", tiny_treebank, "--dev", tiny_treebank, "--out", out, "--encoder", tmp_path / "bert",
        "--tags", "joint",
    )  # fmt: skip
    assert result.exit_code == 0, result.exception
    words = ["the", "dog", "ᚠ"] * 150
    assert Parser.load(out, "cpu").parse_tokens(words).words == tuple(words)
    assert "bert, fine-tuned" in CliRunner().invoke(permutree, ["info", str(out)]).stdout


def test_tags_of_a_tagger(small: Path, tiny_treebank: Path, tmp_path: Path) -> None:
    tagged = tmp_path / "tagged.discbracket"
    tagged.write_text(tiny_treebank.read_text().replace("(NN ", "(XY "), "utf-8")
    out = tmp_path / "model"
    result = train(
        small, "--train", tiny_treebank, "--dev", tiny_treebank, "--train-tags", tagged, "--dev-tags", tagged,
        "--tags", "predicted", "-o", out,
    )  # fmt: skip
    assert result.exit_code == 0, result.exception
    known = json.loads((out / "words.json").read_text("utf-8"))["tags"]
    assert "XY" in known
    assert "NN" not in known


def test_a_tagger(small: Path, tiny_treebank: Path, tmp_path: Path) -> None:
    out = tmp_path / "tagger"
    result = train(
        small, "--train", tiny_treebank, "--dev", tiny_treebank, "-o", out, "--set", "model.task=tag", "--tags", "none"
    )
    assert result.exit_code == 0, result.exception
    assert result.stdout.startswith("tag accuracy")
    assert "tag accuracy" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing"], "no file 'nothing', nor settings of that name; there are best"),
        (["fast", "--set", "training.epoch=3"], "no setting 'training.epoch'; did you mean 'training.epochs'?"),
        (["fast", "--set", "training.epochs=many"], "training.epochs must be a whole number, not 'many'"),
        (["fast", "--set", "epochs"], "expected name=value"),
        (["paper-bilstm", "--tags", "none"], "points to tags"),
        (["fast", "--encoding", "lehmer"], "use the encoding predecessor, or labeller = 'paper'"),
        (["fast", "--set", "model.ablate=brain"], "ablate can leave out edges, "),
        (["fast", "--encoder", "./nowhere"], "there is no folder ./nowhere"),
    ],
)
def test_settings_that_cannot_be(arguments: list[str], message: str, tiny_treebank: Path, tmp_path: Path) -> None:
    files: list[str | Path] = ["--train", tiny_treebank, "--dev", tiny_treebank, "--out", tmp_path / "model"]
    result = train(*arguments, *files)
    assert isinstance(result.exception, ConfigError)
    assert message in str(result.exception)
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize("change", ["model.ablate=edges", "model.reread.ends=0"])
def test_ablations_are_for_the_laboratory(
    change: str,
    tiny_treebank: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = ["--train", str(tiny_treebank), "--dev", str(tiny_treebank), "--out", str(tmp_path / "model")]
    monkeypatch.setattr(sys, "argv", ["permutree", "train", "small", "--set", change, *files])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 2
    assert "are for ablation experiments, run by the laboratory" in capsys.readouterr().err
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a TOML file or one of best"),
        (["fast"], "--train, --dev and --out must be given"),
        (["fast", "--train", "a", "--dev", "b"], "--out must be given"),
        (["fast", "--encoding", "morse"], "'morse' is not one of"),
        (["fast", "--tags", "silver"], "'silver' is not one of"),
        (["fast", "--epochs", "0"], "0 is not in the range"),
    ],
)
def test_calls_that_are_wrong(arguments: list[str], message: str) -> None:
    result = train(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_files_that_are_not_there(small: Path, tiny_treebank: Path, tmp_path: Path) -> None:
    result = train(small, "--train", tmp_path / "no.dbr", "--dev", tiny_treebank, "--out", tmp_path / "model")
    assert isinstance(result.exception, DataError)
    assert "no.dbr: cannot be read" in str(result.exception)


def test_train_from_python(small: Path, tiny_treebank: Path, tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = []
    result = package.train(
        small,
        train=[tiny_treebank],
        dev=str(tiny_treebank),
        out=tmp_path / "model",
        tags="joint",
        training={"epochs": 3},
        on_epoch=rows.append,
    )
    assert [row["epoch"] for row in rows] == [1, 2, 3]
    assert result.folder == tmp_path / "model"
    assert result.best in rows


def test_settings_are_changed_by_name() -> None:
    base = configure("fast", {"seed": 3})
    changed = configure(base, {"encoder": Path("some/bert"), "data": {"max_length": 50}}, ["training.batch=9"])
    assert isinstance(changed, Config)
    assert changed.training.seed == 3
    assert (changed.model.encoder.kind, changed.model.encoder.pretrained) == ("pretrained", "some/bert")
    assert (changed.data.max_length, changed.training.batch) == (50, 9)
    assert changed.model.embeddings == base.model.embeddings
    with pytest.raises(ConfigError, match="no setting 'sead'"):
        configure("fast", {"sead": 3})
    with pytest.raises(ConfigError, match="out is not a table"):
        configure(base, {"out.name": 3})
