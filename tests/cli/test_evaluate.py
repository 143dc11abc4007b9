import csv
import io
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from permutree import cli

GOLD = [
    "(ROOT (S (VP (X 0=what) (V 1=did) (V 4=see)) (NP (NP (D 2=the)) (N 3=cat))) (. 5=?))",
    "(ROOT (S (NP-SBJ (X 0=a)) (V 1=b)))",
]
PREDICTED = [
    "(ROOT (S (VP (X 0=what) (V 1=did) (N 4=see)) (D 2=the) (NP (N 3=cat)) (. 5=?)))",
    "(ROOT (S (NP-OB1 (X 0=a)) (V 1=b)))",
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("gold.discbracket").write_text("\n".join(GOLD) + "\n")
    Path("predicted.discbracket").write_text("\n".join(PREDICTED) + "\n")
    return tmp_path


def run(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(cli.permutree, ["evaluate", *arguments], input=text)


def rows(result: Result) -> dict[str, list[str]]:
    """The cells of a printed table by the names of its rows."""
    lines = [re.split(r" {2,}", line) for line in result.stdout.splitlines()[2:]]
    return {name: cells for name, *cells in lines}


def test_summary() -> None:
    result = run("gold.discbracket", "predicted.discbracket")
    assert result.exit_code == 0
    # S, VP and NP over two words, NP over one; S and NP of the second sentence
    assert rows(result)["gold brackets"] == ["6", "6", "1", "1"]
    assert rows(result)["labeled recall"] == ["66.67", "66.67", "100.00", "100.00"]
    assert result.stderr == ""


def test_json_has_the_figures_under_their_printed_names() -> None:
    result = run("gold.discbracket", "predicted.discbracket", "--json")
    record = json.loads(result.stdout)
    assert record["all"]["labeled f-measure"] == 72.73
    assert record["disconly"]["number of sentences"] == 1
    assert record["f1"] == 100 * 8 / 11
    assert (record["gold_brackets"], record["predicted_brackets"], record["matched_brackets"]) == (6, 5, 4)
    assert record["discontinuous"]["f1"] == 100
    assert record["summary"]["all ≤ 40"] == record["all"]
    assert record["reports"]["categories"][0] == {
        "label": "NP",
        "% of gold": 50.0,
        "gold": 3,
        "cand.": 2,
        "right": 1,
        "recall": 33.33,
        "precision": 50.0,
        "F1": 40.0,
    }
    assert record["sentences"] == 2
    assert "sentences" not in record["reports"]
    record = json.loads(run("gold.discbracket", "predicted.discbracket", "--json", "--report", "sentences").stdout)
    assert [sentence["exact"] for sentence in record["reports"]["sentences"]] == [0, 1]


def test_options_change_what_is_scored() -> None:
    def f1(*options: str) -> float:
        value: float = json.loads(run("gold.discbracket", "predicted.discbracket", "--json", *options).stdout)["f1"]
        return value

    assert f1("--functions", "keep") == 100 * 6 / 11
    assert f1("--param", "none") == 100 * 2 * (2 + 3) / (5 + 4 + 3 + 3)
    assert f1("--disc-only") == 100
    # NP over the and NP over cat are other spans still
    assert f1("--unlabelled") == 100 * 8 / 11
    Path("mine.prm").write_text("DELETE_LABEL S\nDELETE_LABEL ROOT\nDELETE_WORD ?\n")
    assert f1("--param", "mine.prm") == 100 * 4 / 7


def test_reports_as_text_csv_and_latex() -> None:
    files = ("gold.discbracket", "predicted.discbracket")
    result = run(*files, "--report", "gaps", "--report", "tag-confusions")
    assert result.stdout.startswith("Gap degree of brackets\n")
    assert "\nTags taken for others\ngold  cand.  count\nV     N          1\n" in result.stdout
    sentences = csv.DictReader(io.StringIO(run(*files, "--report", "sentences", "--csv").stdout))
    assert [sentence["exact"] for sentence in sentences] == ["0", "1"]
    assert r"\begin{tabular}{lrrrr}" in run(*files, "--latex").stdout
    for name in ("Summary", "Categories", "Sentences"):
        assert name in run(*files, "--report", "all").stdout
    result = run(*files, "--csv", "--report", "gaps", "--report", "tags")
    assert result.exit_code == 2
    assert "choose one --report" in result.stderr


def test_debug_in_a_parameter_file_asks_for_the_sentences() -> None:
    Path("mine.prm").write_text("DEBUG 1\n")
    output = run("gold.discbracket", "predicted.discbracket", "--param", "mine.prm").stdout
    assert output.startswith("Sentences\n")
    assert "\nSummary\n" in output


def test_several_predictions_are_compared() -> None:
    files = ("gold.discbracket", "predicted.discbracket", "gold.discbracket")
    output = run(*files, "--samples", "100").stdout
    assert output.startswith("Comparison\n")
    assert "gold.discbracket against predicted.discbracket: randomisation, 100 samples, seed 1\n" in output
    record = json.loads(run(*files, "--json", "--test", "bootstrap", "--samples", "50", "--seed", "2").stdout)
    assert [entry["f1"] for entry in record["predictions"]] == [100 * 8 / 11, 100]
    test = record["significance"]
    assert (test["test"], test["samples"], test["seed"]) == ("bootstrap", 50, 2)
    assert len(test["differences"]["gold.discbracket"]["F1"]["interval"]) == 2
    assert len(list(csv.reader(io.StringIO(run(*files, "--csv").stdout)))) == 3
    output = run(*files, "--report", "gaps").stdout
    assert "Gap degree of brackets: predicted.discbracket\n" in output


def test_standard_input_and_other_formats() -> None:
    from permutree import read, write

    write(read("gold.discbracket"), "gold.export")
    result = run("gold.export", "-", text="\n".join(PREDICTED) + "\n")
    assert result.exit_code == 0
    assert rows(result)["labeled recall"][0] == "66.67"
    assert run("-", "-").exit_code == 2


def test_missing_predictions() -> None:
    Path("short.discbracket").write_text(PREDICTED[1] + "\n")
    result = CliRunner().invoke(cli.permutree, ["evaluate", "gold.discbracket", "short.discbracket"])
    assert "(sentence 1): no prediction for this gold sentence" in str(result.exception)
    result = run("gold.discbracket", "short.discbracket", "--missing", "count", "--json")
    assert json.loads(result.stdout)["recall"] == 100 * 2 / 6


def test_bad_data_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    Path("other.discbracket").write_text("\n".join([PREDICTED[0], "(ROOT (S (NP (X 0=a)) (V 1=c)))"]) + "\n")
    monkeypatch.setattr("sys.argv", ["permutree", "evaluate", "gold.discbracket", "other.discbracket"])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    assert caught.value.code == 1
    said = capsys.readouterr().err
    assert said.startswith("permutree: error: other.discbracket (sentence 2): word 2 is 'c', not 'b'")


def test_ids_are_compared_where_both_sides_have_them(folder: Path) -> None:
    one, two, three = (f'{{"id": "{name}", "words": ["a"], "tags": ["A"], "constituents": []}}\n' for name in "xyz")
    (folder / "a.jsonl").write_text(one + two + three)
    (folder / "b.jsonl").write_text(one + three + two)
    result = run("a.jsonl", "b.jsonl")
    assert str(result.exception) == (
        "b.jsonl: sentence 2 has the id 'z', but 'y' in a.jsonl: are the sentences in the same order? --ignore-ids "
        "pairs them by place; so too sentence z"
    )
    assert run("a.jsonl", "b.jsonl", "--ignore-ids").exit_code == 0
    (folder / "b.export").write_text("".join(f"#BOS {n}\na\tA\t--\t--\t0\n#EOS {n}\n" for n in (1, 2, 3)))
    assert run("a.jsonl", "b.export").exit_code == 0


def test_bad_sentences_are_skipped_on_both_sides(folder: Path) -> None:
    (folder / "a.discbracket").write_text("(S (A 0=a))\n(S (A 0=b)\n(S (A 0=c))\n")
    assert run("a.discbracket", "a.discbracket").exit_code == 1
    result = run("a.discbracket", "a.discbracket", "--skip-bad")
    assert result.exit_code == 0
    assert "permutree: 2 of 6 sentences skipped" in result.output
