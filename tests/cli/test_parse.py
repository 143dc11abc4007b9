import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from permutree import Tree, read, write
from permutree.cli import permutree
from permutree.settings import SettingsError
from permutree.treebanks.errors import TreebankError

HOW = "(SQ (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (NP (PRP 2=it)) (. 4=?))\n"
TAGGED = "How\tWRB\ndoes\tVBZ\nit\tPRP\nwork\tVB\n?\t.\n\n"


def parse(*arguments: str | Path, text: str | None = None) -> Result:
    return CliRunner().invoke(permutree, ["parse", *map(str, arguments)], input=text)


def test_a_treebank(tiny_model: Path, tiny_treebank: Path) -> None:
    result = parse(tiny_treebank, "--model", tiny_model)
    assert result.stdout == tiny_treebank.read_text()
    assert "permutree: 20 sentences, 92 words, " in result.stderr
    assert "sentences/s" in result.stderr
    assert "repair" not in result.stderr


def test_only_words_and_tags_are_read(tiny_model: Path) -> None:
    result = parse("-m", tiny_model, text="(X (WRB 0=How) (VBZ 1=does) (Y (PRP 2=it) (VB 3=work) (. 4=?)))\n")
    assert result.stdout == HOW


def test_standard_input_of_tagged_words(tiny_model: Path) -> None:
    assert parse("-m", tiny_model, "--from", "tagged", text=TAGGED).stdout == HOW
    assert parse("-", "-m", tiny_model, "--from", "tagged", text=TAGGED).stdout == HOW


def test_tokens_with_a_tagger(tiny_model: Path, tiny_tagger: Path, tiny_own_tags: Path) -> None:
    text = "How does it work ?\n\nthe dog\n"
    result = parse("-m", tiny_model, "--tagger", tiny_tagger, "--from", "tokens", text=text)
    assert result.stdout == HOW + "(NP (DT 0=the) (NN 1=dog))\n"
    assert parse("-m", tiny_own_tags, "--from", "tokens", text=text).stdout == result.stdout


def test_tokens_without_tags(tiny_model: Path, tiny_no_tags: Path) -> None:
    result = parse("-m", tiny_no_tags, "--from", "tokens", text="the dog\n")
    assert result.stdout == "(NP (_ 0=the) (_ 1=dog))\n"
    result = parse("-m", tiny_model, "--from", "tokens", text="the dog\n")
    assert isinstance(result.exception, TreebankError)
    assert "sentence 1: the model reads tags, and this text has none: name a tagger with --tagger" in str(
        result.exception
    )


def test_output_formats(tiny_model: Path, tiny_treebank: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl.gz"
    assert parse(tiny_treebank, "-m", tiny_model, "-o", out).exit_code == 0
    assert list(read(out)) == list(read(tiny_treebank))
    out = tmp_path / "out.discbracket"
    assert parse(tiny_treebank, "-m", tiny_model, "-o", out).exit_code == 0
    assert out.read_text() == tiny_treebank.read_text()
    result = parse("-m", tiny_model, "--from", "tagged", "--to", "jsonl", text=TAGGED)
    assert json.loads(result.stdout)["tags"] == ["WRB", "VBZ", "PRP", "VB", "."]
    result = parse(tiny_treebank, "-m", tiny_model, "-o", tmp_path / "out.what")
    assert result.exit_code == 2
    assert "say which with --to" in result.stderr


def test_a_root_for_formats_that_want_one(tiny_model: Path, tiny_treebank: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.export"
    result = parse(tiny_treebank, "-m", tiny_model, "-o", out)
    assert isinstance(result.exception, TreebankError)
    assert "add a root (--root VROOT)" in str(result.exception)
    assert not out.exists()
    assert parse(tiny_treebank, "-m", tiny_model, "-o", out, "--root", "VROOT").exit_code == 0
    lines = [f"(VROOT {line})" for line in tiny_treebank.read_text().splitlines()]
    assert [tree.discbracket() for tree in read(out)] == lines
    result = parse(tiny_treebank, "-m", tiny_model, "--root", "VROOT")
    assert result.stdout.splitlines() == lines


def test_drawings(tiny_model: Path) -> None:
    result = parse("-m", tiny_model, "--from", "tagged", "--to", "drawing", text=TAGGED * 2)
    drawing = str(Tree.parse(HOW))
    assert result.stdout == f"{drawing}\n\n{drawing}\n"


def test_ids_and_lemmas_are_kept(tiny_model: Path, tmp_path: Path) -> None:
    record = {
        "id": "s7", "words": ["the", "dog"], "tags": ["DT", "NN"], "lemmas": ["the", None], "functions": ["DET", "HD"],
        "constituents": [{"label": "X", "words": [0, 1], "function": "SB"}], "info": {"source": "news"},
    }  # fmt: skip
    result = parse("-m", tiny_model, "--to", "jsonl", text=json.dumps(record))
    found = json.loads(result.stdout)
    del record["functions"]
    assert found == record | {"constituents": [{"label": "NP", "words": [0, 1]}]}


def test_repairs_are_counted(tiny_model: Path, tiny_treebank: Path) -> None:
    words = "\n".join(f"w{number}\tX{number % 3}" for number in range(400))
    result = parse("-m", tiny_model, "--from", "tagged", text=words)
    assert len(Tree.parse(result.stdout)) == 400
    assert "1 sentence, 400 words" in result.stderr
    assert " in 1 sentence (" in result.stderr
    by_scores = parse("-m", tiny_model, "--from", "tagged", "--repair", "scores", text=words)
    assert len(Tree.parse(by_scores.stdout)) == 400
    assert by_scores.stdout != result.stdout


def test_bad_sentences(tiny_model: Path, tmp_path: Path) -> None:
    text = f"{TAGGED}the dog\n\n{TAGGED}"
    out = tmp_path / "out.discbracket"
    result = parse("-m", tiny_model, "--from", "tagged", "-o", out, text=text)
    assert isinstance(result.exception, TreebankError)
    assert "standard input:7: expected a word, a tab and its tag" in str(result.exception)
    assert not out.exists()
    result = parse("-m", tiny_model, "--from", "tagged", "--skip-bad", text=text)
    assert result.stdout == HOW * 2
    assert "permutree: 1 bad sentence skipped" in result.stderr


def test_several_files_in_order(tiny_model: Path, tmp_path: Path) -> None:
    (tmp_path / "a.tagged").write_text(TAGGED, "utf-8")
    (tmp_path / "b.discbracket").write_text("(NP (DT 0=the) (NN 1=dog))\n", "utf-8")
    files = [tmp_path / name for name in ("a.tagged", "b.discbracket", "a.tagged")]
    assert parse(*files, "-m", tiny_model).stdout == f"{HOW}(NP (DT 0=the) (NN 1=dog))\n{HOW}"


def test_the_encoding_of_input(tiny_own_tags: Path, tmp_path: Path) -> None:
    file = tmp_path / "text.tokens"
    file.write_bytes("gewählt\n".encode("latin-1"))
    assert "0=gewählt" in parse(file, "-m", tiny_own_tags, "--encoding", "latin-1").stdout
    result = parse(file, "-m", tiny_own_tags, "--encoding", "klingon")
    assert result.exit_code == 2
    assert "no encoding 'klingon'" in result.stderr


def test_models_that_cannot_parse(tiny_model: Path, tiny_tagger: Path, tiny_own_tags: Path, tmp_path: Path) -> None:
    result = parse("-m", tiny_tagger, text=HOW)
    assert isinstance(result.exception, TreebankError)
    assert "is a tagger" in str(result.exception)
    result = parse("-m", tmp_path, text=HOW)
    assert isinstance(result.exception, TreebankError)
    assert "is this the folder of a permutree model" in str(result.exception)
    for model, tagger, message in (
        (tiny_model, tiny_model, "predicts no tags"),
        (tiny_own_tags, tiny_tagger, "predicts tags itself"),
    ):
        result = parse("-m", model, "--tagger", tagger, text=HOW)
        assert isinstance(result.exception, SettingsError)
        assert message in str(result.exception)
    assert "Missing option '-m' / '--model'" in parse(text=HOW).stderr


def test_the_device(tiny_model: Path) -> None:
    assert parse("-m", tiny_model, "--device", "cpu", text=HOW).stdout == HOW
    assert parse("-m", tiny_model, "--device", "tpu", text=HOW).exit_code == 2


def test_parsing_more_than_a_chunk(tiny_model: Path, tiny_treebank: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("permutree.inference.parser.CHUNK", 3)
    assert parse(tiny_treebank, "-m", tiny_model).stdout == tiny_treebank.read_text()


def run(*arguments: str | Path, text: str = "") -> "subprocess.CompletedProcess[str]":
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "permutree", *map(str, arguments)]
    return subprocess.run(command, input=text, capture_output=True, text=True, env=environment, check=False)


def test_as_a_module(tiny_model: Path, tmp_path: Path) -> None:
    found = run("parse", "-m", tiny_model, text=HOW)
    assert found.stdout == HOW
    assert found.returncode == 0
    found = run("parse", "-m", tmp_path, text=HOW)
    assert found.stderr.startswith("permutree: error: ")
    assert found.returncode == 1
    found = run("parse", "-m", tiny_model, "--tagger", tiny_model, text=HOW)
    assert found.stderr == (
        "permutree: error: the tagger predicts no tags; use one that was trained with task = 'tag'\n"
    )
    assert found.returncode == 2


@pytest.mark.parametrize("name", ["train", "parse", "tag", "info"])
def test_help_is_light(name: str) -> None:
    code = (
        "import sys, click; from permutree.cli import permutree\n"
        f"try: permutree(['{name}', '--help'])\n"
        "except SystemExit: pass\n"
        "print('torch' in sys.modules, 'transformers' in sys.modules, 'accelerate' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Examples:" in found.stdout
    assert found.stdout.endswith("False False False\n")


def test_packages_that_are_not_installed(tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("raise ModuleNotFoundError('no torch', name='torch')", "utf-8")
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-m", "permutree", "parse", "-m", "model"]
    found = subprocess.run(command, input=HOW, capture_output=True, text=True, env=environment, check=False)
    assert found.returncode == 1
    assert "models need the package torch, which is not here: pip install 'permutree[train]'" in found.stderr


def test_reading_what_tag_and_convert_write(tiny_model: Path, tiny_treebank: Path, tmp_path: Path) -> None:
    file = tmp_path / "trees.tigerxml"
    write(read(tiny_treebank), file)
    assert parse(file, "-m", tiny_model).stdout == tiny_treebank.read_text()
