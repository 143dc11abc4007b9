"""Options that commands share: all of them write all formats, by the same names."""

import io
import logging
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from permutree.cli import main, permutree
from permutree.cli.options import target_of, title_of, writer_options
from permutree.errors import ConfigError, PermutreeError
from permutree.formats import FORMATS, write
from permutree.formats.registry import WRITABLE, guess_target
from permutree.trees.tree import Tree

TREE = Tree.parse("(VROOT (SQ (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (NP (PRP 2=it)) (. 4=?)))")
LINE = TREE.discbracket() + "\n"
WRITING = ("parse", "convert", "draw", "decode")


def run(*arguments: str | Path, text: str | None = None) -> str:
    result = CliRunner().invoke(permutree, list(map(str, arguments)), input=text, catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def command(name: str) -> click.Command:
    found: click.Command = import_module(f"permutree.cli.{name}").command
    return found


def option(name: str, flag: str) -> click.Option:
    return next(one for one in command(name).params if isinstance(one, click.Option) and flag in one.opts)


@pytest.mark.parametrize("name", [name for name, entry in WRITABLE.items() if entry.is_discontinuous])
def test_all_commands_write_all_formats(
    name: str, tiny_joint_tags: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if name == "png":
        request.getfixturevalue("fonts")
    out, expected = (tmp_path / f"{stem}{FORMATS[name].suffixes[0]}" for stem in ("out", "expected"))
    asked = [] if guess_target(out) is FORMATS[name] else ["--to", name]
    write([TREE], expected, name, **({"title": "trees.discbracket"} if name == "html" else {}))
    trees, labels = tmp_path / "trees.discbracket", tmp_path / "trees.labels"
    trees.write_text(LINE)
    run("encode", trees, "-o", labels)
    run("convert", trees, out, *asked)
    assert out.read_bytes() == expected.read_bytes()
    out.unlink()
    run("draw", LINE, "-o", out, *asked)
    assert out.read_bytes().replace(b">Trees<", b">trees.discbracket<") == expected.read_bytes()
    out.unlink()
    run("decode", labels, "-o", out, *asked)
    assert out.read_bytes().replace(b">trees.labels<", b">trees.discbracket<") == expected.read_bytes()
    out.unlink()
    if not FORMATS[name].has_confidence:
        run("parse", trees, "-m", tiny_joint_tags, "--root", "VROOT", "-o", out, *asked)
        assert out.read_bytes() == expected.read_bytes()
        out.unlink()
        printed = run("convert", trees, "-", "--to", name).encode(errors="surrogateescape")
        assert printed == expected.read_bytes() or name == "png"


def test_formats_have_the_same_names_everywhere() -> None:
    for name in WRITING:
        choices = option(name, "--to").type
        assert isinstance(choices, click.Choice)
        assert list(choices.choices) == list(WRITABLE)
    assert run("draw", LINE, "--to", "text") == run("convert", "-", "-", "--to", "drawing", text=LINE)
    choices = option("diff", "--to").type
    assert isinstance(choices, click.Choice)
    assert list(choices.choices) == ["drawing", "ascii", "html"]
    result = CliRunner().invoke(permutree, ["draw", LINE, "--to", "word"])
    assert result.exit_code == 2
    assert "'word' is not one of 'discbracket'" in result.stderr


def test_options_that_mean_the_same_look_the_same() -> None:
    shared = ["--output", "--to", "--width", "--colour", "--transparent", "--fragment", "--charset", "--skip-bad"]
    helps: list[dict[str, Any]] = []
    for name in ("parse", "draw"):
        flags = [next(flag for flag in one.opts if flag.startswith("--")) for one in command(name).params[1:]]
        assert [flag for flag in flags if flag in shared] == shared
        helps.append({flag: option(name, flag).help for flag in shared if flag != "--to"})
    assert helps[0] == helps[1]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        *((name, "--encoding", "--charset") for name in ("convert", "draw", "stats", "labels", "evaluate", "diff")),
        *((name, "--encoding", "--charset") for name in ("parse", "tag")),
        ("encode", "--input-encoding", "--charset"),
        ("convert", "--output-encoding", "--output-charset"),
    ],
)
def test_old_names_of_charsets_work_and_are_not_shown(name: str, old: str, new: str) -> None:
    assert option(name, old) is option(name, new)
    help_text = run(name, "--help")
    assert f"{new} NAME" in help_text
    assert f"{old} NAME" not in help_text


def test_charsets_of_both_sides(tmp_path: Path) -> None:
    file, out = tmp_path / "in.discbracket", tmp_path / "out.discbracket"
    file.write_text("(S (X 0=gewählt))\n", "latin-1")
    run("convert", file, out, "--charset", "latin-1", "--output-charset", "utf-16")
    assert out.read_text("utf-16") == "(S (X 0=gewählt))\n"
    result = CliRunner().invoke(permutree, ["stats", str(file), "--charset", "klingon"])
    assert result.exit_code == 2
    assert "no charset 'klingon'; usual ones are utf-8, latin-1, cp1252 and utf-16" in result.stderr


def test_targets() -> None:
    assert target_of("-", None).name == "discbracket"
    assert target_of("-", None, draws=True).name == "drawing"
    assert target_of("x.tex", None).name == "latex"
    assert target_of("x.tex", FORMATS["svg"]).name == "svg"
    with pytest.raises(ConfigError, match=r"x\.pdf: its name says no format"):
        target_of("x.pdf", None)


def test_writers_are_told_what_they_know() -> None:
    assert writer_options(FORMATS["jsonl"], "-", width=7) == {}
    assert writer_options(FORMATS["svg"], "-", transparent=True, fragment=False) == {"transparent": True}
    assert writer_options(FORMATS["html"], "-", ["a/b.txt", "-", "c"]) == {"title": "b.txt, c"}
    assert writer_options(FORMATS["ascii"], "-", width=7, colour="always") == {"width": 7, "colour": True}
    assert title_of(["-"]) == "Trees"


def test_news_and_warnings(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def say() -> None:
        logging.getLogger("permutree").info("the language is %s", "Dutch")
        logging.getLogger("permutree").warning("a file was left out")
        logging.getLogger("another").info("nothing")

    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    monkeypatch.setattr("permutree.cli.permutree", lambda **options: say())
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    with pytest.raises(SystemExit):
        main()
    expected = "permutree: the language is Dutch\npermutree: warning: a file was left out\n"
    assert capsys.readouterr().err == expected


DISCONTINUOUS = "(S (VP (WRB 0=How) (VB 2=work)) (VBZ 1=does))\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("parse", "--model", "{joint}", "{trees}", "--to", "ptb"),
        ("draw", "{trees}", "--to", "ptb"),
        ("convert", "{trees}", "{out}.ptb"),
        ("convert", "{trees}", "{out}.svg"),
        ("train", "fast", "--train", "{prose}", "--dev", "{prose}", "--out", "{out}"),
        ("train", "fast", "--train", "{latin}", "--dev", "{latin}", "--out", "{out}"),
        ("stats", "{prose}"),
        ("stats", "{latin}"),
        ("evaluate", "{prose}", "{prose}"),
        ("info", "no_such_model"),
        ("export", "no_such_model", "--onnx"),
        ("export", "{joint}", "--onnx", "--check", "{prose}"),
        ("bench", "no_such_model"),
        ("parse", "--model", "no_such_model", "it works."),
        ("tag", "--model", "no_such_model", "{trees}"),
    ],
)
def test_messages_name_options_that_the_command_has(
    arguments: tuple[str, ...], tiny_joint_tags: Path, tmp_path: Path
) -> None:
    (tmp_path / "trees.discbracket").write_text(DISCONTINUOUS * 2)
    (tmp_path / "prose.md").write_text("It works.\n")
    (tmp_path / "latin.discbracket").write_bytes("(NN 0=Bär)\n".encode("latin-1"))
    places = {
        "joint": tiny_joint_tags,
        "trees": tmp_path / "trees.discbracket",
        "prose": tmp_path / "prose.md",
        "latin": tmp_path / "latin.discbracket",
        "out": tmp_path / "out",
    }
    result = CliRunner().invoke(permutree, [argument.format(**places) for argument in arguments])
    assert isinstance(result.exception, PermutreeError), (result.output, result.exception)
    # What stands between backticks is a call of its own.
    named = re.findall(r"(?<![\w-])--?[a-z][a-z-]*", re.sub(r"`[^`]*`", "", str(result.exception)))
    known = {flag for param in command(arguments[0]).params for flag in (*param.opts, *param.secondary_opts)}
    assert set(named) <= known, str(result.exception)
