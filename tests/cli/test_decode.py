import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from permutree import Tree, read
from permutree.cli import permutree
from permutree.encoding import ENCODINGS
from permutree.encoding.labelfile import STYLES
from permutree.errors import DataError

TREES = """\
(ROOT (S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it)) (. 4=?))
(NN 0=word)
(NP (DT 0=the) (N\\+ 1=-LRB-) (+ 2=b=c))
"""


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_same_bytes_come_back(encoding: str, style: str) -> None:
    options = ["--encoding", encoding, "--style", style]
    labels = CliRunner().invoke(permutree, ["encode", "-", *options], input=TREES)
    trees = CliRunner().invoke(permutree, ["decode", "-", *options], input=labels.stdout)
    assert trees.stdout == TREES
    assert "repairs" not in trees.stderr


def test_other_formats(tmp_path: Path) -> None:
    how = TREES.splitlines()[0]
    labels = CliRunner().invoke(permutree, ["encode", "-"], input=how).stdout
    file = tmp_path / "trees.export"
    assert CliRunner().invoke(permutree, ["decode", "-", "-o", str(file)], input=labels).exit_code == 0
    assert list(read(file)) == [Tree.parse(how)]
    result = CliRunner().invoke(permutree, ["decode", "-", "--to", "jsonl"], input=labels)
    assert json.loads(result.stdout)["words"] == ["How", "does", "it", "work", "?"]


def test_repairs_are_told(tmp_path: Path) -> None:
    labels = "a\tN\t1\tS\t_\t7\nb\tN\t_\t_\t_\tINV\n\nc\tN\t_\t_\t_\tINV\n\n"
    file = tmp_path / "repairs.jsonl"
    options = ["--encoding", "absolute", "--repairs", str(file)]
    result = CliRunner().invoke(permutree, ["decode", "-", *options], input=labels)
    assert result.stdout == "(S (N 0=a) (N 1=b))\n(N 0=c)\n"
    assert "1 repairs in 1 of 2 sentences (permutation-range 1)" in result.stderr
    assert json.loads(file.read_text()) == {
        "sentence": 1, "word": 0, "kind": "permutation-range", "was": "7", "became": "INV",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("style", "labels"),
    [
        ("permutree", "a\tN\t1\t-3 QQ\t_\tINV\nb\tN\t_\t_\tx y\tINV\n\nc\tN\t_\t_\t_\tINV\n\n"),
        ("disco2labels", "a\tN\t1ROOT{}-3 QQ{}NONE{}INV\nb\tN\tNONE{}NONE{}x y{}INV\n\nc\tN\tNONE{}NONE{}NONE{}INV\n"),
    ],
)
@pytest.mark.parametrize("target", ["discbracket", "export", "tigerxml", "alpino", "ptb", "psd", "jsonl"])
def test_a_label_with_white_space_is_repaired(style: str, labels: str, target: str) -> None:
    options = ["--encoding", "absolute", "--style", style, "--root-label", "S", "--to", target]
    result = CliRunner().invoke(permutree, ["decode", "-", *options], input=labels)
    assert result.exit_code == 0, result.exception
    assert "2 repairs in 1 of 2 sentences (shared-missing 1, unary-symbol 1)" in result.stderr
    if target == "discbracket":
        assert result.stdout == "(S (N 0=a) (N 1=b))\n(N 0=c)\n"


def test_strict_stops_at_the_first_repair(tmp_path: Path) -> None:
    labels = "a\tN\t_\t_\t_\tINV\n\nb\tN\t_\tS\t_\tINV\n"
    out = tmp_path / "out.discbracket"
    arguments = ["decode", "-", "--encoding", "absolute", "--strict", "-o", str(out)]
    result = CliRunner().invoke(permutree, arguments, input=labels)
    assert isinstance(result.exception, DataError)
    assert "standard input:3: word 0 needs a repair (shared-last)" in str(result.exception)
    assert not out.exists()


def test_another_encoding_is_suspected() -> None:
    labels = CliRunner().invoke(permutree, ["encode", "-", "--encoding", "pointer"], input=TREES).stdout
    result = CliRunner().invoke(permutree, ["decode", "-", "--encoding", "lehmer"], input=labels)
    assert result.exit_code == 0
    assert "another --encoding" in result.stderr


def test_bad_rows_cost_their_sentence(tmp_path: Path) -> None:
    good = "a\tA\t_\t_\tS\tNEXT\n\n"
    file = tmp_path / "x.labels"
    file.write_bytes(good.encode() + b"b\tB\n\n" + b"\xff\tA\t_\t_\tS\tNEXT\n\n" + good.encode())
    result = CliRunner().invoke(permutree, ["decode", str(file)])
    assert isinstance(result.exception, DataError)
    result = CliRunner().invoke(permutree, ["decode", str(file), "--skip-bad"])
    assert result.exit_code == 0
    assert result.output.count("(S (A 0=a))") == 2
    assert "x.labels:3: expected word, tag, levels" in result.output
    assert "x.labels:5: not utf-8 text" in result.output
    assert "permutree: 2 of 4 sentences skipped" in result.output
