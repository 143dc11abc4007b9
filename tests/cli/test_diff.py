from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from permutree import cli

GOLD = ["(ROOT (S (VP (X 0=a) (V 2=c)) (N 1=b)))", "(ROOT (S (X 0=d)))", "(ROOT (S (X 0=e) (NP (NP (X 1=f)))))"]
PREDICTED = ["(ROOT (S (VP (X 0=a) (N 1=b)) (W 2=c)))", "(ROOT (S (Y 0=d)))", "(ROOT (AP (X 0=e) (QP (X 1=f))))"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("gold.discbracket").write_text("\n".join(GOLD) + "\n")
    Path("predicted.discbracket").write_text("\n".join(PREDICTED) + "\n")
    return tmp_path


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(cli.permutree, ["diff", "gold.discbracket", "predicted.discbracket", *arguments])
    assert result.exit_code == 0
    return result


def test_worst_sentences_come_first_and_errors_are_marked() -> None:
    result = run()
    assert result.stdout.split("\n")[0] == "#3  F1 0.00  (3 missing, 2 wrong)"
    headings = [line for line in result.stdout.split("\n") if line.startswith("#")]
    assert headings[1:] == ["#1  F1 50.00  (1 missing, 1 wrong, 1 wrong tag)"]
    for label in ("S*", "NP*", "AP*", "QP*", "VP*", "V*", "W*"):
        assert label in result.stdout
    assert "X*" not in result.stdout
    assert result.stderr == "permutree: 2 of 3 sentences differ\n"


def test_drawings_stand_beside_each_other_where_there_is_room() -> None:
    assert run("-n", "1").stdout.split("\n") == [
        "#1  F1 50.00  (1 missing, 1 wrong, 1 wrong tag)",
        "gold        │  predicted",
        "  ROOT      │    ROOT",
        "   │        │     │",
        "   S        │     S",
        " ┌─┴─┐      │   ┌─┴──┐",
        "VP*  │      │  VP*   │",
        " ╞═══│══╕   │  ┌┴─┐  │",
        " X   N  V*  │  X  N  W*",
        " a   b  c   │  a  b  c",
        "",
        "",
    ]
    assert "│  predicted" not in run("-n", "1", "--width", "15").stdout


def test_only_some_sentences() -> None:
    assert "#1" not in run("--limit", "1").stdout
    assert "the first 1 are shown" in run("--limit", "1").stderr
    assert run("--disc-only").stdout.startswith("#1  F1 0.00  (1 missing, 0 wrong")
    assert "#2  F1 100.00  (0 missing, 0 wrong, 1 wrong tag)" in run("--tags").stdout
    assert run("--sort", "place").stdout.startswith("#1 ")


def test_colours() -> None:
    assert "\033[1;31m" not in run().stdout
    coloured = run("--colour", "always").stdout
    assert "\033[1;33mVP*" in coloured
    assert "\033[1;31mVP*" in coloured


def test_a_page() -> None:
    run("-o", "page.html")
    page = Path("page.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert page.count("<svg") == 4
    assert '<text class="gap missing"' in page
    assert '<text class="wrong"' in page
    assert "predicted.discbracket against gold.discbracket" in page


def test_missing_predictions() -> None:
    Path("predicted.discbracket").write_text(PREDICTED[0] + "\n")
    output = run("--missing", "count").stdout
    assert "predicted: nothing" in output
    run("--missing", "count", "-o", "page.html")
    assert Path("page.html").read_text().count("<svg") == 4


def test_nothing_to_show() -> None:
    Path("predicted.discbracket").write_text("\n".join(GOLD) + "\n")
    result = run()
    assert (result.stdout, result.stderr) == ("", "permutree: 0 of 3 sentences differ\n")
