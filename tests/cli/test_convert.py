import io
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from permutree import cli
from permutree.formats import read, write
from permutree.trees.tree import Tree

TREES = [
    "(ROOT (S (NP (PRP 0=I)) (VP (VBP 1=see))) (. 2=.))",
    "(ROOT (S (VP (WP 0=What) (VB 3=see)) (MD 1=can) (NP (PRP 2=you))) (. 4=?))",
]


def run(*arguments: object, text: str | None = None) -> Result:
    return CliRunner().invoke(
        cli.permutree, [str(argument) for argument in arguments], input=text, catch_exceptions=False
    )


def run_whole(*arguments: object, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """As a process of its own: exit status and both streams."""
    command = [sys.executable, "-c", "from permutree.cli import main; main()", *map(str, arguments)]
    return subprocess.run(command, input=data, capture_output=True, check=False)


@pytest.fixture
def trees(tmp_path: Path) -> Path:
    path = tmp_path / "trees.discbracket"
    path.write_text("".join(f"{tree}\n" for tree in TREES))
    return path


def converted(path: Path, *options: str) -> list[str]:
    out = path.with_name("out.discbracket")
    result = run("convert", path, out, *options)
    assert result.exit_code == 0, result.output
    return out.read_text().splitlines()


def test_formats_by_name_and_by_option(trees: Path, tmp_path: Path) -> None:
    assert run("convert", trees, tmp_path / "a.export").exit_code == 0
    assert (tmp_path / "a.export").read_text().startswith("#FORMAT 4\n#BOS 1")
    assert run("convert", tmp_path / "a.export", tmp_path / "b.xml.gz", "--to", "tigerxml").exit_code == 0
    assert [tree.discbracket() for tree in read(tmp_path / "b.xml.gz")] == TREES


def test_standard_streams(trees: Path) -> None:
    done = run_whole("convert", "-", "-", "--to", "jsonl", data=trees.read_bytes())
    assert done.returncode == 0
    assert done.stderr == b""
    assert done.stdout.count(b"\n") == 2


def test_several_inputs_in_order(trees: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.export"
    write([Tree.parse("(S (X 0=x))")], other)
    out = tmp_path / "out.discbracket"
    assert run("convert", trees, other, out).exit_code == 0
    assert out.read_text().splitlines() == [*TREES, "(S (X 0=x))"]


def test_discontinuous_trees_as_plain_brackets_only_on_request(trees: Path, tmp_path: Path) -> None:
    done = run_whole("convert", trees, tmp_path / "out.ptb")
    assert done.returncode == 1
    assert b"sentence 2: plain brackets cannot hold a discontinuous tree" in done.stderr
    assert b"--arrange" in done.stderr
    assert not (tmp_path / "out.ptb").exists()
    assert run("convert", trees, tmp_path / "out.ptb", "--arrange").exit_code == 0
    assert "(VP (WP What) (VB see)) (MD can)" in (tmp_path / "out.ptb").read_text()


def test_bad_data_exits_with_1_and_can_be_skipped(trees: Path, tmp_path: Path) -> None:
    trees.write_text(f"{TREES[0]}\n(S (X 0=x)\n{TREES[1]}\n")
    out = tmp_path / "out.discbracket"
    done = run_whole("convert", trees, out)
    assert done.returncode == 1
    assert f"{trees}:2: unbalanced brackets".encode() in done.stderr
    assert not out.exists()
    done = run_whole("convert", trees, out, "--skip-bad")
    assert done.returncode == 0
    assert out.read_text().splitlines() == TREES
    assert b"skipped: " in done.stderr
    assert b"1 of 3 sentences skipped" in done.stderr


def test_wrong_calls_exit_with_2(trees: Path, tmp_path: Path) -> None:
    for arguments, message in [
        (("convrt",), b"did you mean 'convert'?"),
        (("convert", trees), b"Missing argument"),
        (("convert", trees, tmp_path / "x.export", "--to", "exprot"), b"'exprot' is not one of"),
        (("convert", trees, tmp_path / "x.export", "--traces", "T"), b"has no option 'traces'"),
        (("convert", trees, tmp_path / "x.export", "--arrange"), b"has no option 'arrange'"),
        (("convert", trees, tmp_path / "x.export", "--split", "80/10/10"), b"OUT must have {}"),
        (("convert", trees, tmp_path / "{}.export", "--split", "80/10"), b"expected train=80"),
    ]:
        done = run_whole(*arguments)
        assert done.returncode == 2, arguments
        assert message in done.stderr, arguments


def test_missing_files_exit_with_1(tmp_path: Path) -> None:
    done = run_whole("convert", tmp_path / "none.export", tmp_path / "out.jsonl")
    assert done.returncode == 1
    assert b"none.export: cannot be read: No such file or directory" in done.stderr
    done = run_whole("convert", "-", tmp_path / "none" / "out.jsonl", data=f"{TREES[0]}\n".encode())
    assert done.returncode == 1
    assert b"out.jsonl: there is no folder " in done.stderr


def test_a_closed_pipe_is_no_traceback(trees: Path) -> None:
    trees.write_text(f"{TREES[0]}\n" * 20_000)
    command = f"{sys.executable} -c 'from permutree.cli import main; main()' convert {trees} - --to export | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, check=False)
    assert done.stdout == b"#FORMAT 4\n"
    assert done.stderr == b""


def test_transformations(trees: Path, tmp_path: Path) -> None:
    assert converted(trees, "--punctuation", "remove")[0] == "(ROOT (S (NP (PRP 0=I)) (VP (VBP 1=see))))"
    assert converted(trees, "--punctuation", "remove", "--punctuation-tags", "PRP")[0].startswith(
        "(ROOT (S (VP (VBP 0=see"
    )
    assert converted(trees, "--root", "TOP")[0].startswith("(TOP (ROOT ")
    assert converted(trees, "--rename-root", "TOP")[0].startswith("(TOP (S ")
    assert converted(trees, "--punctuation", "remove", "--remove-root")[0].startswith("(ROOT ")
    assert converted(trees, "--unary", "collapse")[0] == TREES[0]
    (tmp_path / "labels.txt").write_text("NP nominal\n\nVP\tverbal\n")
    (tmp_path / "tags.txt").write_text("PRP P\n")
    mapped = converted(trees, "--map-labels", f"{tmp_path}/labels.txt", "--map-tags", f"{tmp_path}/tags.txt")
    assert mapped[0] == "(ROOT (S (nominal (P 0=I)) (verbal (VBP 1=see))) (. 2=.))"


def test_bad_mapping_files_name_the_line(trees: Path, tmp_path: Path) -> None:
    (tmp_path / "labels.txt").write_text("NP nominal\nVP\n")
    done = run_whole("convert", trees, tmp_path / "out.discbracket", "--map-labels", tmp_path / "labels.txt")
    assert done.returncode == 1
    assert b"labels.txt:2: expected an old and a new name, found 'VP'" in done.stderr


def test_functions(tmp_path: Path) -> None:
    path = tmp_path / "in.ptb"
    path.write_text("( (S (NP-SBJ (PRP I)) (VP (VBP see))) )\n")
    assert converted(path)[0].startswith("(S (NP-SBJ ")
    assert converted(path, "--functions", "strip")[0].startswith("(S (NP (PRP")
    out = tmp_path / "out.export"
    assert run("convert", path, out, "--functions", "split").exit_code == 0
    assert converted(out, "--functions", "join")[0].startswith("(S (NP-SBJ ")


def test_lengths_left_out_are_counted(trees: Path, tmp_path: Path) -> None:
    result = run_whole("convert", trees, tmp_path / "out.discbracket", "--max-length", "4")
    assert result.returncode == 0
    assert b"1 sentences left out for their length" in result.stderr
    assert (tmp_path / "out.discbracket").read_text().splitlines() == TREES[:1]


def test_splits(tmp_path: Path) -> None:
    path = tmp_path / "in.discbracket"
    path.write_text("".join(f"(S (X 0=w{number}))\n" for number in range(10)))
    for way in ("order", "hash"):
        result = run_whole("convert", path, tmp_path / "{}.discbracket", "--split", "a=60,b=40", "--split-by", way)
        assert result.returncode == 0, result.stderr
        parts = [(tmp_path / f"{name}.discbracket").read_text().splitlines() for name in "ab"]
        assert sorted(parts[0] + parts[1]) == sorted(path.read_text().splitlines())
        if way == "order":
            assert [len(part) for part in parts] == [6, 4]


def test_whole_labels(tmp_path: Path) -> None:
    path = tmp_path / "in.discbracket"
    path.write_text("(ROOT (CP-REL (X 0=x) (Y 2=z)) (Z 1=y))\n")
    assert run_whole("convert", path, tmp_path / "out.mrg").returncode == 1
    assert run("convert", path, tmp_path / "out.mrg", "--whole-labels").exit_code == 0
    assert converted(tmp_path / "out.mrg", "--whole-labels") == path.read_text().splitlines()


def test_help_has_examples_and_every_format() -> None:
    shown = run("convert", "--help").output
    assert "Examples:" in shown
    for name in ("discbracket", "export", "tigerxml", "alpino", "ptb", "ptb-traces", "psd", "craft", "jsonl"):
        assert f"\n    {name} " in shown or f"\n  {name} " in shown


@pytest.mark.parametrize("name", list(cli.COMMANDS))
def test_every_command_has_an_example(name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert "Example" in result.output
    assert f"permutree {name}" in result.output


def test_overview_and_version() -> None:
    assert all(name in run("--help").output for name in cli.COMMANDS)
    assert run("--version").output.startswith("permutree, version ")


def test_compressed_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    import gzip

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(TREES[0].encode()))))
    assert [tree.discbracket() for tree in read("-")] == TREES[:1]


def test_lemmas_of_penn_historical_brackets(tmp_path: Path) -> None:
    path = tmp_path / "x.psd"
    path.write_text("( (IP (N well-known) (V are) (. .-.)))\n")
    assert converted(path) == ["(IP (N 0=well) (V 1=are) (. 2=.))"]
    assert converted(path, "--lemmas", "punctuation") == ["(IP (N 0=well-known) (V 1=are) (. 2=.))"]
    assert converted(path, "--lemmas", "no") == ["(IP (N 0=well-known) (V 1=are) (. 2=.-.))"]
    assert run("convert", path, tmp_path / "y.psd", "--lemmas", "punctuation").exit_code == 0
    assert (tmp_path / "y.psd").read_text() == path.read_text() + "\n"


def test_lemmas_are_an_option_of_penn_historical_brackets_only(trees: Path, tmp_path: Path) -> None:
    result = run("convert", trees, tmp_path / "x.export", "--lemmas", "no")
    assert result.exit_code == 2
    assert "--lemmas is for Penn-historical brackets (psd)" in result.output


def test_graphs_of_one_word_as_export(tmp_path: Path) -> None:
    path = tmp_path / "x.tigerxml"
    path.write_text(
        '<corpus><body><s id="1"><graph root="1_1"><terminals><t id="1_1" word="Ja" pos="ITJ"/></terminals>'
        "<nonterminals/></graph></s></body></corpus>"
    )
    assert run("convert", path, tmp_path / "x.export").exit_code == 0
    assert "Ja\t--\tITJ\t--\t--\t0\n" in (tmp_path / "x.export").read_text()
    assert converted(tmp_path / "x.export") == ["(ITJ 0=Ja)"]


def test_german_trees_in_the_scheme_of_tiger(tmp_path: Path) -> None:
    path = tmp_path / "trees.discbracket"
    path.write_text(
        "(VROOT (S (NP (PPER 0=Er)) (VVFIN 1=geht) (PP (APPR 2=in) (NP (ART 3=die) (NN 4=Stadt)))) ($. 5=.))\n"
    )
    flat = "(VROOT (S (PPER 0=Er) (VVFIN 1=geht) (PP (APPR 2=in) (ART 3=die) (NN 4=Stadt))) ($. 5=.))"
    assert converted(path, "--scheme", "tiger") == [flat]
