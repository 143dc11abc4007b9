from pathlib import Path

from click.testing import CliRunner

from permutree.cli import permutree

HOW = "(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (PRP 2=it))\n"


def test_standard_input_to_standard_output() -> None:
    result = CliRunner().invoke(permutree, ["encode", "-", "--encoding", "absolute"], input=HOW)
    assert result.exit_code == 0
    assert result.stdout == (
        "How\tWRB\t2\tVP\t_\tINV\ndoes\tVBZ\t0\tS\t_\t2\nit\tPRP\t_\t_\t_\t3\nwork\tVB\t-1\tS\t_\t1\n\n"
    )


def test_absolute_levels_to_a_file(tmp_path: Path) -> None:
    trees, labels = tmp_path / "how.discbracket", tmp_path / "how.labels"
    trees.write_text(HOW)
    result = CliRunner().invoke(permutree, ["encode", str(trees), "-o", str(labels), "--levels", "absolute"])
    assert (result.exit_code, result.stdout) == (0, "")
    assert [line.split("\t")[2:] for line in labels.read_text().splitlines()[:4]] == [
        ["2", "VP", "_", "NEXT"],
        ["1", "S", "_", "NEXT"],
        ["_", "_", "_", "NEXT"],
        ["1", "S", "_", "-1 WRB"],
    ]


def test_a_guessed_tagset_is_told() -> None:
    result = CliRunner().invoke(permutree, ["encode", "-", "--encoding", "pointer-simplified"], input=HOW)
    assert "-1 W\n" in result.stdout
    assert "tagset guessed from the tags: ptb" in result.stderr


def test_wrong_calls() -> None:
    run = CliRunner().invoke
    assert run(permutree, ["encode"]).exit_code == 2
    assert run(permutree, ["encode", "-", "--encoding", "utf-8"]).exit_code == 2
    assert run(permutree, ["encode", "-", "--style", "disco2labels", "--levels", "absolute"]).exit_code == 2
