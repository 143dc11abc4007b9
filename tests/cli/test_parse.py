import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from permutree import Tree, read, write
from permutree.cli import permutree
from permutree.errors import ConfigError, DataError
from permutree.formats.registry import READABLE
from permutree.trees.builder import TreeBuilder

HOW = "(SQ (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (NP (PRP 2=it)) (. 4=?))\n"
TAGGED = "How\tWRB\ndoes\tVBZ\nit\tPRP\nwork\tVB\n?\t.\n\n"


def parse(*arguments: str | Path, text: str | None = None) -> Result:
    return CliRunner().invoke(permutree, ["parse", *map(str, arguments)], input=text)


def test_a_treebank(tiny_model: Path, tiny_treebank: Path) -> None:
    result = parse(tiny_treebank, "--model", tiny_model)
    assert result.stdout == tiny_treebank.read_text()
    assert result.stderr == "permutree: the model reads tags: those of the input are used\n"
    result = parse(tiny_treebank, "--model", tiny_model, "--verbose")
    assert result.stdout == tiny_treebank.read_text()
    assert "permutree: 20 sentences, 92 words, " in result.stderr
    assert "sentences/s" in result.stderr
    assert "repair" not in result.stderr


def test_ensembles(tiny_model: Path, tiny_joint_tags: Path, tiny_treebank: Path) -> None:
    result = parse(tiny_treebank, "--model", tiny_model, "--with", tiny_model)
    assert result.stdout == tiny_treebank.read_text()
    result = parse(tiny_treebank, "--model", tiny_model, "--with", tiny_joint_tags)
    assert isinstance(result.exception, ConfigError)
    said = f"the same use of tags: {tiny_model} has tags to read, {tiny_joint_tags} tags to predict"
    assert said in str(result.exception)


def test_only_words_and_tags_are_read(tiny_model: Path) -> None:
    result = parse("-m", tiny_model, text="(X (WRB 0=How) (VBZ 1=does) (Y (PRP 2=it) (VB 3=work) (. 4=?)))\n")
    assert result.stdout == HOW


def test_standard_input_of_tagged_words(tiny_model: Path) -> None:
    assert parse("-m", tiny_model, "--from", "tagged", text=TAGGED).stdout == HOW
    assert parse("-", "-m", tiny_model, "--from", "tagged", text=TAGGED).stdout == HOW


def test_tokens_with_a_tagger(tiny_model: Path, tiny_tagger: Path, tiny_joint_tags: Path) -> None:
    text = "How does it work ?\n\nthe dog\n"
    result = parse("-m", tiny_model, "--tagger", tiny_tagger, "--from", "tokens", text=text)
    assert result.stdout == HOW + "(NP (DT 0=the) (NN 1=dog))\n"
    assert parse("-m", tiny_joint_tags, "--from", "tokens", text=text).stdout == result.stdout


def test_tokens_without_tags(tiny_model: Path, tiny_no_tags: Path) -> None:
    result = parse("-m", tiny_no_tags, "--from", "tokens", text="the dog\n")
    assert result.stdout == "(NP (_ 0=the) (_ 1=dog))\n"
    result = parse("-m", tiny_model, "--from", "tokens", text="the dog\n")
    assert isinstance(result.exception, DataError)
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
    assert isinstance(result.exception, ConfigError)
    assert "say which with --to" in str(result.exception)


@pytest.mark.parametrize("jobs", [(), ("--jobs", "2")])
def test_an_index_to_search(tiny_onnx: Path, tmp_path: Path, jobs: tuple[str, ...]) -> None:
    pytest.importorskip("lark")
    from permutree.search.corpus import Corpus

    (tmp_path / "x.txt").write_text("How does it work ?\nthe dog sleeps .\n")
    result = parse(tmp_path / "x.txt", "-m", tiny_onnx, "--from", "tokens", "--index", tmp_path / "x.ptidx", *jobs)
    assert (result.exit_code, result.stdout) == (0, "")
    matches = Corpus.open(tmp_path / "x.ptidx").search("#n & discontinuous(#n)")
    assert [(match.file, match.sentence, match.nodes["n"].text) for match in matches] == [("x.txt", 1, "How … work")]
    assert parse("x", "-m", tiny_onnx, "--index", "y", "-o", "z").exit_code == 2


def test_a_root_over_all_trees(tiny_model: Path, tiny_treebank: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.export"
    assert parse(tiny_treebank, "-m", tiny_model, "-o", out).exit_code == 0
    assert [tree.discbracket() for tree in read(out)] == tiny_treebank.read_text().splitlines()
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
    (constituent,) = found["constituents"]
    assert 0.5 < constituent.pop("confidence") <= 1
    assert found == record | {"constituents": [{"label": "NP", "words": [0, 1]}]}


def test_repairs_are_counted(tiny_no_tags: Path) -> None:
    words = "\n".join(f"w{number}\tX{number % 3}" for number in range(400))
    assert parse("-m", tiny_no_tags, "--from", "tagged", text=words).stderr == ""
    result = parse("-m", tiny_no_tags, "--from", "tagged", "-v", text=words)
    assert len(Tree.parse(result.stdout)) == 400
    assert "1 sentence, 400 words" in result.stderr
    assert " in 1 sentence (" in result.stderr
    by_scores = parse("-m", tiny_no_tags, "--from", "tagged", "--repair", "scores", text=words)
    assert len(Tree.parse(by_scores.stdout)) == 400
    assert by_scores.stdout != result.stdout


def test_bad_sentences(tiny_model: Path, tmp_path: Path) -> None:
    text = f"{TAGGED}the dog\n\n{TAGGED}"
    out = tmp_path / "out.discbracket"
    result = parse("-m", tiny_model, "--from", "tagged", "-o", out, text=text)
    assert isinstance(result.exception, DataError)
    assert "standard input:7: expected a word, a tab and its tag" in str(result.exception)
    assert not out.exists()
    result = parse("-m", tiny_model, "--from", "tagged", "--skip-bad", text=text)
    assert result.stdout == HOW * 2
    assert "permutree: 1 of 3 sentences skipped" in result.stderr


def test_several_files_in_order(tiny_model: Path, tmp_path: Path) -> None:
    (tmp_path / "a.tagged").write_text(TAGGED, "utf-8")
    (tmp_path / "b.discbracket").write_text("(NP (DT 0=the) (NN 1=dog))\n", "utf-8")
    files = [tmp_path / name for name in ("a.tagged", "b.discbracket", "a.tagged")]
    assert parse(*files, "-m", tiny_model).stdout == f"{HOW}(NP (DT 0=the) (NN 1=dog))\n{HOW}"


def test_the_charset_of_input(tiny_joint_tags: Path, tmp_path: Path) -> None:
    file = tmp_path / "text.tokens"
    file.write_bytes("gewählt\n".encode("latin-1"))
    for option in ("--charset", "--encoding"):
        assert "0=gewählt" in parse(file, "-m", tiny_joint_tags, option, "latin-1").stdout
    result = parse(file, "-m", tiny_joint_tags, "--charset", "klingon")
    assert result.exit_code == 2
    assert "no charset 'klingon'" in result.stderr
    options = parse("--help").stdout
    assert "--charset NAME" in options
    assert "--encoding" not in options


def test_models_that_cannot_parse(tiny_model: Path, tiny_tagger: Path, tiny_joint_tags: Path, tmp_path: Path) -> None:
    result = parse("-m", tiny_tagger, text=HOW)
    assert isinstance(result.exception, DataError)
    assert "is a tagger" in str(result.exception)
    result = parse("-m", tmp_path, text=HOW)
    assert isinstance(result.exception, DataError)
    assert "is this the folder of a permutree model" in str(result.exception)
    for model, tagger, message in (
        (tiny_model, tiny_model, "the tagger predicts no tags; use one that was trained with task = 'tag'"),
        (tiny_joint_tags, tiny_tagger, "predicts tags itself"),
    ):
        result = parse("-m", model, "--tagger", tagger, text=HOW)
        assert isinstance(result.exception, ConfigError)
        assert message in str(result.exception)


def test_the_device(tiny_model: Path) -> None:
    assert parse("-m", tiny_model, "--device", "cpu", text=HOW).stdout == HOW
    assert parse("-m", tiny_model, "--device", "tpu", text=HOW).exit_code == 2


def test_parsing_more_than_a_chunk(tiny_model: Path, tiny_treebank: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("permutree.parsing.onnx_engine.OnnxEngine.chunk", 3)
    assert parse(tiny_treebank, "-m", tiny_model).stdout == tiny_treebank.read_text()


def run(*arguments: str | Path, text: str = "") -> "subprocess.CompletedProcess[str]":
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "permutree", *map(str, arguments)]
    return subprocess.run(command, input=text, capture_output=True, text=True, env=environment, check=False)


def test_as_a_module(tiny_onnx: Path, tmp_path: Path) -> None:
    found = run("parse", "-m", tiny_onnx, text=HOW)
    assert found.stdout == HOW
    assert found.returncode == 0
    found = run("parse", "-m", tmp_path, text=HOW)
    assert found.stderr.startswith("permutree: error: ")
    assert found.returncode == 1
    found = run("parse", "-m", tiny_onnx, "--tagger", tiny_onnx, text=HOW)
    assert found.stderr == "permutree: error: this model predicts tags itself; use it without a tagger\n"
    assert found.returncode == 2


def test_raw_text(tiny_joint_tags: Path, tmp_path: Path) -> None:
    dog = "(S (NP (DT 0=the) (NN 1=dog)) (VP (VBZ 2=sleeps)) (. 3=.))\n"
    text = "the dog sleeps. How does it work?"
    file = tmp_path / "text.txt"
    file.write_text(text, "utf-8")
    for arguments, given in (([text], None), ([file], None), (["-"], text), ([], text), (["--from", "text"], text)):
        result = parse(*arguments, "-m", tiny_joint_tags, "--lang", "en", "-v", text=given)
        assert result.stdout == dog + HOW
        assert "2 sentences, 9 words" in result.stderr
    result = parse("--from", "lines", "-m", tiny_joint_tags, "--lang", "en", text="\nthe dog sleeps.\r\n\n")
    assert result.stdout == dog
    assert parse("--from", "tokens", "-m", tiny_joint_tags, "How does it work ?").stdout == HOW


def test_places_in_the_text(tiny_joint_tags: Path) -> None:
    result = parse("the  dog sleeps.", "-m", tiny_joint_tags, "--lang", "en", "--to", "jsonl")
    assert json.loads(result.stdout)["offsets"] == [[0, 3], [5, 8], [9, 15], [15, 16]]


def test_the_language_is_guessed_and_said(tiny_joint_tags: Path) -> None:
    result = parse("How does it work?", "-m", tiny_joint_tags)
    assert result.stdout == HOW
    assert "permutree: the language is taken to be English; if it is another, say --lang en|nl|de|is" in result.stderr
    assert "Dutch" in parse("-m", tiny_joint_tags, text="Hoe werkt het? " * 9).stderr
    assert "taken" not in parse("How does it work?", "-m", tiny_joint_tags, "--lang", "en").stderr


@pytest.fixture
def bundled(tiny_joint_tags: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Models for English and Dutch, as if they were bundled."""
    for name in ("en", "nl"):
        (tmp_path / "models" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "models" / name).symlink_to(tiny_joint_tags)
    monkeypatch.setattr("permutree.models._HERE", tmp_path / "models")


@pytest.mark.usefixtures("bundled")
def test_each_file_has_a_language_of_its_own(tmp_path: Path, tiny_no_tags: Path) -> None:
    # Trees of another model tell which one was used.
    (tmp_path / "models" / "nl").unlink()
    (tmp_path / "models" / "nl").symlink_to(tiny_no_tags)
    texts = {"a": "How does it work?", "b": "Hoe zou dit dan toch nog niet werken?", "c": "It does not work for you."}
    files = [tmp_path / f"{name}.txt" for name in texts]
    alone = []
    for file, text in zip(files, texts.values(), strict=True):
        file.write_text(text)
        alone.append(parse(file).stdout)
    result = parse(*files)
    assert result.stdout == "".join(alone)
    said = [line for line in result.stderr.splitlines() if "language" in line]
    assert [line.partition(";")[0] for line in said] == [
        f"permutree: {files[0]}: the language is taken to be English",
        f"permutree: {files[1]}: the language is taken to be Dutch",
        f"permutree: {files[2]}: the language is taken to be English",
    ]
    folder = tmp_path / "folder"
    folder.mkdir()
    for file in files:
        file.rename(folder / file.name)
    assert parse(folder).stdout == result.stdout


@pytest.mark.usefixtures("bundled")
def test_an_unsure_language_is_said_and_empty_text_has_none(tmp_path: Path) -> None:
    result = parse("What is the Krtek about?")
    assert "permutree: the language is taken to be English; " in result.stderr
    result = parse("Ne sais pas")
    assert "permutree: the language is unsure; it is taken to be English; if it is another, say --lang" in result.stderr
    (tmp_path / "empty.txt").write_text("\n \n")
    result = parse(tmp_path / "empty.txt")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "language" not in result.stderr


@pytest.mark.usefixtures("bundled")
def test_bundled_models() -> None:
    result = parse("How does it work?")
    assert result.stdout == HOW
    assert "taken to be English" in result.stderr
    assert parse("--lang", "nl", "How does it work?").stdout == HOW
    assert parse("--model", "en", "--from", "tokens", text="How does it work ?").stdout == HOW
    # The language of a treebank is guessed by its words.
    result = parse(text=HOW * 150)
    assert result.stdout == HOW * 150
    assert "taken to be English" in result.stderr
    result = parse("--lang", "de", "Wie geht das?")
    assert isinstance(result.exception, ConfigError)
    assert "no model 'de': the bundled ones are en, nl, and there is no folder of that name" in str(result.exception)


@pytest.mark.parametrize("command", ["parse Salut", "tag Salut", "report Salut", "serve", "corpus in.txt out"])
def test_a_language_without_a_model_says_where_models_come_from(command: str) -> None:
    result = CliRunner().invoke(permutree, [*command.split(), "--lang", "fr"])
    assert result.exit_code == 2
    # Click may break the line, and another test may have installed a language.
    said = " ".join(result.stderr.split())
    assert "'fr' is not one of 'en', 'nl', 'de', 'is'" in said
    assert "; `permutree models` lists models, and installs those of other languages." in said


def test_arguments_that_are_no_files(tiny_joint_tags: Path, tmp_path: Path) -> None:
    missing = ("news.txt", "missing/news.txt", "./news", "missing/", "trees.discbracket.gz")
    for argument in (*missing, str(tmp_path / "my news.txt")):
        result = parse(argument, "-m", tiny_joint_tags)
        assert isinstance(result.exception, DataError)
        assert str(result.exception).startswith(f"{argument}: there is no such file; if it is text, ")
    for argument in ("dog", "dog.", "and/or", "either/or it is a dog", "x/" * 3000 + " a", "see news.txt"):
        assert parse(argument, "-m", tiny_joint_tags, "--lang", "en").exit_code == 0
    assert parse("", "-m", tiny_joint_tags).exit_code == 2


STRANGE = ["\ufeff", "😀", "a\0b\x07\x1b[0m", "Γειά σου, 中文。", "\r\n\r\na\r\n", "\x85\u2028x", "\u202eשלום\u200b!"]


@pytest.mark.parametrize("text", STRANGE)
def test_strange_text(text: str, tiny_joint_tags: Path, tmp_path: Path) -> None:
    file, out = tmp_path / "text.txt", tmp_path / "out"
    file.write_bytes(text.encode())
    for target in ("discbracket", "drawing", "jsonl", "tigerxml", "export", "html"):
        result = parse(file, "-m", tiny_joint_tags, "--lang", "en", "--to", target, "--root", "VROOT", "-o", out)
        assert result.exit_code == 0, result.exception
        if target in READABLE and out.stat().st_size:
            assert all(tree.words for tree in read(out, target))


def test_lone_surrogates(tiny_joint_tags: Path) -> None:
    assert "�x" in parse("\udce4x dog", "-m", tiny_joint_tags, "--lang", "en").stdout


def test_a_long_sentence(tiny_joint_tags: Path) -> None:
    result = parse("-m", tiny_joint_tags, "--lang", "en", text="dog " * 5000)
    assert len(Tree.parse(result.stdout)) == 5000


def test_lines_that_cannot_be_decoded(tiny_joint_tags: Path, tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_bytes(b"the dog\n\n\xff\xfe\n\nthe dog\n")
    out = tmp_path / "out.discbracket"
    result = parse(file, "-m", tiny_joint_tags, "--lang", "en", "-o", out)
    assert isinstance(result.exception, DataError)
    assert f"{file}:3: not utf-8 text" in str(result.exception)
    assert not out.exists()
    result = parse(file, "-m", tiny_joint_tags, "--lang", "en", "--skip-bad")
    assert result.stdout == "(NP (DT 0=the) (NN 1=dog))\n" * 2
    assert "1 of 3 sentences skipped" in result.stderr


def test_pictures_and_pages(tiny_joint_tags: Path, tmp_path: Path) -> None:
    text = "the dog sleeps. How does it work?"
    one = parse("How does it work?", "-m", tiny_joint_tags, "--lang", "en", "--to", "svg")
    assert one.stdout.startswith("<svg")
    options = (text, "-m", tiny_joint_tags, "--lang", "en", "-o")
    result = parse(*options, tmp_path / "tree.svg")
    assert isinstance(result.exception, ConfigError)
    assert "a .svg file holds one tree, and there are several: " in str(result.exception)
    assert parse(*options, f"{tmp_path / 'trees'}/").exit_code == 0
    assert (tmp_path / "trees" / "2.svg").read_text() == one.stdout
    assert parse(*options, tmp_path / "tree-{}.svg").exit_code == 0
    assert (tmp_path / "tree-2.svg").read_text() == one.stdout
    assert parse(*options, tmp_path / "trees.html").exit_code == 0
    assert (tmp_path / "trees.html").read_text().count("<svg") == 2


@pytest.mark.usefixtures("fonts")
def test_pictures_in_pixels(tiny_joint_tags: Path, tmp_path: Path) -> None:
    options = ("How does it work?", "-m", tiny_joint_tags, "--lang", "en", "-o")
    assert parse(*options, tmp_path / "tree.png").exit_code == 0
    assert parse(*options, f"{tmp_path}/trees/", "--to", "png").exit_code == 0
    png = (tmp_path / "tree.png").read_bytes()
    assert png.startswith(b"\x89PNG")
    assert (tmp_path / "trees" / "1.png").read_bytes() == png


def test_pages_name_their_language(tiny_onnx: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.html"
    for jobs in ("1", "2"):
        parse("How does it work?", "-m", tiny_onnx, "--lang", "nl", "-o", out, "--jobs", jobs)
        assert '<html lang="nl">' in out.read_text("utf-8")


def test_several_processes(tiny_onnx: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("permutree.parsing.processes.CHUNK", 3)
    file = tmp_path / "text.txt"
    file.write_text("".join(f"the dog sleeps. it works {'a dog ' * number}\n\n" for number in range(15)), "utf-8")
    options = (file, "-m", tiny_onnx, "--lang", "en", "--to", "jsonl", "-v")
    result = parse(*options, "--jobs", "2")
    assert result.exit_code == 0, result.exception
    assert result.stdout == parse(*options).stdout
    assert "30 sentences" in result.stderr


@pytest.mark.parametrize(
    ("source", "text", "target"),
    [
        ("tokens", "the dog\n\n" * 4 + "How does it work ?\n", "jsonl"),
        ("lines", "the dog.\nHow does it work? the dog\n" * 4, "discbracket"),
        ("text", "the dog sleeps. How does\nit work?\n\nthe dog\n" * 4, "discbracket"),
        ("discbracket", "(NP (DT 0=the) (NN 1=dog))\n" * 4 + "\n" + HOW, "jsonl"),
    ],
)
def test_formats_in_several_processes(
    source: str, text: str, target: str, tiny_onnx: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("permutree.parsing.processes.CHUNK", 3)
    options = ("-m", tiny_onnx, "--lang", "en", "--from", source, "--to", target, "-v")
    several, one = parse(*options, "--jobs", "2", text=text), parse(*options, text=text)
    assert several.exit_code == 0, several.exception
    assert several.stdout == one.stdout
    counts = [re.findall(r"\d+ sentences, \d+ words|; .*", result.stderr) for result in (several, one)]
    assert counts[0] == counts[1] != []


def test_bad_lines_in_several_processes(tiny_onnx: Path, tmp_path: Path) -> None:
    file = tmp_path / "trees.discbracket"
    file.write_text(HOW + "\n" + "(NP (DT 0=the\n" + HOW, "utf-8")
    options = (file, "-m", tiny_onnx, "--jobs", "2")
    result = parse(*options, "-o", tmp_path / "out.discbracket")
    assert isinstance(result.exception, DataError)
    assert str(result.exception).startswith(f"{file}:3: ")
    assert not (tmp_path / "out.discbracket").exists()
    result = parse(*options, "--skip-bad")
    assert result.stdout == HOW * 2
    assert f"permutree: skipped: {file}:3: " in result.stderr
    assert "1 of 3 sentences skipped" in result.stderr


def test_tags_in_several_processes(tiny_model: Path) -> None:
    assert parse("-m", tiny_model, "--from", "tagged", "--jobs", "2", text=TAGGED * 3).stdout == HOW * 3
    result = parse("-m", tiny_model, "--from", "tokens", "--jobs", "2", text="the dog\n")
    assert isinstance(result.exception, DataError)
    assert "sentence 1: the model reads tags" in str(result.exception)


@pytest.mark.usefixtures("signals")
@pytest.mark.parametrize(
    ("number", "options"),
    [
        (signal.SIGKILL, []),
        (signal.SIGINT, ["--jobs", "2"]),
        (signal.SIGTERM, []),
        (signal.SIGTERM, ["--jobs", "2"]),
        (signal.SIGHUP, ["--jobs", "2"]),
    ],
)
def test_ended_half_way(number: signal.Signals, options: list[str], tiny_onnx: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.discbracket"
    command = [sys.executable, "-m", "permutree", "parse", "-m", str(tiny_onnx), "--lang", "en", "-o", str(out)]
    process = subprocess.Popen([*command, *options], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(b"the dog sleeps.\n\n" * 9000)
    process.stdin.flush()
    while process.poll() is None and not any(path.stat().st_size for path in tmp_path.glob(".out*")):
        time.sleep(0.05)
    process.send_signal(number)
    _, said = process.communicate()
    assert not out.exists()
    if number is not signal.SIGKILL:
        assert process.returncode == 128 + number
        assert not said.strip()
        assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals here")
def test_no_bar_in_drawings(tiny_onnx: Path) -> None:
    import pty
    import termios

    master, terminal = pty.openpty()
    # Without room, there is no bar anyway.
    termios.tcsetwinsize(terminal, (24, 80))
    command = [sys.executable, "-m", "permutree", "parse", "-m", str(tiny_onnx), "--lang", "en"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=terminal, stderr=terminal)
    os.close(terminal)
    assert process.stdin is not None
    # A bar would be there after half a second.
    time.sleep(1.5)
    process.stdin.write(b"How does it work?")
    process.stdin.close()
    shown = b""
    # At the end Linux has an error, other systems have nothing more to read.
    with contextlib.suppress(OSError):
        while some := os.read(master, 1 << 16):
            shown += some
    os.close(master)
    assert process.wait() == 0
    assert "SQ" in shown.decode()
    assert b"parsing" not in shown
    assert b"permutree:" not in shown


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


def test_packages_that_are_not_installed(tiny_model: Path, tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("raise ModuleNotFoundError('no torch', name='torch')", "utf-8")
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-m", "permutree", "parse", "-m", str(tiny_model)]
    found = subprocess.run(command, input=HOW, capture_output=True, text=True, env=environment, check=False)
    assert found.returncode == 1
    assert "has no model.onnx, which is what runs without PyTorch: make one where PyTorch is" in found.stderr
    assert "pip install 'permutree[train]'" in found.stderr


def test_reading_what_tag_and_convert_write(tiny_model: Path, tiny_treebank: Path, tmp_path: Path) -> None:
    file = tmp_path / "trees.tigerxml"
    write(read(tiny_treebank), file)
    assert parse(file, "-m", tiny_model).stdout == tiny_treebank.read_text()


def test_a_scheme_for_german_trees(tiny_joint_tags: Path) -> None:
    result = parse("the dog sleeps.", "-m", tiny_joint_tags, "--lang", "en", "--scheme", "tiger", "--root", "VROOT")
    assert result.exit_code == 0, result.output
    draft = TreeBuilder.from_tree(Tree.parse(result.stdout))
    assert all(len(node.children) > 1 for node in draft.nodes() if node is not draft.root)


def test_a_scheme_is_for_one_language(tiny_joint_tags: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("permutree.parsing.parser.Parser.language", "en")
    result = parse("The dog sleeps.", "-m", tiny_joint_tags, "--scheme", "tiger")
    assert result.exit_code == 2
    assert "--scheme tiger is for German trees" in result.stderr


@pytest.mark.parametrize("jobs", [1, 2])
def test_long_sentences_are_cut_or_refused(tiny_onnx: Path, jobs: int) -> None:
    words = " ".join(["the dog sleeps ."] * 150)
    options = ("-m", tiny_onnx, "--from", "tokens", "--jobs", str(jobs))
    result = parse("-", *options, text=f"the dog\n{words}\nit works\n")
    assert result.stdout.count("\n") == 3
    assert (
        "1 sentence of more than 500 words cut into 150 pieces, whose trees are joined under one root" in result.stderr
    )
    assert len(Tree.parse(result.stdout.splitlines()[1]).words) == 600
    refused = parse("-", *options, "--max-words", "500", text=f"the dog\n{words}\nit works\n")
    assert isinstance(refused.exception, DataError)
    assert "sentence 2: 'the dog sleeps" in str(refused.exception)
    assert "has 600 words, and --max-words allows 500" in str(refused.exception)
    skipped = parse("-", *options, "--max-words", "500", "--skip-bad", text=f"the dog\n{words}\nit works\n")
    assert skipped.stdout.count("\n") == 2
    assert "1 of 3 sentences skipped" in skipped.stderr
    assert "cut" not in skipped.stderr
