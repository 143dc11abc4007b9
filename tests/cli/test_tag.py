from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from permutree import Tree, read
from permutree.cli import permutree
from permutree.errors import ConfigError, DataError
from permutree.training.config import Config


def tag(*arguments: str | Path, text: str | None = None) -> Result:
    return CliRunner().invoke(permutree, ["tag", *map(str, arguments)], input=text)


def test_a_treebank_with_other_tags(tiny_tagger: Path, tiny_treebank: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.discbracket"
    trees = list(read(tiny_treebank))
    wrong.write_text("".join(tree.with_tags(["X"] * len(tree)).discbracket() + "\n" for tree in trees), "utf-8")
    assert tag(wrong, "--model", tiny_tagger).stdout == tiny_treebank.read_text()
    out = tmp_path / "out.jsonl.xz"
    assert tag(wrong, "-m", tiny_tagger, "-o", out).exit_code == 0
    assert list(read(out)) == trees
    assert tag(wrong, "-m", tiny_tagger, "--to", "jsonl").stdout.startswith('{"words"')


def test_tokens(tiny_tagger: Path, tiny_joint_tags: Path, tmp_path: Path) -> None:
    expected = "the\tDT\ndog\tNN\n\nit\tPRP\n\n"
    for model in (tiny_tagger, tiny_joint_tags):
        assert tag("-m", model, "--from", "tokens", text="the dog\nit\n").stdout == expected
    assert tag("-m", tiny_tagger, "--from", "tagged", text="the\tX\ndog\tX\n\nit\tX\n").stdout == expected
    out = tmp_path / "out.txt"
    assert tag("-m", tiny_tagger, "--from", "tokens", "-o", out, text="the dog\nit\n").exit_code == 0
    assert out.read_text() == expected


TEXT = "the dog sleeps. it works."
TAGS = "the\tDT\ndog\tNN\nsleeps\tVBZ\n.\t.\n\nit\tPRP\nworks\tVBZ\n.\t.\n\n"


def test_raw_text(tiny_tagger: Path, tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text(TEXT, "utf-8")
    for arguments, given in (([TEXT], None), ([file], None), (["-"], TEXT), ([], TEXT), (["--from", "text"], TEXT)):
        result = tag(*arguments, "-m", tiny_tagger, "--lang", "en", text=given)
        assert (result.stdout, result.stderr) == (TAGS, "")
    result = tag("no/such.txt", "-m", tiny_tagger)
    assert "there is no such file; if it is text" in str(result.exception)


def test_bundled_models(tiny_joint_tags: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "en").symlink_to(tiny_joint_tags)
    monkeypatch.setattr("permutree.models._HERE", tmp_path)
    assert tag("--lang", "en", TEXT).stdout == TAGS
    result = tag(TEXT)
    assert result.stdout == TAGS
    assert "taken to be English" in result.stderr
    assert tag("-m", "en", text="(NP (X 0=the) (X 1=dog))").stdout == "(NP (DT 0=the) (NN 1=dog))\n"


def test_trees_as_tagged_words(tiny_tagger: Path, tmp_path: Path) -> None:
    tree = "(NP (X 0=the) (X 1=dog))\n"
    assert tag("-m", tiny_tagger, "--to", "tagged", text=tree).stdout == "the\tDT\ndog\tNN\n\n"
    out = tmp_path / "out.tagged"
    assert tag("-m", tiny_tagger, "-o", out, text=tree).exit_code == 0
    assert out.read_text() == "the\tDT\ndog\tNN\n\n"


def test_what_cannot_be_written(tiny_tagger: Path, tmp_path: Path) -> None:
    result = tag("-m", tiny_tagger, "--from", "tokens", "--to", "export", text="the dog\n")
    assert result.exit_code == 2
    assert "has no trees to be written as export" in result.stderr
    (tmp_path / "a.dbr").write_text("(NN 0=dog)", "utf-8")
    (tmp_path / "b.tokens").write_text("dog", "utf-8")
    result = tag(tmp_path / "a.dbr", tmp_path / "b.tokens", "-m", tiny_tagger)
    assert isinstance(result.exception, DataError)
    assert "sentence 2: trees and text do not go into one output" in str(result.exception)


def test_nothing_to_tag(tiny_tagger: Path) -> None:
    result = tag("-m", tiny_tagger, "--from", "tokens", text="")
    assert (result.stdout, result.exit_code) == ("", 0)


def test_unseen_words(tiny_tagger: Path) -> None:
    result = tag("-m", tiny_tagger, "--from", "tokens", text="ᚠ " * 400)
    assert result.stdout.count("ᚠ\t") == 400


def test_a_model_without_tags(tiny_model: Path) -> None:
    result = tag("-m", tiny_model, text="(NN 0=dog)")
    assert isinstance(result.exception, DataError)
    assert "predicts no tags; use a tagger, or a parser trained with `permutree train --tags joint`" in str(
        result.exception
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--model", "m", "--jackknife", "5"], "leave out --model and --lang"),
        (["--lang", "en", "--jackknife", "5"], "leave out --model and --lang"),
        (["--model", "m", "--work", "w"], "go with --jackknife"),
        (["--jackknife", "5", "-o", "out.dbr"], "needs a folder for its taggers"),
        (["--jackknife", "5", "--work", "w"], "a file for the trees"),
        (["--jackknife", "5", "--work", "w", "-o", "o.dbr", "--from", "tokens"], "give a treebank"),
        (["some text", "--jackknife", "5", "--work", "w", "-o", "o.dbr"], "give a treebank"),
        (["--jackknife", "1", "--work", "w", "-o", "o.dbr"], "1 is not in the range"),
    ],
)
def test_options_that_do_not_go_together(arguments: list[str], message: str) -> None:
    result = tag("-", *arguments, text="(NN 0=dog)")
    assert result.exit_code == 2
    assert message in result.stderr


def test_jackknife_with_other_settings(tiny_treebank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from permutree.training import jackknife

    def fake(trees: Sequence[Tree], config: Config, folds: int, folder: Path) -> list[Tree]:
        assert (config.training.epochs, config.model.task, folds, folder) == (3, "tag", 4, tmp_path / "work")
        return [tree.with_tags(["J"] * len(tree)) for tree in trees]

    monkeypatch.setattr(jackknife, "jackknife", fake)
    out = tmp_path / "out.discbracket"
    options: list[str | Path] = ["--jackknife", "4", "--work", tmp_path / "work", "--set", "training.epochs=3"]
    assert tag(tiny_treebank, *options, "-o", out).exit_code == 0
    trees = list(read(out))
    assert len(trees) == 20
    assert {one for tree in trees for one in tree.tags} == {"J"}
    result = tag(tiny_treebank, *options, "-o", out, "--config", "nothing")
    assert isinstance(result.exception, ConfigError)


def test_jackknife(tiny_treebank: Path, tmp_path: Path) -> None:
    settings = {
        "model.encoder.hidden": 16, "model.encoder.layers": 1, "model.embeddings.word": 8, "training.epochs": 2,
        "model.embeddings.character": 8,
    }  # fmt: skip
    changes = [part for name, value in settings.items() for part in ("--set", f"{name}={value}")]
    out = tmp_path / "out.discbracket"
    result = tag(tiny_treebank, "--jackknife", "2", "--work", tmp_path / "work", *changes, "-o", out)
    assert result.exit_code == 0, result.exception
    assert "20 trees; " in result.stderr
    assert "% of 92 tags are as before" in result.stderr
    before, after = list(read(tiny_treebank)), list(read(out))
    assert [tree.with_tags(["X"] * len(tree)) for tree in before] == [
        tree.with_tags(["X"] * len(tree)) for tree in after
    ]
