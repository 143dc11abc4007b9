import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from permutree import cli
from permutree.errors import ConfigError

TREES = """\
(S (VP (WRB 0=How) (VB 3=work)) (VBZ 1=does) (NP (PRP 2=it)) (. 4=?))
(S (NP (DT 0=the) (NN 1=dog)) (VP (VBZ 2=sleeps)) (. 3=.))
(S (NP (NP (DT 0=a) (NN 1=man)) (PP (IN 3=with) (NP (DT 4=a) (NN 5=dog)))) (VP (VBZ 2=sleeps)) (. 6=.))
"""
GAPS = "#n & discontinuous(#n)"


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    (tmp_path / "trees.discbracket").write_text(TREES)
    return tmp_path / "trees.discbracket"


@pytest.fixture(params=["file", "index"])
def corpus(request: pytest.FixtureRequest, treebank: Path) -> Path:
    if request.param == "file":
        return treebank
    index = treebank.with_suffix(".ptidx")
    assert run("index", str(treebank), "-o", str(index)).exit_code == 0
    return index


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli.permutree, arguments, catch_exceptions=False)


def test_keywords_in_context(corpus: Path, treebank: Path) -> None:
    result = run("search", GAPS, str(corpus))
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"{treebank}:1: [n How] does it [n work] ?",
        f"{treebank}:3: [n a man] sleeps [n with a dog] .",
    ]
    assert (
        run("search", '#n:[word="it"]', str(corpus), "--context", "1").stdout == f"{treebank}:1: … does [n it] work …\n"
    )


def test_colours(corpus: Path) -> None:
    shown = run("search", GAPS, str(corpus), "--limit", "1", "--colour", "always").stdout
    assert "[n \033[1;31mHow\033[0m] \033[2mdoes\033[0m" in shown


def test_an_object_a_match(corpus: Path, treebank: Path) -> None:
    result = run("search", '#n:[cat="NP"] > #m:[pos="DT"]', str(corpus), "--json")
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        {
            "file": str(treebank),
            "sentence": sentence,
            "nodes": {"n": {"label": "NP", "words": words}, "m": {"label": "DT", "words": words[:1]}},
        }
        for sentence, words in ((2, [0, 1]), (3, [0, 1]), (3, [4, 5]))
    ]


def test_counts(corpus: Path) -> None:
    assert run("search", '[cat="NP"]', str(corpus), "--count").stdout == "5\n"
    result = run("search", "#n:[NT] > #m", str(corpus), "--count-by", "#n.cat,#m.label")
    assert result.stdout.splitlines()[:2] == ["#n.cat\t#m.label\tcount", "NP\tDT\t3"]
    result = run("search", GAPS, str(corpus), "--count-by", "#n.cat", "--to", "json")
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        {"#n.cat": "NP", "count": 1},
        {"#n.cat": "VP", "count": 1},
    ]


def test_nothing_found_is_1(corpus: Path) -> None:
    result = run("search", '[cat="Np"]', str(corpus), "--count")
    assert (result.exit_code, result.stdout) == (1, "0\n")
    assert "did you mean" in result.stderr
    assert run("search", '[cat="XP"]', str(corpus)).stdout == ""


def test_a_bad_query_is_a_wrong_call(corpus: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot understand(.|\n)*\^"):
        run("search", '[cat="NP"', str(corpus))


@pytest.mark.parametrize("form", ["csv", "tsv", "html", "json", "discbracket", "parquet", "txt"])
def test_files_are_written_by_their_names(corpus: Path, tmp_path: Path, form: str) -> None:
    if form == "parquet":
        pytest.importorskip("pyarrow")
    out = tmp_path / f"out.{form}"
    assert run("search", GAPS, str(corpus), "-o", str(out)).exit_code == 0
    if form == "parquet":
        from pyarrow import parquet

        table = parquet.read_table(out)
        assert table["n.text"].to_pylist() == ["How … work", "a man … with a dog"]
        assert table["n.words"].to_pylist() == [[0, 3], [0, 1, 3, 4, 5]]
        return
    text = out.read_text("utf-8")
    if form in ("csv", "tsv"):
        mark = "," if form == "csv" else "\t"
        assert text.splitlines()[0] == mark.join(
            ["file", "sentence", "id", "n.label", "n.text", "n.words", "n.length", "n.gaps", "text"]
        )
        assert "a man … with a dog" in text
    elif form == "html":
        assert text.count("<figure") == 2
        assert 'class="gap found"' in text
    elif form == "discbracket":
        assert text.splitlines() == [TREES.splitlines()[0], TREES.splitlines()[2]]
    else:
        assert len(text.splitlines()) == 2


def test_drawings(corpus: Path, tmp_path: Path) -> None:
    shown = run("search", GAPS, str(corpus), "--to", "tree", "--limit", "1").stdout
    assert "VP*" in shown
    assert "═" in shown
    assert run("search", GAPS, str(corpus), "-o", str(tmp_path / "tree-{}.svg")).exit_code == 0
    assert sorted(path.name for path in tmp_path.glob("*.svg")) == ["tree-1.svg", "tree-2.svg"]
    run("search", GAPS, str(corpus), "-o", f"{tmp_path}/trees/")
    assert len(list((tmp_path / "trees").iterdir())) == 2
    with pytest.raises(ConfigError, match="holds one tree"):
        run("search", GAPS, str(corpus), "-o", str(tmp_path / "tree.svg"))


def test_samples_and_limits(corpus: Path) -> None:
    def found(*options: str) -> list[str]:
        return run("search", "#n:[T]", str(corpus), *options).stdout.splitlines()

    everything = found()
    assert len(everything) == 16
    assert found("--limit", "3") == everything[:3]
    some = found("--sample", "5", "--seed", "7")
    assert some == found("--sample", "5", "--seed", "7")
    assert some != found("--sample", "5", "--seed", "8")
    assert len(some) == 5
    assert [line for line in everything if line in some] == some


def test_other_languages(corpus: Path) -> None:
    assert run("search", "NP < (DT < a)", str(corpus), "--syntax", "tregex", "--count").stdout == "2\n"
    assert run("search", "(NP (DT a) ...)", str(corpus), "--syntax", "example", "--count").stdout == "2\n"


def test_templates_come_from_files(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.tig").write_text('Definite(#n) <- #n:[cat="NP"] > [word="the"] ;\n')
    result = run("search", "Definite(#x)", str(corpus), "--templates", str(tmp_path / "mine.tig"), "--count")
    assert result.stdout == "1\n"


def test_variables_that_make_a_match(corpus: Path) -> None:
    assert run("search", '#n:[cat="NP"] >* [T]', str(corpus), "--count").stdout == "12\n"
    assert run("search", '#n:[cat="NP"] >* [T]', str(corpus), "--count", "--unique", "#n").stdout == "5\n"


@pytest.mark.parametrize(
    "options",
    [
        ("--count", "--count-by", "#n"),
        ("--sample", "3", "--limit", "2"),
        ("--count", "--limit", "2"),
        ("--syntax", "tregex", "--templates", "x"),
    ],
)
def test_options_that_exclude_each_other(treebank: Path, options: tuple[str, ...]) -> None:
    assert run("search", "#n", str(treebank), *options).exit_code == 2


def test_an_index_is_checked(treebank: Path, tmp_path: Path) -> None:
    index = tmp_path / "x.ptidx"
    assert "3 sentences, 28 nodes" in run("index", str(treebank), "-o", str(index)).stderr
    assert "sound" in run("index", "--check", str(index)).stderr
    assert run("index", str(treebank)).exit_code == 2
